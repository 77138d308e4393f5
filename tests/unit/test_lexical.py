"""Words as sparse vectors: BM25 over a memory's own words and, in part, those said around it."""

import pytest
import qdrant_edge as edge

from state.records import Nearby
from state.stores.index.lexical import NEARBY_CHARACTERS, LexicalEmbeddings, TextInContext

words = LexicalEmbeddings()


def weights(text: str, *nearby: tuple[int, str]) -> dict[int, float]:
    given = TextInContext(text, [Nearby(distance=distance, text=said) for distance, said in nearby])
    (vector,) = words.embed_documents([given])
    return dict(zip(vector.indices, vector.values, strict=True))


def token(word: str) -> int:
    (index,) = words.embed_query(word).indices
    return index


@pytest.mark.parametrize("text", ["I drink green tea, and TEA with sugar", "tea " * 500 + "milk", "the", "", "42 🙂"])
def test_alone_a_text_has_the_weights_of_qdrants_own_encoder(text: str) -> None:
    own = edge.Bm25(edge.Bm25Config(tokenizer=edge.TokenizerType.Word, language="english", b=0.0))
    vector = own.embed_document(text)
    assert weights(text) == pytest.approx(dict(zip(vector.indices, vector.values, strict=True)), rel=1e-6)


def test_what_is_nearby_counts_in_part_before_the_saturation() -> None:
    found = weights("tea tea milk", (1, "Tea please"), (2, "milk"), (1, "milk"), (3, "tea sugar"))
    # tea 2 + 0.5, milk 1 + 0.3 + 0.5, please 0.5; three turns away is too far
    assert found == pytest.approx(
        {
            token("tea"): 2.5 * 2.2 / (2.5 + 1.2),
            token("milk"): 1.8 * 2.2 / (1.8 + 1.2),
            token("please"): 0.5 * 2.2 / (0.5 + 1.2),
        }
    )


def test_chinese_is_characters_and_pairs_nearby_too() -> None:
    found = weights("喝茶", (1, "茶叶"))
    assert found.keys() == set(words.embed_query("喝茶").indices) | set(words.embed_query("茶叶").indices)
    assert len(found) == 5
    assert found[token("茶")] > found[token("喝")] > found[token("叶")]


def test_of_a_long_turn_nearby_only_the_beginning_counts() -> None:
    long = "word " * (NEARBY_CHARACTERS // 5)
    assert weights("tea", (1, long + "kettle")) == weights("tea", (1, long))
    assert token("kettle") in weights("tea", (1, "kettle " + long))


def test_the_text_itself_stays_as_it_is() -> None:
    text = TextInContext("tea", [Nearby(distance=1, text="milk")])
    assert (text, f"{text}", text.nearby[0].text) == ("tea", "tea", "milk")
