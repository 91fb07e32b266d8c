-- What later debates ask: which flips were there, on what, by whom. Its own tables, fed from the
-- outbox, so that another store can take their place.
CREATE TABLE outbox (
    flip_id  TEXT NOT NULL PRIMARY KEY,
    n        INTEGER NOT NULL,           -- order of the flips
    attempts INTEGER NOT NULL DEFAULT 0,
    due      INTEGER NOT NULL DEFAULT 0, -- not before this time, microseconds since 1970
    done     INTEGER NOT NULL DEFAULT 0, -- 1: the other store has it
    error    TEXT                        -- why the last attempt failed
) STRICT;
CREATE INDEX idx_outbox_due ON outbox(due, n) WHERE done = 0;

CREATE TABLE knowledge_flips (
    n           INTEGER NOT NULL PRIMARY KEY,
    id          TEXT NOT NULL UNIQUE,
    agent_name  TEXT NOT NULL,
    topic       TEXT NOT NULL,
    words       TEXT NOT NULL,
    before      TEXT NOT NULL,
    after       TEXT NOT NULL,
    flip_type   TEXT NOT NULL,
    toward      TEXT NOT NULL,
    domain      TEXT,
    happened_at INTEGER NOT NULL
) STRICT;
CREATE INDEX idx_knowledge_agent ON knowledge_flips(agent_name, n);
CREATE INDEX idx_knowledge_topic ON knowledge_flips(topic, agent_name);

CREATE VIRTUAL TABLE knowledge_text USING fts5(
    words, before, after, content = 'knowledge_flips', content_rowid = 'n',
    tokenize = 'porter unicode61'
);

CREATE TABLE knowledge_topics (
    topic      TEXT NOT NULL PRIMARY KEY,
    words      TEXT NOT NULL,
    agents     INTEGER NOT NULL,
    flips      INTEGER NOT NULL,
    toward_yes INTEGER NOT NULL,
    toward_no  INTEGER NOT NULL
) STRICT;
CREATE INDEX idx_knowledge_contested ON knowledge_topics(agents, flips, topic);
