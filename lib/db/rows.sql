-- rows.sql - views of the measured rows in units for people, made anew like those
-- of views.sql.

DROP VIEW IF EXISTS v_runs;
DROP VIEW IF EXISTS v_steps;
DROP VIEW IF EXISTS v_phases;
DROP VIEW IF EXISTS v_prepared;
DROP VIEW IF EXISTS v_levels;
DROP VIEW IF EXISTS v_system;
DROP VIEW IF EXISTS v_time;
DROP VIEW IF EXISTS v_effort;
DROP VIEW IF EXISTS v_probed;
DROP VIEW IF EXISTS v_rates;
DROP VIEW IF EXISTS v_trace;
DROP VIEW IF EXISTS v_hosts;

-- `presto report --what runs` prints it: every epoch, warm-ups too.
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
	run.peak_rss_bytes,
	run.started_ns / 1e9 AS started_s, -- since the session began
	run.others_ns / 1e9 AS others_s,
	run.stolen_ns / 1e9 AS stolen_s,
	run.waited_ns / 1e9 AS waited_s,
	run.warmup = 0 AND (trial.cache = 'none' OR run.epoch > 1)
		AND coalesce(run_figure.outlier, 0) AS outlier,
	run.reference_ns / 1e9 AS reference_s,
	run.filtered,
	v_load.cache_place,
	v_load.fetchers,
	v_load.read_ahead,
	v_load.shuffle,
	v_load.batch,
	v_load.shards,
	v_load.source_samples,
	v_load.trial
FROM run
JOIN trial ON trial.id = run.trial
JOIN v_load ON v_load.trial = trial.id
JOIN strategy ON strategy.id = trial.strategy
JOIN session ON session.id = strategy.session
LEFT JOIN run_figure ON run_figure.trial = run.trial
	AND run_figure.run = run.run
ORDER BY session.id, strategy.id, threads, cache, v_load.cache_place,
	v_load.fetchers, v_load.read_ahead, v_load.shuffle, v_load.batch, run.trial,
	warmup DESC, run.run, epoch;

-- `presto report --what steps` prints it.
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
	1e2 * step.cpu_ns / nullif(figure.steps_cpu_ns, 0)
		AS cpu_share_percent,
	step.calls,
	step.bytes_in,
	step.bytes_out,
	1.0 * step.cpu_ns / nullif(step.bytes_in, 0) AS cpu_ns_per_byte,
	v_load.cache_place,
	v_load.fetchers,
	v_load.read_ahead,
	v_load.shuffle,
	v_load.batch,
	v_load.shards,
	v_load.source_samples,
	v_load.trial
FROM step
JOIN trial ON trial.id = step.trial
JOIN v_load ON v_load.trial = trial.id
JOIN strategy ON strategy.id = trial.strategy
JOIN session ON session.id = strategy.session
LEFT JOIN figure ON figure.trial = step.trial
ORDER BY session.id, strategy.id, threads, cache, v_load.cache_place,
	v_load.fetchers, v_load.read_ahead, v_load.shuffle, v_load.batch, step.trial,
	position;

-- The time of each part of a preparation, in s, and the strategy that did the
-- work: compressed frames are taken over as they are, while samples of an earlier
-- split go through more steps.
CREATE VIEW v_prepared AS
WITH taken AS (
	SELECT
		own.session,
		own.label,
		v_part.*,
		-- Parts that took no time are not listed.
		max(coalesce(read_s, 0), 0) + max(coalesce(compute_s, 0), 0)
			+ max(coalesce(compress_s, 0), 0)
			+ max(coalesce(write_s, 0), 0)
			+ max(coalesce(sync_s, 0), 0) AS all_s,
		coalesce(frames.label, samples.label) AS made_by,
		frames.label AS compressed_by,
		frames.label IS NULL AND samples.split <> own.split AS has_steps
	FROM v_part
	JOIN preparation ON preparation.strategy = v_part.strategy
	JOIN strategy AS own ON own.id = v_part.strategy
	LEFT JOIN strategy AS samples ON samples.id = preparation.samples_from
	LEFT JOIN strategy AS frames ON frames.id = preparation.frames_from
),
part (session, strategy, label, place, phase, seconds, all_s, taken_from,
	partly) AS (
	SELECT session, strategy, label, -5, 'prepare read', read_s, all_s, made_by,
		0
	FROM taken
	UNION ALL
	SELECT session, strategy, label, -4, 'prepare compute', compute_s, all_s, made_by,
		has_steps
	FROM taken
	UNION ALL
	SELECT session, strategy, label, -3, 'prepare compress', compress_s, all_s, compressed_by,
		0
	FROM taken
	UNION ALL
	SELECT session, strategy, label, -2, 'prepare write', write_s, all_s, NULL,
		0
	FROM taken
	UNION ALL
	SELECT session, strategy, label, -1, 'prepare sync', sync_s, all_s, NULL,
		0
	FROM taken
)
SELECT
	session,
	strategy,
	label,
	place,
	phase,
	seconds,
	1e2 * seconds / nullif(all_s, 0) AS share_percent,
	CASE WHEN taken_from IS NULL THEN 'measured'
		ELSE CASE WHEN partly THEN 'measured; in part taken over'
			ELSE 'taken over' END || ' from ' || taken_from
		END AS origin
