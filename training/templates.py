"""Statements written from templates in the words debates use, each pair with the label it has by construction.

Every mechanism yields (premise, hypothesis, label); labels follow from how the pair was made.
"""

E, N, C = "entailment", "neutral", "contradiction"

THINGS = {
    "policy": """the carbon tax|the minimum wage|the school voucher programme|rent control|the travel ban|universal basic income
the new zoning law|the sugar tax|the immigration bill|the pension reform|mandatory voting|the gun law|the trade agreement|the curfew
public funding for the arts|the congestion charge|the data protection act|the tariff on steel|the four-day school week|the needle exchange""",
    "engineering": """the migration to Kubernetes|the new cache layer|the payment service|the monorepo|the message queue|the nightly build
the rewrite in Rust|the staging cluster|the feature flag|the database index|the retry logic|the load balancer|the GraphQL gateway
the on-call rotation|continuous deployment|the event store|the mobile client|the encryption module|the search service|the rate limiter""",
    "medicine": """the vaccine|the new antibiotic|the screening programme|early surgery|the statin|daily aspirin|the low-salt diet
the clinical trial|the blood test|physical therapy|the booster dose|hormone therapy|the MRI scan|the insulin pump|vitamin D
the painkiller|the anticoagulant|the triage protocol|home dialysis|the sleep study""",
    "markets": """the stock|the merger|the dividend|the bond issue|the share buyback|the quarterly guidance|the currency hedge
the oil price|the housing market|the IPO|the index fund|gold|the short position|the credit rating|the earnings forecast
the emerging-market fund|the takeover bid|the interest rate|the new product line|the supply contract""",
}
THINGS = {area: [thing.strip() for thing in text.replace("\n", "|").split("|")] for area, text in THINGS.items()}
QUALITIES = [
    ("safe", "unsafe"), ("effective", "ineffective"), ("cheap", "expensive"), ("reliable", "unreliable"), ("necessary", "unnecessary"),
    ("fair", "unfair"), ("legal", "illegal"), ("popular", "unpopular"), ("stable", "unstable"), ("simple", "complicated"),
    ("beneficial", "harmful"), ("a success", "a failure"), ("a good idea", "a bad idea"), ("profitable", "unprofitable"),
    ("ready", "unready"), ("worth the money", "a waste of money"), ("sustainable", "unsustainable"), ("overpriced", "underpriced"),
    ("risky", "safe"), ("harmless", "dangerous"), ("slow", "fast"), ("useful", "useless"), ("acceptable", "unacceptable"),
    ("well tested", "poorly tested"), ("on schedule", "behind schedule"), ("transparent", "opaque"), ("true", "false"),
]
VERBS = [
    ("adopt", "avoid"), ("approve", "reject"), ("keep", "remove"), ("support", "oppose"), ("expand", "cut back"), ("start", "stop"),
    ("accept", "refuse"), ("allow", "ban"), ("continue", "abandon"), ("increase funding for", "cut funding for"), ("recommend", "advise against"),
    ("delay", "speed up"), ("buy into", "sell out of"), ("invest in", "divest from"), ("extend", "end"), ("ship", "hold back"),
]
EFFECTS = [
    ("reduces", "increases"), ("raises", "lowers"), ("improves", "worsens"), ("helps", "hurts"), ("strengthens", "weakens"),
    ("speeds up", "slows down"), ("boosts", "depresses"), ("protects", "endangers"), ("simplifies", "complicates"),
]
OBJECTS = """costs|latency|unemployment|crime|the error rate|mortality|patient outcomes|public trust|the budget deficit|volatility|revenue
memory use|innovation|inequality|blood pressure|school attendance|developer productivity|emissions|the risk of stroke|household income
customer churn|competition|free speech|deployment time|tax revenue|hospital admissions|profit margins|public health""".replace("\n", "|").split("|")
METRICS = [
    ("latency", "ms", 5, 900), ("unemployment", "%", 2, 15), ("inflation", "%", 1, 12), ("revenue", "million dollars", 3, 900), ("the error rate", "%", 1, 30),
    ("throughput", "requests per second", 50, 9000), ("mortality", "%", 1, 40), ("the dose", "mg", 5, 800), ("turnout", "%", 20, 90),
    ("the budget", "billion euros", 2, 400), ("memory use", "GB", 1, 64), ("the share price", "dollars", 4, 500), ("response time", "seconds", 1, 60),
    ("the population", "thousand people", 10, 900), ("GDP growth", "%", 1, 9), ("the downtime", "hours", 1, 72), ("market share", "%", 2, 70),
    ("blood pressure", "mmHg", 90, 190), ("the waiting time", "days", 2, 90), ("the yield", "%", 1, 9), ("the cost per user", "dollars", 2, 90),
]
PEOPLE = "The team|Our analysts|The committee|The minister|The board|Doctors|Most voters|The auditors|Investors|She|He|The engineers|The regulator|I|We|They|My colleague|The patient|The company|The city".split("|")
REASONS = [
    "because it saves time", "since the old one is failing", "as the report shows", "given the evidence so far", "because nobody maintains it",
    "as of last week", "in the next quarter", "after the review", "this year", "in rural areas", "for most patients", "under heavy load", "in the long run",
]
SUBJECTS = "He|She|It|They|You|We|I|The man|My sister|This|That|Tom|The weather|The food|The house|The answer|The room|Your plan|The people here|The door".split("|")


