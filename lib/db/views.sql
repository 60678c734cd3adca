-- views.sql - the measured and derived rows as people and programs read them:
-- plain joins, made anew when a database is brought up to date.  v_report is
-- the contract of `presto report --csv`; the views of rows.sql are those of
-- --what.

-- Views of older versions computed what is in derived tables now.
DROP VIEW IF EXISTS v_epoch;
DROP VIEW IF EXISTS v_run;
DROP VIEW IF EXISTS v_bound;
DROP VIEW IF EXISTS v_throughput;
DROP VIEW IF EXISTS v_outlier;
DROP VIEW IF EXISTS v_first_epoch;
DROP VIEW IF EXISTS v_use;
DROP VIEW IF EXISTS v_figure;
DROP VIEW IF EXISTS v_full;
DROP VIEW IF EXISTS v_signed_rank;
DROP VIEW IF EXISTS v_rank;
DROP VIEW IF EXISTS v_payback;

DROP VIEW IF EXISTS v_part;
DROP VIEW IF EXISTS v_load;
DROP VIEW IF EXISTS v_session;
DROP VIEW IF EXISTS v_evidence;
DROP VIEW IF EXISTS v_evidence_seen;
DROP VIEW IF EXISTS v_evidence_rates;
DROP VIEW IF EXISTS v_evidence_written;
DROP VIEW IF EXISTS v_trial;
DROP VIEW IF EXISTS v_report;

-- The time of a preparation and of its parts, in s.  Parts were summed over
-- threads: each gets its fraction of the time, so that they add up to it.
CREATE VIEW v_part AS
SELECT
	id AS strategy,
	prep_s,
	read_ns * s_per_ns AS read_s,
	compute_ns * s_per_ns AS compute_s,
	compress_ns * s_per_ns AS compress_s,
	write_ns * s_per_ns AS write_s,
	sync_ns * s_per_ns AS sync_s
FROM (
	SELECT
		strategy.id,
		CASE split WHEN 'unprocessed' THEN 0.0 ELSE wall_ns / 1e9 END
			AS prep_s,
		CASE split WHEN 'unprocessed' THEN 0.0 ELSE wall_ns / 1e9 END
			/ nullif(read_ns + compute_ns + compress_ns + write_ns
				+ sync_ns, 0) AS s_per_ns,
		read_ns,
		compute_ns,
		compress_ns,
		write_ns,
		sync_ns
	FROM strategy LEFT JOIN preparation
		ON preparation.strategy = strategy.id
);

-- How a trial is loaded, beside its threads and cache: NULL is not known.  An
-- older presto kept the batch of the session only.
CREATE VIEW v_load AS
SELECT
	trial.id AS trial,
	strategy.shards,
	nullif(trial.place, '') AS cache_place,
	CASE trial.batch WHEN 0 THEN nullif(trial.fetchers, 0)
		ELSE trial.fetchers END AS fetchers,
	CASE trial.batch WHEN 0 THEN nullif(trial.read_ahead, 0)
		ELSE trial.read_ahead END AS read_ahead,
	CASE trial.batch WHEN 0 THEN nullif(trial.shuffle, 0)
		ELSE trial.shuffle END AS shuffle,
	coalesce(nullif(trial.batch, 0), session.batch) AS batch,
	coalesce(nullif(strategy.samples, 0), session.samples)
		AS source_samples
FROM trial
JOIN strategy ON strategy.id = trial.strategy
JOIN session ON session.id = strategy.session;

-- Facts of a session that hold for all its trials.
CREATE VIEW v_session AS
SELECT
	id AS session,
	nullif(substr(
		CASE WHEN emulated_bandwidth > 0 THEN
			printf(', %.6g MB/s', emulated_bandwidth / 1e6)
			ELSE '' END
		|| CASE WHEN emulated_stream > 0 THEN
			printf(', %.6g MB/s a file', emulated_stream / 1e6)
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
			ELSE '' END
		|| CASE WHEN emulated_opens > 0 THEN
			printf(', %.9g files/s', emulated_opens)
			ELSE '' END,
		3), '') AS emulated_storage -- "910 MB/s, 600 us, 9853 IOPS"
FROM session;

-- The evidence of the bottleneck.  Older versions wrote fractions as "0.93 of
-- 910 MB/s", "30.00 of 1 MB/s" and "30 MB/s, ceiling too low".
CREATE VIEW v_evidence_written AS
SELECT
	trial.id AS trial,
	trial.strategy,
	trial.threads,
	trial.cache,
	trial.cold,
	evidence,
	strategy.session,
	CASE strategy.split WHEN 'unprocessed' THEN session.source_fs
		ELSE session.work_fs END AS device,
	-- Those of an emulated storage are exact.
	session.emulated_bandwidth > 0 OR session.emulated_iops > 0
		OR session.emulated_latency > 0 OR session.emulated_open > 0
		OR session.emulated_stream > 0 OR session.emulated_opens > 0
		AS exact,
	CASE WHEN evidence GLOB '*/s, ceiling too low' THEN 1.0
		WHEN evidence GLOB '[0-9]* % of [0-9]*'
		THEN CAST(evidence AS REAL) / 1e2
		WHEN evidence GLOB '[0-9]*.[0-9][0-9] of [0-9]*'
		THEN CAST(evidence AS REAL) END AS fraction,
	CAST(replace(CASE WHEN evidence GLOB '*/s, ceiling too low'
		THEN evidence ELSE substr(evidence, instr(evidence, ' of ') + 4)
		END, ' ', '') AS REAL) AS ceiling,
	CASE WHEN evidence GLOB '*MB/s*' THEN 'MB/s'
		WHEN evidence GLOB '*files/s*' THEN 'files/s'
		WHEN evidence GLOB '*IOPS' THEN 'IOPS' END AS unit
