-- derived.sql - what is computed from the measured rows: tables of version 16
-- of the database.  strategies/decide/derive.c computes the rows; a reader
-- computes in memory what is missing here or of an older rule.

-- The rule by which the derived rows of a session were computed.  There is no
-- row while they are out of date: triggers (migrate.c) remove it when a
-- measured row is changed, by whatever program.
CREATE TABLE derivation (
	session INTEGER PRIMARY KEY REFERENCES session ON DELETE CASCADE,
	rule INTEGER NOT NULL
) STRICT;

-- What the epochs of a trial say, warm-ups left out.  An epoch is cold where
-- nothing is cached, and where it is the first of its run.  Steady epochs give
-- the throughput: the cold ones where nothing is cached, else the later ones.
CREATE TABLE figure (
	trial INTEGER PRIMARY KEY REFERENCES trial ON DELETE CASCADE,
	runs INTEGER,
	samples INTEGER,             -- most of an epoch
	peak_rss_bytes INTEGER,
	steady_samples INTEGER,      -- sums over steady epochs
	wall_ns INTEGER,
	cpu_ns INTEGER,
	bytes_read INTEGER,
	resident_percent REAL,       -- most, before cold epochs
	others_percent REAL,         -- 100: other programs used one core
	figures INTEGER,             -- runs with steady epochs
	throughput REAL,             -- samples/s: the median of these runs
	low REAL,                    -- its 95 % interval
	high REAL,
	outliers INTEGER,
	first_samples_per_s REAL,    -- medians of the runs' first epochs
	first_batch_ns REAL,
	-- With the full dataset.
	full_prep_s REAL,
	full_storage_bytes INTEGER,
	fits INTEGER,                -- memory can keep it; NULL: not known
	full_samples_per_s REAL,
	-- 95 % interval of the ratio to the reference trial of the cache mode, from
	-- the rounds that both have.
	relative_low REAL,
	relative_high REAL,
	-- Sums over the threads of the traced pass, which has its own samples.
	traced_samples INTEGER,
	phases_ns INTEGER,           -- wall time of all phases
	steps_cpu_ns INTEGER,        -- CPU time of the steps one by one
	fetch_cpu_ns REAL,           -- CPU time: opening and reading
	decode_cpu_ns REAL,          -- decompressing and parsing
	steps_phase_cpu_ns REAL,
	batch_cpu_ns REAL,
	fetch_ns REAL,               -- wall time of opening and reading
	reads REAL,
	opens REAL
) STRICT;

-- The steady epochs of a run together.
CREATE TABLE run_figure (
	trial INTEGER NOT NULL REFERENCES trial ON DELETE CASCADE,
	run INTEGER NOT NULL,
	samples_per_s REAL,
	reference_ns REAL,           -- mean of the reference workload
	started_ns INTEGER,          -- of its first epoch
	own_cores REAL,
	others_cores REAL,
	outlier INTEGER NOT NULL CHECK (outlier IN (0, 1)),
	PRIMARY KEY (trial, run)
) STRICT, WITHOUT ROWID;

-- The ranking by throughput with the full dataset (strategies/decide/rank.h).
-- Only trials that may be recommended have a score and a rank, and only those
-- that are done and give the same data have a place.
CREATE TABLE ranking (
	trial INTEGER PRIMARY KEY REFERENCES trial ON DELETE CASCADE,
	score REAL,
	rank INTEGER,
	tied INTEGER,
	place INTEGER,
	break_even_epochs INTEGER    -- NULL: never
) STRICT;
