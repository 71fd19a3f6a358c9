"""Masking: the last characters go first, and every set of texts makes a tree."""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

import sfumato as sf
from sfumato.errors import HierarchyError, MaskingWarning
from sfumato.hierarchies import Hierarchy, HierarchySource, Masking, masking
from sfumato.settings.wording import Place, settings_given

LENGTHS = pytest.mark.filterwarnings("ignore:.*lined up by:sfumato.errors.MaskingWarning")
SPACES = pytest.mark.filterwarnings("ignore:.*have spaces:sfumato.errors.MaskingWarning")


def rows(source: Masking, *values: str) -> tuple[tuple[str, ...], ...]:
    return source.build("code", dict.fromkeys(values, 1)).rows


def test_one_more_character_at_every_level_until_all_are_masked() -> None:
    assert rows(masking(), "92301", "92310", "02139") == (
        ("02139", "0213*", "021**", "02***", "0****", "*"),
        ("92301", "9230*", "923**", "92***", "9****", "*"),
        ("92310", "9231*", "923**", "92***", "9****", "*"),
    )
    assert isinstance(masking(), HierarchySource)


def test_stated_numbers_of_characters_are_masked() -> None:
    assert rows(masking(1, 3), "92301") == (("92301", "9230*", "92***", "*"),)
    assert rows(masking(2, char="x"), "92301") == (("92301", "923xx", "*"),)
    assert rows(masking(1, 5, 9), "123") == (("123", "12*", "*", "*", "*"),)


@LENGTHS
def test_shorter_codes_are_padded_on_the_left() -> None:
    assert rows(masking(), "105", "12", "7", "07") == (
        ("7", "__*", "_**", "*"),
        ("07", "_0*", "_**", "*"),
        ("12", "_1*", "_**", "*"),
        ("105", "10*", "1**", "*"),
    )


@LENGTHS
def test_nodes_that_would_spell_alike_get_different_labels() -> None:
    hierarchy = masking().build("code", dict.fromkeys(["7", "_7", "12*", "123"], 1))
    labels = [label for level in hierarchy.labels[1:-1] for label in level]
    assert len({*labels, *hierarchy.leaves, "*"}) == len(labels) + 4 + 1
    assert [row[1] for row in hierarchy.rows] == ["__*", "__*'", "12*'", "12*'"]


def test_characters_are_code_points() -> None:
    assert rows(masking(), "日本", "日光") == (("日光", "日*", "*"), ("日本", "日*", "*"))


def test_short_and_absent_values() -> None:
    assert rows(masking(), "a", "b") == (("a", "*"), ("b", "*"))
    assert rows(masking()) == (("*", "*"),)
    assert rows(masking(1, 2)) == (("*", "*", "*", "*"),)


texts = st.sets(st.text(st.sampled_from("01*_'a é"), min_size=1, max_size=6), max_size=30)


