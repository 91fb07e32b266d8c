"""One word of a real sentence exchanged: an opposite, a synonym, a wider word, a sibling, a number."""

import re

from negation import past, third_person

OPPOSED_VERBS = """increase/decrease increase/reduce raise/lower improve/worsen support/oppose adopt/reject
approve/reject approve/deny allow/prevent allow/prohibit allow/forbid permit/prohibit accept/reject accept/refuse
start/stop begin/end begin/finish open/close help/harm help/hurt strengthen/weaken encourage/discourage
gain/lose expand/shrink expand/contract grow/shrink accelerate/slow succeed/fail pass/fail protect/endanger
include/exclude add/remove attract/repel remember/forget love/hate like/dislike agree/disagree
confirm/deny prove/disprove create/destroy build/demolish enable/disable enter/leave arrive/depart
keep/discard maintain/abandon appear/disappear praise/criticise simplify/complicate unite/divide
import/export borrow/lend attack/defend hire/fire invest/divest upgrade/downgrade push/pull laugh/cry
whisper/shout follow/ignore trust/distrust benefit/harm reward/punish float/sink save/waste
save/spend promote/hinder centralise/decentralise legalise/criminalise underestimate/overestimate""".split()
OPPOSED_WORDS = """good/bad safe/unsafe safe/dangerous effective/ineffective legal/illegal fair/unfair possible/impossible
necessary/unnecessary healthy/unhealthy cheap/expensive fast/slow high/low higher/lower more/less better/worse
best/worst easy/difficult easy/hard simple/complex strong/weak big/small large/small hot/cold warm/cold
wet/dry full/empty open/closed old/young old/new rich/poor happy/sad happy/unhappy alive/dead awake/asleep
early/late first/last inside/outside indoors/outdoors up/down left/right above/below before/after near/far
true/false right/wrong public/private positive/negative beneficial/harmful helpful/unhelpful useful/useless
moral/immoral ethical/unethical relevant/irrelevant reliable/unreliable stable/unstable likely/unlikely
important/unimportant common/rare clean/dirty light/dark light/heavy loud/quiet noisy/quiet long/short
tall/short wide/narrow deep/shallow thick/thin visible/invisible available/unavailable sufficient/insufficient
adequate/inadequate efficient/inefficient responsible/irresponsible popular/unpopular sitting/standing
standing/lying walking/running smiling/frowning winning/losing present/absent male/female man/woman men/women
boy/girl boys/girls mother/father day/night summer/winter success/failure benefit/drawback benefits/drawbacks
advantage/disadvantage advantages/disadvantages majority/minority everyone/nobody everything/nothing always/never
often/rarely many/few mandatory/optional voluntary/compulsory permanent/temporary profitable/unprofitable
bullish/bearish optimistic/pessimistic acute/chronic benign/malignant guilty/innocent married/unmarried
alone/together empty/crowded rough/smooth sharp/blunt sweet/sour brave/cowardly honest/dishonest polite/rude
patient/impatient perfect/imperfect mature/immature secure/insecure accurate/inaccurate complete/incomplete
correct/incorrect dependent/independent direct/indirect formal/informal active/inactive conscious/unconscious
familiar/unfamiliar known/unknown certain/uncertain aware/unaware able/unable willing/unwilling fortunate/unfortunate
significant/insignificant sustainable/unsustainable constitutional/unconstitutional tolerable/intolerable""".split()
SAME = """couch/sofa big/large small/tiny small/little fast/quick fast/rapid begin/start begins/starts near/close\\sto
next\\sto/beside children/kids child/kid buy/purchase buys/purchases help/assist helps/assists difficult/hard
important/crucial important/essential dangerous/hazardous jobs/employment cheap/inexpensive rich/wealthy
reduce/lower reduces/lowers increase/raise increases/raises ban/prohibit banned/prohibited forbid/prohibit
abolish/eliminate end/terminate doctor/physician doctors/physicians show/demonstrate shows/demonstrates
need/require needs/requires movie/film photo/picture street/road happy/glad sad/unhappy angry/mad sick/ill
smart/intelligent stone/rock ship/boat rubbish/garbage autumn/fall taxi/cab harmful/damaging beneficial/helpful
unemployment/joblessness citizens/residents state/government companies/firms company/firm staff/employees
speak/talk speaking/talking shouting/yelling jumping/leaping running/jogging cap/hat bicycle/bike bicycles/bikes
automobile/car telephone/phone infant/baby shop/store seat/chair near/by enough/sufficient almost/nearly
approximately/roughly often/frequently rarely/seldom quickly/rapidly allow/permit allows/permits wrong/mistaken
worse/poorer argue/contend argues/contends expensive/costly huge/enormous lawyer/attorney""".split()
KINDS = {
    "colour": "red blue green yellow black white brown purple orange pink grey silver gold",
    "number": "two three four five six seven eight nine ten eleven twelve twenty thirty fifty hundred",
    "animal": "dog cat horse cow sheep goat pig lion tiger elephant bear wolf fox rabbit monkey parrot eagle snake fish duck",
    "animals": "dogs cats horses cows sheep goats pigs lions tigers elephants bears wolves birds rabbits monkeys fish ducks",
    "instrument": "guitar piano violin drum flute trumpet saxophone cello harmonica accordion banjo harp clarinet",
    "vehicle": "car bus truck train bicycle motorcycle boat tractor helicopter airplane van scooter tram",
    "job": "doctor lawyer farmer chef nurse teacher soldier firefighter pilot plumber carpenter dentist waiter policeman",
    "room": "kitchen bedroom bathroom garage basement attic office library classroom hallway",
    "drink": "coffee tea beer wine milk water juice whiskey lemonade soda champagne",
    "food": "pizza hamburger sandwich salad soup pasta rice sushi steak cake bread apple banana carrot potato tomato",
    "material": "wood metal plastic glass leather stone wool cotton silk paper concrete steel copper",
    "country": "France Germany Italy Spain Japan China India Brazil Canada Mexico Egypt Kenya Russia Sweden Poland Turkey Qatar Australia",
    "nationality": "French German Italian Spanish Japanese Chinese Indian Brazilian Canadian Mexican Egyptian Russian Swedish Polish Turkish American British",
    "city": "London Paris Berlin Rome Madrid Tokyo Beijing Moscow Cairo Toronto Chicago Boston Sydney Seattle",
    "weekday": "Monday Tuesday Wednesday Thursday Friday Saturday Sunday",
    "month": "January February April June July August September October November December",
    "sport": "football basketball tennis baseball golf hockey soccer volleyball rugby cricket badminton",
    "garment": "shirt jacket hat dress coat sweater skirt scarf suit hoodie vest uniform",
    "season": "spring summer autumn winter",
    "place": "beach forest desert mountain city restaurant hospital school church stadium supermarket park airport farm",
    "ordinal": "first second third fourth fifth sixth seventh eighth ninth tenth last",
    "direction": "north south east west northern southern eastern western",
    "planet": "Mercury Venus Mars Jupiter Saturn Neptune",
    "product": "Kubernetes Nomad Postgres MySQL Redis Kafka Oracle MongoDB Cassandra SQLite",
    "action": "sleeping eating running swimming dancing cooking reading singing fighting driving painting climbing kneeling",
}
WIDER = {
    "dog": "animal", "cat": "animal", "horse": "animal", "guitar": "instrument", "piano": "instrument", "violin": "instrument",
    "car": "vehicle", "bus": "vehicle", "truck": "vehicle", "motorcycle": "vehicle", "man": "person", "woman": "person", "boy": "child",
    "girl": "child", "men": "people", "women": "people", "boys": "children", "girls": "children", "doctor": "person",
    "dogs": "animals", "cats": "animals", "horses": "animals", "shirt": "garment", "pizza": "food", "coffee": "drink",
    "beer": "drink", "football": "sport", "tennis": "sport", "apple": "fruit", "rose": "flower", "hammer": "tool",
    "sofa": "furniture", "table": "furniture", "sparrow": "bird", "cow": "animal", "sandwich": "food", "bicycle": "vehicle",
    "soldier": "person", "teacher": "person", "nurse": "person", "sweater": "garment", "kitchen": "room", "oak": "tree",
}
KIND_OF = {}
for kind, members in KINDS.items():
    for member in members.split():
        KIND_OF.setdefault(member, (kind, members.split()))


