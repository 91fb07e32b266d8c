//! Who is reported on, and who is cited.

use super::rng::Rng;

/// What sort of thing a metric belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    Country,
    Company,
    Service,
    Hospital,
    Test,
    Drug,
}

impl Kind {
    pub(crate) const ALL: [Self; 6] =
        [Self::Country, Self::Company, Self::Service, Self::Hospital, Self::Test, Self::Drug];

    /// How a second sentence refers to it.
    pub(crate) fn noun(self) -> &'static str {
        match self {
            Self::Country => "the country",
            Self::Company => "the company",
            Self::Service => "the service",
            Self::Hospital => "the hospital",
            Self::Test => "the test",
            Self::Drug => "the drug",
        }
    }

    /// What stands between a metric and its owner.
    pub(crate) fn preposition(self) -> &'static str {
        match self {
            Self::Country => "in",
            Self::Company | Self::Service | Self::Test | Self::Drug => "for",
            Self::Hospital => "at",
        }
    }

    pub(crate) fn entities(self) -> &'static [Entity] {
        match self {
            Self::Country => COUNTRIES,
            Self::Company => COMPANIES,
            Self::Service => SERVICES,
            Self::Hospital => HOSPITALS,
            Self::Test => TESTS,
            Self::Drug => DRUGS,
        }
    }

    pub(crate) fn sources(self) -> &'static [&'static str] {
        match self {
            Self::Country => OFFICES,
            Self::Company => PAPERS,
            Self::Service => DASHBOARDS,
            Self::Hospital | Self::Test | Self::Drug => STUDIES,
        }
    }
}

/// Somebody with figures.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Entity {
    pub(crate) name: &'static str,
    /// Another name every reader knows, or the same.
    pub(crate) alias: &'static str,
    pub(crate) kind: Kind,
}

