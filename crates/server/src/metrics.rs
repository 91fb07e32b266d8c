//! What the server counts, in the text format of Prometheus.

use std::fmt::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::time::Duration;

use axum::http::StatusCode;

/// Upper bounds of the times of answers, in milliseconds.
const BOUNDS: [u64; 8] = [1, 5, 20, 50, 100, 500, 2_000, 10_000];

/// What is counted since the server began.
#[derive(Debug, Default)]
pub(crate) struct Metrics {
    /// By the hundreds of the status.
    answers: [AtomicU64; 6],
    /// By the bound they were within; the last one has the rest.
    times: [AtomicU64; BOUNDS.len() + 1],
    micros: AtomicU64,
    watchers: Arc<AtomicI64>,
    decided: AtomicU64,
}

/// Counts as a watcher as long as it lives.
#[derive(Debug)]
pub(crate) struct Watching(Arc<AtomicI64>);

impl Drop for Watching {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Metrics {
    pub(crate) fn answered(&self, status: StatusCode, took: Duration) {
        let hundreds = usize::from(status.as_u16() / 100);
        let millis = u64::try_from(took.as_millis()).unwrap_or(u64::MAX);
        let bound = BOUNDS.iter().position(|bound| millis < *bound).unwrap_or(BOUNDS.len());
        let counters = [self.answers.get(hundreds), self.times.get(bound)];
        for counter in counters.into_iter().flatten() {
            counter.fetch_add(1, Ordering::Relaxed);
        }
        let micros = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
        self.micros.fetch_add(micros, Ordering::Relaxed);
    }

    pub(crate) fn watching(&self) -> Watching {
        self.watchers.fetch_add(1, Ordering::Relaxed);
        Watching(Arc::clone(&self.watchers))
    }

    pub(crate) fn decided(&self) {
        self.decided.fetch_add(1, Ordering::Relaxed);
    }

    /// All of it, with what the server knows beside: how many debates run here, how many may begin.
    pub(crate) fn text(&self, running: usize, free: usize) -> String {
        let mut text = String::new();
        let read = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        head(&mut text, "rebuttal_http_requests_total", "counter", "Answered requests by status.");
        for (hundreds, counter) in self.answers.iter().enumerate().skip(1) {
            let count = read(counter);
            writeln!(text, "rebuttal_http_requests_total{{status=\"{hundreds}xx\"}} {count}").ok();
        }
        let name = "rebuttal_http_request_duration_seconds";
        head(&mut text, name, "histogram", "How long making an answer took.");
        let mut within = 0;
        for (counter, bound) in self.times.iter().zip(BOUNDS) {
            within += read(counter);
            let (whole, part) = (bound / 1_000, bound % 1_000);
            writeln!(text, "{name}_bucket{{le=\"{whole}.{part:03}\"}} {within}").ok();
        }
        let all = within + self.times.last().map_or(0, read);
        let (whole, part) = (read(&self.micros) / 1_000_000, read(&self.micros) % 1_000_000);
        writeln!(text, "{name}_bucket{{le=\"+Inf\"}} {all}").ok();
        writeln!(text, "{name}_sum {whole}.{part:06}\n{name}_count {all}").ok();
        let watchers = self.watchers.load(Ordering::Relaxed);
        let gauges = [
            ("rebuttal_event_subscribers", "Who watches a debate now.", watchers.to_string()),
            ("rebuttal_debates_running", "Debates that run on this server.", running.to_string()),
            ("rebuttal_debates_free", "Debates that may begin now.", free.to_string()),
        ];
        for (name, help, value) in gauges {
            head(&mut text, name, "gauge", help);
            writeln!(text, "{name} {value}").ok();
        }
        let name = "rebuttal_debates_decided_total";
        head(&mut text, name, "counter", "Debates that ended on this server.");
        writeln!(text, "{name} {}", read(&self.decided)).ok();
        text
    }
}

fn head(text: &mut String, name: &str, kind: &str, help: &str) {
    writeln!(text, "# HELP {name} {help}\n# TYPE {name} {kind}").ok();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_add_up() {
        let metrics = Metrics::default();
        metrics.answered(StatusCode::OK, Duration::from_millis(3));
        metrics.answered(StatusCode::NOT_FOUND, Duration::from_mins(1));
        let watching = metrics.watching();
        let text = metrics.text(2, 6);
        for line in [
            "rebuttal_http_requests_total{status=\"2xx\"} 1",
            "rebuttal_http_requests_total{status=\"4xx\"} 1",
            "rebuttal_http_request_duration_seconds_bucket{le=\"0.001\"} 0",
            "rebuttal_http_request_duration_seconds_bucket{le=\"0.005\"} 1",
            "rebuttal_http_request_duration_seconds_bucket{le=\"+Inf\"} 2",
            "rebuttal_http_request_duration_seconds_sum 60.003000",
            "rebuttal_event_subscribers 1",
            "rebuttal_debates_running 2",
        ] {
            assert!(text.lines().any(|found| found == line), "no {line} in {text}");
        }
        drop(watching);
        assert!(metrics.text(0, 0).contains("rebuttal_event_subscribers 0"));
    }
}
