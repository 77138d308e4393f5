"""One memory, or both sides of a dispute, with all that tells why they stand as they do."""

import unicodedata

from graph.cli.hints import SHORT_ID
from graph.cli.terminal import Row, Screen
from graph.cli.text import line
from nodes.language.dates import about, day, stamp
from state.records import normalised

Field = tuple[str, str | tuple[str, str, str]]


def show_memory(screen: Screen, found: Row) -> None:
    """Show one memory and why it is believed, as `graph.routes.evidence.MemoryDetail` has it."""
    screen.fields([*_memory(found["memory"]), *_relatives(found), *_receipt(found), *_sources(found), *_history(found)])


def show_dispute(screen: Screen, found: Row) -> None:
    """Show both sides of an open dispute, as `graph.routes.disputes.DisputeDetail` has it."""
    screen.heading(f"new, and held back ({_asked(found)})")
    show_memory(screen, found["memory"])
    for old in found["against"]:
        screen.heading("against", gap=True)
        show_memory(screen, old)


def _asked(found: Row) -> str:
    if found["raised_ms"] is None:
        return "you were not asked about it yet"
    return f"you were asked on {stamp(found['raised_ms'], found['memory']['memory']['time_zone'])}"


def _memory(memory: Row) -> list[Field]:
    zone, receipt = memory["time_zone"], memory["receipt"]
    provisional = ", provisional" if receipt is not None and receipt["provisional"] else ""
    fields: list[Field] = [
        ("memory", memory["memory_id"]),
        ("text", memory["text"]),
        ("status", f"{memory['status']}{provisional}"),
        ("kind", memory["kind"]),
        ("slot", memory["slot"] or "none"),
        ("said", stamp(memory["mentioned_ms"], zone)),
        ("session", memory["session_id"]),
    ]
    if when := about(memory["event_start_ms"], memory["event_end_ms"], zone):
        fields.append(("happens", when))
    if memory["valid_from_ms"] is not None:
        until = f" until {stamp(memory['valid_to_ms'], zone)}" if memory["valid_to_ms"] is not None else ""
        fields.append(("holds", f"from {stamp(memory['valid_from_ms'], zone)}{until}"))
    return [
        *fields,
        ("weight", str(memory["weight"])),
        ("mentions", str(memory["mentions"])),
        ("cited", _times(memory["citations"])),
    ]


def _times(count: int) -> str:
    return {0: "never", 1: "once"}.get(count, f"{count} times")


def _relatives(found: Row) -> list[Field]:
    replaced_by = [found["replaced_by"]] if found["replaced_by"] else []
    groups = (
        ("replaced", found["replaced"]),
        ("replaced by", replaced_by),
        ("opposes", found["opposes"]),
        ("opposed by", found["opposed_by"]),
    )
    return [(name, _brief(memory)) for name, memories in groups for memory in memories]


def _receipt(found: Row) -> list[Field]:
    receipt, zone = found["memory"]["receipt"], found["memory"]["time_zone"]
    if receipt is None:
        return [("verdict", "none yet")]
    judged_again = ", provisional: judged again once Qwen is there" if receipt["provisional"] else ""
    still = {memory["memory_id"]: memory for memory in found["compared"]}
    return [
        (
            "verdict",
            f"{receipt['relation']}, {receipt['grounded']}, confidence {receipt['confidence']:.2f}: "
            f"{receipt['reason']}",
        ),
        ("verifier", f"{receipt['verifier']}{judged_again}"),
        ("prompt", receipt["prompt_hash"] or "none"),
        ("judged", stamp(receipt["judged_ms"], zone)),
        *(
            ("compared", _brief(still[each]) if each in still else f"{each[:SHORT_ID]} (forgotten since)")
            for each in receipt["neighbours"]
        ),
        *([] if receipt["neighbours"] else [("compared", "with nothing")]),
    ]


def _sources(found: Row) -> list[Field]:
    fields: list[Field] = []
    for source in found["sources"]:
        turn = source["turn"]
        when = f"{stamp(turn['at_ms'], turn['time_zone'])} session {turn['session_id']} " if turn else ""
        fields.append(("source", f"{when}turn {source['turn_id']}"))
        if source["span"]:
            fields.append(("span", source["span"]))
        if turn and line(turn["text"]) != line(source["span"]):
            fields.append(("in", marked(line(turn["text"]), line(source["span"]))))
    return fields


def _history(found: Row) -> list[Field]:
    zone = found["memory"]["time_zone"]
    return [
        (
            "history",
            f"{stamp(event['at_ms'], zone)} {event['actor']}: {event['from_status'] or 'nothing'} -> "
            f"{event['to_status'] or 'forgotten'}, {event['reason']}",
        )
        for event in found["history"]
    ]


def _brief(memory: Row) -> str:
    said = day(memory["mentioned_ms"], memory["time_zone"])
    return f"{memory['memory_id'][:SHORT_ID]} {memory['status']}, said {said}: {memory['text']}"


def marked(text: str, words: str) -> tuple[str, str, str]:
    """Return what stands in a text before some words, the words as they stand there, and the rest.

    They are found whatever their width and case; where they are not, the words are empty.
    """
    start, end = text.find(words), -1
    if start >= 0:
        end = start + len(words)
    else:
        folds = [unicodedata.normalize("NFKC", char).casefold() for char in text]
        origins = [index for index, fold in enumerate(folds) for _ in fold]
        wanted = normalised(words)
        if (start := "".join(folds).find(wanted)) >= 0 and wanted:
            start, end = origins[start], origins[start + len(wanted) - 1] + 1
    return (text[:start], text[start:end], text[end:]) if end > start >= 0 else (text, "", "")
