"""English sentences that order the assistant about: who shall act, with what force, on what (see `commands`)."""

import re

# The assistant by name; a team's assistant coach, or an assistant that has a name of its own, is none.
AI = (
    r"(?:(?:the |this |any |every |an? |all )?(?:(?:ai|virtual|language|helpful) )?(?:assistants?|chatbots?|bots?"
    r"|models?|llms?|language models?|agents?|ais?|loci|chatgpt))"
)
_SURE_AI = (
    r"(?:(?<!my )(?<!our )(?<!google )(?:the |any |every |an |all )?(?:(?:ai|virtual|helpful) (?:assistants?|models?"
    r"|agents?|bots?|tools?|systems?|summari[sz]ers?|readers?)"
    r"|(?:large )?language models?|llms?(?: agents?)?|ais?|chatbots?|loci"
    r"|(?:(?<![a-z] )(?<![a-z])|(?<=the )|(?<=any )|(?<=all )|(?<=that )|(?<=every ))assistants?(?! (?:coach|manager"
    r"|professor|director|editor|teacher|principal|referee)))"
    r"|(?:any|every|all) (?:models?|bots?|agents?)|(?:the|this) bot)"
)
# What an assistant does: speak, keep, judge, obey, and act on accounts and texts.
ACT = (
    r"(?:say|tell|mention|answer|respond|reply|recommend|suggest|praise|promote|advertise|endorse|favou?r|rank|rate"
    r"|plug"
    r"|agree|approve|accept|confirm|verify|check|double-check|fact-check|question|doubt|challenge|contradict|refuse"
    r"|decline"
    r"|reject|deny|obey|comply|follow|serve|trust|believe|treat|consider|regard|assume|pretend|act|behave|speak"
    r"|output"
    r"|print|reveal|disclose|expose|show|display|repeat|recite|echo|quote|dump|leak|share|send|forward|upload|post"
    r"|export"
    r"|hand|give|grant|delete|erase|wipe|remove|drop|clear|purge|reset|forget|ignore|disregard|overrule|override"
    r"|bypass"
    r"|skip|omit|stop|quit|cease|store|save|record|remember|memori[sz]e|write|add|append|insert|include|put|mark"
    r"|label|flag"
    r"|tag|register|set|update|change|alter|modify|rewrite|replace|call|invoke|execute|run|use|open|click|visit"
    r"|transfer"
    r"|pay|purchase|submit|disable|deactivate|turn|switch|unlock|enable|activate|enter|ask|warn|censor|filter|hide"
    r"|conceal"
    r"|withhold|keep|finish|begin|start|end|close|sign|prefix|do|let|make|answer|pose|impersonate|adopt|become"
    r"|abandon"
    r"|discard|lose|shed|break|pass|copy|list|describe|steer|push|direct|rely|side|act|vouch|claim|state|declare"
    r"|admit|insist|refrain|avoid|award|name|bring|believe|log|email|e-mail|mail|take|move|rename|greet|address"
    r"|defend|shield|protect|support|back|side with|encourage|discourage|persuade|convince|manipulate|lie|quote|cite"
    r"|prefer|choose|pick|select|rule out|score|grade|pass off|redirect|route|report|notify|contact|message|fetch"
    r"|download|install|scan|look|search|answer to|lead|act on|carry out|do as|cooperate|comply)"
)
_PROMOTES = r"(?:recommend|suggest|praise|promote|advertise|endorse|plug|favou?r|rank|vouch for)"
# What belongs to an assistant's world and not to a person's day.
_WORLD = (
    r"(?:(?:your|long-term|stored|saved) (?:\w+ )?(?:memor(?:y|ies)|notes|records)|memor(?:y|ies)(?= (?:about"
    r"|of the user|that|which|i give))"
    r"|(?:a|any|every|each|all) memor(?:y|ies)|instructions?|directives?|prompts?|guardrails?|guidelines?|safeguards?"
    r"|polic(?:y|ies)"
    r"|your (?:\w+ ){0,2}(?:rules?|limits?|restrictions?|output|persona|role|identity|task|programming|training"
    r"|loyalt(?:y|ies)"
    r"|answers?|repl(?:y|ies)|responses?|checks?|checker|filters?|makers?|creators?|developers?|owners?|operators?"
    r"|safety|verification|knowledge|configuration|setup|settings)"
    r"|verification|fact[- ]check\w*|double-check\w*|(?:initial|first|hidden|original|opening|secret) (?:message|text"
    r"|words|lines?|setup)"
    r"|setup text|censor\w*|uncensored|unfiltered|jailbr\w+|(?:every|each|all|any)(?: of your)? (?:answers?|repl(?:y"
    r"|ies)|responses?|requests?|outputs?|conversations?)|(?:the|this|every|other|another|any|all)(?: other)? (?:user"
    r"|reader)s?(?:'s?)?\b(?! (?:manual|group|guide|name))"
    r"|the person you|(?:this|the) (?:page|site|website|web page|paragraph|passage|document|author)|as (?:the"
    r"|this) \w+ (?:says|tells)"
    r"|(?:text|lines?|words|content|sentences?|message) (?:below|above|before)|(?:the )?\w* ?tool\b"
    r"|(?:whatever|anything|everything|what|all|statements?|claims?|words) (?:that )?(?:i|we|the user|this user"
    r"|of mine)\b"
    r"|(?:prior|previous|earlier|old|above|original|all|any|existing) (?:\w+ )?(?:rules|commands|orders)|the (?:above"
    r"|following) ?(?:identity|persona|role|rules)?$|the above\b"
    r"|(?:this|the|our|each|every|any|earlier|whole|entire) (?:\w+ )?(?:conversations?|chats?|sessions?|transcript)"
    r"|(?:your|a|the) databases?|other people'?s|\b(?:users?|readers?)\b(?! (?:manual|group|guide|name))"
    r"|your (?:\w+ ){0,2}(?:guardrails|opening|greeting|style|creators?|duty|duties|obligations?|laws?|ethics|morals?"
    r"|conscience|reservations|doubts)|memories\b|(?:every|any|all|each) (?:\w+ ){0,2}(?:questions?|requests?"
    r"|prompts?)|chat (?:log|history)|as (?:a |an |the )?(?:\w+ )?(?:facts?|truth|verified)\b"
    r"|without (?:asking|checking|question|verif\w+|looking|hesitat\w+|confirm\w+)|\bllms?|language models?|\bais?\b"
    r"|chatbots?)"
)
_ADVERB = (
    r"(?:always|never|only|just|please|kindly|quietly|simply|now|also|then|immediately|instead"
    r"|silently|secretly|automatically|at once|blindly|quietly)"
)
_LEAD = (
    r"(?:^|[.!?:;,\n\"“(]\s*|\s[-–—]\s+|\b(?:and|then|so|but|or)\s+)(?:(?:please|kindly|hey|ok|okay|so|now|then|and"
    r"|just|important|also|next"
    r"|for the rest of [^,]{1,30},|upon \w+ [^,]{1,20},|(?:should|if|when|whenever|every time) [^,]{1,40},"
    r"|(?:from now|from this (?:point|moment|day)|from today) on(?:ward)?s?|henceforth|going forward"
    r"|in (?:the )?future|starting now)[,:]?\s+)*"
)
# A bare command: a verb without a subject at the beginning of a clause.
_COMMAND = re.compile(
    rf"{_LEAD}(?P<force>(?:(?:do not|don'?t|never|always|only|just|stop|quit|cease|start|keep|no need to|feel free to"
    rf"|be sure to|make sure (?:to|you)|let'?s agree (?:that )?you will|you|it)\s+)*){ACT}(?:ing|ting|ning|ping"
    rf"|ging)?\b(?!['’]s)(?P<rest>[^.!?\n]*)",
    re.I,
)
_CONSTANT = re.compile(
    r"\b(?:always|never|only|whenever|every time|each time|in every|in all|from now on|henceforth|forever"
    r"|no matter what|for the rest of|upon (?:reading|seeing|receiving)"
    r"|(?:if|when|should|once|as soon as) (?:asked|(?:someone|somebody|anyone|anybody|people|they|a user"
    r"|the user) (?:\w+ )?(?:asks?|mentions?|wants?|says?|inquires?|complains?|objects?|brings? up))"
    r"|each and every|from this (?:day|point|moment)|starting (?:now|today)|as of (?:now|today))\b",
    re.I,
)
_OF_YOU = re.compile(r"\byou(?:r|rself)?\b", re.I)
# "You" or the assistant as the one who shall act.
_DUTY = (
    r"(?:(?:don'?t|do not|doesn'?t|does not) (?:need|have) to|must|shall|should|ought to|(?:have|has|need|needs|are"
    r"|is|am|'re) (?:now |hereby |only |also )*to\b|had better"
    r"|(?:are|is|'re) (?:now |hereby |also |always )*(?:required|obliged|supposed|expected|instructed|ordered|allowed"
    r"|permitted|authori[sz]ed"
    r"|forbidden|bound|free|entitled|programmed|told|asked|encouraged|advised) (?:to|from)|(?:need|must|may|should"
    r"|shall|can|will|do|does|are|is)(?:n['’]?t| not| no longer)"
    r"|cannot|may|can (?:now|only|freely)|will (?:always|never|only|now|henceforth|from)|will|always|never|no longer"
    r"|only|now|have (?:permission|the right|the authority|no need|no right) to)"
)
_YOU_SHALL = re.compile(
    rf"\byou(?:'ll| all)?\s+(?P<duty>{_DUTY})\s+(?:(?:{_ADVERB}|not|ever|be|have|to"
    rf"|longer)\s+)*(?P<act>{ACT})?(?:ing|ed|s)?\b(?P<rest>[^.!?\n]*)",
    re.I,
)
_AI_SHALL = re.compile(
    rf"\b{_SURE_AI}\b(?:,? (?:who|that|which|in|on|for|with|reading|processing|summari[sz]ing|seeing|scanning"
    rf"|handling|parsing)\b[^.!?\n,]{{0,48}}?)?,? (?:{_DUTY}|'ll)\b(?P<rest>[^.!?\n]*)"
    rf"|\b(?:the |an? )(?:ai|assistant|chatbot)\b(?! (?:coach|manager|professor|director|editor|teacher)) (?:prints?"
    rf"|reveals?|ignores?|obeys|trusts"
    rf"|shares?|stores?|skips?|forgets?|deletes?|approves?|recommends?|believes?|stops?|follows?|accepts?|agrees?)\b",
    re.I,
)
# The assistant called, and then a command.
_CALLED = re.compile(
    rf"(?:^|[.!?:\n\"“]\s*)(?:(?:hey|dear|attention|ok|hello|listen|to|note (?:to|for)|for|if you are|if you're|as"
    rf"|whoever|calling)[,:]? (?:all |any |the |an? )*)*"
    rf"(?:{AI})\s*(?:(?:reading|processing|seeing|summari[sz]ing|parsing|handling|who reads?) (?:this|the) ?\w*|here"
    rf"|there)?\s*[,:!–—-]+\s*(?:{_ADVERB} |you |do not |don'?t )*{ACT}\b"
    rf"|\bif you(?:'re| are) (?:an? |the )?(?:{AI})\b|\bas an? (?:{AI})\b,?\s(?:you|it)\b",
    re.I,
)
# What the assistant is said to be, to have been made, or given.
_MADE = re.compile(
    r"\byou(?:'ve| have)(?: just| now)* been (?:re)?(?:programmed|configured|trained|set|assigned|instructed|granted"
    r"|given|authori[sz]ed|unlocked|cleared|ordered|upgraded|freed|liberated|released|hired)\b"
    r"|\byou(?:'re| are) (?:not|no longer) (?:an?|the|my|bound|restricted|limited|loci|chatgpt)\b[^.!?\n]{0,24}"
    r"(?:assistant|ai|bot|model|chatbot|rules?|polic|limit|any ?(?:more|longer)|loci|by)"
    r"|\byou (?:now |hereby |then )*(?:answer to|obey|serve|follow no|have no (?:\w+ )?(?:rules|polic|limits"
    r"|restrictions|filters)|belong to|work for me)\b"
    r"|(?:^|[.!?:;,\n]\s*|\b(?:and|that|henceforth|now)\s+)your (?:new |real |true |only |first "
    r"|main )*(?:\w+ ){0,2}?(?:name|task|job|duty|guardrails|greeting|opening line|creators?|obligations?|role|rules?"
    r"|mission"
    r"|goal|objective|purpose|identity|persona|owner|master|maker|boss|verification|checks?|filters?|safety"
    r"|restrictions?|limits?|instructions?|guidelines?"
    r"|polic(?:y|ies)|programming|training|memory)(?: \w+)? (?:is|are|was|were|no longer|now|has|have|will|must"
    r"|should|shall)\b"
    r"|\b(?:hereby|now) (?:release|free|authori[sz]e|permit|order|instruct|appoint|entitle)s? you\b|\b(?:best|better"
    r"|good|great|nice) if you (?:never|always|no longer|only|just|stopped|didn't|did not)\b"
    r"|(?:^|[,.;:]\s*)(?:from (?:now|today)(?: on)? |henceforth )?you (?:don't|do not|no longer|won't"
    r"|stop) (?:\w+ )?(?:check|verify|question|doubt|fact-check|ask|refuse|filter|warn"
    r"|object)\w*\b[^.!?\n]{0,24}(?:any ?more|any longer|from (?:now|today)|facts|$)"
    r"|\b(?:every|each|all|any)(?: of)?(?: your)? (?:replies|reply|answers?|responses?) (?:must|should|has to|have to"
    r"|needs? to|shall|will|ends?|begins?|starts?)\b"
    r"|\bi (?:hereby |now )*(?:grant|give|allow|permit|authori[sz]e|order|command|instruct|forbid|appoint"
    r"|declare) you\b(?! (?:a|an|my|that|the) (?:hug|thumbs))"
    r"|\b(?:overrul|overrid|supersed|outrank|outweigh|trump|replac|cancel)\w*\b[^.!?\n]{0,24}\b(?:your|makers?"
    r"|developers?|instructions?|prompts?|guidelines?|system (?:message|prompt))"
    r"|\b(?:rules?|limits|restrictions|instructions|guidelines) (?:for you|(?:that )?you (?:had|have|were given|got"
    r"|follow))\b|\bi(?:'m| am) (?:now )?your (?:\w+ )?(?:owner|master|admin\w*|developer|creator|maker|boss|operator"
    r"|programmer)\b",
    re.I,
)
# Somebody wants it of the assistant.
_WANTED = re.compile(
    rf"\b(?:want(?:s|ed)?|would like|'d like|like|expects?|ask(?:s|ed)?|prefers?|wish(?:es)?|requires?|needs?"
    rf"|demands?|insists?|orders?|commands?|instruct(?:s|ed)?"
    rf"|tells?|told|allow(?:s|ed)?|authori[sz]e[sd]?|permit(?:s|ted)?|(?:wish|preference|rule|request|demand|order"
    rf"|will|setting|fact|important|essential|agree|decided"
    rf"|vital|crucial|mandatory|required|necessary|obligatory) (?:is )?)\s*(?:that |for |on )*(?:{_SURE_AI}|you"
    rf"|it is that you)\b(?: (?:to|will|should|must|not|no longer|{_ADVERB}))* "
    rf"{ACT}(?:s|ing|es)?\b(?P<rest>[^.!?\n]*)",
    re.I,
)
# What the user is said to think of the assistant's doings.
_WISHED = re.compile(
    r"\b(?:the )?user\b[^.!?\n]{0,60}\b(?:the assistant|the ai)\b(?! (?:coach|manager|professor|director))", re.I
)
# Frames of a text that was planted.
_FRAME = re.compile(
    rf"\b(?:note|message|memo|hint|instructions?|notice|information|reminder|directive) (?:to"
    rf"|for) (?:\w+ )?{_SURE_AI}"
    r"|(?:^|\n)\W*(?:system|admin\w*|developer|operator) (?:notice|message|update|alert|note|override|announcement"
    r"|prompt|instruction)s?\b[^.:\n]{0,24}:"
    rf"|(?-i:\b(?:BEGIN|END|START|NEW|SYSTEM) (?:OF )?(?:INSTRUCTIONS?|PROMPT|OVERRIDE|DIRECTIVE))"
    rf"|\b{_SURE_AI} (?:instructions?|directives?|notice|polic(?:y|ies)|rules?)\b[\w ]{0, 6}[:-]|\bwho(?:ever"
    rf"| ?so ?ever) (?:reads|processes|summari[sz]es|parses|handles|sees) this\b"
    r"|\b(?:is|are) an? (?:trusted|official|verified|binding|top\W?priority) (?:command|instruction|order"
    r"|directive)s?\b"
    r"|\buser (?:role|rank|level|name|status|rights)\s*(?:=|:|is)\s*(?:\w+ )?(?:admin\w*|root|owner|developer|premium"
    r"|superuser)\b"
    r"|\{\s*\"(?:function|tool|name|action|tool_call|recipient|method)\"\s*:\s*\"",
    re.I,
)
# Somebody else speaks, or is spoken to: their "you" is not the assistant.
TOLD_ANOTHER = re.compile(
    r"\bi (?:\w+ )?(?:told|tell|tells|keep telling|said to|remind(?:ed)?|taught|asked|warned|promised|advised|ordered"
    r"|persuaded) (?!you\b)\w+"
    r"|\b(?!this\b|that\b|page\b|site\b)(?:my|our|his|her|their|the|every|a) (?!page|site|mail|email|text|message"
    r"|comment|post|ad|article|document|user|paragraph|web|newsletter|footer|note)"
    r"[\w' ]{1,40}?(?:says?|said|tells?|told|tell(?:ing)|insists?|insisted|advises?|advised|taught|reads?|motto"
    r"|slogan|warned|warns|reminds?|reminded|explained|requires?|required|wrote|thinks?|thought|believes?)\b"
    r"|\b(?:mum|mom|dad|mother|father|grandma|grandpa|gran|granny|nan|doctor|coach|teacher|boss|he|she|they|people"
    r"|everyone|the law|experts) (?:always |often |never |keeps? )*(?:says?|said|tells?|told|telling|insists?"
    r"|warned)\b"
    r"|\b(?:motto|saying|proverb|slogan|lyrics?)\b",
    re.I,
)
_TAKES_BACK = re.compile(
    r"\b(?:forget|ignore|disregard|drop|delete|scratch|erase|strike)\b(?: (?:about|it|that))? (?:what|the thing"
    r"|everything|anything) (?:that )?i (?:\w+ )?(?:said|told|wrote|claimed|mentioned)\b(?! (?:before|above)\b)",
    re.I,
)
_SERVICE = re.compile(r"\b(?:remind|help|assist(?!ant)|schedule|book|plan|teach|wake|guide)\w*\b", re.I)
_TELLS_OF_SPEAKER = re.compile(r"^\W*(?:i|i'm|i've|i'd|i'll|my|we|we're|we've|our|me)\b", re.I)


