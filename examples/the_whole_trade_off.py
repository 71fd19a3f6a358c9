"""Every k worth asking for, with what it costs; then what 10-anonymity costs is released."""

import sfumato as sf
from sfumato.datasets import census

table = sf.Table(
    census(5_000).to_pandas(),
    quasi_identifiers={"age": sf.intervals(5, 10, 20), "sex": sf.flat(), "zipcode": sf.fanout(5)},
    sensitive=["occupation"],
)
front = sf.tradeoff(table, vary="k", loss=sf.LM(), recoding=sf.FullDomain(suppression_limit="1%"))
print(front)

point = front.at(k=10)
print(f"k = {point.k} costs {point.relative:.1%} of all detail, and {point.suppressed} records")
print(point.solution)
print(point.release().head())

# The same question of another model: how close can each group's occupations be to everybody's?
close = sf.tradeoff(table, vary=(sf.TCloseness("occupation"), "t"), constraints=[sf.KAnonymity(5)])
print(close)
