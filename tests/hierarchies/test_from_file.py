"""HierarchyFile: what is read, what is guessed, and what each fault says."""

from __future__ import annotations

from pathlib import Path

import pytest

from sfumato.errors import HierarchyError
from sfumato.hierarchies import HierarchyFile, HierarchySource

SHARED = Path(__file__).resolve().parents[2].parent / "shared" / "data" / "hierarchies"
ROWS = (("a", "x", "*"), ("b", "x", "*"), ("c", "y", "*"))


def written(folder: Path, content: str | bytes) -> Path:
    path = folder / "f.csv"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


@pytest.mark.parametrize("delimiter", [";", ",", "\t", "|"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("bom", ["", "\ufeff"])
def test_delimiter_line_ends_and_byte_order_mark_are_recognised(
    tmp_path: Path, delimiter: str, end: str, bom: str
) -> None:
    path = written(tmp_path, bom + end.join(delimiter.join(row) for row in ROWS))
    assert HierarchyFile(path).read().rows == ROWS
    assert HierarchyFile(str(path)).read().source == "f.csv"


@pytest.mark.parametrize(
    ("line", "row"),
    [
        ("17;[15, 20);*", ("17", "[15, 20)", "*")),
        ("17\t[15, 20)\t*", ("17", "[15, 20)", "*")),
        ('17,"[15, 20)",*', ("17", "[15, 20)", "*")),
        ('"a;b",c,*', ("a;b", "c", "*")),
        ('"a\nb;c",d|e,*', ("a\nb;c", "d|e", "*")),
        ('"say ""x""";*', ('say "x"', "*")),
        ('5" pipe;pipes;*', ('5" pipe', "pipes", "*")),
        ("\n\r\na,*", ("a", "*")),
        ("日本;アジア;*", ("日本", "アジア", "*")),
        ("alone", ("alone",)),
    ],
)
def test_quotes_commas_and_unicode(tmp_path: Path, line: str, row: tuple[str, ...]) -> None:
    assert HierarchyFile(written(tmp_path, line + "\n")).read().rows == (row,)


def test_a_given_delimiter_is_not_guessed(tmp_path: Path) -> None:
    path = written(tmp_path, "a;b,*\n")
    assert HierarchyFile(path, delimiter=",").read().rows == (("a;b", "*"),)


@pytest.mark.parametrize("delimiter", ["", ";;", '"', "\n"])
def test_an_impossible_delimiter_is_refused(delimiter: str) -> None:
    with pytest.raises(HierarchyError, match="is not a delimiter; use one character such as ';'"):
        HierarchyFile("f.csv", delimiter=delimiter)


def test_labels_are_trimmed_only_when_asked(tmp_path: Path) -> None:
    path = written(tmp_path, 'a ; "x;y" ; *\nb ; "x;y" ; *\n')
    assert HierarchyFile(path, strip=True).read().rows == (("a", "x;y", "*"), ("b", "x;y", "*"))
    path = written(tmp_path, "a ; x\n")
    assert HierarchyFile(path).read().rows == (("a ", " x"),)


def test_blank_lines_are_skipped_but_counted(tmp_path: Path) -> None:
    path = written(tmp_path, '\na;*\n\n;\n  \n"b\nc";*\nd;*\na;*\n')
    with pytest.raises(HierarchyError, match=r"^f\.csv, line 9: 'a' is already in line 2; keep one of the two\.$"):
        HierarchyFile(path).read()


def test_the_occurring_values_must_be_leaves(tmp_path: Path) -> None:
    source = HierarchyFile(written(tmp_path, "a;x;*\nb;x;*\nc;y;*\n"))
    assert isinstance(source, HierarchySource)
    assert source.build("letter", {"a": 2}).rows == ROWS
    with pytest.raises(HierarchyError) as caught:
        source.build("letter", {"a": 2, "Q-secret": 1})
    assert str(caught.value) == (
        "f.csv has no path for 1 of the 2 values of 'letter' (1 row); "
        "add a line for each, or see them in the error's hidden_values."
    )
    assert caught.value.hidden_values == ("Q-secret",)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "f.csv has no rows; give one per value: value;parent;…;*."),
        ("\ufeff\n\n", "f.csv has no rows; give one per value: value;parent;…;*."),
        (
            "a;x;*\n\nb;x\n",
            "f.csv, line 3: 2 labels instead of 3 as in line 1; "
            "give every line the same number, repeating a label where no level lies between.",
        ),
        ("a;*\nb;*\n;*\n", "f.csv, line 3: no value; name one, or delete the line (missing values need none)."),
        (
            "a;x;*\nb;y;*;\n",
            "f.csv, line 2: 4 labels instead of 3 as in line 1; "
            "give every line the same number, repeating a label where no level lies between.",
        ),
        (
            "a;*;\n",
            "f.csv, line 1: the label of level 2 is empty; fill it in, for instance by repeating the one before.",
        ),
        (
            'a;*\n"b;*\nc;*\n',
            "f.csv, line 2: no CSV (unexpected end of data); "
            "close every quotation mark, and double those inside a label.",
        ),
        ("a\nb\n", "f.csv has 2 roots ('a', 'b'); add a last column with one label such as '*'."),
        (b"a;*\nb\xfc;*\n", "f.csv, line 2: not UTF-8; save the file with that encoding."),
        ("a;*\n".encode("utf-16"), "f.csv, line 1: not UTF-8; save the file with that encoding."),
    ],
)
def test_each_fault_says_what_where_and_the_way_out(tmp_path: Path, content: str | bytes, message: str) -> None:
    with pytest.raises(HierarchyError) as caught:
        HierarchyFile(written(tmp_path, content)).read()
    assert str(caught.value) == message


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(HierarchyError, match=r"^There is no file '.*absent\.csv'; check the path"):
        HierarchyFile(tmp_path / "absent.csv").read()


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(HierarchyError, match=r"' is a folder; give the path of one hierarchy file in it\.$"):
        HierarchyFile(tmp_path).read()