@LENGTHS
@SPACES
@given(texts, st.sets(st.integers(1, 8), max_size=3), st.sampled_from("*_'x"))
def test_any_texts_make_a_tree_of_prefixes(values: set[str], masked: set[int], char: str) -> None:
    source = Masking(tuple(sorted(masked)), char)
    hierarchy = source.build("code", dict.fromkeys(values, 1))
    # in order already, and a tree: the checks of from_rows find nothing
    assert Hierarchy.from_rows(hierarchy.rows, "again").rows == hierarchy.rows
    assert set(hierarchy.leaves) == (values or {"*"})
    width = max(map(len, values), default=1)
    numbers = sorted(masked) or range(1, width)
    for level, hidden in enumerate(numbers, start=1):
        for one, row in zip(hierarchy.leaves, hierarchy.rows, strict=True):
            for other, line in zip(hierarchy.leaves, hierarchy.rows, strict=True):
                same = (
                    one.rjust(width, "\0")[: max(width - hidden, 0)]
                    == other.rjust(width, "\0")[: max(width - hidden, 0)]
                )
                assert (row[level] == line[level]) == same
    # an inner label names one node of the whole tree
    nodes = [(level, label) for level, labels in enumerate(hierarchy.labels[1:-1]) for label in labels if label != "*"]
    assert len({label for _, label in nodes} | values) == len(nodes) + len(values)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (((0,),), "masking(0): masking 0 characters hides nothing; mask at least 1."),
        (
            ((3, 1),),
            "masking(3, 1): 1 characters after 3 show more, not less; mask more at each level, as in masking(1, 3).",
        ),
        (((), "**"), "'**' is not a character to mask with; use one that shows, such as '*'."),
        (((), " "), "' ' is not a character to mask with; use one that shows, such as '*'."),
        (((), "*", "top"), "align = 'top' is not a side; give 'left' or 'right'."),
        (
            ((), "*", None, 0),
            "length = 0 counts the first characters; give a number from 1 up, and align='left' or none.",
        ),
        (((), "\n"), "'\\n' is not a character to mask with; use one that shows, such as '*'."),
    ],
)
def test_bad_arguments_are_refused(arguments: tuple[object, ...], message: str) -> None:
    with pytest.raises(HierarchyError) as caught:
        Masking(*arguments)  # type: ignore[arg-type]
    assert str(caught.value) == message


def test_codes_lined_up_by_their_first_characters() -> None:
    assert rows(masking(align="left"), "I10", "E11", "E11.9", "E10.1") == (
        ("E10.1", "E10.*", "E10**", "E1***", "E****", "*"),
        ("E11", "E11_*", "E11**", "E1***", "E****", "*"),
        ("E11.9", "E11.*", "E11**", "E1***", "E****", "*"),
        ("I10", "I10_*", "I10**", "I1***", "I****", "*"),
    )


def test_codes_of_which_so_many_characters_count() -> None:
    assert rows(masking(1, 3, length=5), "92301", "92301-1234", "9230", "92305") == (
        ("92301", "9230*", "92***", "*"),
        ("92301-1234", "9230*", "92***", "*"),
        ("92305", "9230*", "92***", "*"),
        ("9230", "other", "other", "*"),
    )
    assert rows(masking(length=2), "other", "ot", "o")[-1] == ("o", "other'", "*")


@SPACES
@given(texts, st.sets(st.integers(1, 8), max_size=3), st.sampled_from([None, *range(1, 7)]))
def test_they_make_a_tree_of_first_characters(values: set[str], masked: set[int], length: int | None) -> None:
    source = Masking(tuple(sorted(masked)), "*", "left", length)
    hierarchy = source.build("code", dict.fromkeys(values, 1))
    assert Hierarchy.from_rows(hierarchy.rows, "again").rows == hierarchy.rows
    width = length or max(map(len, values), default=1)

    def begins(text: str, hidden: int) -> str | None:
        whole = text.ljust(width, "\0")[: max(width - hidden, 0)]
        return None if length is not None and len(text) < length and hidden < width else whole

    for level, hidden in enumerate(sorted(masked) or range(1, width), start=1):
        for one, row in zip(hierarchy.leaves, hierarchy.rows, strict=True):
            for other, line in zip(hierarchy.leaves, hierarchy.rows, strict=True):
                assert (row[level] == line[level]) == (begins(one, hidden) == begins(other, hidden))
    nodes = [(level, label) for level, labels in enumerate(hierarchy.labels[1:-1]) for label in labels if label != "*"]
    together = sum(label.startswith("other") for label in {label for _, label in nodes})
    assert together <= 1
    inner = [label for _, label in nodes if not label.startswith("other")]
    assert len({*inner, *values}) == len(inner) + len(values)