def be(subject):
    return "am" if subject == "I" else "are" if subject in ("They", "You", "We", "The people here") else "is"


def cap(text):
    return text[:1].upper() + text[1:]


def thing(rng):
    return rng.choice(THINGS[rng.choice(sorted(THINGS))])


def quality(rng):
    """X is good / not good / bad / not bad, and hedges of it."""
    x, (good, bad) = thing(rng), rng.choice(QUALITIES)
    if rng.random() < 0.5:
        good, bad = bad, good
    no = rng.choice(["is not", "isn't", "is hardly", "is by no means", "is far from"])
    yes, anti, negated, double = f"{x} is {good}", f"{x} is {bad}", f"{x} {no} {good}", f"{x} is not {bad}"
    very = f"{x} is {rng.choice(['clearly', 'certainly', 'obviously', 'undoubtedly'])} {good}"
    may = f"{x} {rng.choice(['may be', 'might be', 'could be', 'is perhaps', 'is sometimes'])} {good}"
    other = f"{thing(rng)} is {rng.choice([good, bad])}"
    other_no = f"{thing(rng)} is not {rng.choice([good, bad])}"
    third = rng.choice(QUALITIES)
    another = f"{x} {rng.choice(['is', 'is not'])} {rng.choice(third)}" if third[0] not in (good, bad) else other
    return rng.choice([
        (yes, anti, C), (yes, negated, C), (negated, yes, C), (anti, yes, C), (very, negated, C), (very, anti, C), (negated, double, C),
        (anti, double, C), (double, anti, C), (yes, double, E), (anti, negated, E), (negated, anti, E), (very, yes, E), (yes, very, E), (yes, may, E),
        (may, yes, N), (may, anti, N), (yes, other, N), (negated, other_no, N), (yes, other_no, N), (yes, another, N), (negated, another, N),
        (negated, f"{x} is not at all {good}", E), (yes, f"{x} is {good}, {rng.choice(REASONS)}", N),
        (f"{x} is {good}, {rng.choice(REASONS)}", yes, E), (f"{x} is {good}, {rng.choice(REASONS)}", negated, C),
    ])


