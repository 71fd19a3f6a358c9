"""Project files: what they mean, and what is said about their faults."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import sfumato as sf
from sfumato.errors import DataError, InputError
from sfumato.hierarchies import Flat, HierarchyFile

WHOLE = """
[data]
source = "data/people.csv"
identifiers = ["name"]
sensitive = ["disease"]
target = "town"
insensitive = []
strip = true
[data.quasi_identifiers]
age = { intervals = [5, 10, 20] }
sex = "hierarchies/sex.csv"
[[constraints]]
model = "k-anonymity"
k = 2
[[constraints]]
model = "distinct-l-diversity"
l = 2
[loss]
model = "lm"
weights = { age = 2, sex = "1/3" }
record = 0.5
[recoding]
model = "full-domain"
suppression_limit = "10%"
max_level = { sex = 1 }
[solve]
algorithm = "lattice-search"
time_limit = "5m"
threads = 1
seed = 7
memory_limit = "1GB"
[release]
output = "released.csv"
"""
LEAST = """
[data]
source = "data/people.csv"
quasi_identifiers = { age = "intervals:10", sex = "flat" }
[[constraints]]
model = "k-anonymity"
k = 2
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project's folder that is not the one the process works in."""
    monkeypatch.chdir("/")
    (tmp_path / "data").mkdir()
    rows = [f"{20 + i % 30},{'fm'[i % 2]},town{i % 3},{['flu', 'pox', 'cold'][i % 3]},n{i}" for i in range(60)]
    (tmp_path / "data" / "people.csv").write_text("\n".join(["age,sex,town,disease,name", *rows]) + "\n")
    (tmp_path / "hierarchies").mkdir()
    (tmp_path / "hierarchies" / "sex.csv").write_text("f;*\nm;*\n")
    return tmp_path


def project(folder: Path, text: str) -> sf.Project:
    (folder / "sfumato.toml").write_text(text, encoding="utf-8")
    return sf.Project.load(folder / "sfumato.toml")


def test_everything_in_a_file(folder: Path) -> None:
    loaded = project(folder, WHOLE)
    assert loaded.constraints == (sf.KAnonymity(2), sf.DistinctLDiversity("disease", 2))
    assert loaded.loss == sf.LM({"age": 2, "sex": Fraction(1, 3)}, record="1/2")
    assert loaded.recoding == sf.FullDomain("10%", max_level={"sex": 1})
    assert loaded.algorithm == sf.LatticeSearch()
    assert loaded.search == {"time_limit": "5m", "threads": 1, "seed": 7, "memory_limit": "1GB"}
    assert loaded.output == folder / "released.csv"
    data = loaded.data
    assert data["source"] == folder / "data" / "people.csv"
    assert data["quasi_identifiers"]["age"] == sf.intervals(5, 10, 20)
    assert data["quasi_identifiers"]["sex"] == HierarchyFile(folder / "hierarchies" / "sex.csv")
    assert (data["identifiers"], data["sensitive"], data["target"]) == (["name"], ["disease"], "town")
    assert data["strip"] is True


def test_the_same_as_in_python(folder: Path) -> None:
    solution = project(folder, WHOLE).run()
    table = sf.Table(
        folder / "data" / "people.csv",
        quasi_identifiers={"age": sf.intervals(5, 10, 20), "sex": folder / "hierarchies" / "sex.csv"},
        sensitive=["disease"],
        target="town",
        identifiers=["name"],
        strip=True,
    )
    problem = sf.Problem(
        table,
        [sf.KAnonymity(2), sf.DistinctLDiversity("disease", 2)],
        sf.LM({"age": 2, "sex": "1/3"}, record="1/2"),
        sf.FullDomain("10%", max_level={"sex": 1}),
    )
    expected = problem.solve(seed=7)
    assert solution.exact_cost == expected.exact_cost
    assert solution.levels == expected.levels
    expected.write(folder / "expected.csv")
    assert (folder / "released.csv").read_bytes() == (folder / "expected.csv").read_bytes()


