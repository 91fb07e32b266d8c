//! One contract, two engines: every case runs on SQLite and on PostgreSQL.

mod bad;
mod detection;
mod journal;
mod kill;
mod knowledge;
mod ledger;
mod queries;
mod rebuild;
mod support;