FROM trial
JOIN strategy ON strategy.id = trial.strategy
JOIN session ON session.id = strategy.session;

-- What the trials of a session saw: ceilings, and what they read cold, in MB/s
-- and files/s.
CREATE VIEW v_evidence_rates AS
SELECT
	w.*,
	max(CASE WHEN w.unit = 'MB/s' AND w.fraction IS NOT NULL
		THEN w.ceiling ELSE 0.0 END,
		CASE WHEN w.cache = 'none' AND f.resident_percent <= 1
		AND coalesce(w.cold, 'yes') IN ('yes', 'pages')
		AND f.bytes_read > 0
		THEN 1e3 * f.bytes_read / f.wall_ns ELSE 0.0 END) AS bytes,
	CASE WHEN w.unit = 'files/s' AND w.fraction IS NOT NULL
		THEN w.ceiling ELSE 0.0 END AS files
FROM v_evidence_written AS w
LEFT JOIN figure AS f ON f.trial = w.trial;

-- The most of it for each number of threads: few rows a session, which the table
-- seen_rate keeps.
CREATE VIEW v_evidence_seen AS
SELECT
	session,
	device,
	threads,
	max(bytes) AS bytes,
	max(files) AS files
FROM v_evidence_rates GROUP BY session, device, threads;

-- A fraction is one of the most that was seen in the session with at most as
-- many threads: of the ceilings of all trials, and of what these read cold.
CREATE VIEW v_evidence AS
SELECT
	trial,
	session,
	CASE WHEN fraction IS NULL THEN evidence
		WHEN most > ceiling
		THEN printf('%.0f %% of %s %s', 1e2 * ceiling * fraction / most,
			CASE WHEN most < 999.95 THEN printf('%.4g', most)
			ELSE replace(printf('%,d', CAST(round(most) AS INTEGER)),
				',', ' ') END, unit)
		WHEN evidence GLOB '*/s, ceiling too low'
		THEN '100 % of ' || substr(evidence, 1,
			instr(evidence, ',') - 1)
		WHEN evidence GLOB '[0-9]*.[0-9][0-9] of [0-9]*'
		THEN printf('%.0f %% of %s', 1e2 * min(fraction, 1),
			substr(evidence, instr(evidence, ' of ') + 4))
		ELSE evidence END AS evidence
FROM (
	SELECT
		r.trial,
		r.session,
		r.evidence,
		r.fraction,
		r.ceiling,
		r.unit,
		CASE WHEN r.exact OR r.fraction IS NULL THEN 0.0
			ELSE max(r.ceiling * r.fraction, CASE
			WHEN r.device IS NULL THEN 0.0
			WHEN r.unit = 'MB/s' THEN coalesce(max(s.bytes), 0.0)
			WHEN r.unit = 'files/s' THEN coalesce(max(s.files), 0.0)
			ELSE 0.0 END) END AS most
	FROM v_evidence_rates AS r
	LEFT JOIN seen_rate AS s
		ON s.session = r.session AND s.device IS r.device
		AND s.threads <= r.threads
	GROUP BY r.session, r.trial
);

