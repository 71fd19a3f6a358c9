"""Random hierarchies and rows, nasty on purpose: uneven, with absent leaves, chains, missing values and repetitions."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from sfumato.hierarchies import Hierarchy
from sfumato.testing.plain_engine import Row

# The values of the sensitive attribute `s`: an absent leaf, a chain, and the missing value below the root.
SENSITIVE = Hierarchy.from_rows(
    [("s2", "even", "*"), ("s0", "even", "*"), ("s1", "s1", "*"), ("s3", "odd", "*"), ("s5", "odd", "*")], "sensitive"
)


def random_hierarchy(random: Random, name: str) -> Hierarchy:
    """2–7 leaves under 1–3 further levels; a node with one child may keep its child's name."""
    labels = [f"{name}.{leaf}" for leaf in range(random.randint(2, 7))]
    paths = [[label] for label in labels]
    groups = [[i] for i in range(len(labels))]  # leaves of each node of the level
    for level in range(1, random.randint(1, 3)):
        merged: list[list[int]] = []
        while groups:
            take = min(len(groups), random.choice([1, 1, 2, 2, 3]))
            merged.append([leaf for group in groups[:take] for leaf in group])
            keeps_name = take == 1 and random.random() < 0.5
            for leaf in merged[-1]:
                paths[leaf].append(paths[leaf][-1] if keeps_name else f"{name}/{level}/{len(merged)}")
            groups = groups[take:]
        groups = merged
    random.shuffle(paths)  # children come in order of first appearance, whatever the file's order
    return Hierarchy.from_rows([(*path, "*") for path in paths], name)


def random_rows(random: Random, hierarchies: dict[str, Hierarchy], records: tuple[int, int]) -> list[Row]:
    """Skewed rows that leave some leaves out and repeat themselves."""
    values: dict[str, list[str | None]] = {}
    for name, hierarchy in hierarchies.items():
        leaves: list[str | None] = list(hierarchy.leaves)
        random.shuffle(leaves)
        values[name] = leaves[: random.randint(1, len(leaves))] + ([None] if random.random() < 0.3 else [])
    values["s"] = [f"s{i}" for i in range(random.randint(1, 4))]
    skew = random.choice([0.5, 1.0, 2.0])

    def draw(choices: list[str | None]) -> str | None:
        return random.choices(choices, [1 / (i + 1) ** skew for i in range(len(choices))])[0]

    return [{name: draw(choices) for name, choices in values.items()} for _ in range(random.randint(*records))]


def random_population(
    random: Random, hierarchies: Mapping[str, Hierarchy], rows: list[Row], *, strangers: bool = False
) -> list[Row]:
    """The people of the rows, some of them several times, and others, of whom some have values that no row has.

    strangers: some rows are about nobody of the population.
    """
    people: list[Row] = [{name: row[name] for name in hierarchies} for row in rows]
    people += random.choices(people, k=random.choice([0, len(rows), 3 * len(rows)]))
    values: dict[str, list[str | None]] = {
        name: [leaf or None for leaf in hierarchy.leaves] + [None] * (random.random() < 0.3)
        for name, hierarchy in hierarchies.items()
    }
    others = random.choice([0, 5, 2 * len(rows)])
    people += [{name: random.choice(leaves) for name, leaves in values.items()} for _ in range(others)]
    random.shuffle(people)
    return people[: random.randint(1, len(people))] if strangers else people


def with_persons(random: Random, rows: list[Row]) -> list[Row]:
    """The rows, assigned to persons: a few or many of them, some rows nobody's, some persons' rows all alike."""
    if random.random() < 0.05:
        return [{**row, "person": f"p{i}"} for i, row in enumerate(rows)]
    persons: list[str | None] = [f"p{i}" for i in range(random.randint(1, len(rows)))]
    persons += [None] * random.choice([0, 0, 1, 3])
    alike = {tuple(row.values()): random.choice(persons) for row in rows} if random.random() < 0.3 else {}
    return [{**row, "person": alike.get(tuple(row.values()), random.choice(persons))} for row in rows]


def with_labels(random: Random, rows: list[Row]) -> list[Row]:
    """The rows with a second sensitive attribute and a target that has to do with the first, all with missing cells."""
    missing = random.choice([0, 0, 0.1])

    def cell(value: str | None) -> str | None:
        return None if random.random() < missing else value

    return [
        {
            **row,
            "s": cell(row["s"]),
            "r": cell(str(random.choice([1, 1, 2, 10]))),
            "t": cell("yes" if random.random() < (0.8 if row["s"] == "s0" else 0.3) else "no"),
        }
        for row in rows
    ]