def short(rng, wordnet_pairs):
    """Everyday sentences of three to six words with every mix of negation and opposite."""
    subject, (one, other) = rng.choice(SUBJECTS), rng.choice(wordnet_pairs)
    is_, tail = be(subject), rng.choice(["", "", "", " today", " now", " here", " at all", " with it"])
    no = rng.choice([f"{subject} {is_} not", f"{subject} {is_}n't" if is_ != "am" else f"{subject} {is_} not", f"{subject} {is_} never"])
    short_no = {"I am not": "I'm not", "He is not": "He's not", "She is not": "She's not", "It is not": "It's not", "They are not": "They're not", "You are not": "You're not"}
    no = short_no.get(no, no) if rng.random() < 0.5 else no
    yes = f"{subject} {is_}"
    short_yes = {"I am": "I'm", "He is": "He's", "She is": "She's", "It is": "It's", "They are": "They're", "You are": "You're", "That is": "That's"}
    yes = short_yes.get(yes, yes) if rng.random() < 0.5 else yes
    pos, neg = f"{yes} {one}{tail}", f"{no} {one}{tail}"
    anti, anti_neg = f"{yes} {other}{tail}", f"{no} {other}{tail}"
    stranger = rng.choice(wordnet_pairs)
    odd = f"{rng.choice([yes, no])} {rng.choice(stranger)}{tail}"
    return rng.choice([
        (pos, neg, C), (neg, pos, C), (pos, anti, C), (neg, anti_neg, C), (anti, anti_neg, C), (anti_neg, anti, C), (anti_neg, neg, C),
        (pos, anti_neg, E), (anti_neg, pos, E), (neg, anti, E), (anti, neg, E), (pos, odd, N), (neg, odd, N),
    ])


def proposal(rng):
    """We should do it / not do it / do the opposite; orders; questions; who says so."""
    x, (do, dont) = thing(rng), rng.choice(VERBS)
    if rng.random() < 0.5:
        do, dont = dont, do
    why = rng.choice(REASONS)
    yes = rng.choice([f"We should {do} {x}", f"I recommend that we {do} {x}", f"It is time to {do} {x}", f"{cap(do)} {x}", f"We must {do} {x}", f"My vote is to {do} {x}"])
    yes2 = rng.choice([f"We ought to {do} {x}", f"Let us {do} {x}", f"The right call is to {do} {x}", f"I think we should {do} {x}", f"We need to {do} {x}"])
    no = rng.choice([f"We should not {do} {x}", f"Do not {do} {x}", f"Never {do} {x}", f"It would be a mistake to {do} {x}", f"There is no reason to {do} {x}", f"I am against the plan to {do} {x}", f"We shouldn't {do} {x}"])
    anti = rng.choice([f"We should {dont} {x}", f"Let us {dont} {x}", f"The right call is to {dont} {x}", f"{cap(dont)} {x}"])
    other = rng.choice([f"We should {do} {thing(rng)}", f"We should not {do} {thing(rng)}", f"{cap(x)} costs more than we thought", f"Who pays for {x}?", f"Should we {do} {x}?"])
    unsure = rng.choice([f"It is unclear whether we should {do} {x}", f"Some argue that we should {do} {x}", f"We could {do} {x}", f"I have not decided whether to {do} {x}"])
    switched = rng.choice([f"I changed my mind: we should not {do} {x}", f"I no longer think we should {do} {x}", f"I was wrong: {no[:1].lower() + no[1:]}"])
    return rng.choice([
        (yes, no, C), (no, yes, C), (yes, anti, C), (anti, yes, C), (yes, yes2, E), (yes2, yes, E), (no, anti, rng.choice([E, N])), (yes, other, N), (no, other, N),
        (yes, f"{yes}, {why}", N), (f"{yes}, {why}", yes2, E), (f"{yes}, {why}", no, C), (yes, unsure, N), (unsure, yes, N), (unsure, no, N),
        (yes, switched, C), (switched, no, E), (f"{no}, {why}", yes2, C),
    ])