-- One row a trial: the columns of v_report, then what only presto reads.
-- Trials without derived rows have no figures: `presto report --rebuild`.
CREATE VIEW v_trial AS
SELECT
	1 AS schema_version,
	session.id AS session,
	session.pipeline,
	strategy.label AS strategy,
	nullif(strategy.step_order, '') AS "order",
	strategy.split,
	nullif(strategy.store, '') AS store,
	nullif(strategy.codec, '') AS codec,
	strategy.shards,
	trial.threads,
	trial.cache,
	trial.state AS status,
	CASE trial.predicted WHEN 1 THEN 'predicted' ELSE 'measured' END AS source,
	f.samples,
	coalesce(f.runs, 0) AS runs,
	f.throughput AS throughput_samples_per_s,
	f.low AS throughput_low_samples_per_s,
	f.high AS throughput_high_samples_per_s,
	f.first_samples_per_s AS first_epoch_samples_per_s,
	v_part.prep_s,
	preparation.storage_bytes,
	1.0 * preparation.storage_bytes / nullif(f.samples, 0)
		AS bytes_per_sample,
	1e3 * f.bytes_read / f.wall_ns AS read_mb_per_s,
	1e2 * f.cpu_ns / f.wall_ns AS cpu_percent,
	f.cpu_ns / 1e3 / nullif(f.steady_samples, 0) AS cpu_us_per_sample,
	coalesce(trial.peak_rss_bytes, f.peak_rss_bytes) AS peak_rss_bytes,
	f.first_batch_ns / 1e9 AS first_batch_s,
	f.resident_percent,
	nullif(trial.bottleneck, '') AS bottleneck,
	preparation.equivalent,
	CASE strategy.portable WHEN 1 THEN 'yes' ELSE 'no' END AS portable,
	trial.predicted_samples_per_s,
	1e2 * (trial.predicted_samples_per_s - f.throughput)
		/ nullif(f.throughput, 0) AS prediction_error_percent,
	f.full_prep_s,
	f.full_storage_bytes,
	ranking.break_even_epochs,
	ranking.score,
	ranking.rank,
	v_evidence.evidence AS bottleneck_evidence,
	CASE WHEN f.figures > 1 THEN 1e2 * (f.high - f.low) / 2 / f.throughput
		END AS interval_percent,
	f.outliers,
	trial.ended,
	v_part.read_s AS prep_read_s,
	v_part.compute_s AS prep_compute_s,
	v_part.compress_s AS prep_compress_s,
	v_part.write_s AS prep_write_s,
	v_part.sync_s AS prep_sync_s,
	v_session.emulated_storage,
	CASE f.fits WHEN 1 THEN 'yes' WHEN 0 THEN 'no' END AS fits_memory,
	f.others_percent,
	f.relative_low,
	f.relative_high,
	f.full_samples_per_s AS full_throughput_samples_per_s,
	v_load.source_samples,
	session.full_samples,
	CASE ranking.tied WHEN 1 THEN 'yes' WHEN 0 THEN 'no' END AS tied,
	ranking.place,
	-- What is there already is not predicted.
	CASE WHEN strategy.label <> 'unprocessed'
		THEN 1e2 * (strategy.predicted_prep_s - v_part.prep_s)
			/ nullif(v_part.prep_s, 0) END AS prep_error_percent,
	CASE WHEN strategy.label <> 'unprocessed'
		THEN 1e2 * (strategy.predicted_storage_bytes
			- preparation.storage_bytes)
			/ nullif(preparation.storage_bytes, 0) END
		AS storage_error_percent,
	trial.cold,
	CASE f.drift WHEN 1 THEN 'yes' WHEN 0 THEN 'no' END AS drift,
	preparation.verified,
	CASE WHEN strategy.label <> 'unprocessed' THEN preparation.cpu_ns / 1e9
		END AS prep_cpu_s,
	(SELECT max(run.filtered) FROM run
		WHERE run.trial = trial.id AND run.warmup = 0)
		+ coalesce(preparation.filtered, 0) AS filtered,
	v_load.cache_place,
	v_load.fetchers,
	v_load.read_ahead,
	v_load.shuffle,
	v_load.batch,
	trial.predicted_low AS predicted_low_samples_per_s,
	trial.predicted_high AS predicted_high_samples_per_s,
	trial.bound_samples_per_s AS bound_high_samples_per_s,
	nullif(trial.message, '') AS why,
	preparation.difference_largest,
	preparation.difference_mean,
	preparation.psnr_db,
	f.hosts,
	f.total_samples_per_s,
	f.total_mb_per_s,
	f.slowest_samples_per_s,
	f.knee_hosts,
	trial.id AS trial,
	strategy.id AS strategy_id,
	trial.message,
	trial.cache_bytes,
	f.figures,
	f.first_low,
	f.first_high,
	trial.chosen,
	strategy.shards_asked,
	strategy.samples AS samples_asked,
	-- Is the dataset at a URL?  Then reads are requests to its server, and an
	-- opened file is one at least.
	CASE WHEN session.dataset LIKE '%://%' THEN 'yes' ELSE 'no' END AS far,
	max(f.reads, f.opens) / nullif(f.traced_samples, 0)
		AS requests_per_sample
FROM session
JOIN strategy ON strategy.session = session.id
JOIN trial ON trial.strategy = strategy.id
JOIN v_load ON v_load.trial = trial.id
JOIN v_session ON v_session.session = session.id
-- With the session, the window is over the trials of that alone.
JOIN v_evidence ON v_evidence.session = session.id
	AND v_evidence.trial = trial.id
JOIN v_part ON v_part.strategy = strategy.id
LEFT JOIN preparation ON preparation.strategy = strategy.id
LEFT JOIN figure AS f ON f.trial = trial.id
LEFT JOIN ranking ON ranking.trial = trial.id;

-- `presto report --csv` prints it.  The columns are a contract: their order is
-- fixed, and new ones come at the end.
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
	storage_error_percent, cold, drift, verified, prep_cpu_s, filtered,
	cache_place, fetchers, read_ahead, shuffle, batch,
	predicted_low_samples_per_s, predicted_high_samples_per_s,
	bound_high_samples_per_s, why, difference_largest, difference_mean,
	psnr_db, hosts, total_samples_per_s, total_mb_per_s,
	slowest_samples_per_s, knee_hosts
FROM v_trial
ORDER BY session, strategy_id, threads, cache, cache_place, fetchers,
	read_ahead, shuffle, batch;
