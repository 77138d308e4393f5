"""The table from verdict to fate."""

from typing import Any

import pytest

from nodes.fact_check.answers import answers, answers_first
from nodes.fact_check.fates import fate
from state.ports import Judgement
from state.records import MemoryWrite
from state.schema import CandidateRow, SessionRow
from tests.factories import DAY_MS, NOW_MS, ZONE, candidate, candidate_row, judgement, memory, turn

SESSION: SessionRow = {"user_id": "ann", "session_id": "s1", "time_zone": ZONE}
EARLIER = NOW_MS - DAY_MS
OLD = memory(slot="user.home_city", single_valued=True, mentioned_ms=EARLIER)
IN_SLOT = candidate("我搬到上海了", slot="user.home_city")
SAFE = memory("m-safe", "我对花生过敏", mentioned_ms=EARLIER, slot="user.allergy")
DENIED = memory(
    "m-denied", "我不对花生过敏", status="disputed", opposes=("m-safe",), mentioned_ms=EARLIER, slot="user.allergy"
)


def fated(row: CandidateRow) -> MemoryWrite:
    return fate(row, SESSION, NOW_MS)


def judged(relation: str, *company: Any, said: Any = None, **fields: Any) -> MemoryWrite:
    return fated(candidate_row(said or candidate(), judgement(relation, **fields), list(company)))


class TestNew:
    def test_supported_is_active_with_its_receipt(self) -> None:
        write = judged("new")
        assert write.memory.status == "active"
        assert write.memory.receipt is not None
        assert (write.memory.receipt.relation, write.memory.receipt.verifier) == ("new", "Qwen/Qwen3-8B")
        assert (write.supersedes, write.mention_of, write.resolves, write.droppable) == ((), None, None, False)

    def test_its_receipt_names_what_the_verifier_saw_and_its_write_all_that_was_beside_it(self) -> None:
        verdict = judgement("new").model_copy(update={"compared": (OLD.memory_id,)})
        write = fated(candidate_row(verdict=verdict, company=[OLD, SAFE]))
        assert write.memory.receipt is not None
        assert write.memory.receipt.neighbours == (OLD.memory_id,)
        assert write.company.keys() == {OLD.memory_id, "m-safe"}

    def test_in_a_taken_single_valued_slot_it_waits(self) -> None:
        assert judged("new", OLD, said=IN_SLOT).memory.status == "pending"

    def test_a_slot_that_the_user_made_several_valued_is_not_taken(self) -> None:
        write = judged("new", OLD.model_copy(update={"single_valued": False}), said=IN_SLOT)
        assert (write.memory.status, write.memory.single_valued) == ("active", False)

    def test_what_it_had_replaced_itself_does_not_stand_in_its_way(self) -> None:
        replaced = OLD.model_copy(update={"status": "superseded", "superseded_by": "it"})
        assert judged("new", replaced, said=IN_SLOT).memory.status == "active"


class TestDuplicate:
    def test_is_a_mention_of_the_standing_memory(self) -> None:
        assert judged("duplicate", OLD, concerns=(OLD.memory_id,)).mention_of == OLD.memory_id

    def test_of_a_disputed_memory_is_a_mention_of_that(self) -> None:
        write = judged("duplicate", SAFE, DENIED, concerns=("m-denied",))
        assert (write.mention_of, write.resolves) == ("m-denied", None)

    def test_of_both_sides_is_a_mention_of_what_stands(self) -> None:
        assert judged("duplicate", DENIED, SAFE, concerns=("m-denied", "m-safe")).mention_of == "m-safe"


