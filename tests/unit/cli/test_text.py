"""Text on its way to the endpoint and to the terminal."""

import itertools

import pytest

from graph.cli.text import clean, line
from graph.cli.wrapping import breaks


def test_text_that_is_no_unicode_is_made_so() -> None:
    assert clean("caf\udcc3\udca9") == "café"
    assert clean("\udcff \ud83d") == "\ufffd \ufffd"
    assert line("a\n b\x1b[1m") == "a b[1m"


@pytest.mark.parametrize(
    ("text", "width", "rows"),
    [
        ("one two three", 8, ["one two ", "three"]),
        ("one two", 7, ["one two"]),
        ("我住在上海", 6, ["我住在", "上海"]),
        ("我住在，上海", 6, ["我住", "在，上", "海"]),
        ("我说“好”了", 7, ["我说", "“好”了"]),
        ("喝 oolong 茶", 8, ["喝 ", "oolong ", "茶"]),
        ("abcdefghij", 4, ["abcd", "efgh", "ij"]),
        ("", 4, [""]),
    ],
)
def test_lines_are_broken_between_words_and_wide_characters(text: str, width: int, rows: list[str]) -> None:
    bounds = [0, *breaks(text, width, 0), len(text)]
    assert [text[start:end] for start, end in itertools.pairwise(bounds)] == rows


def test_what_follows_the_first_line_is_narrower_by_its_indent() -> None:
    assert breaks("aaaa bbbb cc", 8, 4) == [5, 10]
