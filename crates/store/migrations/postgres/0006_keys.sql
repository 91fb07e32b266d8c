-- Which keys position_keys holds: a detector that makes others makes them anew.
ALTER TABLE ledger_state ADD COLUMN keys_version BIGINT NOT NULL DEFAULT 0;
