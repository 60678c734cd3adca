-- schema.sql - the result database, version 1.
--
-- The tables hold what was measured, as it was measured: times in ns, sizes in
-- bytes, one row of `run` an epoch.  Everything derived is a view, in SQL that
-- any sqlite3 of 3.40 or later understands, so that the figures can be asked
-- for, and checked, without presto.  Views that a user may rely on: v_report
-- (the columns of `presto report --csv`), v_runs and v_steps.  What ranks the
-- trials, v_rank and v_payback, is in ranking.sql.

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

-- Epochs that count.  `steady` are those that give the throughput of a trial:
-- each run's first, cold one where nothing is cached, and the later ones where
-- something is.
CREATE VIEW v_epoch AS
SELECT
	trial.id AS trial,
	run.run,
	run.epoch,
	CASE trial.cache WHEN 'none' THEN run.epoch = 1 ELSE run.epoch > 1 END
		AS steady,
	1e9 * run.samples / run.wall_ns AS samples_per_s,
	run.samples,
	run.wall_ns,
	run.first_batch_ns,
	run.user_ns + run.system_ns AS cpu_ns,
	CASE WHEN session.emulated_bandwidth > 0 OR session.emulated_latency > 0
			OR session.emulated_iops > 0
		THEN run.bytes_fetched
		ELSE coalesce(run.bytes_from_storage, run.bytes_fetched)
	END AS bytes_read,
	run.resident_percent,
	run.peak_rss_bytes
FROM run
JOIN trial ON trial.id = run.trial
JOIN strategy ON strategy.id = trial.strategy
JOIN session ON session.id = strategy.session
WHERE run.warmup = 0 AND run.wall_ns > 0;

-- Median throughput of a trial, and the interval that holds the true median
-- with 95 % whatever the distribution: from the k-th smallest to the k-th
-- largest value, k the largest number with P(X < k) <= 2.5 % for X binomial
-- (n, 1/2).  Fewer than 6 values have no such k: smallest to largest.  The
-- tail is summed up to n = 1000; beyond, k grows in proportion, which makes
-- the interval somewhat wider than it need be.
CREATE VIEW v_throughput AS
WITH RECURSIVE
ordered AS (
	SELECT
		trial,
		samples_per_s,
		row_number() OVER (PARTITION BY trial ORDER BY samples_per_s)
			AS place,
		count(*) OVER (PARTITION BY trial) AS n
	FROM v_epoch
	WHERE steady
),
tail (n, x, p, total) AS ( -- p = 2^-n while x < 0, then P(X = x)
	SELECT DISTINCT n, -min(n, 1000), 1.0, 0.0 FROM ordered
	UNION ALL
	SELECT
		n,
		x + 1,
		CASE WHEN x < 0 THEN p / 2 ELSE p * (min(n, 1000) - x) / (x + 1) END,
		CASE WHEN x < -1 THEN 0.0 WHEN x = -1 THEN p / 2
			ELSE total + p * (min(n, 1000) - x) / (x + 1) END
	FROM tail
	WHERE total <= 0.025
),
bound AS (
	SELECT n, max(1, (max(x) * n) / min(n, 1000)) AS k
	FROM tail
	GROUP BY n
)
SELECT
	trial,
	avg(CASE WHEN place IN ((n + 1) / 2, n / 2 + 1) THEN samples_per_s END)
		AS median,
	max(CASE WHEN place = k THEN samples_per_s END) AS low,
	max(CASE WHEN place = n + 1 - k THEN samples_per_s END) AS high
FROM ordered JOIN bound USING (n)
GROUP BY trial;

-- Medians over the first epochs: what a job sees when it starts.
CREATE VIEW v_first_epoch AS
SELECT
	trial,
	avg(CASE WHEN rate_place IN ((n + 1) / 2, n / 2 + 1)
		THEN samples_per_s END) AS samples_per_s,
	avg(CASE WHEN batch_place IN ((n + 1) / 2, n / 2 + 1)
		THEN first_batch_ns END) AS first_batch_ns,
	max(resident_percent) AS resident_percent
