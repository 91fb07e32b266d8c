-- Which keys position_keys holds: a detector that makes others makes them anew.
ALTER TABLE ledger_state ADD COLUMN keys_version INTEGER NOT NULL DEFAULT 0;