class TestUpdate:
    def test_supersedes_what_it_concerns(self) -> None:
        write = judged("update", OLD, said=IN_SLOT, concerns=(OLD.memory_id,))
        assert (write.memory.status, write.supersedes) == ("active", (OLD.memory_id,))
        assert write.company == {OLD.memory_id: OLD.version}

    def test_may_supersede_several(self) -> None:
        other = memory("m-other", "我家在朝阳区", mentioned_ms=EARLIER)
        write = judged("update", OLD, other, said=IN_SLOT, concerns=(OLD.memory_id, "m-other"))
        assert write.supersedes == (OLD.memory_id, "m-other")

    def test_leaves_a_dispute_without_an_object(self) -> None:
        write = judged("update", SAFE, DENIED, concerns=("m-safe", "m-denied"))
        assert (write.memory.status, write.supersedes, write.settles) == ("active", ("m-safe",), ("m-denied",))

    def test_of_less_than_what_holds_its_slot_waits(self) -> None:
        other = memory("m-other", "我家在朝阳区", mentioned_ms=EARLIER)
        assert judged("update", OLD, other, said=IN_SLOT, concerns=("m-other",)).memory.status == "pending"

    def test_checked_after_its_successor_is_past_from_the_start(self) -> None:
        newer = OLD.model_copy(update={"mentioned_ms": NOW_MS + DAY_MS, "valid_from_ms": NOW_MS + DAY_MS})
        write = judged("update", newer, said=IN_SLOT, concerns=(OLD.memory_id,))
        assert (write.memory.status, write.memory.superseded_by) == ("superseded", OLD.memory_id)
        assert (write.memory.valid_from_ms, write.memory.valid_to_ms) == (NOW_MS, NOW_MS + DAY_MS)
        assert write.supersedes == ()

    def test_between_an_older_and_a_newer_one_waits(self) -> None:
        newer = memory("m-newer", "我家在浦东", mentioned_ms=NOW_MS + DAY_MS)
        write = judged("update", OLD, newer, said=IN_SLOT, concerns=(OLD.memory_id, "m-newer"))
        assert (write.memory.status, write.supersedes) == ("pending", ())

    def test_never_settles_a_dispute_that_was_raised_after_it_was_said(self) -> None:
        later = DENIED.model_copy(update={"mentioned_ms": NOW_MS + 1})
        assert judged("update", SAFE, later, concerns=("m-safe", "m-denied")).settles == ()
        assert judged("update", SAFE, later, concerns=("m-denied",)).memory.status == "pending"

    def test_found_again_keeps_what_it_had_replaced(self) -> None:
        replaced = OLD.model_copy(update={"status": "superseded", "superseded_by": "it"})
        assert judged("update", replaced, said=IN_SLOT, concerns=(OLD.memory_id,)).supersedes == (OLD.memory_id,)

    def test_of_the_disputed_side_alone_replaces_what_the_dispute_is_about(self) -> None:
        write = judged("update", SAFE, DENIED, concerns=("m-denied",))
        assert (write.memory.status, write.supersedes, write.settles) == ("active", ("m-safe",), ("m-denied",))

    def test_of_the_disputed_side_alone_waits_where_the_other_is_newer(self) -> None:
        newer = SAFE.model_copy(update={"mentioned_ms": NOW_MS + 1})
        write = judged("update", newer, DENIED, concerns=("m-denied",))
        assert (write.memory.status, write.supersedes, write.settles) == ("pending", (), ())

    def test_leaves_disputes_about_others_and_their_sides_alone(self) -> None:
        other = memory("m-other", "我喜欢猫", mentioned_ms=EARLIER)
        denied = DENIED.model_copy(update={"memory_id": "m-no-cats", "opposes": ("m-other",)})
        write = judged("update", SAFE, DENIED, other, denied, concerns=("m-denied",))
        assert (write.supersedes, write.settles) == (("m-safe",), ("m-denied",))


