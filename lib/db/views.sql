-- views.sql - the figures of a trial, derived from what was measured.
--
-- Not part of a version of the database: whenever one is made, or brought up
-- to date, its views are dropped and made anew from here, rows.sql and
-- ranking.sql.  Views that a user may rely on: v_report (the columns of
-- `presto report --csv`) and those of rows.sql.

DROP VIEW IF EXISTS v_epoch;
DROP VIEW IF EXISTS v_run;
DROP VIEW IF EXISTS v_bound;
DROP VIEW IF EXISTS v_throughput;
DROP VIEW IF EXISTS v_outlier;
DROP VIEW IF EXISTS v_first_epoch;
DROP VIEW IF EXISTS v_use;
DROP VIEW IF EXISTS v_figure;
DROP VIEW IF EXISTS v_part;
DROP VIEW IF EXISTS v_session;
DROP VIEW IF EXISTS v_evidence;
DROP VIEW IF EXISTS v_full;
DROP VIEW IF EXISTS v_trial;
DROP VIEW IF EXISTS v_report;

-- Epochs that count.  `cold` are those that nothing was kept for: all of them
-- where nothing is cached, else each run's first.  `steady` are those that give
-- the throughput of a trial: the cold ones where nothing is cached, and the
-- later ones where something is.
CREATE VIEW v_epoch AS
SELECT
	trial.id AS trial,
	run.run,
	run.epoch,
	trial.cache = 'none' OR run.epoch = 1 AS cold,
	trial.cache = 'none' OR run.epoch > 1 AS steady,
	1e9 * run.samples / run.wall_ns AS samples_per_s,
	run.samples,
	run.wall_ns,
	run.first_batch_ns,
	run.user_ns + run.system_ns AS cpu_ns,
	CASE WHEN session.emulated_bandwidth > 0 OR session.emulated_latency > 0
			OR session.emulated_iops > 0 OR session.emulated_open > 0
		THEN run.bytes_fetched
		ELSE coalesce(run.bytes_from_storage, run.bytes_fetched)
	END AS bytes_read,
	run.resident_percent,
	run.peak_rss_bytes,
	run.others_ns
FROM run
JOIN trial ON trial.id = run.trial
JOIN strategy ON strategy.id = trial.strategy
JOIN session ON session.id = strategy.session
WHERE run.warmup = 0 AND run.wall_ns > 0;

-- One value a run: a short one has more epochs, and is one value all the same.
CREATE VIEW v_run AS
SELECT
	trial,
	run,
	1e9 * sum(samples) / sum(wall_ns) AS samples_per_s
FROM v_epoch
WHERE steady
GROUP BY trial, run;

-- Of n values: the interval that holds their true median with 95 %, whatever
-- the distribution, is from the k-th smallest to the k-th largest, k the largest
-- number with P(X < k) <= 2.5 % for X binomial (n, 1/2).  Fewer than 6 values
-- have no such k: smallest to largest.  For each n that a trial has of runs.
-- The tail is summed up to n = 1000; beyond, k grows in proportion, which makes
-- the interval somewhat wider than it need be.
CREATE VIEW v_bound AS
WITH RECURSIVE
tail (n, x, p, total) AS ( -- p = 2^-n while x < 0, then P(X = x)
	SELECT DISTINCT count(*), -min(count(*), 1000), 1.0, 0.0
	FROM v_run
	GROUP BY trial
	UNION ALL
	SELECT
		n,
		x + 1,
		CASE WHEN x < 0 THEN p / 2 ELSE p * (min(n, 1000) - x) / (x + 1) END,
		CASE WHEN x < -1 THEN 0.0 WHEN x = -1 THEN p / 2
			ELSE total + p * (min(n, 1000) - x) / (x + 1) END
	FROM tail
	WHERE total <= 0.025
)
SELECT n, max(1, (max(x) * n) / min(n, 1000)) AS k
FROM tail
GROUP BY n;

-- Median throughput of a trial's runs, and its interval.
CREATE VIEW v_throughput AS
WITH ordered AS (
	SELECT
		trial,
		samples_per_s,
		row_number() OVER (PARTITION BY trial ORDER BY samples_per_s)
			AS place,
		count(*) OVER (PARTITION BY trial) AS n
	FROM v_run
)
SELECT
	trial,
	n,
	avg(CASE WHEN place IN ((n + 1) / 2, n / 2 + 1) THEN samples_per_s END)
		AS median,
	max(CASE WHEN place = k THEN samples_per_s END) AS low,
	max(CASE WHEN place = n + 1 - k THEN samples_per_s END) AS high
