//! What questions can be answered with, and what answers mean.

use rebuttal_policy::voting::{Answer, Options};

fn read(options: &Options, answer: &str) -> String {
    match options.read(answer) {
        Answer::Outside(_) => "outside".to_owned(),
        inside => inside.name().unwrap(),
    }
}

#[test]
fn yes_and_no_in_many_ways() {
    for answer in [
        "yes",
        "Yes.",
        "YES!",
        " **Yes** ",
        "Yes, because it scales.",
        "y",
        "True",
        "\"yes\"",
        "The answer is yes.",
        "Final answer: Yes",
        "yes but only in May",
        "Agreed.",
    ] {
        assert_eq!(read(&Options::YesNo, answer), "yes", "{answer}");
    }
    for answer in [
        "no",
        "No.",
        "NO — too early",
        "nope",
        "false",
        "My answer is no",
        "No. Saying yes would be rash.",
    ] {
        assert_eq!(read(&Options::YesNo, answer), "no", "{answer}");
    }
    for answer in [
        "",
        "maybe",
        "yes and no",
        "yes/no",
        "yes or no",
        "it depends",
        "nothing",
        "not yes",
        "B",
        "I would not say yes",
        "👍",
        "no one knows",
        "yesterday",
    ] {
        assert_eq!(read(&Options::YesNo, answer), "outside", "{answer}");
    }
}

#[test]
fn letters_names_and_synonyms() {
    let options = Options::given(["Postgres|PostgreSQL|pg", "MySQL", "Go with SQLite"]).unwrap();
    for answer in [
        "B",
        "b",
        "(b)",
        "b)",
        "B.",
        "Option B",
        "option 2",
        "**B**",
        "B: MySQL",
        "B) MySQL is simpler",
        "MySQL",
        "mysql.",
        "The answer is (B).",
        "I vote for MySQL",
        "Choice B because of the team",
        "My answer is: B",
        "option mysql",
    ] {
        assert_eq!(read(&options, answer), "MySQL", "{answer}");
    }
    assert_eq!(read(&options, "PostgreSQL, it is safer"), "Postgres");
    assert_eq!(read(&options, "PG"), "Postgres");
    assert_eq!(read(&options, "go with sqlite"), "Go with SQLite");
    for answer in [
        "D",
        "option 4",
        "2",
        "MySQL or Postgres",
        "A/B",
        "A and B",
        "MySQL cluster",
        "a good question",
        "not MySQL",
        "MariaDB",
        "I think MySQL would fail",
    ] {
        assert_eq!(read(&options, answer), "outside", "{answer}");
    }
    let Answer::Outside(why) = options.read("MariaDB") else { panic!("inside") };
    assert_eq!(why, "“MariaDB” is not one of the options");
}

#[test]
fn an_options_own_name_comes_before_its_letter() {
    let options = Options::given(["B", "A"]).unwrap();
    assert_eq!(read(&options, "A"), "A");
    assert_eq!(read(&options, "(b)"), "B");
    let vitamins = Options::given(["Vitamin A", "Vitamin C"]).unwrap();
    assert_eq!(read(&vitamins, "Vitamin C"), "Vitamin C");
    assert_eq!(read(&vitamins, "a"), "Vitamin A");
}

#[test]
fn numbers_however_they_are_written() {
    for answer in
        ["12", "12.0", "twelve", "Twelve.", "+12", "The answer is 12", "12 servers", "Answer: 12"]
    {
        assert_eq!(read(&Options::Number, answer), "12", "{answer}");
    }
    assert_eq!(read(&Options::Number, "1,200"), "1200");
    assert_eq!(read(&Options::Number, "5 minutes"), "5");
    assert_eq!(read(&Options::Number, "40%"), "40");
    assert_eq!(read(&Options::Number, "$1.5 million"), "1500000");
    assert_eq!(read(&Options::Number, "-3.5"), "-3.5");
    assert_eq!(read(&Options::Number, "twenty-five"), "25");
    for answer in ["", "many", "between 3 and 5", "3 or 4", "NaN", "inf", "1e999"] {
        assert_eq!(read(&Options::Number, answer), "outside", "{answer}");
    }
    let primes = Options::given(["2", "3", "12"]).unwrap();
    assert_eq!(read(&primes, "twelve"), "12");
    assert_eq!(read(&primes, "12.0"), "12");
    assert_eq!(read(&primes, "13"), "outside");
}

#[test]
fn free_answers_are_the_same_or_not() {
    let free = Options::Free;
    assert!(free.same("Paris", "paris."));
    assert!(free.same("12", "twelve") && free.same("12", "12.0"));
    assert!(!free.same("-3", "3") && !free.same("3%", "3") && !free.same("1.5", "15"));
    assert!(!free.same("We need 12 servers", "I saw 12 dogs"));
    assert_eq!(read(&free, "..."), "outside");
}

#[test]
fn options_that_cannot_be_told_apart_are_refused() {
    let error = |options: &[&str]| Options::given(options).unwrap_err().to_string();
    assert_eq!(error(&["only"]), "a question needs at least two options, and 1 was given");
    assert_eq!(error(&["a", "b", "A."]), "options 1 and 3 have the name “A.” in common");
    assert_eq!(error(&["a", "--"]), "option 2 has no name");
    let many: Vec<String> = (0..101).map(|index| format!("option {index}")).collect();
    assert!(Options::given(many).is_err());
}

fn found(question: &str) -> String {
    match Options::of_question(question) {
        Options::YesNo => "yes/no".to_owned(),
        Options::Number => "number".to_owned(),
        Options::Free | Options::Groups(_) => "free".to_owned(),
        choices @ Options::Choices(_) => choices.names().join("/"),
    }
}

