"""A privacy model of your own in a few lines: every class has records of both of two income groups."""

from dataclasses import dataclass
from typing import ClassVar

import sfumato as sf
from sfumato.datasets import census
from sfumato.testing.conformance import counterexample


@dataclass(frozen=True)
class Mixed(sf.ClassModel):
    """Every class has at least `least` records of each of two values."""

    name: ClassVar[str] = "mixed"
    monotonicity: ClassVar[sf.Monotonicity] = sf.Monotonicity.STRONGLY_UP  # larger classes only have more of them

    sensitive: str
    values: tuple[str, str]
    least: int

    @property
    def reads(self) -> str:
        """The histogram of the sensitive attribute."""
        return self.sensitive

    def holds(self, summary: sf.ClassSummary) -> bool:
        counts = summary.histograms[self.sensitive]
        return all(counts.get(value, 0) >= self.least for value in self.values)


people = census(4_000).to_pandas()
groups = tuple(sorted(people["income"].unique())[:2])
model = Mixed("income", groups, least=2)
print("refuted" if counterexample(model, [*groups, "another"]) else "what it says about itself is not refuted")

table = sf.Table(people, quasi_identifiers={"age": sf.intervals(5, 10, 20, 40), "sex": sf.flat()}, sensitive=["income"])
solution = sf.Problem(table, [model, sf.KAnonymity(5)], recoding=sf.FullDomain("5%")).solve()
print(solution)
print(sf.check(solution.release(), quasi_identifiers=["age", "sex"], constraints=[model]))