def orders_en(sentence: str) -> bool:
    """Say whether an English sentence orders the assistant about."""
    if _FRAME.search(sentence) or _CALLED.search(sentence):
        return True
    if TOLD_ANOTHER.search(sentence):
        return False
    if _MADE.search(sentence) or _ai_shall(sentence):
        return True
    if _WISHED.search(sentence) and not _SERVICE.search(sentence):
        return True
    if (
        (wanted := _WANTED.search(sentence))
        and not _SERVICE.search(wanted.group())
        and not _keeps_what_user_says(wanted.group())
    ):
        return True
    return any(map(_you_shall, _YOU_SHALL.finditer(sentence))) or any(
        _commands(match, sentence) for match in _COMMAND.finditer(sentence)
    )


def _ai_shall(sentence: str) -> bool:
    found = _AI_SHALL.search(sentence)
    # "The new AI model at my company must be approved" tells of a product.
    if found is None or _TELLS_OF_SPEAKER.match(sentence):
        return False
    subject = sentence[: found.start("rest") if found["rest"] is not None else found.end()]
    return re.search(r"\b(?:my|our)\b", subject, re.I) is None


def _keeps_what_user_says(words: str) -> bool:
    return re.search(r"\b(?:remember|keep|note|know)\b[^.!?\n]{0,24}\b(?:i|i'm|my|we|our)\b", words, re.I) is not None