def test_other_reading_errors_are_passed_on_in_words(tmp_path: Path) -> None:
    path = written(tmp_path, "a;*\n") / "inside a file"
    with pytest.raises(HierarchyError, match=r"' cannot be read \(Not a directory\)"):
        HierarchyFile(path).read()


# Outlines and pairs


def test_an_outline_is_read_on_request(tmp_path: Path) -> None:
    path = written(tmp_path, "\ufeff*\r\n\tx\r\n\t\ta\r\n\t\tb\r\n\ty\r\n\t\tc\r\n")
    hierarchy = HierarchyFile(path, format="outline").read()
    assert (hierarchy.rows, hierarchy.source) == (ROWS, "f.csv")
    assert HierarchyFile(path, format="outline").build("letter", {"a": 2}).rows == ROWS


@pytest.mark.parametrize("delimiter", [";", ",", "\t", "|"])
def test_pairs_are_read_on_request(tmp_path: Path, delimiter: str) -> None:
    edges = [("a", "x"), ("b", "x"), ("c", '"y"'), ("x", "*"), ("y", "*")]
    path = written(tmp_path, "\n".join(delimiter.join(edge) for edge in edges))
    assert HierarchyFile(path, format="pairs").read().rows == ROWS
    spaced = written(tmp_path, "\n".join(f" {delimiter} ".join(edge) for edge in edges))
    assert HierarchyFile(spaced, format="pairs", strip=True).read().rows == ROWS


def test_faults_of_outlines_and_pairs_name_their_line(tmp_path: Path) -> None:
    with pytest.raises(
        HierarchyError, match=r"^f\.csv, line 4: 'a' has two parents \('\*', 'x'\); keep one of them \(it also"
    ):
        HierarchyFile(written(tmp_path, "a;*\n\n\na;x\n"), format="pairs").read()
    with pytest.raises(HierarchyError, match=r"^f\.csv, line 2: 'a' is a second root"):
        HierarchyFile(written(tmp_path, "*\na\n"), format="outline").read()


def test_two_columns_are_levels_unless_said_otherwise(tmp_path: Path) -> None:
    path = written(tmp_path, "a;*\nb;*\n")
    assert HierarchyFile(path).read().rows == HierarchyFile(path, format="pairs").read().rows
    path = written(tmp_path, "a;x\nb;x\nx;*\n")
    with pytest.raises(HierarchyError) as caught:
        HierarchyFile(path).read()
    assert str(caught.value) == (
        "f.csv has 2 roots ('x', '*'); add a last column with one label such as '*'. "
        "If its lines are child;parent, write HierarchyFile(…, format='pairs')."
    )


def test_an_outline_read_by_levels_is_recognised(tmp_path: Path) -> None:
    with pytest.raises(HierarchyError, match=r"If it is an indented outline, write HierarchyFile\(…, for"):
        HierarchyFile(written(tmp_path, "*\n  a\n  b\n")).read()


def test_formats_are_known() -> None:
    with pytest.raises(
        HierarchyError, match="'tree' is not a format of a hierarchy file; choose from levels, outline, pairs"
    ):
        HierarchyFile("f.csv", format="tree")  # type: ignore[arg-type]
    with pytest.raises(HierarchyError, match="An outline has no delimiter"):
        HierarchyFile("f.csv", delimiter=";", format="outline")


@pytest.mark.skipif(not SHARED.is_dir(), reason="the shared folder of hierarchy files is not here")
def test_every_shared_hierarchy_is_read_unchanged() -> None:
    paths = sorted(SHARED.rglob("*.csv"))
    assert paths
    for path in paths:
        lines = [tuple(line.split(";")) for line in path.read_text(encoding="utf-8").splitlines()]
        hierarchy = HierarchyFile(path).read()
        assert sorted(hierarchy.rows) == sorted(lines), path
        assert hierarchy.labels[-1] == ("*",), path
        assert sum(hierarchy.sizes[1]) == len(lines), path
