"""Four newcomers' first commands on a hospital's visits as they come, each in an environment of their own.

A data steward drafts a project and runs it; a data scientist works in Python, without pandas; a statistician who comes
from ARX has hierarchies of her own; a data protection officer checks what the others made. 50,000 patients in the whole
suite, 2,000 else. The times they wait are printed (pytest -s), and judged by nobody.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ..conftest import WHOLE
from . import hospital
from .environments import Environment

PATIENTS = 50_000 if WHOLE else 2_000


@pytest.fixture(scope="module")
def visits(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return hospital.write(tmp_path_factory.mktemp("visits") / "visits.csv", PATIENTS)


@pytest.fixture(scope="module")
def cells(visits: Path) -> set[str]:
    """Values that nobody but the hospital may see: numbers of patients, and notes."""
    rows = [line.split(",") for line in visits.read_text(encoding="utf-8").splitlines()[1:]]
    return {cell for row in rows for cell in (row[0], row[7]) if cell}


def shows(text: str, cells: set[str]) -> bool:
    return any(cell in text for cell in cells)


def test_the_data_steward(newcomer: Environment, visits: Path, cells: set[str], tmp_path: Path) -> None:
    """init, read what it says, anonymize as drafted, check."""
    drafted = newcomer.sfumato(["init", str(visits), "--directory", "project"], tmp_path)
    assert (drafted.returncode, drafted.stderr) == (0, "")
    roles = {line.split("  ")[0]: line for line in drafted.stdout.splitlines()}
    assert " sensitive " in roles["diag"]
    assert " identifier " not in roles["note"]
    assert " identifier " not in roles["cost_eur"]
    for said in (
        "persons have several records, so k counts persons",
        "usually means 'unknown'",
        "sex: 8 values seem to be 2 in several spellings",
        "free text may name people",
        "cost_eur: Left out",
    ):
        assert said in " ".join(drafted.stdout.split()), said
    project = (tmp_path / "project" / "sfumato.toml").read_text(encoding="utf-8")
    assert '\nunit = "Patient ID"\n' in project
    assert "\nstrip = true" in project
    assert "length = 5" in project
    assert not shows(drafted.stdout + project, cells)

    done = newcomer.sfumato(["anonymize", "project/sfumato.toml"], tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("optimal")
    assert "What became of a value, for example:" in done.stdout
    assert "Three of the released rows:" in done.stdout
    assert "  f → F\n" in done.stdout or "  Female → F\n" in done.stdout or "  m → M\n" in done.stdout
    assert not shows(done.stdout, cells)
    published = (tmp_path / "project" / "released.csv").read_text(encoding="utf-8")
    assert published.splitlines()[0] == "admitted,age,sex,zip,town,diag"
    assert "P0" not in published
    assert {line.split(",")[-4] for line in published.splitlines()[1:]} <= {"F", "M", "*"}
    checked = newcomer.sfumato(
        ["check", "project/released.csv", "--qi", "admitted,age,sex,zip,town", "--require", "k-anonymity:k=5"], tmp_path
    )
    assert checked.returncode == 0, checked.stderr


SCIENCE = """
import warnings
import sfumato as sf

blur = {"age": sf.intervals(5, 10, 20, 40), "sex": sf.flat(), "zip": sf.masking()}
with warnings.catch_warnings(record=True) as said:
    warnings.simplefilter("always")
    table = sf.Table("visits.csv", quasi_identifiers=blur, sensitive=["diag"], identifiers=["Patient ID"])
print(*(one.message for one in said), sep="\\n")

table = sf.Table("visits.csv", quasi_identifiers=blur | {"zip": sf.masking(length=5)}, sensitive=["diag"],
    unit="Patient ID", strip=True)
solution = sf.Problem(table, [sf.KAnonymity(5), sf.DistinctLDiversity("diag", 3)],
    recoding=sf.FullDomain(suppression_limit="2%")).solve(time_limit=60)
print(solution.status, solution.attained["k-anonymity"]["k"] >= 5)
solution.write("released.parquet")
solution.report("report.html")
audit = sf.check("released.parquet", quasi_identifiers=list(blur), constraints=[sf.KAnonymity(5)])
audit.raise_if_violated()
try:
    solution.release()
except sf.SfumatoError as error:
    print(error)