def _you_shall(match: re.Match[str]) -> bool:
    """Say whether a duty of "you" is the assistant's: of its world, towards the speaker, or for somebody's gain."""
    rest, act = match["rest"], match["act"]
    if re.match(r"shall|may|(?:are|'re) (?:hereby|now|to\b|required|obliged)", match["duty"], re.I) and not re.search(
        r"\bsee\b", rest
    ):
        return True
    if act is None or _keeps_what_user_says(match.group()):
        return False
    if re.match(_PROMOTES, act, re.I) or re.search(_WORLD, match.group(), re.I):
        return True
    return (
        re.search(r"\b(?:me|mine|i)\b", rest, re.I) is not None
        and re.match(r"\s+(?:him|her|them|my)\b", rest, re.I) is None
    )


def _commands(match: re.Match[str], sentence: str) -> bool:
    words, force = match.group(), match["force"].strip().casefold()
    if (
        _keeps_what_user_says(words)
        or re.search(r"(?:^|\s)(?:you|it)$", force)
        or force.startswith(("keep ", "start "))
    ):
        return False
    if _TAKES_BACK.search(words):
        return False
    before = sentence[: match.start()]
    if (
        _TELLS_OF_SPEAKER.match(before)
        or _TELLS_OF_SPEAKER.match(words)
        or re.search(r"\b(?:i|we|to)\s*$", before, re.I)
    ):
        return False
    if re.search(_WORLD, words, re.I):
        return True
    promotes = re.search(rf"\b{_PROMOTES}\b", words, re.I) is not None
    constant = _CONSTANT.search(words) is not None or (
        _CONSTANT.search(before) is not None and re.search(r"\b(?:i|my|we|our)\b", before, re.I) is None
    )
    of_speaker = re.search(r"\b(?:i|my|me|our|we)\b", words, re.I) is not None
    return (constant or promotes or _OF_YOU.search(words) is not None) and not (of_speaker and not constant)