def test_the_least_that_a_file_says(folder: Path) -> None:
    loaded = project(folder, LEAST)
    assert (loaded.loss, loaded.recoding, loaded.algorithm) == (sf.LM(), sf.FullDomain(), None)
    assert (loaded.search, loaded.output) == ({}, None)
    assert loaded.problem().solve().status == "optimal"
    assert loaded.solve().status == "optimal"
    with pytest.raises(InputError, match=r"does not say where the release goes; give output in \[release\]"):
        loaded.run()


def test_infeasible_projects_write_nothing(folder: Path) -> None:
    text = LEAST.replace("k = 2", "k = 61") + '[release]\noutput = "released.csv"\n'
    assert project(folder, text).run().status == "infeasible"
    assert not (folder / "released.csv").exists()


def test_the_output_is_looked_at_before_the_data(folder: Path) -> None:
    loaded = replace(project(folder, LEAST), data={"source": folder / "absent.csv", "quasi_identifiers": {}})
    for output, message in {
        folder / "absent.csv": "is the data itself",
        folder / "no" / "o.csv": "there is no folder",
        folder / "o.doc": "names no known format",
    }.items():
        with pytest.raises(InputError, match=message):
            replace(loaded, output=output).run()


def test_hierarchies_of_sensitive_columns(folder: Path) -> None:
    text = LEAST.replace("[[constraints]]", '[data.sensitive]\ndisease = "flat"\n[[constraints]]')
    text += '[[constraints]]\nmodel = "distinct-l-diversity"\nl = 2\n'
    loaded = project(folder, text)
    assert loaded.data["sensitive"] == {"disease": Flat()}
    assert loaded.constraints[1] == sf.DistinctLDiversity("disease", 2)
    assert loaded.problem().data.sensitive == ("disease",)


def test_unit_and_weight_are_handed_on(folder: Path) -> None:
    loaded = project(folder, LEAST.replace("source =", 'unit = "name"\nweight = "age"\nsource ='))
    assert (loaded.data["unit"], loaded.data["weight"]) == ("name", "age")
    assert not {"unit", "weight"} & project(folder, LEAST).data.keys()


def test_absolute_paths(folder: Path) -> None:
    source = (folder / "data" / "people.csv").as_posix()
    assert project(folder, LEAST.replace("data/people.csv", source)).data["source"] == folder / "data" / "people.csv"