class TestCorrection:
    """New words for m-safe, of which the user says that it is wrong."""

    SAID = candidate("我对花生和腰果过敏", corrects="m-safe")
    OTHER = memory("m-other", "我一吃坚果就过敏", mentioned_ms=EARLIER)

    @pytest.mark.parametrize(
        ("relation", "concerns"),
        [
            ("new", ()),
            ("duplicate", ("m-safe",)),
            ("conflict", ("m-safe",)),
            ("update", ("m-safe",)),
            ("update", ()),
        ],
    )
    def test_is_an_update_whatever_it_is_to_the_wrong_one(self, relation: str, concerns: tuple[str, ...]) -> None:
        write = judged(relation, SAFE, said=self.SAID, concerns=concerns)
        assert (write.memory.status, write.supersedes, write.mention_of) == ("active", ("m-safe",), None)
        assert write.memory.corrects == "m-safe"
        assert write.memory.receipt is not None
        assert write.memory.receipt.relation == "update"

    @pytest.mark.parametrize("relation", ["new", "duplicate", "conflict", "update"])
    def test_keeps_the_place_of_what_it_had_replaced_itself(self, relation: str) -> None:
        replaced = SAFE.model_copy(update={"status": "superseded", "superseded_by": "it"})
        concerns = () if relation == "new" else ("m-safe",)
        write = judged(relation, replaced, said=self.SAID, concerns=concerns)
        assert (write.memory.status, write.supersedes) == ("active", ("m-safe",))

    @pytest.mark.parametrize("concerns", [("m-other",), ("m-safe", "m-other")])
    def test_that_repeats_another_memory_is_a_mention_of_that(self, concerns: tuple[str, ...]) -> None:
        write = judged("duplicate", SAFE, self.OTHER, said=self.SAID, concerns=concerns)
        assert (write.mention_of, write.supersedes) == ("m-other", ())

    def test_that_updates_another_memory_replaces_the_wrong_one_too(self) -> None:
        write = judged("update", SAFE, self.OTHER, said=self.SAID, concerns=("m-other",))
        assert write.supersedes == ("m-safe", "m-other")

    def test_that_contradicts_another_memory_opposes_the_wrong_one_too(self) -> None:
        write = judged("conflict", SAFE, self.OTHER, said=self.SAID, concerns=("m-other",))
        assert (write.memory.status, write.memory.opposes) == ("disputed", ("m-safe", "m-other"))

    @pytest.mark.parametrize("concerns", [("m-denied",), ("m-safe",), ("m-safe", "m-denied")])
    @pytest.mark.parametrize("resolution", ["keep_new", "keep_old", "keep_both"])
    def test_settles_the_dispute_about_the_wrong_one(self, concerns: tuple[str, ...], resolution: str) -> None:
        write = judged("resolves", SAFE, DENIED, said=self.SAID, concerns=concerns, resolution=resolution)
        assert (write.memory.status, write.supersedes, write.settles) == ("active", ("m-safe",), ("m-denied",))
        assert (write.resolves, write.resolution) == (None, None)

    def test_never_resolves_another_dispute(self) -> None:
        denied = DENIED.model_copy(update={"opposes": ("m-other",)})
        write = judged(
            "resolves", SAFE, self.OTHER, denied, said=self.SAID, concerns=("m-denied",), resolution="keep_new"
        )
        assert (write.memory.status, write.resolves, write.supersedes) == ("pending", None, ())

    @pytest.mark.parametrize("relation", ["duplicate", "update", "conflict"])
    def test_in_the_words_of_the_disputed_side_ends_the_dispute(self, relation: str) -> None:
        write = judged(relation, SAFE, DENIED, said=self.SAID, concerns=("m-denied",))
        assert (write.memory.status, write.supersedes, write.settles) == ("active", ("m-safe",), ("m-denied",))

    @pytest.mark.parametrize(("grounded", "status"), [("partial", "pending"), ("unsupported", "rejected")])
    def test_that_the_source_does_not_bear_out_changes_nothing(self, grounded: str, status: str) -> None:
        write = judged("duplicate", SAFE, said=self.SAID, concerns=("m-safe",), grounded=grounded)
        assert (write.memory.status, write.supersedes) == (status, ())

    def test_of_what_is_gone_is_a_memory_like_any_other(self) -> None:
        write = judged("duplicate", self.OTHER, said=self.SAID, concerns=("m-other",))
        assert (write.mention_of, write.supersedes) == ("m-other", ())