FROM part
WHERE seconds > 0;

-- `presto report --what phases` prints it: for each strategy its preparation,
-- then the traced epoch of each of its trials.
CREATE VIEW v_phases AS
SELECT
	session,
	label AS strategy,
	threads,
	cache,
	phase,
	wall_s,
	cpu_s,
	calls,
	bytes,
	wall_share_percent,
	origin,
	cache_place,
	fetchers,
	read_ahead,
	shuffle,
	batch,
	shards,
	source_samples,
	trial
FROM (
	SELECT
		strategy.session,
		strategy.id,
		strategy.label,
		trial.threads,
		trial.cache,
		instr('open read decompress parse steps batch wait', phase.phase)
			AS place,
		phase.phase,
		phase.wall_ns / 1e9 AS wall_s,
		phase.cpu_ns / 1e9 AS cpu_s,
		phase.calls,
		phase.bytes,
		1e2 * phase.wall_ns / nullif(figure.phases_ns, 0)
			AS wall_share_percent,
		'measured' AS origin,
		v_load.cache_place,
		v_load.fetchers,
		v_load.read_ahead,
		v_load.shuffle,
		v_load.batch,
		v_load.shards,
		v_load.source_samples,
		v_load.trial
	FROM phase
	JOIN trial ON trial.id = phase.trial
	JOIN v_load ON v_load.trial = trial.id
	JOIN strategy ON strategy.id = trial.strategy
	LEFT JOIN figure ON figure.trial = phase.trial
	UNION ALL
	SELECT v.session, v.strategy, v.label, NULL, NULL, place, phase,
		seconds, NULL, NULL, NULL, share_percent, origin,
		NULL, NULL, NULL, NULL, NULL, own.shards,
		coalesce(nullif(own.samples, 0), session.samples), NULL
	FROM v_prepared AS v
	JOIN strategy AS own ON own.id = v.strategy
	JOIN session ON session.id = v.session
)
ORDER BY session, id, threads, cache, cache_place, fetchers, read_ahead,
	shuffle, batch, trial, place;

-- `presto report --what levels` prints it.
CREATE VIEW v_levels AS
SELECT
	session.id AS session,
	strategy.label AS strategy,
	trial.threads,
	trial.cache,
	level.level,
	level.samples,
	level.bytes,
	level.wall_ns / 1e9 AS wall_s,
	level.cpu_ns / 1e9 AS cpu_s,
	1e9 * nullif(level.samples, 0) / nullif(level.wall_ns, 0) AS samples_per_s,
	1e3 * level.bytes / nullif(level.wall_ns, 0) AS mb_per_s,
	1e2 * level.cpu_ns / nullif(level.wall_ns, 0) AS cpu_percent,
	v_load.cache_place,
	v_load.fetchers,
	v_load.read_ahead,
	v_load.shuffle,
	v_load.batch,
	v_load.shards,
	v_load.source_samples,
	v_load.trial
