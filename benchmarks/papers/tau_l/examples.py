"""The examples of "Extending l-diversity for better data anonymization", worked out anew: Figures 1 to 3.

    python benchmarks/papers/tau_l/examples.py --write

H. Tian, W. Zhang, ITNG 2009. Without --write, what would be written is printed.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from pathlib import Path

import pandas as pd

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import sfumato as sf
from papers.outlines import outline_of
from papers.results import Layers, Outline, Result, Table, write_or_print

DISEASES = sf.Hierarchy.from_outline(
    "*\n hemal disease\n  hepatitis\n  anemia\n respiratory disease\n  phthisis\n  flu", "disease"
)
AGES = (20, 20, 20, 20, 29, 33, 32, 31, 30, 30, 28, 29)
ZIPS = ("10000", "10001", "10002", "10003", "10004", "10004", "10005", "10006", "10007", "10005", "10019", "10017")
PATIENTS = [*["hepatitis"] * 4, "phthisis", "hepatitis", *["phthisis"] * 3, "anemia", "hepatitis", "flu"]
RECORDS = tuple(zip(AGES, ZIPS, PATIENTS, strict=True))
# Figure 2 (a): which tuples have their age and ZIP code published less precisely, and which their disease.
WIDE, GENERAL = {3, 9, 11, 12}, {1, 2}
TREES = {  # Figure 3 (a)
    "A": sf.Hierarchy.from_rows([("a1", "a0"), ("a2", "a0")], "A"),
    "B": sf.Hierarchy.from_rows([("b1", "b0"), ("b2", "b0")], "B"),
}
COMMAND = "python benchmarks/papers/tau_l/examples.py --write"
Row = tuple[str, str, str]


def decade(age: int) -> str:
    return f"[{age // 10 * 10},{age // 10 * 10 + 9}]"


def by_decade() -> list[Row]:
    """Figure 1 (b): ages by decade; the ZIP codes of a class agree in as many digits as all of its tuples do."""
    rows = []
    for age, _, disease in RECORDS:
        codes = [code for other, code, _ in RECORDS if decade(other) == decade(age)]
        kept = next(n for n in range(5, -1, -1) if len({code[:n] for code in codes}) == 1)
        rows.append((decade(age), codes[0][:kept].ljust(5, "*"), disease))
    return rows


def by_code() -> list[Row]:
    """Figure 1 (d): ZIP codes without their last digit; ages as wide as a class needs."""
    rows = []
    for _, code, disease in RECORDS:
        decades = {age // 10 * 10 for age, other, _ in RECORDS if other[:4] == code[:4]}
        rows.append((f"[{min(decades)},{max(decades) + 9}]", f"{code[:4]}*", disease))
    return rows


def published() -> list[Row]:
    """Figure 2 (a)."""
    rows = []
    for number, (age, code, disease) in enumerate(RECORDS, 1):
        place = ("[20,39]", "100**") if number in WIDE else (decade(age), f"{code[:4]}*")
        parent = next(row[1] for row in zip(*_levels(DISEASES), strict=True) if row[0] == disease)
        rows.append((*place, parent if number in GENERAL else disease))
    return rows


def _levels(tree: sf.Hierarchy) -> list[list[str]]:
    return [[tree.labels[level][int(g)] for g in tree.groups[level]] for level in range(tree.height + 1)]


def classes(rows: Sequence[Row]) -> dict[tuple[str, str], Counter[str]]:
    """Diseases by class."""
    counts: dict[tuple[str, str], Counter[str]] = {}
    for age, code, disease in rows:
        counts.setdefault((age, code), Counter())[disease] += 1
    return counts


def bound(model: sf.TauLDiversity) -> sf.TauLDiversity:
    """The model with the diseases of the table as its base values."""
    frame = pd.DataFrame(RECORDS, columns=["age", "zip", "disease"])
    table = sf.Table(frame, quasi_identifiers={"age": sf.flat(), "zip": sf.flat()}, sensitive={"disease": DISEASES})
    return model.bound_to(table.frequencies.distributions)


def induced(rows: Sequence[Row]) -> list[tuple[str, str, Fraction]]:
    """Figure 2 (b): induced frequencies, class by class."""
    model = bound(sf.TauLDiversity("disease", tau=Fraction(1, 2), l=3))
    found = []
    for (age, code), counts in classes(rows).items():
        summary = sf.ClassSummary(counts.total(), {"disease": dict(counts)})
        assert model.holds(summary)
        shares = model.values.frequencies(summary)
        found += [(f"{age}, {code}", value, share) for value, share in sorted(shares.items(), key=lambda one: -one[1])]
    return found


def figure_1() -> Result:
    columns = ("age", "ZIP code", "disease")
    micro = tuple((str(age), code, disease) for age, code, disease in RECORDS)
    worst = max(counts["hepatitis"] / counts.total() for counts in classes(by_decade()).values())
    large = max(classes(by_code()).values(), key=Counter.total)
    two = sum(n for _, n in large.most_common(2)) / large.total()
    tables = (
        Table(columns, micro, "(a) microdata"),
        Table(columns, tuple(by_decade()), f"(b) (3, 2)-diverse; hepatitis with {worst:.3f} in a class"),
        Table(columns, tuple(by_code()), f"(d) simply 2-diverse; one of two diseases with {two:.1f}"),
    )
    claim = "(b) lets hepatitis be inferred with a probability of 0.714, (d) one of two diseases with 0.9."
    diagrams = (Outline("(c) the taxonomy of diseases", outline_of(DISEASES)),)
    return _example("figure-1", "Figure 1: l-diverse tables", claim, diagrams=diagrams, tables=tables)


def figure_2() -> Result:
    tables = (
        Table(("age", "ZIP code", "disease"), tuple(published()), "(a) (0.5, 3)-diverse"),
        Table(
            ("class", "disease", "induced frequency"),
            tuple((place, disease, f"{float(share):g}") for place, disease, share in induced(published())),
            "(b) induced frequencies",
        ),
    )
    claim = "In each class F(1) = 0.5, F(2) = 0.75, F(3) = F(4) = 1: no more than ψ allows."
    return _example("figure-2", "Figure 2: a (0.5, 3)-diverse table", claim, tables=tables)


def information(levels: Sequence[int]) -> Fraction:
    """The average information that a QI value of these levels retains; level 0 is the root (Section III-A)."""
    retained: list[Fraction] = []
    for tree, level in zip(TREES.values(), levels, strict=True):
        groups = tree.groups[tree.height - level]
        sizes = [int((groups == group).sum()) for group in sorted(set(groups.tolist()))]
        retained.append(
            sum((Fraction(n) * Fraction(1, n) for n in sizes), Fraction(0)) / sum(sizes)
        )  # p'(v) leaves, each I(v)
    return sum(retained, Fraction(0)) / len(retained)


def level_vector(levels: Sequence[int]) -> tuple[Fraction, ...]:
    """Definition 6: what the order of QI values compares."""
    return (information(levels), *map(Fraction, levels))


def qi_values() -> list[tuple[str, tuple[int, int]]]:
    """The nodes of Figure 3's lattice, with their levels, in the order of Definition 6."""
    values = [(a + b, (int(a != "a0"), int(b != "b0"))) for a, b in product(("a0", "a1", "a2"), ("b0", "b1", "b2"))]
    return sorted(values, key=lambda value: (*(-part for part in level_vector(value[1])), value[0]))