class TestConflict:
    def test_is_disputed_and_names_both_sides(self) -> None:
        write = judged("conflict", OLD, said=IN_SLOT, concerns=(OLD.memory_id,))
        assert (write.memory.status, write.memory.opposes) == ("disputed", (OLD.memory_id,))
        assert write.supersedes == ()

    def test_with_a_disputed_memory_alone_waits(self) -> None:
        assert judged("conflict", SAFE, DENIED, concerns=("m-denied",)).memory.status == "pending"

    def test_with_both_sides_opposes_the_one_that_stands(self) -> None:
        assert judged("conflict", SAFE, DENIED, concerns=("m-safe", "m-denied")).memory.opposes == ("m-safe",)


class TestResolves:
    @pytest.mark.parametrize("concerns", [("m-denied",), ("m-safe",), ("m-safe", "m-denied")])
    @pytest.mark.parametrize("resolution", ["keep_new", "keep_old", "keep_both"])
    def test_ends_the_dispute_whichever_side_is_named(self, concerns: tuple[str, ...], resolution: str) -> None:
        write = judged("resolves", SAFE, DENIED, concerns=concerns, resolution=resolution)
        assert (write.resolves, write.resolution, write.mention_of) == ("m-denied", resolution, None)

    def test_is_the_users_word_however_it_was_read(self) -> None:
        verdict = judgement("resolves", concerns=("m-denied",), resolution="keep_new")
        offline = verdict.model_copy(update={"verifier": "offline", "provisional": True})
        receipt = fated(candidate_row(verdict=offline, company=[SAFE, DENIED])).memory.receipt
        assert receipt is not None
        assert (receipt.verifier, receipt.provisional) == ("offline", False)

    @pytest.mark.parametrize(
        ("company", "fields"),
        [
            ((SAFE,), {"concerns": ("m-safe",), "resolution": "keep_new"}),
            ((SAFE, DENIED), {"concerns": ("m-denied",)}),
            ((SAFE, DENIED), {"resolution": "keep_new"}),
            (
                (SAFE, DENIED, DENIED.model_copy(update={"memory_id": "m-second"})),
                {"concerns": ("m-safe",), "resolution": "keep_new"},
            ),
            (
                (SAFE, DENIED.model_copy(update={"mentioned_ms": NOW_MS + 1})),
                {"concerns": ("m-denied",), "resolution": "keep_new"},
            ),
        ],
        ids=["no dispute", "no resolution", "nothing named", "two disputes", "said before the dispute"],
    )
    def test_in_doubt_waits(self, company: tuple[Any, ...], fields: dict[str, Any]) -> None:
        write = judged("resolves", *company, **fields)
        assert (write.memory.status, write.resolves) == ("pending", None)


class TestAnswers:
    ANSWER = candidate("新的对", answers="m-denied")

    def test_an_answer_ends_its_dispute(self) -> None:
        write = judged("resolves", SAFE, DENIED, said=self.ANSWER, concerns=("m-denied",), resolution="keep_new")
        assert (write.resolves, write.droppable) == ("m-denied", True)

    @pytest.mark.parametrize(
        "verdict",
        [
            None,
            judgement("new"),
            judgement("duplicate", concerns=("m-safe",)),
            judgement("update", concerns=("m-safe",)),
            judgement("conflict", concerns=("m-safe",)),
            judgement("undecided"),
            judgement("new", grounded="unsupported"),
            judgement("resolves", concerns=("m-else",), resolution="keep_new"),
        ],
    )
    def test_with_any_other_verdict_it_asks_for_nothing(self, verdict: Judgement | None) -> None:
        other = DENIED.model_copy(update={"memory_id": "m-else"})
        write = fated(candidate_row(self.ANSWER, verdict, [SAFE, DENIED, other]))
        assert (write.droppable, write.resolves, write.mention_of, write.supersedes) == (True, None, None, ())
        assert answers_first([write], {}) == []

    @pytest.mark.parametrize(
        "text", ["新的对", "都对", "对", "嗯", "好的", "Yes", "sure", "the latter", "No", "第二个。为什么这么问？"]
    )
    def test_what_may_answer_is_proposed_in_the_users_words(self, text: str) -> None:
        (proposed,) = answers(turn(text), ["m-denied"])
        assert (proposed.text, proposed.answers, proposed.evidence[0].span) == (text, "m-denied", text)

    def test_nothing_is_proposed_where_nothing_was_asked(self) -> None:
        assert answers(turn("新的对"), []) == ()

    @pytest.mark.parametrize("text", ["附近有什么好吃的？", "What did I say?"])
    def test_a_question_answers_nothing(self, text: str) -> None:
        assert answers(turn(text), ["m-denied"]) == ()

    def test_a_long_answer_is_cut_at_a_sentence(self) -> None:
        text = "我想了想。" + "旧的那条是对的，我小时候去医院查过。" * 10
        (proposed,) = answers(turn(text), ["m-denied"])
        assert proposed.evidence[0].span in text
        assert proposed.evidence[0].span.endswith("。")