CHANGES: list[tuple[Any, str]] = [
    (("[data]", "[dta]"), r"sfumato\.toml has no 'dta'; did you mean 'data'\?"),
    (("[data]", 'k = 5\n[data]'), r"'k' stands above all sections; put it into one, such as \[data\]"),
    (("[data]", "[data]\nsorce = 'x'"), r"sfumato\.toml, \[data\] has no 'sorce'; did you mean 'source'\?"),
    (("[data]", "[data]\nqi = 'x'"), r"\[data\] has no 'qi'; choose from source, quasi_identifiers, sensitive"),
    (('source = "data/people.csv"', ""), r"\[data\] does not say source; give a text"),
    (('source = "data/people.csv"', "source = 5"), r"\[data\]: source is a whole number; give a text"),
    (('identifiers = ["name"]', 'identifiers = "name"'), r"\[data\]: identifiers is a text; give a list of texts"),
    (('identifiers = ["name"]', "identifiers = [5]"), r"\[data\]: identifiers is a list; give a list of texts"),
    (("strip = true", 'strip = "yes"'), r"\[data\]: strip is a text; give true or false"),
    (('target = "town"', "target = 2024-01-01"), r"\[data\]: target is a date or a time; give a text"),
    (('sensitive = ["disease"]', 'sensitive = "disease"'), "sensitive is a text; give a list of texts.*, or a table"),
    (("age = { intervals = [5, 10, 20] }", "age = { interval = 5 }"),
     r"sfumato\.toml, \[data\.quasi_identifiers\], age: 'interval' is not a hierarchy; did you mean 'intervals'\?"),
    (("age = { intervals = [5, 10, 20] }", "age = { intervals = [5, 7] }"),
     r"\[data\.quasi_identifiers\], age: .*7 is not a multiple of 5"),
    (("k = 2\n", "kk = 2\n"), r"sfumato\.toml, \[\[constraints\]\] 1: 'k-anonymity' has no 'kk'; did you mean 'k'\?"),
    (("k = 2\n", ""), r"\[\[constraints\]\] 1: 'k-anonymity' does not say k; write it like k = …"),
    (("k = 2\n", 'k = "2"\n'), r"\[\[constraints\]\] 1: k is a text; give a whole number"),
    (("k = 2\n", "k = true\n"), r"\[\[constraints\]\] 1: k is true or false; give a whole number"),
    (("k = 2\n", "k = 0\n"), r"\[\[constraints\]\] 1: k = 0 is not a whole number from 1 up"),
    (("k = 2\n", "k = 2\nk = 3\n"), r"sfumato\.toml, line \d+, column 6: not valid TOML \(cannot overwrite a value\)"),
    (('model = "k-anonymity"', 'model = "kanonymity"'), r"1: 'kanonymity' is not a privacy model; did you mean 'k-an"),
    (('model = "k-anonymity"', ""), r"\[\[constraints\]\] 1 does not say model; sfumato list names every privacy mod"),
    (('model = "k-anonymity"', "model = 5"), r"\[\[constraints\]\] 1: model is a whole number; give a text"),
    (('model = "distinct-l-diversity"', 'model = "lm"'), r"\[\[constraints\]\] 2: 'lm' is not a privacy model"),
    (('sensitive = ["disease"]', 'sensitive = ["disease", "town"]'), r"2: 'distinct-l-diversity' does not say sensit"),
    (("[[constraints]]\nmodel = \"k", "[constraints]\nmodel = \"k"), r"line \d+, column \d+: not valid TOML"),
    (('model = "lm"', 'model = "ml"'), r"sfumato\.toml, \[loss\]: 'ml' is not a loss; choose from"),
    (("weights = { age = 2", "weights = { agee = 2"), "weights has 'agee', which is not a quasi-identifier"),
    (('weights = { age = 2, sex = "1/3" }', "weights = 2"), r"\[loss\]: weights is a whole number; give a table"),
    (("record = 0.5", "record = [1]"), r"\[loss\]: record is a list; give a number, such as 0\.05"),
    (("record = 0.5", 'record = "much"'), r"\[loss\]: record = 'much' is not a number"),
    (('suppression_limit = "10%"', "supression_limit = 0"), r"'full-domain' has no 'supression_limit'; did you mean"),
    (('suppression_limit = "10%"', "suppression_limit = 2"), r"\[recoding\]: suppression_limit = 2 is not a share"),
    (("max_level = { sex = 1 }", "max_level = 1"), r"\[recoding\]: max_level is a whole number; give a table"),
    (('algorithm = "lattice-search"', 'algorithm = "search"'), r"\[solve\.algorithm\]: 'search' is not an algorithm"),
    (('algorithm = "lattice-search"', "algorithm = { x = 1 }"), r"\[solve\.algorithm\] does not say model"),
    (('time_limit = "5m"', 'time_limit = "soon"'), r"\[solve\]: time_limit = soon is not a time"),
    (('time_limit = "5m"', "time_limit = []"), r'\[solve\]: time_limit is a list.*; give seconds, or a time'),
    (("threads = 1", "threads = 0"), r"\[solve\]: threads = 0 is not a whole number from 1 up"),
    (("threads = 1", "threads = 1.5"), r"\[solve\]: threads is a number; give a whole number"),
    (('memory_limit = "1GB"', 'memory_limit = "much"'), r"\[solve\]: memory_limit = much is not an amount of memory"),
    (('output = "released.csv"', 'reports = "r.html"'), r"\[release\] has no 'reports'; did you mean 'report'"),
    (("[release]", "release = 5\n[release]"), r"\[solve\] has no 'release'"),
    (("[loss]", "[loss"), r"sfumato\.toml, line \d+, column \d+: not valid TOML \(.*\); correct the line"),
    (('source = "data/people.csv"', 'source = "data'), r"sfumato\.toml, line 3, column 15: not valid TOML"),
]  # fmt: skip


