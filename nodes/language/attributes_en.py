"""How people name their own attributes in English: one pattern per way of saying a slot of `state.slots`.

A pattern is matched at the start of a clause, so that whoever stands before the verb must be the speaker: "my sister
lives in Paris" opens with another subject and matches nothing. The group `v` is the value, `neg` a negation.
"""

import re

_ADVERBS = (
    r"(?:(?:now|currently|actually|really|also|still|just|always|already|recently|finally|absolutely"
    r"|truly|quite|only|both|mostly"
    r"|usually|generally|especially|particularly|very|so|do|simply|personally|definitely|highly"
    r"|severely|deathly|mildly|originally)\s+)*"
)
_NOT = r"(?P<neg>(?:do not|don'?t|does not|doesn'?t|no longer|never|not)\s+)?"
_I = rf"(?:i|we|(?:the )?user)\s+{_ADVERBS}{_NOT}{_ADVERBS}"
_I_AM = rf"(?:i'm|im|i am|we're|we are|(?:the )?user is)\s+{_ADVERBS}(?P<neg>(?:not|no longer)\s+)?{_ADVERBS}"
_AM = rf"(?:(?:i'm|im|i am|we're|we are|(?:the )?user is)\s+)?{_ADVERBS}(?P<neg>(?:not|no longer)\s+)?{_ADVERBS}"
_MY = r"(?:my|our|the user's|user's)\s+(?:new |current )?"
_IS = r"(?:'s| is|(?P<neg2> isn'?t))(?: now| actually)?(?: (?P<neg>not))?"
_NAME = r"(?P<v>(?-i:[A-Z])[\w.'-]*(?: (?-i:[A-Z])[\w.'-]*){0,3}|[\u4e00-\u9fff]{2,4})"
# What also has a capital after "I'm".
_NO_NAME = (
    r"(?:\w+(?:ese|ish|ian|ean|can)|German|Swiss|French|Dutch|Greek|Thai|Czech|Arab|Muslim|Hindu|Sikh|Jew|Catholic"
    r"|Buddhist|Protestant|Mormon|Latino|Latina|Vegan|Monday|Here|Not|Sorry|Sure|Back|Good|Fine|So|Very|Just)\b"
)
_PROPER = r"(?P<v>(?-i:[A-Z\u4e00-\u9fff]).*)$"
_COUNT = r"(?:(?:an?|one|two|three|four|five|\d)\s+)?"

_JOB = (
    r"(?P<v>(?:[\w-]+ ){0,3}?(?:engineer|developer|programmer|teacher|professor|doctor|nurse|lawyer"
    r"|attorney|student|designer|manager|accountant|writer"
    r"|author|journalist|artist|musician|photographer|chef|cook|driver|pilot|scientist|researcher"
    r"|analyst|consultant|architect|dentist|pharmacist|electrician"
    r"|plumber|carpenter|farmer|salesperson|salesman|saleswoman|marketer|recruiter|founder"
    r"|entrepreneur|freelancer|editor|translator|librarian|therapist"
    r"|psychologist|psychiatrist|veterinarian|vet|barista|bartender|waiter|waitress|firefighter"
    r"|police officer|soldier|secretary|administrator|mechanic"
    r"|technician|actor|actress|singer|director|producer|cto|ceo|paramedic|surgeon|economist"
    r"|mathematician|physicist|chemist|biologist|statistician|tutor|coach))"
    r"(?!\w|'s)"
)
_ANIMAL = (
    r"(?:dog|cat|puppy|kitten|rabbit|hamster|parrot|turtle|tortoise|goldfish|bird|snake|lizard|horse"
    r"|guinea pig|ferret|gecko)"
)
_CHILD = r"(?:son|daughter|child|kid|baby)"
_PARTNER = r"(?:wife|husband|partner|girlfriend|boyfriend|spouse|fianc[eé]e?)"
_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sep(?:t(?:ember)?)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?"
)
_DAY = (
    rf"(?P<v>(?:the )?\d{{1,2}}(?:st|nd|rd|th)?(?: of)? {_MONTH}(?:,? \d{{4}})?"
    rf"|{_MONTH} (?:the )?\d{{1,2}}(?:st|nd|rd|th)?(?:,? \d{{4}})?|\d{{4}}-\d{{1,2}}-\d{{1,2}}"
    rf"|\d{{1,2}}/\d{{1,2}}(?:/\d{{2,4}})?)"
)
_LANGUAGE = (
    r"(?P<v>(?:mandarin|cantonese|english|chinese|french|german|spanish|italian|japanese|korean"
    r"|russian|portuguese|arabic|hindi|dutch|swedish|danish"
    r"|norwegian|finnish|polish|czech|greek|turkish|hebrew|thai|vietnamese|indonesian|malay|persian"
    r"|urdu|bengali|ukrainian|hungarian|romanian|latin|swahili))\b"
)
_DEED = (
    r"(?:play|swim|cook|code|drive|ride|dance|sing|ski|skate|surf|paint|draw|juggle|knit|sew|sail|type"
    r"|program|bake|dive|climb)\b"
)

