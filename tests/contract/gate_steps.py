"""Random steps in the life of a user's memories: what is said, judged, failed at, decided and forgotten."""

from hypothesis import strategies as st

from state.records import Status

STATUSES: tuple[Status, ...] = ("pending", "active", "disputed", "superseded", "rejected")
SLOTS = {"user.home_city": True, "user.employer": True, "user.likes": False, None: False}

_picks = st.lists(st.integers(0, 40), max_size=3)
_slot = st.sampled_from(["user.home_city", "user.home_city", "user.home_city", *SLOTS])
_judgement = st.fixed_dictionaries(
    {
        "relation": st.sampled_from(
            ["new", "new", "update", "update", "duplicate", "conflict", "conflict", "resolves", "resolves", "undecided"]
        ),
        "grounded": st.sampled_from(["supported"] * 12 + ["partial", "unsupported"]),
        "resolution": st.sampled_from(["keep_new", "keep_old", "keep_both"]),
        "provisional": st.booleans(),
        "concerns": st.none() | _picks,
    }
)
_verdict = st.integers(0, 9).flatmap(lambda n: _judgement if n else st.sampled_from(["unjudged", "refused"]))
_seen = st.fixed_dictionaries({"beside": st.none() | _picks, "ago": st.sampled_from([0, 0, 0, 0, 1, 2])})
_raw = st.fixed_dictionaries(
    {
        "status": st.sampled_from(STATUSES),
        "slot": _slot,
        "own": st.none() | st.integers(0, 40),
        **dict.fromkeys(("supersedes", "settles", "opposes"), st.just([]) | st.lists(st.integers(0, 40), max_size=2)),
        **dict.fromkeys(("mention_of", "resolves"), st.integers(0, 40).map(lambda n: None if n % 4 else n)),
        "superseded_by": st.none() | st.integers(0, 40),
        "company": st.none() | _picks,
        "resolution": st.sampled_from([None, "keep_new", "keep_old", "keep_both"]),
        "droppable": st.booleans(),
        "grounded": st.sampled_from(["supported"] * 4 + ["partial", "unsupported", None]),
        "provisional": st.booleans(),
        "stale": st.booleans(),
    }
)
_ago = st.sampled_from([0, 0, 0, 2, 5])
_said = st.tuples(st.just("say"), _slot, _ago, st.none() | st.integers(0, 9), _verdict, _seen)
STEPS = st.lists(
    st.one_of(
        _said,
        _said,
        _said,
        st.tuples(st.just("judge_again"), st.integers(0, 40), _verdict, _seen),
        st.tuples(st.just("judge_again"), st.integers(0, 40), _verdict, _seen),
        st.tuples(st.just("race"), _slot, _verdict, _verdict, _seen),
        st.tuples(st.just("write"), _raw),
        st.tuples(
            st.just("decide"),
            st.integers(0, 40),
            st.sampled_from(["keep_new", "keep_old", "keep_both", "confirm", "reject"]),
        ),
        st.tuples(
            st.just("quarrel"),
            _slot,
            st.tuples(st.booleans(), st.booleans()),
            st.sampled_from(["keep_old", "keep_both"]),
        ),
        st.tuples(st.just("merge"), st.sampled_from(["user.likes", None]), st.integers(0, 2)),
        st.tuples(st.just("forget"), st.integers(0, 40)),
        st.tuples(st.just("ask"), _picks, st.booleans()),
        st.tuples(st.just("replay"), st.integers(0, 40)),
    ),
    min_size=8,
    max_size=30,
)