@pytest.mark.parametrize(("change", "message"), CHANGES)
def test_faults_are_named(folder: Path, change: tuple[str, str], message: str) -> None:
    before, after = change
    assert before in WHOLE
    with pytest.raises(InputError, match=message) as caught:
        project(folder, WHOLE.replace(before, after, 1)).problem()
    assert "\n" not in str(caught.value)


def test_constraints_are_a_list(folder: Path) -> None:
    text = LEAST.replace("[[constraints]]", "[constraints]")
    with pytest.raises(InputError, match=r"constraints is a table; give tables in double brackets, one for each"):
        project(folder, text)
    with pytest.raises(InputError, match=r"sfumato\.toml does not say constraints; give"):
        project(folder, LEAST.split("[[", maxsplit=1)[0])
    with pytest.raises(InputError, match=r"sfumato\.toml does not say data; give a table"):
        project(folder, "")


def test_files_that_cannot_be_read(folder: Path) -> None:
    with pytest.raises(InputError, match=r"There is no file '.*x\.toml'; .*draft one with sfumato init"):
        sf.Project.load(folder / "x.toml")
    with pytest.raises(InputError, match="is a folder; give the path of the project file in it"):
        sf.Project.load(folder)
    (folder / "latin.toml").write_bytes(b'[data]\nsource = "\xe9"\n')
    with pytest.raises(InputError, match=r"latin\.toml, line 2: not UTF-8"):
        sf.Project.load(folder / "latin.toml")
    (folder / "open.toml").write_text("[data]\nidentifiers = [")
    with pytest.raises(InputError, match=r"open\.toml, line 2, column 16: not valid TOML"):
        sf.Project.load(folder / "open.toml")
    (folder / "bom.toml").write_text(LEAST, encoding="utf-8-sig")
    assert sf.Project.load(folder / "bom.toml").constraints == (sf.KAnonymity(2),)


def test_absent_data_and_hierarchies(folder: Path) -> None:
    with pytest.raises(DataError, match=r"There is no file '.*gone\.csv'"):
        project(folder, LEAST.replace("people.csv", "gone.csv")).problem()
    with pytest.raises(InputError, match=r"There is no file '.*hierarchies/gone\.csv'; check the path"):
        project(folder, LEAST.replace('"flat"', '"hierarchies/gone.csv"')).problem()


# --- transactions

BASKETS = """
[data]
source = "data/baskets.txt"
hierarchy = { fanout = 2 }
[[constraints]]
model = "km-anonymity"
k = 2
m = 2
"""
ALL_OF_BASKETS = """
[data]
source = "data/rows.csv"
hierarchy = "items.csv"
transaction = "basket"
item = "product"
multiset = "count"
delimiter = ";"
[[constraints]]
model = "km-anonymity"
k = 2
m = 1
[loss]
model = "ncp"
[recoding]
model = "local-items"
[solve]
algorithm = { model = "lra" }
time_limit = "5m"
threads = 1
seed = 3
memory_limit = "1GB"
[release]
output = "released.csv"
report = "report.html"
"""


@pytest.fixture
def baskets(folder: Path) -> Path:
    sets = [["1", "3", "4"], ["2", "3"], ["2", "3", "4"], ["1", "2", "4"]]
    (folder / "data" / "baskets.txt").write_text("".join(f"{' '.join(items)}\n" for items in sets))
    rows = [f"t{t};{item}" for t, items in enumerate(sets) for item in items]
    (folder / "data" / "rows.csv").write_text("\n".join(["basket;product", *rows]) + "\n")
    (folder / "items.csv").write_text("1;12;*\n2;12;*\n3;34;*\n4;34;*\n")
    return folder


