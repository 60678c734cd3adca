-- schema.sql - the result database, version 1.
--
-- These tables hold what was measured, as it was measured: times in ns, sizes in
-- bytes, a row of `run` for each epoch.  Derived figures are in the tables of
-- derived.sql.  Views (views.sql, rows.sql) join both, in SQL that any sqlite3 of
-- 3.40 or later understands, so that the figures can be read without presto.

-- One `presto profile`.
CREATE TABLE session (
	id INTEGER PRIMARY KEY,
	pipeline TEXT NOT NULL,      -- name: the file's without .conf, or --name
	path TEXT NOT NULL,          -- of the pipeline file
	text TEXT NOT NULL,          -- of it, with --set applied
	fingerprint TEXT NOT NULL,   -- what --resume must find the same
	dataset TEXT NOT NULL,       -- resolved path
	work_dir TEXT NOT NULL,      -- where it materialised
	samples INTEGER NOT NULL,    -- taken from the source
	total_samples INTEGER NOT NULL, -- that the source holds
	full_samples INTEGER NOT NULL,  -- to extrapolate to
	seed INTEGER NOT NULL,       -- 64 bits; seen as a signed number here
	batch INTEGER NOT NULL,
	emulated_bandwidth REAL NOT NULL, -- bytes/s; 0: not limited
	emulated_latency REAL NOT NULL,   -- s a request
	emulated_iops REAL NOT NULL,
	cpu TEXT NOT NULL,           -- the machine: model
	cores INTEGER NOT NULL,      -- usable
	memory_bytes INTEGER NOT NULL,
	memory_limit INTEGER NOT NULL, -- of the cgroup; 0: none
	kernel TEXT NOT NULL,
	compiler TEXT NOT NULL,
	libraries TEXT NOT NULL,
	source_fs TEXT NOT NULL,     -- file system and device of the dataset
	work_fs TEXT NOT NULL,
	version TEXT NOT NULL,       -- of presto
	started TEXT NOT NULL,       -- ISO 8601, UTC
	ended TEXT,                  -- NULL while it runs, or when it was killed
	state TEXT NOT NULL
		CHECK (state IN ('running', 'done', 'failed', 'interrupted'))
) STRICT;

CREATE INDEX session_fingerprint ON session (fingerprint);

-- What is stored, and how: one label a session.
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
	UNIQUE (session, label)
) STRICT;

-- What it took to store it.
CREATE TABLE preparation (
	strategy INTEGER PRIMARY KEY REFERENCES strategy ON DELETE CASCADE,
	wall_ns INTEGER NOT NULL,    -- from the source to stored and synced
	cpu_ns INTEGER NOT NULL,
	bytes_read INTEGER NOT NULL, -- from the source
	storage_bytes INTEGER NOT NULL, -- all it needs on disk
	samples INTEGER NOT NULL,    -- stored
	skipped INTEGER NOT NULL,    -- failed, with on_error = skip
	equivalent TEXT NOT NULL CHECK (equivalent IN ('yes', 'no', 'lossy'))
) STRICT;

-- A strategy loaded in one way.
CREATE TABLE trial (
	id INTEGER PRIMARY KEY,
	strategy INTEGER NOT NULL REFERENCES strategy ON DELETE CASCADE,
	threads INTEGER NOT NULL,
	cache TEXT NOT NULL CHECK (cache IN ('none', 'system', 'application')),
	state TEXT NOT NULL CHECK (state IN ('done', 'failed', 'skipped')),
	message TEXT NOT NULL,       -- why it failed or was skipped
	bottleneck TEXT NOT NULL,    -- one word; '' when not known
	predicted_samples_per_s REAL, -- before it ran
	-- cache_bytes INTEGER,     what the application cache kept (version 2)
	UNIQUE (strategy, threads, cache)
) STRICT;

-- One epoch of one run of a trial.
CREATE TABLE run (
	trial INTEGER NOT NULL REFERENCES trial ON DELETE CASCADE,
	warmup INTEGER NOT NULL CHECK (warmup IN (0, 1)), -- 1: not in the figures
	run INTEGER NOT NULL,        -- from 1
	epoch INTEGER NOT NULL,      -- from 1 in its run
	wall_ns INTEGER NOT NULL,
	first_batch_ns INTEGER NOT NULL,
	samples INTEGER NOT NULL,    -- delivered
	skipped INTEGER NOT NULL,
	user_ns INTEGER NOT NULL,    -- CPU time of the process
	system_ns INTEGER NOT NULL,
	bytes_fetched INTEGER NOT NULL, -- asked of the medium
	bytes_from_storage INTEGER,  -- that came from disk; NULL: not known
	resident_percent REAL,       -- of the data, just before; NULL: not seen
	peak_rss_bytes INTEGER NOT NULL,
	PRIMARY KEY (trial, warmup, run, epoch)
) STRICT, WITHOUT ROWID;

-- CPU time a step, from a traced pass apart from the timed ones.
CREATE TABLE step (
	trial INTEGER NOT NULL REFERENCES trial ON DELETE CASCADE,
	position INTEGER NOT NULL,   -- from 1, in the order they run
	name TEXT NOT NULL,          -- representation; 'unpack', 'parse' too
	step TEXT NOT NULL,          -- 'resize'; the codec's name for 'unpack'
	cpu_ns INTEGER NOT NULL,
	samples INTEGER NOT NULL,
	PRIMARY KEY (trial, position)
) STRICT, WITHOUT ROWID;