FROM level
JOIN trial ON trial.id = level.trial
JOIN v_load ON v_load.trial = trial.id
JOIN strategy ON strategy.id = trial.strategy
JOIN session ON session.id = strategy.session
ORDER BY session.id, strategy.id, threads, cache, v_load.cache_place,
	v_load.fetchers, v_load.read_ahead, v_load.shuffle, v_load.batch, level.trial,
	instr('read decode all', level);

-- `presto report --what system` prints it.
CREATE VIEW v_system AS
SELECT
	session,
	activity,
	nullif(label, '') AS strategy,
	threads,
	cache,
	run,
	at_ns / 1e9 AS at_s,
	interval_ns / 1e9 AS interval_s,
	cpu_user_percent,
	cpu_system_percent,
	cpu_idle_percent,
	cpu_wait_percent,
	cpu_stolen_percent,
	disk_read_bytes_per_s / 1e6 AS disk_read_mb_per_s,
	disk_write_bytes_per_s / 1e6 AS disk_write_mb_per_s,
	network_read_bytes_per_s / 1e6 AS network_read_mb_per_s,
	network_write_bytes_per_s / 1e6 AS network_write_mb_per_s,
	memory_free_bytes,
	memory_cached_bytes,
	memory_used_bytes,
	major_faults_per_s,
	minor_faults_per_s,
	context_switches_per_s,
	interrupts_per_s,
	pressure_cpu_percent,
	pressure_io_percent,
	pressure_memory_percent
FROM system_sample
ORDER BY session, id;

-- How a session spent its time: preparing, checking and epochs of runs.  The rest
-- lies between them: syncing, dropping caches, storing results.
CREATE VIEW v_time AS
SELECT
	session,
	max(at_ns) / 1e9 AS all_s,
	sum(interval_ns) FILTER (WHERE activity = 'prepare') / 1e9 AS prepare_s,
	sum(interval_ns) FILTER (WHERE activity = 'check') / 1e9 AS check_s,
	sum(interval_ns) FILTER (WHERE activity = 'run') / 1e9 AS run_s
FROM system_sample
GROUP BY session;

-- The best figures that `presto probe` had of a storage on a day.
CREATE VIEW v_probed AS
SELECT
	device,
	day,
	max(bytes_per_s) FILTER (WHERE pattern = 'sequential') AS bytes_per_s,
	max(requests_per_s) FILTER (WHERE pattern = 'files') AS files_per_s,
	max(file_bytes) FILTER (WHERE pattern = 'files') AS file_bytes,
	min(latency_ns) FILTER (WHERE pattern = 'files') AS file_ns,
	min(latency_ns) FILTER (WHERE pattern = 'sequential') AS mib_ns
FROM ceiling
WHERE cold = 1
GROUP BY device, day;

-- The cost of a delivered sample in each trial: in the timed runs, and by phase in
-- the traced pass.  Beside it the limits of its storage: as emulated, else as
-- probed on that day.
CREATE VIEW v_effort AS
SELECT
	session, strategy, threads, cache, cores, others_cores, samples_per_s,
	cpu_s, traced_samples, fetch_cpu_s, decode_cpu_s, steps_cpu_s, batch_cpu_s,
	-- Nothing waits for a storage in the traced pass.
	fetch_s + CASE WHEN storage_bytes = 0 THEN 0.0
		WHEN emulated_s > 0 THEN emulated_s
		WHEN storage_bytes < 2 * requests * file_bytes THEN
			requests * file_ns / 1e9
		ELSE coalesce(storage_bytes / 1048576 * mib_ns / 1e9, 0.0)
		END AS fetch_s,
	requests, storage_bytes, bandwidth,
	CASE WHEN emulated_iops > 0 THEN emulated_iops
		WHEN storage_bytes < 2 * requests * file_bytes THEN files_per_s
		END AS requests_per_s, -- NULL: reads are large
	cache_place, fetchers, read_ahead, shuffle, batch, shards,
	source_samples, trial
