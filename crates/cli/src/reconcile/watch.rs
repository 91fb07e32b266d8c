//! Reconciling while somebody watches: a bar while a model is asked, events as JSON lines.
//!
//! The work runs beside; what it tells comes here through a channel, so that this thread alone
//! writes.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, anyhow};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use rebuttal::engine::reconcile::{self, Event, Reconciliation, Settings};
use rebuttal::model::Report;
use serde::Serialize;

use crate::output::Output;
use crate::terminal::one_line;

/// How often the bar moves while a model is waited for: it is for eyes.
const TICK: Duration = Duration::from_millis(200);

/// Whether events are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Events {
    /// On stderr, one line each.
    Written,
    Unheard,
}

/// `{"event":"debate","status":"running","reports":3}`, as in seed 002.
#[derive(Debug, Serialize)]
struct Line<'e> {
    event: &'static str,
    #[serde(flatten)]
    what: &'e Event,
}

/// Reconciles, and writes what happens meanwhile.
pub(super) fn reconcile(
    reports: &[Report],
    settings: &Settings<'_>,
    events: Events,
    out: &mut Output,
) -> Result<Reconciliation> {
    let bar = Bar::new(settings, events, out);
    thread::scope(|scope| {
        let (sender, heard) = channel();
        let work = thread::Builder::new().name("reconcile".to_owned());
        let work = work
            .spawn_scoped(scope, move || {
                // Whoever stops listening still wants the result.
                let listen = move |event: &Event| drop(sender.send(event.clone()));
                reconcile::reconcile(reports, settings, &listen)
            })
            .context("no thread could be started; free some memory and try again")?;
        loop {
            match heard.recv_timeout(TICK) {
                Ok(event) => {
                    bar.event(&event);
                    if events == Events::Written {
                        out.event(&Line { event: "debate", what: &event })?;
                    }
                }
                Err(RecvTimeoutError::Timeout) => bar.tick(),
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        bar.finish();
        work.join().map_err(|_| {
            anyhow!("rebuttal stumbled over these reports; please report it with the message above")
        })
    })
}

/// A bar over contradictions, drawn only while a model rules on them.
#[derive(Debug)]
struct Bar(ProgressBar);

impl Bar {
    fn new(settings: &Settings<'_>, events: Events, out: &Output) -> Self {
        let (Some(arbiter), true) = (settings.arbiter, out.draws_progress()) else {
            return Self(ProgressBar::hidden());
        };
        if events == Events::Written {
            return Self(ProgressBar::hidden());
        }
        // Draws nothing by itself when stderr is not a terminal.
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        // How many there are is not known before the first ruling.
        style(&bar, "{spinner} asking {msg}");
        bar.set_message(one_line(arbiter.id()).into_owned());
        Self(bar)
    }

    fn event(&self, event: &Event) {
        if let Event::Progress { ruled, contradictions } = event {
            style(&self.0, "{spinner} {wide_bar} {pos}/{len} ruled on by {msg}");
            self.0.set_length(*contradictions as u64);
            self.0.set_position(*ruled as u64);
        }
    }

    fn tick(&self) {
        self.0.tick();
    }

    fn finish(&self) {
        self.0.finish_and_clear();
    }
}

fn style(bar: &ProgressBar, template: &str) {
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style.progress_chars("=> "));
    }
}
