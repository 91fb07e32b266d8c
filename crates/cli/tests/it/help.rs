//! What the program says about itself.

use crate::run::run;

#[test]
fn short_help() {
    let help = run("--help");
    assert_eq!(help.code, 0);
    assert!(help.stdout.lines().count() <= 57, "stays on one screen");
    insta::assert_snapshot!(help.stdout);
}

#[test]
fn audit_help() {
    insta::assert_snapshot!(run("audit --help").stdout);
}

#[test]
fn reconcile_help() {
    insta::assert_snapshot!(run("reconcile --help").stdout);
}

#[test]
fn rubric_check_help() {
    insta::assert_snapshot!(run("rubric check --help").stdout);
}

#[test]
fn rubric_test_help() {
    insta::assert_snapshot!(run("rubric test --help").stdout);
}

#[test]
fn read_help() {
    insta::assert_snapshot!(run("read --help").stdout);
}

#[test]
fn compare_help() {
    insta::assert_snapshot!(run("compare --help").stdout);
}

#[test]
fn config_help() {
    insta::assert_snapshot!(run("config --help").stdout);
}

#[test]
fn wrong_usage_is_exit_code_2() {
    for wrong in ["", "audit", "audit x --format pdf", "nonsense", "audit x --fail-on always"] {
        let run = run(wrong);
        assert_eq!(run.code, 2, "rebuttal {wrong}\n{}", run.shown());
        assert!(run.stdout.is_empty() && !run.stderr.is_empty(), "rebuttal {wrong}");
    }
}

#[test]
fn wrong_values_say_what_there_is() {
    let unknown = run("audit x --from wordperfect");
    assert_eq!(unknown.code, 2);
    assert!(unknown.stderr.contains("no format \"wordperfect\"; there are rebuttal, openai"));
    let column = run("audit x --columns speaker=name");
    assert_eq!(column.code, 2);
    assert!(column.stderr.contains("no field \"speaker\"; there are agent, text"));
}
