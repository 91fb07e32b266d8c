//! A client's socket that gives up when nothing moves.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Instant, Sleep, sleep};

use crate::Limits;
use crate::connections::Activity;

/// A socket on which every wait has an end.
#[derive(Debug)]
pub(crate) struct TimedStream {
    stream: TcpStream,
    read: Timer,
    write: Timer,
    activity: Activity,
}

impl TimedStream {
    pub(crate) fn new(stream: TcpStream, limits: Limits, activity: Activity) -> Self {
        let (read, write) = (Timer::new(limits.idle), Timer::new(limits.write));
        Self { stream, read, write, activity }
    }
}

impl TimedStream {
    /// Who takes something is there, though it says nothing: a watcher of events.
    fn written(
        &mut self,
        context: &mut Context<'_>,
        written: Poll<io::Result<usize>>,
    ) -> Poll<io::Result<usize>> {
        if matches!(written, Poll::Ready(Ok(1..))) {
            self.read.restart();
        }
        self.write.check(context, written)
    }
}

/// Runs while the socket is not ready, and starts anew with the next wait.
#[derive(Debug)]
struct Timer {
    limit: Duration,
    sleep: Pin<Box<Sleep>>,
    runs: bool,
}

impl Timer {
    fn new(limit: Duration) -> Self {
        Self { limit, sleep: Box::pin(sleep(limit)), runs: false }
    }

    /// What the socket answered, or an error if it has been pending for too long.
    fn check<T>(
        &mut self,
        context: &mut Context<'_>,
        answer: Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if answer.is_ready() {
            self.runs = false;
            return answer;
        }
        if !self.runs {
            self.runs = true;
            self.sleep.as_mut().reset(Instant::now() + self.limit);
        }
        ready!(self.sleep.as_mut().poll(context));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }

    /// Begins to count anew.
    fn restart(&mut self) {
        self.runs = false;
    }
}

impl AsyncRead for TimedStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = &mut *self;
        let read = Pin::new(&mut this.stream).poll_read(context, buffer);
        if this.activity.is_busy() {
            // A client that waits for its answer has nothing to say.
            this.read.restart();
        }
        this.read.check(context, read)
    }
}

impl AsyncWrite for TimedStream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let this = &mut *self;
        let written = Pin::new(&mut this.stream).poll_write(context, bytes);
        this.written(context, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let this = &mut *self;
        let written = Pin::new(&mut this.stream).poll_write_vectored(context, bytes);
        this.written(context, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