_ROWS: tuple[tuple[str, str], ...] = (
    ("user.name", rf"{_MY}(?:full |real |first )?name{_IS}\s+{_NAME}$"),
    (
        "user.name",
        rf"(?:i'm called|i am called|i go by|(?:you can |just |people |everyone )?calls? me|i'm named"
        rf"|the user is called)\s+{_NAME}$",
    ),
    (
        "user.name",
        rf"(?:i'm|i am) (?!{_NO_NAME})(?P<v>(?-i:[A-Z][a-z]+)(?: (?-i:[A-Z][a-z]+)){{0,2}})(?: from .+)?$",
    ),
    ("user.name", rf"i (?:changed my name|renamed myself) to\s+{_NAME}$"),
    ("user.birthday", rf"{_MY}(?:birthday|date of birth)(?:'s| is| falls)(?: (?P<neg>not))?(?: on)?\s+{_DAY}"),
    ("user.birthday", rf"i was born (?:on|in)\s+{_DAY}"),
    (
        "user.age",
        r"(?:i'm|i am|i turned|i just turned|the user is)\s+(?:now |already "
        r"|currently )?(?P<neg>not )?(?P<v>\d{1,3})(?: years?[ -]old)?(?: now| today)?$",
    ),
    ("user.email", r"(?:my|our|the user's)\s.{0,12}?e-?mail(?: address)?[^@]{0,8}?(?P<v>[\w.+-]+@[\w-]+(?:\.[\w-]+)+)"),
    (
        "user.phone",
        r"(?:my|our|the user's)\s.{0,8}?(?:phone|mobile|cell"
        r"|number)(?: ?number)?[^\d+]{0,8}(?P<v>\+?\d[\d\- ]{5,17}\d)",
    ),
    ("user.address", rf"{_MY}(?:home )?address{_IS}\s+(?P<v>.{{5,80}})$"),
    (
        "user.address",
        rf"{_I}(?:live|moved)\s+(?:at|to)\s+(?P<v>\d+[\w ]* (?:street|st|avenue|ave|road|rd|lane|ln|drive"
        rf"|dr|boulevard|blvd|way|court|place)\b.*)$",
    ),
    ("user.hometown", rf"{_I}(?:come from|grew up in|was born in|was raised in)\s+{_PROPER}"),
    ("user.hometown", rf"{_I_AM}from\s+{_PROPER}"),
    ("user.hometown", rf"{_MY}(?:hometown|home town){_IS}\s+(?P<v>.+)$"),
    ("user.home_city", rf"{_I}(?:live|lives|reside|resides|settled|settled down)\s+in\s+(?P<v>.+)$"),
    (
        "user.home_city",
        r"(?:(?:i|we|(?:the )?user)(?:'ve| have| has)?\s+)?(?:(?:just|recently|finally"
        r"|already)\s+)*(?:moved"
        r"|relocated)(?: back)?(?: from .+?)?\s+to\s+(?P<v>(?-i:[A-Z\u4e00-\u9fff]).*)$",
    ),
    ("user.home_city", rf"{_I_AM}(?:living|based|residing)\s+in\s+(?P<v>.+)$"),
    ("user.home_city", rf"{_MY}home(?: city)?{_IS}\s+(?:in\s+)?{_PROPER}"),
    ("user.employer", rf"{_I}(?:work|works)\s+(?:at|for)\s+(?P<v>.+)$"),
    (
        "user.employer",
        rf"(?:i|the user)(?:'ve| have)?\s+{_ADVERBS}(?:joined|started (?:working )?at"
        rf"|started working for)\s+{_PROPER}",
    ),
    ("user.employer", rf"{_I_AM}(?:working|employed)\s+(?:at|for|by)\s+(?P<v>.+)$"),
    ("user.employer", rf"{_MY}(?:employer|company){_IS}(?: called)?\s+{_PROPER}"),
    ("user.occupation", rf"{_I_AM}(?:a|an|the|working as an?|now an?)\s+{_JOB}"),
    ("user.occupation", rf"{_I}(?:work|works|became)\s+(?:as )?(?:a|an)\s+{_JOB}"),
    ("user.occupation", rf"{_MY}(?:job|occupation|profession){_IS}(?: an?| being an?)\s+(?P<v>[\w -]{{3,40}})$"),
    ("user.occupation", rf"{_MY}(?:job|occupation|profession){_IS}\s+{_JOB}$"),
    ("user.partner", rf"{_MY}{_PARTNER}(?:'s name is| is called| is named|'s called)\s+{_NAME}"),
    ("user.partner", rf"(?:i'm|i am|i got|i)\s+(?:married|engaged)(?: to)?\s+{_NAME}"),
    ("user.allergy", rf"{_AM}allergic to\s+(?P<v>.+)$"),
    (
        "user.allergy",
        rf"{_I}(?:have|has|got)\s+(?P<neg2>no )?(?:a |an )?(?:bad |severe |mild "
        rf"|serious )?(?P<v>[\w ]{{2,20}}?) allerg(?:y|ies)",
    ),
    ("user.likes", r"(?:and |but )?(?P<neg>do not|don'?t) (?:really )?(?:like|love|enjoy)\s+(?P<v>.+)$"),
    ("user.dislikes", r"(?:and |but )?(?:hate|dislike|detest|can'?t stand|cannot stand)\s+(?P<v>.+)$"),
    ("user.dislikes", rf"{_I}(?:hate|hates|dislike|dislikes|detest|loathe|can'?t stand|cannot stand)\s+(?P<v>.+)$"),
    (
        "user.likes",
        rf"{_I}(?:started to |have started to |began to )?(?:like|likes|love|loves|enjoy|enjoys|adore"
        rf"|adores|prefer|prefers)\s+(?P<v>.+)$",
    ),
    ("user.likes", rf"{_I_AM}(?:fond of|into|a (?:big |huge )?fan of|crazy about)\s+(?P<v>.+)$"),
    (
        "user.pet",
        rf"{_I}(?:have|has|own|owns|got"
        rf"|adopted)\s+(?P<neg2>no )?{_COUNT}(?:[\w-]+ ){{0,2}}?(?P<v>{_ANIMAL})s?\b",
    ),
    ("user.pet", rf"{_MY}{_ANIMAL}(?:'s name is| is called| is named)\s+{_NAME}"),
    (
        "user.language",
        rf"{_I}(?:can |(?P<neg2>can'?t |cannot ))?(?:speak|speaks)\s+(?:fluent |some |any |a (?:little |bit of )"
        rf"|good )?{_LANGUAGE}",
    ),
    ("user.language", rf"{_MY}(?:native language|mother tongue|first language){_IS}\s+{_LANGUAGE}"),
    ("user.language", rf"{_AM}fluent in\s+{_LANGUAGE}"),
    ("user.skill", rf"i (?P<neg>can'?t |cannot |can not )(?P<v>{_DEED}.*)$"),
    ("user.skill", rf"i (?:can|know how to) (?P<v>{_DEED}.*)$"),
    ("user.skill", rf"{_AM}(?:good|great|skilled|excellent) (?:at|in)\s+(?P<v>.+)$"),
    ("user.child", rf"{_I}(?:have|has)\s+(?P<neg2>no )?{_COUNT}(?:[\w-]+ )?(?P<v>{_CHILD}|children)s?\b"),
    ("user.child", rf"{_MY}{_CHILD}(?:'s name is| is called| is named)\s+{_NAME}"),
    ("user.child", rf"{_MY}{_CHILD}\s+(?P<v>(?-i:[A-Z])\w+)(?: \w+)?(?: is| was|'s| has| turn| goes| start| just)"),
    ("user.child", rf"{_MY}(?P<v>{_CHILD})(?: is|'s) \d"),
    ("user.goal", rf"{_MY}(?:goal|dream|aim){_IS}(?: to)?\s+(?P<v>.+)$"),
)

PATTERNS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (slot, re.compile(pattern, re.IGNORECASE)) for slot, pattern in _ROWS
)