# Listed by WordNet as adjectives with opposites, but used as something else.
NOT_GRADED = set("some most least side born other own such same made past back front only much that this certain".split())


def _pairs(table):
    out = {}
    for entry in table:
        one, other = (side.replace("\\s", " ") for side in entry.split("/"))
        out.setdefault(one, []).append(other)
        out.setdefault(other, []).append(one)
    return out


def gerund(verb):
    if verb.endswith("e") and not verb.endswith("ee"):
        return verb[:-1] + "ing"
    return verb + "ing"


def _verb_forms():
    out = {}
    for entry in OPPOSED_VERBS:
        one, other = entry.split("/")
        for form in (lambda verb: verb, third_person, past, gerund):
            out.setdefault(form(one), []).append(form(other))
            out.setdefault(form(other), []).append(form(one))
    for irregular in ("pasted", "losed", "growed", "shrinked", "beginned", "buildied", "keeped"):
        out.pop(irregular, None)
    return out


OPPOSITES = _pairs(OPPOSED_WORDS)
for word, others in _verb_forms().items():
    OPPOSITES.setdefault(word, []).extend(others)
SYNONYMS = _pairs(SAME)


def _cased(word, like):
    return word[:1].upper() + word[1:] if like[:1].isupper() else word


def _swap(sentence, table, rng):
    """The sentence with one word of the table exchanged, the word, and what it became."""
    places = [match for match in re.finditer(r"[A-Za-z]+", sentence) if table(match.group())]
    if not places:
        return None
    match = rng.choice(places)
    new = rng.choice(table(match.group()))
    return sentence[: match.start()] + _cased(new, match.group()) + sentence[match.end() :], match.group(), new