def test_codes_that_are_not_what_they_seem_are_warned_of() -> None:
    zips = {"89010": 70, "89011": 20, "89010 ": 4, "8901": 3, "89010-12": 2}
    with pytest.warns(MaskingWarning) as caught:
        masking().build("zip", zips)
    assert [str(one.message) for one in caught] == [
        "1 of the 5 values of 'zip' (4 rows) have spaces around them, which masking takes for characters; "
        "trim them with strip=True.",
        "2 of the 5 values of 'zip' (5 rows) are shorter or longer than the others, and codes are lined up by their "
        "last characters, so that few begin alike. Line up the first ones: sf.masking(align='left'); or let 5 "
        "characters count: sf.masking(length=5). To keep it as it is: sf.masking(align='right').",
    ]
    with settings_given(Place.COMMAND_LINE), pytest.warns(MaskingWarning) as caught:
        masking().build("zip code", zips)
    assert "--strip." in str(caught[0].message)
    assert 'the first ones: --qi "zip code=masking:align=left"; or let' in str(caught[1].message)
    with settings_given(Place.PROJECT_FILE), pytest.warns(MaskingWarning, match='zip = "masking:length=5"'):
        masking().build("zip", {text.strip(): number for text, number in zips.items()})


@pytest.mark.parametrize("source", [masking(align="left"), masking(align="right"), masking(length=5)])
def test_who_says_how_codes_are_lined_up_is_not_warned(source: Masking) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        source.build("zip", {"89010": 7, "8901": 3, "89010-12": 2})
        masking().build("zip", {"89010": 7, "89011": 3})


def test_less_is_lost_of_codes_with_slips(tmp_path: Path) -> None:
    """Of 1,000 codes of five digits some have blanks or fewer digits: what is offered keeps what others share."""
    codes = [f"890{i % 10}{i % 7}" for i in range(1000)]
    for i in range(0, 1000, 50):
        codes[i] = f"{codes[i]} " if i % 100 else codes[i][:4]
    path = tmp_path / "codes.csv"
    path.write_text("zip\n" + "\n".join(codes) + "\n")

    def lost(hierarchy: Masking, strip: bool) -> float:
        table = sf.Table(path, quasi_identifiers={"zip": hierarchy}, strip=strip)
        return sf.Problem(table, [sf.KAnonymity(5)], recoding=sf.FullDomain()).solve().relative or 0.0

    with pytest.warns(MaskingWarning):
        before = lost(masking(), strip=False)
    assert lost(masking(length=5), strip=True) < 0.1 < before


def test_texts_too_long_to_mask_letter_by_letter_are_refused() -> None:
    novel = {f"{'x' * 30_000}{number:04}": 1 for number in range(1000)}
    with pytest.raises(HierarchyError) as caught:
        masking().build("note", novel)
    assert str(caught.value) == (
        "masking() gives 'note' 30,004 levels, since a value has 30,004 characters: too many; "
        "say how many to mask at each level, as in masking(2, 4, 8)."
    )
    assert masking(2).build("note", novel).height == 2


def test_arguments_are_read_from_text() -> None:
    assert Masking.parse("") == masking()
    assert Masking.parse("1, 3") == masking(1, 3)
    assert Masking.parse("1,3,char=x") == masking(1, 3, char="x")
    assert Masking.parse("char=#") == masking(char="#")
    assert Masking.parse("align=left") == masking(align="left")
    assert Masking.parse("1,3,length=5,char=,") == masking(1, 3, char=",", length=5)
    assert Masking.parse("length=5,align=left") == masking(align="left", length=5)
    with pytest.raises(HierarchyError, match="length=five is not a number of characters; write masking:length=5"):
        Masking.parse("length=five")
    with pytest.raises(HierarchyError, match="'one' is not a list of numbers of characters; write masking:1,3"):
        Masking.parse("one")


@pytest.mark.parametrize(
    "source", [masking(), masking(1, 3), masking(2, char="x"), masking(char="#"), masking(1, align="left", length=5)]
)
def test_its_text_is_the_python_that_makes_it(source: Masking) -> None:
    assert eval(str(source), {"masking": masking}) == source
