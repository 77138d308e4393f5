"""Lines for a terminal, broken between words, and between characters where a script has no spaces."""

import re

from rich.cells import cell_len, chop_cells

_WIDE = "\u2e80-\u3000\u3003-\u3007\u3012\u3013\u301c-\u9fff\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003ffff"
_OPENS = "“‘（《〈「『【〔［｛"
_CLOSES = "”’，。、！？；：）》〉」』】〕］｝…"
# What stays on one line: a word, or one wide character, with the punctuation that leans on it and the spaces after it.
_PIECE = re.compile(rf"[{_OPENS}]*(?:[{_WIDE}]|[^\s{_WIDE}{_OPENS}{_CLOSES}]+)?[{_CLOSES}]*\s*")


def breaks(text: str, width: int, indent: int) -> list[int]:
    """Return the offsets in one line of text at which new lines start.

    Args:
        text: Text without line ends.
        width: Cells of a line; a wide character takes two.
        indent: Cells that every line but the first loses on its left.
    """
    indent = min(indent, width // 2)
    offsets: list[int] = []
    column = left = 0
    for found in _PIECE.finditer(text):
        start, piece = found.start(), found[0]
        if column > left and column + cell_len(piece.rstrip()) > width:
            offsets.append(start)
            column = left = indent
        while cell_len(piece.rstrip()) > (room := max(2, width - column)):  # longer than a line: it has to be cut
            start += len(fitting := chop_cells(piece, room)[0])
            piece = piece[len(fitting) :]
            offsets.append(start)
            column = left = indent
        column += cell_len(piece)
    return offsets