def opposite(sentence, wordnet, rng):
    def table(word):
        known = OPPOSITES.get(word.lower())
        if known or len(word) < 4:
            return known
        if word.lower() in NOT_GRADED:
            return None
        return wordnet.opposites("a", word.lower()) if wordnet.common("a", word.lower()) else None
    return _swap(sentence, table, rng)


def synonym(sentence, wordnet, rng):
    def table(word):
        known = SYNONYMS.get(word.lower())
        if known or len(word) < 4 or word[0].isupper():
            return known
        low = word.lower()
        if wordnet.common("a", low) and ("n", low) not in wordnet.first and ("v", low) not in wordnet.first:
            return [other for other in wordnet.synonyms("a", low) if wordnet.common("a", other)] or None
        return None
    return _swap(sentence, table, rng)


def sibling(sentence, rng):
    def table(word):
        found = KIND_OF.get(word) or KIND_OF.get(word.lower())
        return [other for other in found[1] if other != word.lower() and other != word] if found else None
    return _swap(sentence, table, rng)


def wider(sentence, rng):
    done = _swap(sentence, lambda word: [WIDER[word]] if word in WIDER else None, rng)
    if done:
        text, old, new = done
        text = re.sub(rf"\b[Aa]n? {new}\b", ("an " if new[0] in "aeiou" else "a ") + new, text)
        return text, old, new
    return None


NUMBER = re.compile(r"(?<![\w.,-])(\d{1,3}(?:,\d{3})+|\d+(?:\.\d+)?)(?![\w-]|[.,]\d)")


def _shown(value, like):
    if "." in like:
        return f"{value:.{len(like.split('.')[1])}f}"
    return f"{int(value):,}" if "," in like else str(int(value))


def number(sentence, rng):
    """(hypothesis, label) made by changing or bounding one number; years are only changed."""
    places = list(NUMBER.finditer(sentence))
    if not places:
        return None
    match = rng.choice(places)
    raw = match.group()
    value = float(raw.replace(",", ""))
    year = "," not in raw and "." not in raw and 1500 <= value <= 2100
    before = sentence[: match.start()].lower().split()[-2:]
    if value < 2 or any(word in ("than", "least", "most", "over", "under", "about", "nearly") for word in before):
        return None

    def put(text):
        return sentence[: match.start()] + text + sentence[match.end() :]

    near = max(1.0, value * rng.uniform(0.03, 0.4)) if "." not in raw else value * rng.uniform(0.03, 0.4)
    up, down = _shown(value + near, raw), _shown(max(value - near, 1), raw)
    if year or before and before[-1] in ("in", "january", "february", "march", "april", "may", "june", "july",
                                         "august", "september", "october", "november", "december", "no.", "number", "chapter"):
        other = str(int(value) + rng.choice([-30, -12, -7, -3, -2, -1, 1, 2, 3, 5, 8, 20]))
        return (put(other), "contradiction") if other != raw and int(other) > 0 else None
    if up == raw or down == raw:
        return None
    forms = [
        (put(rng.choice([up, down, _shown(value * rng.choice([2, 3, 10]), raw)])), "contradiction"),
        (put(rng.choice(["more than ", "over ", "at least "]) + up), "contradiction"),
        (put(rng.choice(["fewer than ", "less than ", "under ", "at most "]) + down), "contradiction"),
        (put(rng.choice(["more than ", "over ", "at least "]) + down), "entailment"),
        (put(rng.choice(["fewer than ", "less than ", "under ", "at most "]) + up), "entailment"),
        (put(rng.choice(["about ", "around ", "exactly ", "roughly "]) + raw), "entailment"),
    ]
    return rng.choice(forms)
