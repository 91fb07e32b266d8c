//! All positions to a file that can be imported again.

use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

use rebuttal_model::Ending;
use rebuttal_store::{Store, StoredPosition};
use rebuttal_transcripts::{PositionFormat, PositionWriter};

use crate::error::Result;

/// Positions read at a time.
const PAGE: u32 = 5_000;

/// Writes positions in the order the ledger took them, of one agent or of all, a page at a time. `watch`
/// hears how many were read; the result is how many were written.
pub async fn export(
    store: &Store,
    agent: Option<&str>,
    format: PositionFormat,
    to: &mut (impl Write + ?Sized),
    watch: &impl Fn(u64),
) -> Result<u64> {
    let page = Page::default();
    let mut writer = PositionWriter::new(format, page.clone())?;
    let (mut after, mut written) = (0, 0);
    loop {
        let held = store.positions_after(after, PAGE).await?;
        let Some(last) = held.last() else { break };
        after = last.n;
        watch(held.len() as u64);
        for held in held {
            if agent.is_none_or(|agent| held.position.agent.as_str() == agent) {
                writer.write_ended(&held.position, ending(&held))?;
                written += 1;
            }
        }
        page.pass_on(to)?;
    }
    writer.finish()?;
    page.pass_on(to)?;
    Ok(written)
}

/// How a position turned out, where that is known.
fn ending(held: &StoredPosition) -> Option<Ending> {
    Some(Ending { outcome: held.outcome?, resolved_at: held.resolved_at })
}

/// What was written and not passed on yet: the writer keeps its target, which stdout cannot be.
#[derive(Clone, Default)]
struct Page(Arc<Mutex<Vec<u8>>>);

impl Page {
    fn pass_on(&self, to: &mut (impl Write + ?Sized)) -> io::Result<()> {
        let mut bytes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        to.write_all(&bytes)?;
        bytes.clear();
        Ok(())
    }
}

impl Write for Page {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