impl Entity {
    /// One of this kind, other than those.
    pub(crate) fn other(rng: &mut Rng, kind: Kind, than: &[&'static Entity]) -> &'static Entity {
        loop {
            let entity = rng.pick(kind.entities());
            if than.iter().all(|known| known.name != entity.name) {
                return entity;
            }
        }
    }
}

/// `Qatar's`, `the Netherlands'`.
pub(crate) fn possessive(name: &str, mark: char) -> String {
    let plural =
        ["Netherlands", "Philippines", "States", "Emirates", "Foods", "Systems", "Robotics"];
    let bare = plural.iter().any(|end| name.ends_with(end));
    if bare { format!("{name}{mark}") } else { format!("{name}{mark}s") }
}

const fn named(name: &'static str, kind: Kind) -> Entity {
    Entity { name, alias: name, kind }
}

const fn also(name: &'static str, alias: &'static str, kind: Kind) -> Entity {
    Entity { name, alias, kind }
}

const COUNTRIES: &[Entity] = &[
    named("Qatar", Kind::Country),
    named("Oman", Kind::Country),
    named("Kuwait", Kind::Country),
    named("Bahrain", Kind::Country),
    named("Norway", Kind::Country),
    named("Chile", Kind::Country),
    named("Ghana", Kind::Country),
    named("Kenya", Kind::Country),
    named("Vietnam", Kind::Country),
    named("Peru", Kind::Country),
    named("Portugal", Kind::Country),
    named("Slovenia", Kind::Country),
    named("Slovakia", Kind::Country),
    named("Austria", Kind::Country),
    named("Australia", Kind::Country),
    named("Niger", Kind::Country),
    named("Nigeria", Kind::Country),
    named("Guinea", Kind::Country),
    named("Papua New Guinea", Kind::Country),
    named("South Korea", Kind::Country),
    named("South Africa", Kind::Country),
    named("New Zealand", Kind::Country),
    named("Costa Rica", Kind::Country),
    named("Sri Lanka", Kind::Country),
    named("Bosnia and Herzegovina", Kind::Country),
    named("Trinidad and Tobago", Kind::Country),
    named("Saudi Arabia", Kind::Country),
    named("Honduras", Kind::Country),
    named("Cyprus", Kind::Country),
    named("Jordan", Kind::Country),
    named("Georgia", Kind::Country),
    named("Turkey", Kind::Country),
    named("the Netherlands", Kind::Country),
    named("the Philippines", Kind::Country),
    also("the United Kingdom", "the UK", Kind::Country),
    also("the United States", "the US", Kind::Country),
    also("the United Arab Emirates", "the UAE", Kind::Country),
    also("Czechia", "the Czech Republic", Kind::Country),
];

const COMPANIES: &[Entity] = &[
    named("Vellor", Kind::Company),
    named("Quantia", Kind::Company),
    named("Orbis Air", Kind::Company),
    named("Lumen & Hart", Kind::Company),
    named("Tessera", Kind::Company),
    named("Northwind Foods", Kind::Company),
    named("Pallas Energy", Kind::Company),
    named("Pallas Motors", Kind::Company),
    named("Sable Bank", Kind::Company),
    named("Kitefin", Kind::Company),
    named("Murrow Media", Kind::Company),
    named("Aldgate Insurance", Kind::Company),
    named("Greyline Logistics", Kind::Company),
    named("Cotswold Retail", Kind::Company),
    named("Zephyra", Kind::Company),
    named("Ionix", Kind::Company),
    also("Halden Systems", "Halden", Kind::Company),
    also("Brightwater Group", "Brightwater", Kind::Company),
    also("Marlowe Pharma", "Marlowe", Kind::Company),
    also("Castell Robotics Inc.", "Castell Robotics", Kind::Company),
];

const SERVICES: &[Entity] = &[
    named("the checkout service", Kind::Service),
    named("the search service", Kind::Service),
    named("the billing service", Kind::Service),
    named("the login service", Kind::Service),
    named("the payments gateway", Kind::Service),
    named("the recommendation engine", Kind::Service),
    named("the image resizer", Kind::Service),
    named("the orders API", Kind::Service),
    named("the users API", Kind::Service),
    named("the ingest pipeline", Kind::Service),
    named("the notification worker", Kind::Service),
    named("Atlas", Kind::Service),
    named("Kestrel", Kind::Service),
    named("Beacon", Kind::Service),
    named("Redwood", Kind::Service),
];

const HOSPITALS: &[Entity] = &[
    named("Lakeside Hospital", Kind::Hospital),
    named("Mercy General", Kind::Hospital),
    named("the Royal Elm Infirmary", Kind::Hospital),
    named("Northgate Clinic", Kind::Hospital),
    named("Queen's Park Hospital", Kind::Hospital),
    named("Harbour View Hospital", Kind::Hospital),
    named("St Brendan Hospital", Kind::Hospital),
    named("Oakfield Medical Centre", Kind::Hospital),
];

const TESTS: &[Entity] = &[
    named("CardioScan", Kind::Test),
    named("the PulmoCheck test", Kind::Test),
    named("the Novatek assay", Kind::Test),
    named("RapidSure", Kind::Test),
    named("the Halmi score", Kind::Test),
    named("OncoTrace", Kind::Test),
];

const DRUGS: &[Entity] = &[
    named("Zelvarin", Kind::Drug),
    named("Orbitinib", Kind::Drug),
    named("Tavorexin", Kind::Drug),
    named("Melanocept", Kind::Drug),
    named("Rivastatin", Kind::Drug),
    named("Corvexa", Kind::Drug),
    named("Pelluzumab", Kind::Drug),
];

const OFFICES: &[&str] = &[
    "the World Bank",
    "GCC-STAT",
    "Eurostat",
    "the IMF",
    "the OECD",
    "the national statistics office",
    "the CIA World Factbook 2025 edition",
    "the CIA World Factbook 2026 edition",
    "the United Nations",
];

const PAPERS: &[&str] =
    &["Bloomberg", "Reuters", "FactSet", "the 10-K filing", "the investor deck", "Morningstar"];

const DASHBOARDS: &[&str] =
    &["Grafana", "Datadog", "the load test", "the SRE dashboard", "the status page", "Prometheus"];

const STUDIES: &[&str] = &[
    "the NHS audit",
    "the Cochrane review",
    "the trial registry",
    "the phase III trial",
    "the Lancet paper",
    "the registry study",
];
