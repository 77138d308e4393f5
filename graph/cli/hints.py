"""Commands that the command line tells the user of."""

import shlex

from state.context import DEVELOPMENT_USER

SHORT_ID = 8


def command(*words: str, user: str) -> str:
    """Return a command as it is typed, for this user."""
    return shlex.join(["loci", *words, *(("--user", user) if user != DEVELOPMENT_USER else ())])


def settling(dispute_id: str, user: str) -> str:
    """Return the command that ends a dispute, and its kin."""
    return f"{command('disputes', 'keep-new', dispute_id[:SHORT_ID], user=user)} (or keep-old, keep-both)"


def answering(dispute_id: str, user: str, session_id: str | None) -> str:
    """Return how a dispute can be ended; with a session, it is not gone on with by itself."""
    if session_id is None:
        return f"Say which holds, or: {settling(dispute_id, user)}"
    again = command("chat", "--session", session_id, user=user)
    return f"To settle it: {settling(dispute_id, user)}, or say which holds in {again}"


def confirming(memory_id: str, user: str) -> str:
    """Return the command that takes a pending memory for true."""
    return command("memories", "confirm", memory_id[:SHORT_ID], user=user)