class TestOneTurn:
    """What one turn says beside its answer."""

    SIDES = {"m-denied": ["m-safe"]}  # noqa: RUF012

    @staticmethod
    def answer(resolution: str) -> MemoryWrite:
        said = candidate("新的对", answers="m-denied")
        return judged("resolves", SAFE, DENIED, said=said, concerns=("m-denied",), resolution=resolution)

    def test_the_answer_is_done_first(self) -> None:
        other = judged("new", SAFE, DENIED)
        assert answers_first([other, self.answer("keep_new")], self.SIDES) == [self.answer("keep_new"), other]

    @pytest.mark.parametrize(
        ("resolution", "repeats", "left"),
        [
            ("keep_new", "m-denied", 1),
            ("keep_new", "m-safe", 2),
            ("keep_old", "m-safe", 1),
            ("keep_old", "m-denied", 2),
            ("keep_both", "m-safe", 1),
            ("keep_both", "m-denied", 1),
        ],
    )
    def test_what_says_the_answer_again_is_left_out(self, resolution: str, repeats: str, left: int) -> None:
        again = judged("duplicate", SAFE, DENIED, concerns=(repeats,))
        assert len(answers_first([again, self.answer(resolution)], self.SIDES)) == left

    def test_a_second_resolution_of_the_same_dispute_is_one(self) -> None:
        stated = judged("resolves", SAFE, DENIED, concerns=("m-denied",), resolution="keep_new")
        assert answers_first([stated, self.answer("keep_new")], self.SIDES) == [self.answer("keep_new")]

    def test_two_that_contradict_each_other_end_nothing(self) -> None:
        stated = judged("resolves", SAFE, DENIED, concerns=("m-denied",), resolution="keep_old")
        (write,) = answers_first([stated, self.answer("keep_new")], self.SIDES)
        assert (write.memory.text, write.memory.status, write.resolves) == (stated.memory.text, "pending", None)


@pytest.mark.parametrize(
    ("verdict", "status"),
    [
        (judgement("new", grounded="unsupported"), "rejected"),
        (judgement("duplicate", grounded="unsupported", concerns=(OLD.memory_id,)), "rejected"),
        (judgement("resolves", grounded="unsupported", concerns=(OLD.memory_id,)), "rejected"),
        (judgement("new", grounded="partial"), "pending"),
        (judgement("update", grounded="partial", concerns=(OLD.memory_id,)), "pending"),
        (judgement("undecided"), "pending"),
        (judgement("conflict", concerns=("a stranger",)), "pending"),
        (judgement("update"), "pending"),
        (judgement("duplicate"), "pending"),
        (None, "pending"),
    ],
)
def test_nothing_becomes_active_without_a_usable_verdict(verdict: Judgement | None, status: str) -> None:
    write = fated(candidate_row(verdict=verdict, company=[OLD]))
    assert write.memory.status == status
    assert (write.supersedes, write.mention_of, write.resolves, write.settles) == ((), None, None, ())


def test_refused_by_code_is_rejected_with_the_reason() -> None:
    write = fated(candidate_row(refused="it instructs the assistant"))
    assert write.memory.status == "rejected"
    assert write.memory.receipt is not None
    assert write.memory.receipt.reason == "it instructs the assistant"