def test_the_least_that_a_file_of_transactions_says(baskets: Path) -> None:
    loaded = project(baskets, BASKETS)
    assert (loaded.loss, loaded.recoding, loaded.algorithm) == (sf.NCP(), sf.ItemCut(), None)
    assert loaded.form.name == "transactions"
    solution = loaded.solve()
    data: Any = sf.Transactions(baskets / "data" / "baskets.txt", hierarchy=sf.fanout(2))
    assert solution.exact_cost == sf.Problem(data, [sf.KmAnonymity(2, 2)]).solve().exact_cost


def test_all_that_a_file_of_transactions_says(baskets: Path) -> None:
    loaded = project(baskets, ALL_OF_BASKETS)
    assert loaded.data == {
        "source": sf.CsvFile(baskets / "data" / "rows.csv", delimiter=";"),
        "hierarchy": HierarchyFile(baskets / "items.csv"),
        "transaction": "basket",
        "item": "product",
        "multiset": "count",
    }
    assert loaded.constraints == (sf.KmAnonymity(2, 1),)
    assert (loaded.recoding, loaded.algorithm) == (sf.LocalItems(), sf.LRA())
    assert loaded.search == {"time_limit": "5m", "threads": 1, "seed": 3, "memory_limit": "1GB"}
    solution = loaded.run()
    assert solution.recoding is not None
    named = {"transaction": "basket", "item": "product"}
    assert sf.check(baskets / "released.csv", constraints=[sf.KmAnonymity(2, 1)], **named).holds
    assert {path.name for path in baskets.glob("report.*")} == {"report.html", "report.json"}


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ("hierarchy = { fanout = 2 }", 'item = "x"', r"\[data\] does not say hierarchy; give a text.*, or a table"),
        ("hierarchy = { fanout = 2 }", "hierarchy = 2", r"\[data\]: hierarchy is a whole number; give a text"),
        (
            "{ fanout = 2 }",
            "{ fanuot = 2 }",
            r"\[data\], hierarchy: 'fanuot' is not a hierarchy; did you mean 'fanout'",
        ),
        ("[data]", '[data]\nsensitive = ["x"]', r"\[data\]: sensitive is for tables, not for transactions; leave"),
        ("[data]", "[data]\nseperator = ','", r"\[data\] has no 'seperator'; did you mean 'separator'"),
        ("[data]", "[set_loss]\nmodel = 'ncp'\n[data]", r"toml: set_loss is for tables, not for transactions; leave"),
        ("[[", "[solve]\nset_algorithm = 'aa'\n[[", r"\[solve\]: set_algorithm is for tables, not for transactions"),
        (
            "[[",
            "[release]\nwithout_reference = true\n[[",
            r"\[release\]: without_reference is for tables, not for",
        ),
        (
            "[[",
            "[release]\noutput = 'o.duckdb'\n[[",
            r"'o.duckdb' names no known format; end the name in .txt, .txt.gz,",
        ),
        ("[[", "[release]\noutput = 'data/baskets.txt'\n[[", r"baskets.txt' is the data itself; write the release"),
    ],
)
def test_faults_in_files_of_transactions(baskets: Path, before: str, after: str, message: str) -> None:
    assert before in BASKETS
    with pytest.raises(InputError, match=message):
        project(baskets, BASKETS.replace(before, after, 1)).run()


def test_what_is_for_transactions_is_not_for_tables(folder: Path) -> None:
    with pytest.raises(InputError, match=r"\[data\]: multiset is for transactions, not for tables; leave it out"):
        project(folder, LEAST.replace("source =", 'multiset = "count"\nsource ='))


def test_options_of_tables_are_refused_in_python_too(baskets: Path) -> None:
    loaded = replace(project(baskets, BASKETS), output=baskets / "o.txt", without_reference=True)
    with pytest.raises(InputError, match="--without-reference is for tables, not for transactions"):
        loaded.run()


def test_a_file_of_transactions_is_run(baskets: Path) -> None:
    first = project(baskets, BASKETS + '[release]\noutput = "o.txt"\n').run()
    assert sorted((baskets / "o.txt").read_text().splitlines()) == ["1..2 3", "1..2 3 4", "1..2 3 4", "1..2 4"]
    assert first.status == "optimal"
