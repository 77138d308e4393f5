"""How an open dispute ends: the new memory holds, or the old ones, or both."""

from collections.abc import Mapping

from state.records import Memory, Receipt, Resolution
from state.stores.journal.departures import supersede
from state.stores.journal.drafts import Draft

REASONS: Mapping[Resolution, str] = {
    "keep_new": "the user keeps the new one",
    "keep_old": "the user keeps the old one",
    "keep_both": "the user keeps both",
}


def resolve(draft: Draft, dispute_id: str, resolution: Resolution, receipt: Receipt) -> Memory:
    """End a dispute; return the memory that holds, of several the one said last.

    Where the new one holds, whatever else stands in its single-valued slot is superseded with what it opposes; where
    both hold, such a slot holds several values from then on. What is kept of the old ones is the user's word as much as
    the rest, and no later verdict undoes it.
    """
    dispute = draft.rows[dispute_id]
    opposed = draft.active_among(dispute.opposes)
    if resolution == "keep_old":
        rejected = draft.move(dispute_id, "rejected", receipt.reason, receipt=receipt)
        opposed = [_kept(draft, row, dispute_id, receipt) for row in opposed]
        return max(opposed, key=lambda row: (row.mentioned_ms, row.memory_id), default=rejected)
    if resolution == "keep_both":
        for row in opposed:
            _kept(draft, row, dispute_id, receipt)
        if dispute.slot is not None and draft.in_its_place(dispute):
            draft.widen(dispute.slot)
    kept = draft.move(dispute_id, "active", receipt.reason, receipt=receipt)
    if resolution == "keep_new":
        replaced = {row.memory_id for row in (*opposed, *draft.in_its_place(kept))}
        for memory_id in sorted(replaced):
            supersede(draft, memory_id, kept)
    return kept


def _kept(draft: Draft, row: Memory, dispute_id: str, receipt: Receipt) -> Memory:
    """Let a standing memory stand by the user's word where it stood by a provisional verdict.

    It gets the receipt of the decision, as a confirmed one does: a receipt says why a memory stands as it does, and the
    guess of a verifier that another would have judged again is not why any more.
    """
    if row.receipt is None or not row.receipt.provisional:
        return row
    beside = dict.fromkeys(one for one in (dispute_id, *receipt.neighbours) if one != row.memory_id)
    return draft.put(row.model_copy(update={"receipt": receipt.model_copy(update={"neighbours": tuple(beside)})}))
