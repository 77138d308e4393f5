"""Which peers there are, what each is installed from and which script runs it."""

from dataclasses import dataclass
from pathlib import Path

SCRIPTS = Path(__file__).parent / "scripts"
MEM0 = ("mem0ai==2.2.1", "qdrant-client==1.20.0", "numpy==2.4.6")


@dataclass(frozen=True)
class Environment:
    """One virtual environment: pinned packages, and those taken without what they ask for."""

    name: str
    packages: tuple[str, ...]
    alone: tuple[str, ...] = ()


@dataclass(frozen=True)
class Peer:
    """A library in one of its forms; of each set it takes at most so many memories, all where that is None."""

    name: str
    environment: Environment
    script: str
    memories_a_set: int | None = None


# engram-search asks for sentence-transformers, two gigabytes with their torch, only for the models it would fetch.
ENGRAM = Environment(
    "engram",
    ("faiss-cpu==1.15.1", "numpy==2.4.6", "rank-bm25==0.2.2", "fastapi==0.165.0"),
    alone=("engram-search==0.1.7",),
)
LANGMEM = Environment("langmem", ("langmem==0.0.30", "langgraph==1.2.24", "numpy==2.4.6"))
MEMPALACE = Environment("mempalace", ("mempalace==3.11.0", "chromadb==1.5.9", "numpy==2.4.6"))

PEERS = {
    peer.name: peer
    for peer in (
        Peer("langmem", LANGMEM, "run_langmem.py"),
        Peer("mem0", Environment("mem0", MEM0), "run_mem0.py"),
        # Later versions of stop-words list 1,333 words of English, with "five" and "copy" among them, not 174.
        Peer(
            "mem0-hybrid",
            Environment("mem0-hybrid", (*MEM0, "fastembed==0.9.1", "stop-words==2018.7.23")),
            "run_mem0.py",
        ),
        Peer("engram", ENGRAM, "run_engram.py"),
        Peer("engram-rest", ENGRAM, "run_engram_rest.py"),
        # It files some fifty memories a second on a calm machine and five on a busy one.
        Peer("mempalace", MEMPALACE, "run_mempalace.py", memories_a_set=1_500),
    )
}