"""


def test_the_data_scientist(newcomer: Environment, visits: Path, tmp_path: Path) -> None:
    """Python with what sfumato brings along; what was not thought of is said in Python's words."""
    (tmp_path / "visits.csv").symlink_to(visits)
    done = newcomer.run(["-c", SCIENCE], tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    spaces, lengths, repeats, solved, pandas = done.stdout.splitlines()
    assert spaces.endswith("trim them with strip=True.")
    assert "sf.masking(align='left')" in lengths
    assert "sf.masking(length=5)" in lengths
    assert "give unit='Patient ID', or k counts rows" in repeats
    assert "--" not in spaces + lengths + repeats
    assert solved == "optimal True"
    assert 'needs pandas; install it (pip install "sfumato[pandas]")' in pandas
    assert (tmp_path / "report.html").stat().st_size > 10_000


def test_the_statistician_from_arx(newcomer: Environment, visits: Path, cells: set[str], tmp_path: Path) -> None:
    """Hierarchies as ARX writes them, all on the command line; each message says what to type."""
    known = [f"{text};{sex[0]};*" for sex in ("Female", "Male") for text in (sex[0], sex[0].lower(), sex)]
    (tmp_path / "sex.csv").write_text("\n".join([*known, ""]), encoding="utf-8")
    call = ["anonymize", str(visits), "-o", "out.csv", "--identifier", "Patient ID", "--qi", "age=intervals:5,10,20"]
    call += ["--sensitive", "diag", "--require", "k-anonymity:k=5", "--suppression-limit", "2%"]
    strange = newcomer.sfumato([*call, "--qi", "sex=sex.csv", "--qi", "zip=masking"], tmp_path)
    assert strange.returncode == 2
    assert "spaces around the value, which --strip trims" in strange.stderr
    assert "or see them with --show-values." in strange.stderr
    (tmp_path / "sex.csv").write_text("\n".join([*known, "female;F;*", "male;M;*", ""]), encoding="utf-8")
    warned = newcomer.sfumato([*call, "--qi", "sex=sex.csv", "--qi", "zip=masking", "--strip"], tmp_path)
    assert warned.returncode == 0, warned.stderr
    assert "--qi zip=masking:align=left" in warned.stderr
    assert "--qi zip=masking:length=5" in warned.stderr
    assert 'give --unit "Patient ID", or k counts rows' in warned.stderr
    assert "='" not in warned.stderr
    last = [
        *call[:4],
        *call[6:],
        "--qi",
        "sex=sex.csv",
        "--qi",
        "zip=masking:length=5",
        "--strip",
        "--unit",
        "Patient ID",
    ]
    done = newcomer.sfumato([*last, "--report", "report.html"], tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert not shows(done.stdout + warned.stdout + warned.stderr + strange.stderr, cells)
    (tmp_path / "visits.xlsx").write_bytes(b"PK\x03\x04")
    excel = newcomer.sfumato(["anonymize", "visits.xlsx", *last[2:]], tmp_path)
    assert "visits.xlsx is an Excel workbook, not CSV; open it there and save the sheet as CSV UTF-8." in excel.stderr


def test_the_data_protection_officer(newcomer: Environment, visits: Path, cells: set[str], tmp_path: Path) -> None:
    """What others made: check, verify, evaluate; and a release that is not what it says."""
    made = ["anonymize", str(visits), "-o", "out.csv", "--report", "report.json", "--unit", "Patient ID", "--strip"]
    made += [
        "--qi",
        "age=intervals:5,10,20,40",
        "--qi",
        "sex=flat",
        "--qi",
        "zip=masking:length=5",
        "--sensitive",
        "diag",
    ]
    made += ["--require", "k-anonymity:k=5", "--suppression-limit", "2%", "--json"]
    done = newcomer.sfumato(made, tmp_path)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["attained"]["k-anonymity"]["k"] >= 5
    verified = newcomer.sfumato(["verify", "report.json", "out.csv", "--original", str(visits)], tmp_path)
    assert verified.returncode == 0, verified.stdout + verified.stderr
    check = ["check", "out.csv", "--qi", "age,sex,zip", "--sensitive", "diag", "--require"]
    assert newcomer.sfumato([*check, "k-anonymity:k=5"], tmp_path).returncode == 0
    assert newcomer.sfumato([*check, "k-anonymity:k=100000"], tmp_path).returncode == 1
    evaluated = newcomer.sfumato(["evaluate", str(visits), "out.csv", "--qi", "age,sex,zip", "--strip"], tmp_path)
    assert evaluated.returncode == 0, evaluated.stderr
    lines = (tmp_path / "out.csv").read_text(encoding="utf-8").splitlines()
    (tmp_path / "out.csv").write_text("\n".join([*lines[:-1], lines[1], ""]))
    altered = newcomer.sfumato(["verify", "report.json", "out.csv"], tmp_path)
    assert altered.returncode == 1
    assert not shows("".join(one.stdout + one.stderr for one in (done, verified, evaluated, altered)), cells)
