"""What a candidate is judged beside, over real stores, and where the rules that read it run."""

import re
import threading
from typing import Any

import pytest

from nodes.fact_check import distill as distilling
from nodes.outbox import drain
from state.errors import StoreUnavailable
from state.ports import TurnCommit
from state.records import MemoryWrite
from tests import factories
from tests.integration.conftest import Loci
from tests.integration.gate_talks import Maker, finds, texts
from tests.openai_stub import OpenAIStub, distilled, note, verdict


async def test_what_the_index_missed_is_company_of_what_is_said_next(
    modelled: Maker, stub: OpenAIStub, monkeypatch: pytest.MonkeyPatch
) -> None:
    loci = modelled()
    steak, none = "I eat steak every day.", "I never eat steak."
    index = loci.services.long_term_memory.index

    async def down(*_: object, **__: object) -> None:
        raise StoreUnavailable("qdrant", "down")

    monkeypatch.setattr(loci.services.long_term_memory, "index", down)
    await loci.say(steak)
    monkeypatch.setattr(loci.services.long_term_memory, "index", index)
    finds(stub, none, verdict("conflict", concerns=[1]))
    loci.clock.forward(seconds=60)
    await loci.say(none, session="s2")
    assert await texts(loci) == {steak: "active", none: "disputed"}


async def test_a_crowded_slot_is_neither_company_nor_receipt_as_a_whole(modelled: Maker, stub: OpenAIStub) -> None:
    loci, text = modelled(), "我喜欢打羽毛球"
    ids = [f"00000000-0000-5000-8000-00000000{number:04}" for number in range(120)]
    liked = [
        factories.memory(one, f"我喜欢第{number}号茶，产自{number}号山", slot="user.likes", session_id="s0")
        for number, one in enumerate(ids)
    ]
    await loci.services.journal.commit(
        TurnCommit(
            user_id="ann",
            session_id="s0",
            actor="gate",
            at_ms=loci.clock.now_ms(),
            writes=tuple(MemoryWrite(memory=each) for each in liked),
        )
    )
    await drain("ann", journal=loci.services.journal, long_term_memory=loci.services.long_term_memory)
    stub.distill = lambda request: distilled(note(text, text, slot="user.likes"))
    state = await loci.say(text)
    (row,) = state["gate"]["candidates"]
    assert len(row["company"]) <= 30
    shown = re.findall(r"^\d+\. ", stub.asked("verify")[-1].user.split("<memories>")[1], re.M)
    (new,) = [memory for memory in await loci.memories("active") if memory.text == text]
    assert new.receipt is not None
    assert len(new.receipt.neighbours) == len(shown) < len(row["company"])


async def test_rules_that_read_what_was_said_leave_the_loop_to_others(
    loci: Loci, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads: dict[str, int] = {}
    for name in ("answers", "worth_distilling", "asks_to_remember"):
        rule = getattr(distilling, name)

        def noted(*given: Any, name: str = name, rule: Any = rule) -> Any:
            threads[name] = threading.get_ident()
            return rule(*given)

        monkeypatch.setattr(distilling, name, noted)
    await loci.say("我住在北京")
    assert threads.keys() == {"answers", "worth_distilling", "asks_to_remember"}
    assert threading.get_ident() not in threads.values()
