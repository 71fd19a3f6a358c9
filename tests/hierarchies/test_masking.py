"""Masking: the last characters go first, and every set of texts makes a tree."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from sfumato.errors import HierarchyError
from sfumato.hierarchies import Hierarchy, HierarchySource, Masking, masking


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


def test_shorter_codes_are_padded_on_the_left() -> None:
    assert rows(masking(), "105", "12", "7", "07") == (
        ("7", "__*", "_**", "*"),
        ("07", "_0*", "_**", "*"),
        ("12", "_1*", "_**", "*"),
        ("105", "10*", "1**", "*"),
    )


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
        (((), "\n"), "'\\n' is not a character to mask with; use one that shows, such as '*'."),
    ],
)
def test_bad_arguments_are_refused(arguments: tuple[object, ...], message: str) -> None:
    with pytest.raises(HierarchyError) as caught:
        Masking(*arguments)  # type: ignore[arg-type]
    assert str(caught.value) == message


def test_texts_too_long_to_mask_letter_by_letter_are_refused() -> None:
    novel = {f"{'x' * 30_000}{number:04}": 1 for number in range(1000)}
    with pytest.raises(HierarchyError) as caught:
        masking().build("note", novel)
    assert str(caught.value) == (
        "masking() gives 'note' 30004 levels, since a value has 30004 characters: too many; "
        "say how many to mask at each level, as in masking(2, 4, 8)."
    )
    assert masking(2).build("note", novel).height == 2


def test_arguments_are_read_from_text() -> None:
    assert Masking.parse("") == masking()
    assert Masking.parse("1, 3") == masking(1, 3)
    assert Masking.parse("1,3,char=x") == masking(1, 3, char="x")
    assert Masking.parse("char=#") == masking(char="#")
    with pytest.raises(HierarchyError, match="'one' is not a list of numbers of characters; write masking:1,3"):
        Masking.parse("one")


@pytest.mark.parametrize("source", [masking(), masking(1, 3), masking(2, char="x"), masking(char="#")])
def test_its_text_is_the_python_that_makes_it(source: Masking) -> None:
    assert eval(str(source), {"masking": masking}) == source