def effect(rng):
    """X raises Y / lowers Y / does not raise Y, with roles swapped and hedges."""
    x, y, (up, down) = thing(rng), rng.choice(OBJECTS), rng.choice(EFFECTS)
    if rng.random() < 0.5:
        up, down = down, up
    base = up.split()[0]
    stem = base[:-2] if base.endswith("shes") or base.endswith("sses") else base[:-3] + "y" if base.endswith("fies") else base[:-1]
    plain = " ".join([stem] + up.split()[1:])
    yes, anti, no = f"{x} {up} {y}", f"{x} {down} {y}", f"{x} {rng.choice(['does not', 'doesn' + chr(39) + 't', 'did not', 'will never'])} {plain} {y}"
    may = f"{x} {rng.choice(['may', 'might', 'could', 'can sometimes'])} {plain} {y}"
    other = f"{x} {rng.choice([up, down])} {rng.choice([o for o in OBJECTS if o != y])}"
    other2 = f"{thing(rng)} {rng.choice([up, down])} {y}"
    none = rng.choice([f"{x} has no effect on {y}", f"{x} leaves {y} unchanged", f"there is no evidence that {x} {up} {y}"])
    fails = f"{x} fails to {plain} {y}"
    return rng.choice([
        (yes, anti, C), (yes, no, C), (no, yes, C), (anti, yes, C), (yes, fails, C), (fails, no, E), (no, fails, E), (yes, may, E), (may, yes, N), (may, anti, N),
        (yes, other, N), (yes, other2, N), (no, other, N), (yes, none, C if "evidence" not in none else N), (none, yes, C if "evidence" not in none else N), (none, anti, C if "evidence" not in none else N),
        (anti, no, E), (yes, f"{x} significantly {up} {y}", N), (f"{x} significantly {up} {y}", yes, E),
        (f"according to the study, {yes}", yes, E), (f"according to the study, {yes}", anti, C), (f"{yes}, but only {rng.choice(REASONS[6:])}", anti, C),
    ])


def amount(rng):
    """A metric and its value: other values, bounds, units, rounding, direction, period."""
    metric, unit, low, high = rng.choice(METRICS)
    where = rng.choice(["", "", f" in {rng.choice(['2019', '2021', '2023', 'Q1', 'Q3', 'March', 'the north', 'Qatar', 'Germany'])}", " at peak", " after the change"])
    value = rng.randint(low, high)
    if rng.random() < 0.3:
        value = round(value + rng.random(), 1)
    far = value * rng.choice([0.2, 0.4, 0.5, 0.7, 1.3, 1.5, 2, 3, 10])
    far = max(round(far, 1) if isinstance(value, float) else int(far), 1)
    if far == value:
        far = value + 2
    more, less = (max(value, far), min(value, far))
    show = lambda v: f"{v}%" if unit == "%" else f"{v} {unit}"
    yes = rng.choice([f"{metric}{where} is {show(value)}", f"{metric}{where} was {show(value)}", f"{metric}{where} stood at {show(value)}", f"we measured {metric}{where} at {show(value)}"])
    again = rng.choice([f"{metric}{where} is {show(value)}", f"{metric}{where} came to {show(value)}", f"at {show(value)}, {metric}{where} is known"])
    wrong = f"{metric}{where} is {show(far)}"
    over = rng.choice(["more than", "over", "above", "at least"])
    under = rng.choice(["less than", "under", "below", "at most"])
    high_s, low_s = f"{metric}{where} is {show(more)}", f"{metric}{where} is {show(less)}"
    mid = show(round((more + less) / 2, 1))
    options = [
        (yes, wrong, C), (wrong, yes, C), (yes, again, E), (again, yes, E),
        (yes, f"{metric}{where} is not {show(value)}", C),
        (low_s, f"{metric}{where} is {over} {mid}", C), (high_s, f"{metric}{where} is {under} {mid}", C),
        (high_s, f"{metric}{where} is {over} {mid}", E), (low_s, f"{metric}{where} is {under} {mid}", E),
        (f"{metric}{where} is {over} {mid}", high_s, N), (f"{metric}{where} is {over} {mid}", low_s, C),
        (yes, f"{metric}{where} is about {show(value)}", E),
        (f"{metric} in 2019 was {show(value)}", f"{metric} in 2022 was {show(far)}", N),
        (f"{metric} in 2019 was {show(value)}", f"{metric} in 2019 was {show(far)}", C),
        (f"{metric} rose to {show(more)}", f"{metric} fell to {show(more)}", C),
        (f"{metric} rose from {show(less)} to {show(more)}", f"{metric} {rng.choice(['increased', 'went up', 'grew', 'rose'])}", E),
        (f"{metric} rose from {show(less)} to {show(more)}", f"{metric} {rng.choice(['decreased', 'went down', 'shrank', 'fell'])}", C),
        (f"{metric} fell from {show(more)} to {show(less)}", f"{metric} {rng.choice(['decreased', 'went down', 'dropped', 'fell'])}", E),
        (f"{metric} fell from {show(more)} to {show(less)}", f"{metric} {rng.choice(['increased', 'improved to a new high', 'grew', 'stayed flat'])}", C),
        (f"{metric} went up by {show(less)}", f"{metric} went up by {show(more)}", C),
        (yes, f"{rng.choice(METRICS)[0]}{where} is {show(far)}", N),
    ]
    if unit == "ms" and isinstance(value, int):
        options += [(f"{metric} is {value * 1000} ms", f"{metric} is {value} seconds", E), (f"{metric} is {value} ms", f"{metric} is {value} seconds", C)]
    if "million" in unit:
        options += [(f"{metric} was {value} million dollars", f"{metric} was {value} billion dollars", C), (f"{metric} was {value} million dollars", f"{metric} was ${value}m", E)]
    return rng.choice(options)