#[test]
fn questions_say_what_can_be_answered() {
    for (question, options) in [
        ("Should we migrate to Kubernetes?", "yes/no"),
        ("Is it safe?", "yes/no"),
        ("Should we do it or not?", "yes/no"),
        ("Postgres or MySQL?", "Postgres/MySQL"),
        ("Should we use Postgres or MySQL?", "Postgres/MySQL"),
        ("Should we use Postgres or MySQL for the ledger?", "Postgres/MySQL"),
        ("Which is better, Postgres or MySQL?", "Postgres/MySQL"),
        ("Should we buy, sell or hold?", "buy/sell/hold"),
        ("Should we buy, sell, or hold the stock?", "buy/sell/hold"),
        ("BUY, SELL or HOLD AAPL?", "BUY/SELL/HOLD"),
        ("BUY, SELL or HOLD AAPL given the last quarter, with rates rising?", "BUY/SELL/HOLD"),
        ("Should I BUY, SELL or HOLD AAPL, given that margins shrink?", "BUY/SELL/HOLD"),
        ("BUY or SELL AAPL?", "BUY/SELL"),
        ("buy or sell our Apple shares now?", "buy/sell"),
        ("Is it better to rent or buy a house in Berlin?", "rent/buy"),
        ("Would it be wiser to rent or to buy?", "rent/buy"),
        ("rent or buy a house", "rent/buy"),
        (
            "Should we move to Kubernetes or stay on VMs, given our team of five?",
            "move to Kubernetes/stay on VMs",
        ),
        (
            "Given our team of five, should we move to Kubernetes or stay on VMs?",
            "move to Kubernetes/stay on VMs",
        ),
        ("Postgres or MySQL in production?", "Postgres/MySQL"),
        ("Redis or a message queue?", "Redis/a message queue"),
        ("Should we use Redis or Apache Kafka?", "Redis/Apache Kafka"),
        ("Postgres vs. MySQL?", "Postgres/MySQL"),
        ("Red or green or blue?", "Red/green/blue"),
        ("Which is better between Postgres and MySQL?", "Postgres/MySQL"),
        ("Which is better Postgres or MySQL?", "Postgres/MySQL"),
        ("Is Postgres or MySQL better for us?", "Postgres/MySQL"),
        ("Is the sky blue or green?", "blue/green"),
        ("Should Germany leave or stay?", "leave/stay"),
        ("Yes or no?", "yes/no"),
        ("Will revenue grow by 5 % or more?", "yes/no"),
        ("We have two quotes. Red or blue?", "Red/blue"),
        (
            "Should we migrate to Kubernetes or stay on Nomad?",
            "migrate to Kubernetes/stay on Nomad",
        ),
        ("How many servers do we need?", "number"),
        ("What is the probability of rain?", "number"),
        ("What should we call the project?", "free"),
        ("", "free"),
        ("Pick one:\nA) Postgres\nB) MySQL\nC) SQLite", "Postgres/MySQL/SQLite"),
        ("Which?\n1. red\n2. blue", "red/blue"),
        ("Do you agree? (a) yes", "yes/no"),
    ] {
        assert_eq!(found(question), options, "{question}");
    }
}

#[test]
fn answers_that_come_near_to_an_option_count() {
    let near = |options: &Options, answer: &str| match options.read_near(answer) {
        Answer::Outside(_) => "outside".to_owned(),
        read => read.name().unwrap(),
    };
    let asked = Options::of_question("BUY, SELL or HOLD AAPL given the last quarter?");
    let house = Options::of_question("Is it better to rent or buy a house in Berlin?");
    let stay = Options::given(["move to Kubernetes", "stay on VMs"]).unwrap();
    for (options, answer, option) in [
        (&asked, "HOLD", "HOLD"),
        (&asked, "hold.", "HOLD"),
        (&asked, "Hold AAPL", "HOLD"),
        (&asked, "BUY AAPL", "BUY"),
        (&asked, "AAPL", "outside"),
        (&asked, "I would not buy", "outside"),
        (&house, "buy a house", "buy"),
        (&house, "Rent", "rent"),
        (&house, "a house", "outside"),
        (&stay, "stay", "stay on VMs"),
        (&stay, "Stay on the VMs.", "stay on VMs"),
        (&stay, "not stay on VMs", "outside"),
        (&stay, "Kubernetes", "move to Kubernetes"),
    ] {
        assert_eq!(near(options, answer), option, "{answer}");
    }
    assert!(asked.abstains("Abstain.") && Options::Free.abstains("I abstain"));
    let own = Options::given(["accept", "abstain"]).unwrap();
    assert!(!own.abstains("abstain") && !asked.abstains("I would not abstain"));
}

#[test]
fn answers_of_one_group_are_one_option() {
    let options = Options::Groups(vec![rebuttal_policy::voting::Choice {
        name: "Raise prices".to_owned(),
        synonyms: vec!["Increase the price".to_owned()],
    }]);
    assert!(options.same("increase the price.", "Raise prices"));
    assert!(!options.same("Cut costs", "Raise prices"));
    assert_eq!(options.names(), [] as [&str; 0], "anything can be answered");
}

#[test]
fn huge_and_odd_questions_are_read_in_no_time() {
    for question in [
        "or ".repeat(300_000),
        "?".repeat(300_000),
        "İ or ß?".repeat(50_000),
        "a, ".repeat(100_000) + " or b?",
    ] {
        let options = Options::of_question(&question);
        let _ = options.read(&question);
    }
}