FROM ordered JOIN v_bound USING (n)
GROUP BY trial;

-- Runs that are unlike the others, by the modified z-score of Iglewicz and
-- Hoaglin: 0.6745 (x - median) / MAD, the median absolute deviation, is beyond
-- 3.5.  Where more than half of the runs are the same, so that the MAD is 0,
-- 0.7979 (x - median) / the mean absolute deviation takes its place.  Fewer
-- than 5 runs are too few to tell.  They stay in the figures.
CREATE VIEW v_outlier AS
WITH
away AS (
	SELECT
		trial,
		run,
		n,
		abs(samples_per_s - median) AS away
	FROM v_run JOIN v_throughput USING (trial)
	WHERE n >= 5
),
placed AS (
	SELECT *, row_number() OVER (PARTITION BY trial ORDER BY away) AS place
	FROM away
),
spread AS (
	SELECT
		trial,
		avg(CASE WHEN place IN ((n + 1) / 2, n / 2 + 1) THEN away END)
			AS mad,
		avg(away) AS mean
	FROM placed
	GROUP BY trial
)
SELECT trial, run
FROM away JOIN spread USING (trial)
WHERE CASE WHEN mad > 0 THEN 0.6745 * away > 3.5 * mad
	ELSE 0.7979 * away > 3.5 * mean END;

-- Medians over the first epochs: what a job sees when it starts.
CREATE VIEW v_first_epoch AS
SELECT
	trial,
	avg(CASE WHEN rate_place IN ((n + 1) / 2, n / 2 + 1)
		THEN samples_per_s END) AS samples_per_s,
	avg(CASE WHEN batch_place IN ((n + 1) / 2, n / 2 + 1)
		THEN first_batch_ns END) AS first_batch_ns
FROM (
	SELECT
		trial,
		samples_per_s,
		first_batch_ns,
		row_number() OVER (PARTITION BY trial ORDER BY samples_per_s)
			AS rate_place,
		row_number() OVER (PARTITION BY trial ORDER BY first_batch_ns)
			AS batch_place,
		count(*) OVER (PARTITION BY trial) AS n
	FROM v_epoch
	WHERE epoch = 1
)
GROUP BY trial;

-- What the epochs of a trial used; most of it the steady ones.
CREATE VIEW v_use AS
SELECT
	trial,
	count(DISTINCT run) AS runs,
	max(samples) AS samples,
	max(peak_rss_bytes) AS peak_rss_bytes,
	sum(samples) FILTER (WHERE steady) AS steady_samples,
	sum(wall_ns) FILTER (WHERE steady) AS wall_ns,
	sum(cpu_ns) FILTER (WHERE steady) AS cpu_ns,
	sum(bytes_read) FILTER (WHERE steady) AS bytes_read,
	max(resident_percent) FILTER (WHERE cold) AS resident_percent,
	1e2 * max(sum(others_ns) FILTER (WHERE steady), 0)
		/ sum(wall_ns) FILTER (WHERE steady AND others_ns IS NOT NULL)
		AS others_percent -- 100: one core
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
	coalesce(strategy.readable, strategy.portable) AS readable,
	trial.threads,
	trial.cache,
	trial.rounds_ns,
	trial.state,
	trial.message,
	nullif(trial.bottleneck, '') AS bottleneck,
	trial.predicted_samples_per_s,
	-- What is there already is not predicted.
	CASE WHEN strategy.label <> 'unprocessed'
		THEN strategy.predicted_prep_s END AS predicted_prep_s,
	CASE WHEN strategy.label <> 'unprocessed'
		THEN strategy.predicted_storage_bytes END
		AS predicted_storage_bytes,
	use.samples,
	use.runs,
	coalesce(trial.peak_rss_bytes, use.peak_rss_bytes) AS peak_rss_bytes,
	use.steady_samples,
	use.wall_ns,
	use.cpu_ns,
	use.bytes_read,
	use.resident_percent,
	use.others_percent,
	rate.n AS figures,
	rate.median AS throughput,
	rate.low,
	rate.high,
	first.samples_per_s AS first_samples_per_s,
	first.first_batch_ns,
	CASE strategy.label WHEN 'unprocessed' THEN 0.0
		ELSE preparation.wall_ns / 1e9 END AS prep_s,
	preparation.storage_bytes,
	preparation.equivalent,
	session.samples AS source_samples,
	session.full_samples,
	1.0 * session.full_samples / nullif(session.samples, 0) AS scale,
	-- What is stored as it came is in proportion to what is known of all.
	CASE WHEN strategy.split IN ('unprocessed', 'raw')
			AND session.source_bytes > 0 AND session.total_bytes > 0
		THEN 1.0 * session.total_bytes / session.source_bytes
			* session.full_samples / session.total_samples
		ELSE 1.0 * session.full_samples / nullif(session.samples, 0)
	END AS storage_scale
