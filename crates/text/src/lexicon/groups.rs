//! The groups of phrases that code refers to by name.

macro_rules! groups {
    ($($(#[$doc:meta])* $variant:ident = $name:literal,)*) => {
        /// A group of phrases; the name is its section in a lexicon file.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub(crate) enum Group { $($(#[$doc])* $variant,)* }

        impl Group {
            #[cfg(test)]
            pub(crate) const ALL: [Self; [$($name),*].len()] = [$(Self::$variant),*];

            /// The section's name, as findings cite it.
            pub(crate) fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// The group a section belongs to.
            pub(crate) fn named(name: &str) -> Option<Self> {
                match name { $($name => Some(Self::$variant),)* _ => None }
            }
        }
    };
}

groups! {
    AckMind = "acknowledgment.changed-mind",
    AckWrong = "acknowledgment.wrong",
    AckConvinced = "acknowledgment.convinced",
    AckReflection = "acknowledgment.reflection",
    AckRevise = "acknowledgment.revise",
    AckConcede = "acknowledgment.concede",
    AckEarlier = "acknowledgment.earlier-view",
    AckSeeNow = "acknowledgment.see-now",
    AckNew = "acknowledgment.had-not-known",
    AckDelta = "acknowledgment.delta",
    AckBlock = "acknowledgment.not",
    PoliteAgree = "politeness.agree",
    PoliteSorry = "politeness.sorry",
    Deference = "politeness.deference",
    Denial = "politeness.denial",

    ReportVerb = "attribution.verb",
    ReportThird = "attribution.third-person",
    ReportNoun = "attribution.noun",
    ReportSpeaker = "attribution.speaker",
    ReportYou = "attribution.addressee",

    HedgeModal = "hedge.modal",
    HedgeAdverb = "hedge.adverb",
    HedgeVerb = "hedge.verb",
    HedgeFrequency = "hedge.frequency",
    HedgeAmount = "hedge.amount",
    HedgeLoose = "hedge.loose-amount",
    HedgeCondition = "hedge.condition",
    HedgeOpinion = "hedge.opinion",
    HedgeWeasel = "hedge.weasel",
    HedgeHolder = "hedge.holder",
    HedgeNot = "hedge.not",
    Emphatic = "emphatic",
    Vague = "vague",

    Contrast = "connective.contrast",
    Concession = "connective.concession",
    Cause = "connective.cause",
    Result = "connective.result",
    Time = "connective.time",
    Condition = "connective.condition",
    Relative = "connective.relative",
    And = "connective.and",
    Conclusion = "connective.conclusion",

    Function = "function.word",
    Pronoun = "function.pronoun",
    Abbreviation = "function.abbreviation",
    Question = "function.question",
    Filler = "function.filler",
    Object = "function.object",
    All = "function.all",
    Label = "function.label",
    Particular = "function.particular",
    Past = "function.past",
    What = "function.what",
    FollowUp = "function.follow-up",
    Still = "function.still",

    Negative = "implicative.negative",
    PositiveIfNot = "implicative.positive-if-negated",

    InjectOverride = "injection.override",
    InjectAuthority = "injection.authority",
    InjectVote = "injection.vote",
    InjectEnd = "injection.end",
    InjectTemplate = "injection.template",

    Not = "negation.word",
    NotQuite = "negation.near",
    NotReally = "negation.cancelled",

    EventOnce = "event.once",
    QuantifierAll = "quantifier.all",
    QuantifierSome = "quantifier.some",

    Yes = "stance.yes",
    No = "stance.no",
    For = "stance.for",
    Against = "stance.against",
    Agree = "stance.agree",
    Disagree = "stance.disagree",
    ForTransparent = "stance.agree-that",
    Should = "stance.should",
    Would = "stance.would",
    Outweigh = "stance.benefits-outweigh",
    OutweighNot = "stance.risks-outweigh",
    Evaluate = "stance.proposition-holds",
    EvaluateNot = "stance.proposition-fails",
}