FROM (
	SELECT
		trial,
		samples_per_s,
		first_batch_ns,
		resident_percent,
		row_number() OVER (PARTITION BY trial ORDER BY samples_per_s)
			AS rate_place,
		row_number() OVER (PARTITION BY trial ORDER BY first_batch_ns)
			AS batch_place,
		count(*) OVER (PARTITION BY trial) AS n
	FROM v_epoch
	WHERE epoch = 1
)
GROUP BY trial;

-- What the steady epochs of a trial used.
CREATE VIEW v_use AS
SELECT
	trial,
	count(DISTINCT run) AS runs,
	max(samples) AS samples,
	max(peak_rss_bytes) AS peak_rss_bytes,
	sum(samples) FILTER (WHERE steady) AS steady_samples,
	sum(wall_ns) FILTER (WHERE steady) AS wall_ns,
	sum(cpu_ns) FILTER (WHERE steady) AS cpu_ns,
	sum(bytes_read) FILTER (WHERE steady) AS bytes_read
FROM v_epoch
GROUP BY trial;

-- A trial with all that can be said of it alone.
CREATE VIEW v_figure AS
SELECT
	trial.id AS trial,
	strategy.id AS strategy_id,
	session.id AS session,
	session.pipeline,
	strategy.label AS strategy,
	strategy.step_order,
	strategy.split,
	strategy.store,
	strategy.codec,
	strategy.shards,
	strategy.portable,
	trial.threads,
	trial.cache,
	trial.state,
	trial.message,
	nullif(trial.bottleneck, '') AS bottleneck,
	trial.predicted_samples_per_s,
	use.samples,
	use.runs,
	use.peak_rss_bytes,
	use.steady_samples,
	use.wall_ns,
	use.cpu_ns,
	use.bytes_read,
	rate.median AS throughput,
	rate.low,
	rate.high,
	first.samples_per_s AS first_samples_per_s,
	first.first_batch_ns,
	first.resident_percent,
	CASE strategy.label WHEN 'unprocessed' THEN 0.0
		ELSE preparation.wall_ns / 1e9 END AS prep_s,
	preparation.storage_bytes,
	preparation.equivalent,
	session.samples AS source_samples,
	session.full_samples,
	1.0 * session.full_samples / nullif(session.samples, 0) AS scale
FROM trial
JOIN strategy ON strategy.id = trial.strategy
JOIN session ON session.id = strategy.session
LEFT JOIN preparation ON preparation.strategy = strategy.id
LEFT JOIN v_use AS use ON use.trial = trial.id
LEFT JOIN v_throughput AS rate ON rate.trial = trial.id
LEFT JOIN v_first_epoch AS first ON first.trial = trial.id;