def figure_3() -> Result:
    values = qi_values()
    layers = tuple(tuple(sorted(name for name, levels in values if sum(levels) == depth)) for depth in range(3))
    edges = tuple(
        (general, name)
        for general, high in values
        for name, low in values
        if sum(high) + 1 == sum(low) and _covers(general, name)
    )
    vectors = sorted({levels for _, levels in values}, key=level_vector, reverse=True)
    names = {vector: " ".join(sorted(name for name, levels in values if levels == vector)) for vector in vectors}
    rows = tuple((names[v], f"⟨{float(information(v)):g}, {v[0]}, {v[1]}⟩") for v in vectors)
    claim = "a1b1 comes before a1b0, that before a0b1, that before a0b0: A counts more than B."
    diagrams = (
        Outline("The taxonomy of A", outline_of(TREES["A"])),
        Outline("The taxonomy of B", outline_of(TREES["B"])),
        Layers("The lattice of QI values", layers, edges),
    )
    tables = (Table(("QI values", "level vector"), rows, "In their order"),)
    return _example("figure-3", "Figure 3: the order of QI values", claim, diagrams=diagrams, tables=tables)


def _covers(general: str, name: str) -> bool:
    """Whether one value is more general than another: equal to it, or a root, in each attribute."""
    return all(g in {n, f"{n[0]}0"} for g, n in zip((general[:2], general[2:]), (name[:2], name[2:]), strict=True))


def _example(figure: str, title: str, claim: str, **content: object) -> Result:
    return Result("tau_l", figure, title, claim, "Worked out anew; the same.", COMMAND, **content)  # type: ignore[arg-type]


def results() -> Iterator[Result]:
    """All of them."""
    yield from (figure_1(), figure_2(), figure_3())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="results files for the gallery")
    write_or_print(results(), parser.parse_args().write)


if __name__ == "__main__":
    main()