def quantifier(rng):
    """all / most / some / few / none; always / sometimes / never; and what each allows."""
    group = rng.choice(["patients", "users", "voters", "schools", "analysts", "services", "traders", "tests", "nurses", "countries", "tenants", "funds", "reports", "students"])
    act, base = rng.choice([("improved", "improve"), ("agreed", "agree"), ("failed", "fail"), ("lost money", "lose money"), ("were affected", None), ("passed", "pass"), ("complained", "complain"), ("recovered", "recover"), ("were closed", None)])
    all_, most, some, few, none = (f"{rng.choice(['all', 'all of the'])} {group} {act}", f"most {group} {act}", f"some {group} {act}", f"few {group} {act}", rng.choice([f"no {group} {act}", f"none of the {group} {act}"]))
    not_all = f"not all {group} {act}"
    x, (up, down), y = thing(rng), rng.choice(EFFECTS), rng.choice(OBJECTS)
    always, sometimes, never = f"{x} always {up} {y}", f"{x} sometimes {up} {y}", f"{x} never {up} {y}"
    return rng.choice([
        (all_, none, C), (none, all_, C), (all_, some, E), (all_, not_all, C), (not_all, all_, C), (some, none, C), (none, some, C), (some, all_, N), (most, all_, N),
        (all_, most, E), (most, none, C), (most, few, C), (few, most, C), (some, not_all, N), (none, not_all, E), (most, some, E), (few, all_, C), (not_all, some, N), (not_all, none, N),
        (always, never, C), (never, always, C), (always, sometimes, E), (sometimes, always, N), (sometimes, never, C), (never, sometimes, C), (sometimes, f"{x} sometimes {down} {y}", N),
        (always, f"{x} sometimes {down} {y}", C), (always, f"{x} does not always help", N), (never, f"{x} has never been about {y}", N),
    ])


