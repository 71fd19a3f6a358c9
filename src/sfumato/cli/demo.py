"""sfumato demo: the main job on a generated sample, in plain words."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sfumato.cli.interruption import saying_what_is_written

if TYPE_CHECKING:
    from sfumato.data import Table
    from sfumato.solution import Solution


def demo(
    directory: Annotated[Path, typer.Argument(help="Where the sample and the release go.")] = Path("sfumato-demo"),
    rows: Annotated[int, typer.Option(metavar="N", min=1, help="Rows of the sample.")] = 30_000,
    k: Annotated[int, typer.Option(metavar="K", min=1, help="How many people must look alike, at least.")] = 5,
) -> int:
    """Anonymize a generated census: write the sample to DIRECTORY, solve, release, check and report.

    Example:

        sfumato demo sfumato-demo
    """
    import sfumato as sf
    from sfumato.datasets import census, census_hierarchies, write_hierarchies
    from sfumato.engines.workspace import placeable
    from sfumato.profile import make_folders

    people, hierarchies, released = directory / "people.csv", directory / "hierarchies", directory / "released.csv"
    reports = [directory / "report.html", directory / "report.json"]
    make_folders(directory, hierarchies)
    for path in (people, released, *reports):
        placeable(path)
    with saying_what_is_written(people, released, *reports):
        census(rows).write_csv(people)
        write_hierarchies(hierarchies)
        blurred = [name for name in census_hierarchies() if name != "occupation"]
        table = sf.Table(
            people,
            quasi_identifiers={"age": sf.intervals(5, 10, 20, 40)}
            | {name: hierarchies / f"{name}.csv" for name in blurred},
            sensitive=["occupation"],
            target="income",
        )
        problem = sf.Problem(table, [sf.KAnonymity(k)], sf.LM(), sf.FullDomain(suppression_limit="5%"))
        solution = problem.solve()
        solution.write(released)
        solution.report(*reports, released=released)
        _tell(table, solution, k, people, released)
        typer.echo(f"\nThe report, to be read and filed: {reports[0]}. The same as JSON, and how to recompute it:\n")
        typer.echo(f"  sfumato verify {reports[1]} {released} --original {people}")
    return 0


def _tell(table: Table, solution: Solution, k: int, people: Path, released: Path) -> None:
    from sfumato.data import EquivalenceClasses

    f = table.frequencies
    before = EquivalenceClasses(f, f.generalized([0] * len(f.quasi_identifiers)))
    alone = int((before.sizes == 1).sum())
    say = typer.echo
    say(f"{people}: {f.records:,} people, {len(f.quasi_identifiers)} columns that a neighbour may know.")
    say(f"{alone:,} of them ({alone / f.records:.0%}) have values that nobody else has.\n")
    say(f"Asked for: groups of at least {k} people who look alike; at most 5% of the records left out.\n")
    for attribute in f.quasi_identifiers:
        level = solution.levels[attribute.name]
        row = attribute.hierarchy.rows[len(attribute.hierarchy.rows) // 3]
        how = "as it is" if level == 0 else f"{row[0]} → {row[level]}"
        say(f"  {attribute.name:<15} level {level} of {attribute.hierarchy.height}   {how}")
    out, least = f.records - solution.suppressed, solution.attained["k-anonymity"]["k"]
    say(f"\n{released}: {out:,} records in {solution.classes:,} groups, none smaller than {least}; ", nl=False)
    say(f"{solution.suppressed:,} left out.")
    say(f"It loses {solution.relative:.1%} of the detail, and this is {solution.status.value}: ", nl=False)
    say(f"no other choice among the {solution.space:,} loses less ", nl=False)
    say(f"(proved by looking at {solution.examined:,} of them, {solution.seconds:.2f} s).")
    say("The file was read back and checked independently before it got its name. Check it yourself:\n")
    columns = ",".join(attribute.name for attribute in f.quasi_identifiers)
    say(f"  sfumato check {released} --qi {columns} --require k-anonymity:k={k}")
