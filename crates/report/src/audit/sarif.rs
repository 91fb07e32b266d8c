//! SARIF 2.1.0, for code scanning: one result per finding, located at the turn in the file.
//!
//! Results are written as they come and the rules after them, because only then is it known which
//! rules spoke; the order of members is free in JSON.

use std::fmt::Write as _;
use std::io::{self, Write};

use rebuttal_model::{Finding, Problem, Quote, RuleId, Severity};
use serde_json::{Map, Value, json};

use super::json::{List, VERSION};
use super::{Report, rules};
use crate::JsonText;
use crate::audit::{Audited, Summary};
use crate::problems::Gravity;
use rebuttal_text::visible;

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// SARIF 2.1.0.
#[derive(Debug, Default)]
pub struct Sarif {
    results: List,
    rules: Vec<RuleId>,
    problems: Vec<(Problem, Gravity)>,
}

impl Sarif {
    fn begin(&self, out: &mut dyn Write) -> io::Result<()> {
        if self.results.is_empty() {
            write!(out, r#"{{"$schema":"{SCHEMA}","version":"2.1.0","runs":[{{"results":["#)?;
        }
        Ok(())
    }

    fn rule_index(&mut self, rule: &RuleId) -> usize {
        self.rules.iter().position(|known| known == rule).unwrap_or_else(|| {
            self.rules.push(rule.clone());
            self.rules.len() - 1
        })
    }
}

impl Report for Sarif {
    fn transcript(&mut self, out: &mut dyn Write, audited: &Audited) -> io::Result<()> {
        for finding in &audited.findings {
            let index = self.rule_index(&finding.rule);
            self.begin(out)?;
            self.results.item(out, &result(audited, finding, index))?;
        }
        Ok(())
    }

    fn problem(
        &mut self,
        _out: &mut dyn Write,
        problem: &Problem,
        gravity: Gravity,
    ) -> io::Result<()> {
        self.problems.push((problem.clone(), gravity));
        Ok(())
    }

    fn finish(&mut self, out: &mut dyn Write, summary: &Summary) -> io::Result<()> {
        self.begin(out)?;
        write!(out, "],\n\"tool\":")?;
        let rules: Vec<_> = self.rules.iter().map(describe).collect();
        let driver = json!({
            "name": "rebuttal",
            "version": VERSION,
            "semanticVersion": VERSION,
            "rules": rules,
        });
        JsonText::write(out, &json!({ "driver": driver }))?;
        write!(out, ",\n\"invocations\":")?;
        let notifications: Vec<_> = self
            .problems
            .iter()
            .map(|(problem, gravity)| notification(problem, *gravity))
            .collect();
        let invocation = json!({
            "executionSuccessful": summary.unreadable == 0,
            "toolExecutionNotifications": notifications,
        });
        JsonText::write(out, &[invocation])?;
        // Regions count characters of the text as UTF-8 decodes it, not UTF-16 units.
        writeln!(out, ",\n\"columnKind\":\"unicodeCodePoints\"}}]}}")
    }
}

fn describe(rule: &RuleId) -> Value {
    let help = rules::help(rule);
    json!({
        "id": rule.as_str(),
        "shortDescription": { "text": rules::title(rule) },
        "fullDescription": { "text": help.help },
        "help": { "text": help.help },
        "defaultConfiguration": { "level": "warning" },
    })
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::High => "error",
        Severity::Medium => "warning",
        Severity::Low | Severity::Info => "note",
    }
}

fn result(audited: &Audited, finding: &Finding, rule_index: usize) -> Value {
    let related: Vec<_> = (finding.quotes.iter().enumerate())
        .map(|(index, quote)| related(audited, quote, index))
        .collect();
    json!({
        "ruleId": finding.rule.as_str(),
        "ruleIndex": rule_index,
        "level": level(finding.severity),
        "message": { "text": finding.explanation },
        "locations": [location(audited, finding.quotes.last())],
        "relatedLocations": related,
        "partialFingerprints": { "rebuttal/v1": finding.id.as_str() },
        "properties": {
            "agent": finding.agent.as_str(),
            "transcript": audited.id.as_str(),
            "severity": finding.severity.as_str(),
            "confidence": finding.confidence.value(),
            "method": finding.method.as_str(),
        },
    })
}

fn location(audited: &Audited, quote: &Quote) -> Value {
    let mut region = Map::new();
    let file = match &quote.source {
        Some(source) => {
            region.insert("startLine".into(), source.line.into());
            region.insert("byteOffset".into(), source.bytes.start().into());
            region.insert("byteLength".into(), source.bytes.len().into());
            &source.file
        }
        None => &audited.file,
    };
    let mut place = json!({ "artifactLocation": { "uri": uri(file) } });
    if let (false, Some(members)) = (region.is_empty(), place.as_object_mut()) {
        members.insert("region".into(), region.into());
    }
    json!({
        "physicalLocation": place,
        "logicalLocations": [{ "name": quote.turn.to_string(), "kind": "member" }],
    })
}

fn related(audited: &Audited, quote: &Quote, index: usize) -> Value {
    let mut location = location(audited, quote);
    if let Some(members) = location.as_object_mut() {
        members.insert("id".into(), index.into());
        let text = format!("{}: {}", quote.shows, visible(audited.sentences.of(quote)));
        members.insert("message".into(), json!({ "text": text }));
    }
    location
}

fn notification(problem: &Problem, gravity: Gravity) -> Value {
    let level = match gravity {
        Gravity::Error => "error",
        Gravity::Warning => "warning",
        Gravity::Skipped => "note",
    };
    let mut place = json!({ "artifactLocation": { "uri": uri(&problem.file) } });
    if let (Some(line), Some(members)) = (problem.line, place.as_object_mut()) {
        members.insert("region".into(), json!({ "startLine": line }));
    }
    json!({
        "level": level,
        "message": { "text": problem.message },
        "locations": [{ "physicalLocation": place }],
    })
}

/// A path as a relative or absolute URI: what RFC 3986 does not allow is percent-encoded.
fn uri(path: &str) -> String {
    let mut uri = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z'
            | b'A'..=b'Z'
            | b'0'..=b'9'
            | b'/'
            | b'-'
            | b'_'
            | b'.'
            | b'~'
            | b'!'
            | b'('
            | b')'
            | b','
            | b'+'
            | b'='
            | b'@' => uri.push(char::from(byte)),
            // A backslash is how Windows spells a slash.
            b'\\' if cfg!(windows) => uri.push('/'),
            _ => {
                let _ = write!(uri, "%{byte:02X}");
            }
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::uri;

    #[test]
    fn paths_become_uris() {
        assert_eq!(uri("logs/a b#1.json"), "logs/a%20b%231.json");
        assert_eq!(uri("lögs/x"), "l%C3%B6gs/x");
    }
}
