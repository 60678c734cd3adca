-- search.sql - version 24 of the database: orders, values of sweeps, cache
-- places, intervals of forecasts, trials that a search left out, and events of
-- a traced epoch.  Two tables are made anew, since their keys have grown:
-- foreign keys are off meanwhile (migrate.c).

-- What is stored, and how.  A label may occur for each number of shards that
-- was asked for, and for each number of samples.
CREATE TEMP TABLE old_strategy AS SELECT * FROM strategy;
DROP TABLE strategy;
CREATE TABLE strategy (
	id INTEGER PRIMARY KEY,
	session INTEGER NOT NULL REFERENCES session ON DELETE CASCADE,
	label TEXT NOT NULL,         -- "resized/tar/gzip:6", "unprocessed"
	step_order TEXT NOT NULL,    -- '' when the steps run as given
	split TEXT NOT NULL,
	store TEXT NOT NULL,         -- '' for unprocessed
	codec TEXT NOT NULL,         -- '' for unprocessed
	shards INTEGER NOT NULL,     -- 0 for unprocessed
	portable INTEGER NOT NULL CHECK (portable IN (0, 1)),
	predicted_prep_s REAL,       -- before it was prepared
	predicted_storage_bytes REAL,
	readable INTEGER,            -- by the session's reader; NULL: as portable
	shards_asked INTEGER NOT NULL DEFAULT 0, -- 0: by the size of the data
	samples INTEGER NOT NULL DEFAULT 0, -- from the source; 0: the session's
	predicted_prep_low_s REAL,   -- intervals of forecasts
	predicted_prep_high_s REAL,
	predicted_storage_low_bytes REAL,
	predicted_storage_high_bytes REAL,
	UNIQUE (session, label, shards_asked, samples)
) STRICT;
INSERT INTO strategy (id, session, label, step_order, split, store, codec,
	shards, portable, predicted_prep_s, predicted_storage_bytes, readable)
SELECT id, session, label, step_order, split, store, codec,
	shards, portable, predicted_prep_s, predicted_storage_bytes, readable
FROM old_strategy;
DROP TABLE old_strategy;

-- A strategy loaded in one way.  Where an older presto measured it, the numbers
-- of its load were not kept: they are 0.
CREATE TEMP TABLE old_trial AS SELECT * FROM trial;
DROP TABLE trial;
CREATE TABLE trial (
	id INTEGER PRIMARY KEY,
	strategy INTEGER NOT NULL REFERENCES strategy ON DELETE CASCADE,
	threads INTEGER NOT NULL,
	cache TEXT NOT NULL CHECK (cache IN ('none', 'system', 'application')),
	state TEXT NOT NULL CHECK (state IN ('done', 'failed', 'skipped')),
	message TEXT NOT NULL,       -- why it failed or was skipped
	bottleneck TEXT NOT NULL,    -- one word; '' when not known
	predicted_samples_per_s REAL, -- before it ran
	cache_bytes INTEGER,         -- kept; NULL: nothing, or not known
	evidence TEXT,               -- of the bottleneck: "71 %"
	peak_rss_bytes INTEGER,      -- with this trial alone
	ended TEXT,                  -- 'precise', 'budget' or 'runs'
	rounds_ns INTEGER,           -- Unix time when its rounds began
	cold TEXT CHECK (cold IN ('yes', 'pages', 'no', 'unknown')),
	place TEXT NOT NULL DEFAULT '', -- representation that is cached
	fetchers INTEGER NOT NULL DEFAULT 0, -- 0: one for each thread
	read_ahead INTEGER NOT NULL DEFAULT 0, -- chunks; 0: 4 for each thread
	shuffle INTEGER NOT NULL DEFAULT 0, -- samples of the window
	batch INTEGER NOT NULL DEFAULT 0, -- 0: the session's
	chosen INTEGER NOT NULL DEFAULT 0, -- found by `auto`: enum load_key
	predicted_low REAL,          -- interval of predicted_samples_per_s
	predicted_high REAL,
	-- 1: a search left it out; `message` says why it cannot win.
	predicted INTEGER NOT NULL DEFAULT 0 CHECK (predicted IN (0, 1)),
	bound_samples_per_s REAL,    -- the upper bound of its throughput then
	UNIQUE (strategy, threads, cache, place, fetchers, read_ahead, shuffle,
		batch)
) STRICT;
INSERT INTO trial (id, strategy, threads, cache, state, message, bottleneck,
	predicted_samples_per_s, cache_bytes, evidence, peak_rss_bytes, ended,
	rounds_ns, cold)
SELECT id, strategy, threads, cache, state, message, bottleneck,
	predicted_samples_per_s, cache_bytes, evidence, peak_rss_bytes, ended,
	rounds_ns, cold
FROM old_trial;
DROP TABLE old_trial;

-- Samples that filters drop; NULL: an older presto, which had none.
ALTER TABLE preparation ADD COLUMN filtered INTEGER;
ALTER TABLE run ADD COLUMN filtered INTEGER;

-- Lossy output beside that of unprocessed, by its elements; NULL: not known.
ALTER TABLE preparation ADD COLUMN difference_largest REAL;
ALTER TABLE preparation ADD COLUMN difference_mean REAL;
ALTER TABLE preparation ADD COLUMN psnr_db REAL;

-- What the threads did in a traced epoch.
CREATE TABLE trace_event (
	trial INTEGER NOT NULL REFERENCES trial ON DELETE CASCADE,
	position INTEGER NOT NULL,   -- from 1
	thread INTEGER NOT NULL,     -- from 1; 0: none, as for a queue
	thread_name TEXT NOT NULL,   -- "worker 1"
	kind TEXT NOT NULL CHECK (kind IN ('step', 'wait', 'queue')),
	name TEXT NOT NULL,          -- "decoded"
	begin_ns INTEGER NOT NULL,   -- since the epoch began
	end_ns INTEGER NOT NULL,
	value REAL,                  -- of a queue: its length; else NULL
	PRIMARY KEY (trial, position)
) STRICT, WITHOUT ROWID;
