//! Work on this thread while another one, the database's, is at what it was told.

use std::future::poll_fn;
use std::pin::pin;
use std::task::Poll;

/// Starts a future, does the work, and waits for the future.
pub(crate) async fn beside<F: Future, T>(future: F, work: impl FnOnce() -> T) -> (F::Output, T) {
    let mut future = pin!(future);
    // The first look starts it: a statement is on its way to the database's thread after that.
    let started = poll_fn(|context| Poll::Ready(future.as_mut().poll(context))).await;
    let worked = work();
    match started {
        Poll::Ready(output) => (output, worked),
        Poll::Pending => (future.await, worked),
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;

    #[test]
    fn the_work_is_done_while_the_future_waits() {
        let runtime = tokio::runtime::Runtime::new().unwrap();
        let steps = RefCell::new(Vec::new());
        let future = async {
            steps.borrow_mut().push("started");
            tokio::task::yield_now().await;
            steps.borrow_mut().push("ended");
            7
        };
        let done = runtime.block_on(beside(future, || steps.borrow_mut().push("worked")));
        assert_eq!(done, (7, ()));
        assert_eq!(*steps.borrow(), ["started", "worked", "ended"]);
        assert_eq!(runtime.block_on(beside(async { 1 }, || 2)), (1, 2));
    }
}