def comparison(rng):
    """A is faster than B, and what B is then."""
    a, b = rng.sample(THINGS[rng.choice(sorted(THINGS))], 2)
    more, less = rng.choice([("faster", "slower"), ("cheaper", "more expensive"), ("safer", "riskier"), ("larger", "smaller"), ("better", "worse"), ("more popular", "less popular"), ("more effective", "less effective"), ("older", "newer")])
    yes, swapped = f"{a} is {more} than {b}", f"{b} is {more} than {a}"
    anti, same = f"{a} is {less} than {b}", f"{b} is {less} than {a}"
    equal = f"{a} is as {rng.choice(['good', 'fast', 'cheap', 'safe'])} as {b}"
    return rng.choice([
        (yes, swapped, C), (yes, anti, C), (yes, same, E), (same, yes, E), (yes, f"{a} is not {more} than {b}", C), (yes, f"{thing(rng)} is {more} than {b}", N), (yes, equal, N),
        (yes, f"{a} is far {more} than {b}", N), (f"{a} is far {more} than {b}", yes, E), (anti, swapped, E), (yes, f"{a} and {b} are equally good", N),
    ])


def who(rng):
    """Speakers and things: somebody else, something else, both, either, neither, only."""
    p, q = rng.sample(PEOPLE[:9], 2)
    verb, base, anti = rng.choice([
        ("approved", "approve", "rejected"), ("supported", "support", "opposed"), ("accepted", "accept", "refused"),
        ("praised", "praise", "criticised"), ("started", "start", "stopped"), ("kept", "keep", "scrapped"),
        ("bought", "buy", "sold"), ("raised", "raise", "lowered"),
    ])
    x, y = thing(rng), thing(rng)
    low = q[:1].lower() + q[1:]
    yes, no, opp = f"{p} {verb} {x}", f"{p} did not {base} {x}", f"{p} {anti} {x}"
    both, neither = f"{p} {verb} {x} and {y}", f"{p} {verb} neither {x} nor {y}"
    either = f"{p} {verb} {x} or {y}"
    not_only = f"{p} {verb} not only {x} but also {y}"
    return rng.choice([
        (yes, no, C), (yes, opp, C), (no, yes, C), (yes, f"{q} {verb} {x}", N), (yes, f"{q} {anti} {x}", N), (yes, f"{p} {verb} {y}", N), (yes, f"{p} {anti} {y}", N), (both, yes, E), (both, no, C),
        (neither, yes, C), (neither, no, E), (either, yes, N), (yes, either, E), (not_only, yes, E), (not_only, f"{p} {verb} {y}", E), (not_only, no, C),
        (f"{p} {verb} {x} without consulting {low}", yes, E), (f"{p} {verb} {x} without consulting {low}", f"{p} consulted {low}", C),
        (f"{p} {verb} everything except {x}", yes, C), (f"{p} nearly {verb} {x}", yes, C), (f"{p} said that {low} {verb} {x}", yes, N), (f"{p} planned to change {x}", yes, N),
        (f"{p} {verb} {x}", f"{x} was {verb} by {p[:1].lower() + p[1:]}", E), (f"{p} {verb} {x}", f"nobody {verb} {x}", C),
        (f"{p} {verb} only {x}", f"{p} {verb} {y}", C), (f"if {low} agrees, {yes[:1].lower() + yes[1:]}", yes, N),
    ])


MECHANISMS = [(quality, 5), (proposal, 5), (effect, 5), (amount, 6), (quantifier, 3), (comparison, 2), (who, 4)]


def row(rng, wordnet_pairs):
    """One generated pair, cased and stopped like a sentence (or not, as people write)."""
    total = sum(weight for _, weight in MECHANISMS) + 5
    pick = rng.uniform(0, total)
    for make, weight in MECHANISMS:
        if pick < weight:
            premise, hypothesis, label = make(rng)
            break
        pick -= weight
    else:
        premise, hypothesis, label = short(rng, wordnet_pairs)
    stop = "" if rng.random() < 0.2 else "."
    dressed = [cap(text) if text.endswith("?") else cap(text) + stop for text in (premise, hypothesis)]
    return dressed[0], dressed[1], label