-- One row a trial: the columns of v_report, then what only presto reads.
CREATE VIEW v_trial AS
SELECT
	1 AS schema_version,
	f.session,
	f.pipeline,
	f.strategy,
	nullif(f.step_order, '') AS "order",
	f.split,
	nullif(f.store, '') AS store,
	nullif(f.codec, '') AS codec,
	f.shards,
	f.threads,
	f.cache,
	f.state AS status,
	'measured' AS source,
	f.samples,
	coalesce(f.runs, 0) AS runs,
	f.throughput AS throughput_samples_per_s,
	f.low AS throughput_low_samples_per_s,
	f.high AS throughput_high_samples_per_s,
	f.first_samples_per_s AS first_epoch_samples_per_s,
	f.prep_s,
	f.storage_bytes,
	1.0 * f.storage_bytes / nullif(f.samples, 0) AS bytes_per_sample,
	1e3 * f.bytes_read / f.wall_ns AS read_mb_per_s,
	1e2 * f.cpu_ns / f.wall_ns AS cpu_percent,
	f.cpu_ns / 1e3 / nullif(f.steady_samples, 0) AS cpu_us_per_sample,
	f.peak_rss_bytes,
	f.first_batch_ns / 1e9 AS first_batch_s,
	f.resident_percent,
	f.bottleneck,
	f.equivalent,
	CASE f.portable WHEN 1 THEN 'yes' ELSE 'no' END AS portable,
	f.predicted_samples_per_s,
	1e2 * (f.predicted_samples_per_s - f.throughput) / nullif(f.throughput, 0)
		AS prediction_error_percent,
	f.prep_s * f.scale AS full_prep_s,
	CAST(round(f.storage_bytes * f.scale) AS INTEGER) AS full_storage_bytes,
	CAST(v_payback.epochs AS INTEGER)
		+ (v_payback.epochs > CAST(v_payback.epochs AS INTEGER))
		AS break_even_epochs, -- rounded up
	v_rank.score,
	v_rank.rank,
	f.trial,
	f.strategy_id,
	f.message,
	f.source_samples,
	f.full_samples
FROM v_figure AS f
LEFT JOIN v_rank ON v_rank.trial = f.trial
LEFT JOIN v_payback ON v_payback.trial = f.trial;

-- What `presto report --csv` prints.  The columns are a contract: their order
-- is fixed, and new ones come at the end.
CREATE VIEW v_report AS
SELECT
	schema_version, session, pipeline, strategy, "order", split, store, codec,
	shards, threads, cache, status, source, samples, runs,
	throughput_samples_per_s, throughput_low_samples_per_s,
	throughput_high_samples_per_s, first_epoch_samples_per_s, prep_s,
	storage_bytes, bytes_per_sample, read_mb_per_s, cpu_percent,
	cpu_us_per_sample, peak_rss_bytes, first_batch_s, resident_percent,
	bottleneck, equivalent, portable, predicted_samples_per_s,
	prediction_error_percent, full_prep_s, full_storage_bytes,
	break_even_epochs, score, rank
FROM v_trial
ORDER BY session, strategy_id, threads, cache;

-- What `presto report --what runs` prints: every epoch, warm-ups too.
CREATE VIEW v_runs AS
SELECT
	session.id AS session,
	strategy.label AS strategy,
	trial.threads,
	trial.cache,
	run.run,
	run.epoch,
	run.warmup,
	run.samples,
	run.skipped,
	run.wall_ns / 1e9 AS wall_s,
	1e9 * run.samples / nullif(run.wall_ns, 0) AS samples_per_s,
	run.first_batch_ns / 1e9 AS first_batch_s,
	run.user_ns / 1e9 AS user_s,
	run.system_ns / 1e9 AS system_s,
	run.bytes_fetched,
	run.bytes_from_storage,
	run.resident_percent,
	run.peak_rss_bytes
FROM run
JOIN trial ON trial.id = run.trial
JOIN strategy ON strategy.id = trial.strategy
JOIN session ON session.id = strategy.session
ORDER BY session.id, strategy.id, threads, cache, warmup DESC, run, epoch;

-- What `presto report --what steps` prints.
CREATE VIEW v_steps AS
SELECT
	session.id AS session,
	strategy.label AS strategy,
	trial.threads,
	trial.cache,
	step.position,
	step.name,
	step.step,
	step.samples,
	step.cpu_ns / 1e9 AS cpu_s,
	step.cpu_ns / 1e3 / nullif(step.samples, 0) AS cpu_us_per_sample,
	1e2 * step.cpu_ns
		/ nullif(sum(step.cpu_ns) OVER (PARTITION BY step.trial), 0)
		AS cpu_share_percent
FROM step
JOIN trial ON trial.id = step.trial
JOIN strategy ON strategy.id = trial.strategy
JOIN session ON session.id = strategy.session
ORDER BY session.id, strategy.id, threads, cache, position;
