-- What later debates ask: which flips were there, on what, by whom. Its own tables, fed from the
-- outbox, so that another store can take their place.
CREATE TABLE outbox (
    flip_id  TEXT NOT NULL PRIMARY KEY,
    n        BIGINT NOT NULL,           -- order of the flips
    attempts BIGINT NOT NULL DEFAULT 0,
    due      BIGINT NOT NULL DEFAULT 0, -- not before this time, microseconds since 1970
    done     BIGINT NOT NULL DEFAULT 0, -- 1: the other store has it
    error    TEXT                        -- why the last attempt failed
);
CREATE INDEX idx_outbox_due ON outbox(due, n) WHERE done = 0;

CREATE TABLE knowledge_flips (
    n           BIGINT NOT NULL PRIMARY KEY,
    id          TEXT COLLATE "C" NOT NULL UNIQUE,
    agent_name  TEXT COLLATE "C" NOT NULL,
    topic       TEXT COLLATE "C" NOT NULL,
    words       TEXT NOT NULL,
    before      TEXT NOT NULL,
    after       TEXT NOT NULL,
    flip_type   TEXT COLLATE "C" NOT NULL,
    toward      TEXT NOT NULL,
    domain      TEXT COLLATE "C",
    happened_at BIGINT NOT NULL
);
CREATE INDEX idx_knowledge_agent ON knowledge_flips(agent_name, n);
CREATE INDEX idx_knowledge_topic ON knowledge_flips(topic, agent_name);

ALTER TABLE knowledge_flips ADD COLUMN text TSVECTOR
    GENERATED ALWAYS AS (to_tsvector('english', words || ' ' || before || ' ' || after)) STORED;
CREATE INDEX idx_knowledge_text ON knowledge_flips USING GIN (text);

CREATE TABLE knowledge_topics (
    topic      TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    words      TEXT NOT NULL,
    agents     BIGINT NOT NULL,
    flips      BIGINT NOT NULL,
    toward_yes BIGINT NOT NULL,
    toward_no  BIGINT NOT NULL
);
CREATE INDEX idx_knowledge_contested ON knowledge_topics(agents, flips, topic);