FROM (
	SELECT
		session.id AS session,
		strategy.label AS strategy,
		trial.threads,
		trial.cache,
		session.cores,
		f.throughput AS samples_per_s,
		f.others_percent / 1e2 AS others_cores,
		f.cpu_ns / 1e9 / nullif(f.steady_samples, 0) AS cpu_s,
		f.traced_samples,
		f.fetch_cpu_ns / 1e9 / nullif(f.traced_samples, 0)
			AS fetch_cpu_s,
		f.decode_cpu_ns / 1e9 / nullif(f.traced_samples, 0)
			AS decode_cpu_s,
		f.steps_phase_cpu_ns / 1e9 / nullif(f.traced_samples, 0)
			AS steps_cpu_s,
		f.batch_cpu_ns / 1e9 / nullif(f.traced_samples, 0)
			AS batch_cpu_s,
		f.fetch_ns / 1e9 / nullif(f.traced_samples, 0) AS fetch_s,
		f.reads / nullif(f.traced_samples, 0) AS requests,
		CASE trial.cache WHEN 'none' THEN
			1.0 * f.bytes_read / nullif(f.steady_samples, 0)
			ELSE 0.0 END AS storage_bytes,
		coalesce(nullif(session.emulated_bandwidth, 0),
			probed.bytes_per_s) AS bandwidth,
		session.emulated_iops,
		session.emulated_latency * f.reads
			/ nullif(f.traced_samples, 0)
			+ session.emulated_open * f.opens
			/ nullif(f.traced_samples, 0) AS emulated_s,
		probed.files_per_s,
		probed.file_bytes,
		probed.file_ns,
		probed.mib_ns,
		v_load.cache_place,
		v_load.fetchers,
		v_load.read_ahead,
		v_load.shuffle,
		v_load.batch,
		v_load.shards,
		v_load.source_samples,
		v_load.trial
	FROM session
	JOIN strategy ON strategy.session = session.id
	JOIN trial ON trial.strategy = strategy.id
	JOIN figure AS f ON f.trial = trial.id
	JOIN v_load ON v_load.trial = trial.id
	LEFT JOIN v_probed AS probed
		ON probed.day = substr(session.started, 1, 10)
		AND probed.device = CASE strategy.split WHEN 'unprocessed'
			THEN session.source_fs ELSE session.work_fs END
	WHERE f.phases_ns IS NOT NULL
);

-- The steady epochs of each run together, in the order of the runs.
CREATE VIEW v_rates AS
SELECT
	strategy.session,
	run_figure.trial,
	run_figure.run,
	run_figure.samples_per_s,
	run_figure.reference_ns,
	run_figure.started_ns,
	run_figure.own_cores,
	run_figure.others_cores
FROM run_figure
JOIN trial ON trial.id = run_figure.trial
JOIN strategy ON strategy.id = trial.strategy
ORDER BY run_figure.trial, run_figure.run;

-- The events of traced epochs, for `presto report --trace`.
CREATE VIEW v_trace AS
SELECT
	strategy.session,
	strategy.label AS strategy,
	trial.threads,
	trial.cache,
	trace_event.trial,
	trace_event.thread,
	trace_event.thread_name,
	trace_event.kind,
	trace_event.name,
	trace_event.begin_ns,
	trace_event.end_ns,
	trace_event.value,
	-- A user's step may be named as an activity of the loader: "parse".
	(SELECT nullif(max(step.step), '') FROM step
		WHERE step.trial = trace_event.trial
		AND step.name = trace_event.name) AS step
FROM trace_event
JOIN trial ON trial.id = trace_event.trial
JOIN strategy ON strategy.id = trial.strategy
ORDER BY trace_event.trial, trace_event.position;

-- Epochs that several processes ran at the same moment.
CREATE VIEW v_hosts AS
SELECT
	strategy.session,
	strategy.label AS strategy,
	trial.threads,
	trial.cache,
	v_load.cache_place,
	v_load.fetchers,
	v_load.read_ahead,
	v_load.shuffle,
	v_load.batch,
	v_load.shards,
	v_load.source_samples,
	host_run.trial,
	host_run.hosts,
	host_run.run,
	host_run.epoch,
	host_run.rank,
	host_run.host,
	host_run.samples,
	host_run.wall_ns / 1e9 AS wall_s,
	host_run.bytes
FROM host_run
JOIN trial ON trial.id = host_run.trial
JOIN v_load ON v_load.trial = trial.id
JOIN strategy ON strategy.id = trial.strategy
ORDER BY strategy.session, strategy.id, trial.id, host_run.hosts, host_run.run,
	host_run.epoch, host_run.rank;