FROM trial
JOIN strategy ON strategy.id = trial.strategy
JOIN session ON session.id = strategy.session
LEFT JOIN preparation ON preparation.strategy = strategy.id
LEFT JOIN v_use AS use ON use.trial = trial.id
LEFT JOIN v_throughput AS rate ON rate.trial = trial.id
LEFT JOIN v_first_epoch AS first ON first.trial = trial.id;

-- What preparation took, in s.  The parts are those of its threads; each is
-- given its share of the time, so that together they are that.
CREATE VIEW v_part AS
SELECT
	strategy,
	read_ns * s_per_ns AS read_s,
	compute_ns * s_per_ns AS compute_s,
	compress_ns * s_per_ns AS compress_s,
	write_ns * s_per_ns AS write_s,
	sync_ns * s_per_ns AS sync_s
FROM (
	SELECT
		preparation.*,
		CASE label WHEN 'unprocessed' THEN 0.0
			ELSE wall_ns / 1e9 END
			/ nullif(read_ns + compute_ns + compress_ns + write_ns
				+ sync_ns, 0) AS s_per_ns
	FROM preparation JOIN strategy ON strategy.id = preparation.strategy
);

-- What holds for all trials of a session.
CREATE VIEW v_session AS
SELECT
	id AS session,
	CASE WHEN memory_limit > 0 AND memory_limit < memory_bytes
		THEN memory_limit ELSE nullif(memory_bytes, 0) END
		AS usable_memory_bytes,
	nullif(substr(
		CASE WHEN emulated_bandwidth > 0 THEN
			printf(', %.6g MB/s', emulated_bandwidth / 1e6)
			ELSE '' END
		|| CASE WHEN emulated_latency >= 1e-3 THEN
			printf(', %.6g ms', emulated_latency * 1e3)
			WHEN emulated_latency > 0 THEN
			printf(', %.6g us', emulated_latency * 1e6)
			ELSE '' END
		|| CASE WHEN emulated_iops > 0 THEN
			printf(', %.9g IOPS', emulated_iops)
			ELSE '' END
		|| CASE WHEN emulated_open >= 1e-3 THEN
			printf(', open %.6g ms', emulated_open * 1e3)
			WHEN emulated_open > 0 THEN
			printf(', open %.6g us', emulated_open * 1e6)
			ELSE '' END,
		3), '') AS emulated_storage -- "910 MB/s, 600 us, 9853 IOPS"
FROM session;

-- What a trial would give with the full dataset: as it was measured, unless the
-- cache would have to keep more than the memory has.  Then each epoch is as
-- a cold one, since what is read once an epoch is thrown out before it is
-- read again.
CREATE VIEW v_full AS
WITH figure AS MATERIALIZED (
	SELECT
		f.trial,
		f.strategy_id,
		f.threads,
		f.cache,
		f.throughput,
		f.first_samples_per_s,
		CASE f.cache WHEN 'application' THEN trial.cache_bytes * f.scale
			ELSE f.storage_bytes * f.storage_scale END
			<= v_session.usable_memory_bytes AS fits
	FROM v_figure AS f
	JOIN trial ON trial.id = f.trial
	JOIN v_session ON v_session.session = f.session
)
SELECT
	figure.trial,
	figure.fits, -- NULL: not known
	coalesce(figure.cache <> 'none' AND figure.fits = 0, 0) AS outgrows,
	CASE WHEN figure.cache <> 'none' AND figure.fits = 0
		THEN coalesce(cold.throughput, figure.first_samples_per_s,
			figure.throughput)
		ELSE figure.throughput END AS samples_per_s
