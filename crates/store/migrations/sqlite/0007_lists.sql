-- Only the newest positions under a key are ever looked at, so only these are kept, in one row: what is
-- read and written for a new position is then as large in a large ledger as in a small one.
DROP TABLE position_keys;
CREATE TABLE position_lists (
    block   INTEGER NOT NULL PRIMARY KEY, -- the caller's key, mixed with agent and domain
    numbers TEXT NOT NULL                 -- of the newest positions, in order, nine hex digits each
) STRICT;
UPDATE ledger_state SET keys_version = 0;

-- Nobody asks by these any more, and the one over knowledge_topics kept its matters from being read in
-- the order of idx_knowledge_both.
DROP INDEX idx_topics_contested;
DROP INDEX idx_knowledge_contested;