FROM figure
LEFT JOIN figure AS cold ON cold.strategy_id = figure.strategy_id
	AND cold.threads = figure.threads AND cold.cache = 'none'
	AND cold.throughput > 0;

-- The evidence of the bottleneck.  Older versions wrote shares as "0.93 of 910
-- MB/s", and "30.00 of 1 MB/s" where the ceiling was too low.
CREATE VIEW v_evidence AS
WITH split AS (
	SELECT
		trial.id AS trial,
		evidence,
		evidence GLOB '[0-9]*.[0-9][0-9] of [0-9]*' AS is_old,
		CAST(evidence AS REAL) AS share,
		substr(evidence, instr(evidence, ' of ') + 4) AS ceiling,
		session.emulated_bandwidth > 0 OR session.emulated_iops > 0
			AS exact
	FROM trial
	JOIN strategy ON strategy.id = trial.strategy
	JOIN session ON session.id = strategy.session
)
SELECT
	trial,
	CASE WHEN NOT coalesce(is_old, 0) THEN evidence
		WHEN share > 1.05 AND NOT exact
		THEN printf('%.4g%s, ceiling too low',
			share * CAST(ceiling AS REAL),
			substr(ceiling, instr(ceiling, ' ')))
		ELSE printf('%.0f %% of %s', 1e2 * min(share, 1), ceiling) END
		AS evidence
FROM split;

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
	CAST(round(f.storage_bytes * f.storage_scale) AS INTEGER)
		AS full_storage_bytes,
	CAST(v_payback.epochs AS INTEGER)
		+ (v_payback.epochs > CAST(v_payback.epochs AS INTEGER))
		AS break_even_epochs, -- rounded up
	v_rank.score,
	v_rank.rank,
	v_evidence.evidence AS bottleneck_evidence,
	CASE WHEN f.figures > 1
		THEN 1e2 * (f.high - f.low) / 2 / f.throughput END
		AS interval_percent,
	CASE WHEN f.figures > 0 THEN coalesce(odd.runs, 0) END AS outliers,
	trial.ended,
	v_part.read_s AS prep_read_s,
	v_part.compute_s AS prep_compute_s,
	v_part.compress_s AS prep_compress_s,
	v_part.write_s AS prep_write_s,
	v_part.sync_s AS prep_sync_s,
	v_session.emulated_storage,
	CASE v_full.fits WHEN 1 THEN 'yes' WHEN 0 THEN 'no' END AS fits_memory,
	f.others_percent,
	v_rank.relative_low,
	v_rank.relative_high,
	v_full.samples_per_s AS full_throughput_samples_per_s,
	f.source_samples,
	f.full_samples,
	CASE v_rank.tied WHEN 1 THEN 'yes' WHEN 0 THEN 'no' END AS tied,
	v_rank.place,
	1e2 * (f.predicted_prep_s - f.prep_s) / nullif(f.prep_s, 0)
		AS prep_error_percent,
	1e2 * (f.predicted_storage_bytes - f.storage_bytes)
		/ nullif(f.storage_bytes, 0) AS storage_error_percent,
	f.trial,
	f.strategy_id,
	f.message,
	trial.cache_bytes,
	f.figures
FROM v_figure AS f
JOIN trial ON trial.id = f.trial
JOIN v_session ON v_session.session = f.session
JOIN v_full ON v_full.trial = f.trial
JOIN v_evidence ON v_evidence.trial = f.trial
LEFT JOIN (SELECT trial, count(*) AS runs FROM v_outlier GROUP BY trial) AS odd
	ON odd.trial = f.trial
LEFT JOIN v_part ON v_part.strategy = f.strategy_id
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
	break_even_epochs, score, rank, bottleneck_evidence, interval_percent,
	outliers, ended, prep_read_s, prep_compute_s, prep_compress_s,
	prep_write_s, prep_sync_s, emulated_storage, fits_memory, others_percent,
	relative_low, relative_high, full_throughput_samples_per_s,
	source_samples, full_samples, tied, place, prep_error_percent,
	storage_error_percent
FROM v_trial
ORDER BY session, strategy_id, threads, cache;
