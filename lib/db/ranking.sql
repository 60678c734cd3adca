-- ranking.sql - the views that rank trials; made anew like those of views.sql.

DROP VIEW IF EXISTS v_signed_rank;
DROP VIEW IF EXISTS v_rank;
DROP VIEW IF EXISTS v_payback;

-- Of n differences that are as likely to be below their median by some amount as
-- above it: the interval that holds that median with 95 % is from the k-th
-- smallest to the k-th largest of their n (n + 1) / 2 Walsh averages, the means
-- of two of them or of one with itself.  It is what the signed-rank test of
-- Wilcoxon does not reject (Hollander & Wolfe, Nonparametric Statistical
-- Methods, sections 3.1 to 3.3), and narrower than that of v_bound: there 5 to
-- 8 values go from the smallest to the largest.  k is the largest number with
-- P(W < k) <= 2.5 %, W the sum of those of 1 to n that a coin chooses; 5 have no
-- such k, and their smallest to their largest is 93.75 %.
CREATE VIEW v_signed_rank (n, k) AS
VALUES
	(5, 1), (6, 1), (7, 3), (8, 4), (9, 6), (10, 9),
	(11, 11), (12, 14), (13, 18), (14, 22), (15, 26), (16, 30),
	(17, 35), (18, 41), (19, 47), (20, 53), (21, 59), (22, 66),
	(23, 74), (24, 82), (25, 90), (26, 99), (27, 108), (28, 117),
	(29, 127), (30, 138), (31, 148), (32, 160), (33, 171), (34, 183),
	(35, 196), (36, 209), (37, 222), (38, 236), (39, 250), (40, 265),
	(41, 280), (42, 295), (43, 311), (44, 328), (45, 344), (46, 362),
	(47, 379), (48, 397), (49, 416), (50, 435), (51, 454), (52, 474),
	(53, 495), (54, 515), (55, 537), (56, 558), (57, 580), (58, 603),
	(59, 626), (60, 649);

-- The ranking by throughput, with the full dataset (v_full), of the trials that
-- may be recommended: done, and giving the same data as `unprocessed`.  Those
-- that may be as fast as the fastest are tied with it, and the cheaper to keep
-- comes first; `unprocessed` costs nothing, since its files are there anyway,
-- and what is slower than it never comes before it.
--
-- Runs of the same round were made one after the other, so what the machine
-- was like hit all of them: trials that have 5 rounds in common with the
-- fastest are compared with it round by round.  `relative_low` and
-- `relative_high` are the 95 % interval of the median of their ratios to it, by
-- v_signed_rank of the logarithms of these: the Walsh averages are then the
-- roots of the products of two ratios, in the order of the products.  Of more
-- than 60 rounds, whose pairs would be too many, it is as that of v_throughput.
-- A tie is one that does not end below 0.98: what is slower by 2 % is not worth
-- more storage, and the fastest of many that are alike owes as much to luck.
-- But what has the middle of its interval below 0.9 is probably slower by a
-- tenth: then noise that does not rule out the opposite makes it no tie.
-- The others are tied when their interval overlaps that of the fastest, where a
-- single figure has none and is taken as plus or minus 2.5 %.
CREATE VIEW v_rank AS
WITH RECURSIVE able AS MATERIALIZED (
	SELECT
		f.trial,
		f.session,
		f.strategy,
		f.threads,
		f.cache,
		f.prep_s,
		v_full.outgrows,
		v_full.samples_per_s AS throughput,
		CASE v_full.outgrows WHEN 1 THEN NULL ELSE f.rounds_ns END
			AS rounds_ns,
		CASE WHEN f.low < f.high THEN f.low ELSE 0.975 * f.throughput END
			* v_full.samples_per_s / f.throughput AS least,
		CASE WHEN f.low < f.high THEN f.high ELSE 1.025 * f.throughput END
			* v_full.samples_per_s / f.throughput AS most,
		CASE f.strategy WHEN 'unprocessed' THEN 0 ELSE f.storage_bytes END
			AS cost
	FROM v_figure AS f JOIN v_full ON v_full.trial = f.trial
	WHERE state = 'done' AND f.throughput > 0
		AND coalesce(equivalent, 'yes') = 'yes'
),
best AS MATERIALIZED (
	SELECT DISTINCT
		session,
		first_value(trial) OVER ordered AS trial,
		first_value(rounds_ns) OVER ordered AS rounds_ns,
		max(throughput) OVER same AS fastest,
		min(throughput) OVER same AS slowest,
		max(CASE strategy WHEN 'unprocessed' THEN throughput END) OVER same
			AS base,
		first_value(least) OVER ordered AS least,
		first_value(most) OVER ordered AS most
	FROM able
	WINDOW
		same AS (PARTITION BY session),
		ordered AS (
			PARTITION BY session
			ORDER BY throughput DESC, least, most DESC, trial
			ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING
		)
),
speed AS MATERIALIZED (SELECT * FROM v_run),
paired AS (
	SELECT
		able.trial,
		own.samples_per_s / other.samples_per_s AS ratio
	FROM able
	JOIN best ON best.session = able.session
		AND best.rounds_ns = able.rounds_ns
	JOIN speed AS own ON own.trial = able.trial
	JOIN speed AS other ON other.trial = best.trial AND other.run = own.run
),
ordered AS MATERIALIZED (
	SELECT
		trial,
		ratio,
		row_number() OVER (PARTITION BY trial ORDER BY ratio) AS place,
		count(*) OVER (PARTITION BY trial) AS n
	FROM paired
),
walsh AS (
	SELECT
		a.trial,
		a.n,
		a.ratio * b.ratio AS square,
		row_number() OVER (PARTITION BY a.trial ORDER BY a.ratio * b.ratio)
			AS place
	FROM ordered AS a
	JOIN ordered AS b ON b.trial = a.trial AND b.place <= a.place
	WHERE a.n <= (SELECT max(n) FROM v_signed_rank)
),
ends AS (
	SELECT
		trial,
		max(CASE WHEN place = k THEN square END) AS low,
		max(CASE WHEN place = n * (n + 1) / 2 + 1 - k THEN square END)
			AS high
	FROM walsh JOIN v_signed_rank USING (n)
	GROUP BY trial
	UNION ALL
	SELECT
		trial,
		max(CASE WHEN place = k THEN ratio * ratio END),
		max(CASE WHEN place = n + 1 - k THEN ratio * ratio END)
	FROM ordered JOIN v_bound USING (n)
	WHERE n > (SELECT max(n) FROM v_signed_rank)
	GROUP BY trial
),
-- Their roots, by Newton: not every SQLite has sqrt().
root (trial, low, high, low_root, high_root, left) AS (
	SELECT trial, low, high, (1 + low) / 2, (1 + high) / 2, 40 FROM ends
	UNION ALL
	SELECT
		trial,
		low,
		high,
		(low_root + low / low_root) / 2,
		(high_root + high / high_root) / 2,
		left - 1
	FROM root
	WHERE left > 0
),
relative AS (
	SELECT trial, low_root AS low, high_root AS high
	FROM root
	WHERE left = 0
),
compared AS (
	SELECT
		able.*,
		CASE able.trial WHEN best.trial THEN 1.0 ELSE relative.low END
			AS relative_low,
		CASE able.trial WHEN best.trial THEN 1.0 ELSE relative.high END
			AS relative_high
	FROM able
	JOIN best USING (session)
	LEFT JOIN relative ON relative.trial = able.trial
),
rated AS (
	SELECT
		able.*,
		-- As strategies/rank.c has it: as_good, and probably_slower.
		coalesce(able.relative_high + 0.02 >= 1
				AND able.relative_low * able.relative_high >= 0.9 * 0.9,
			able.most >= best.least AND able.least <= best.most) AS tied,
		coalesce(able.throughput < best.base, 0) AS slower,
		CASE WHEN best.fastest > best.slowest
			THEN (able.throughput - best.slowest)
				/ (best.fastest - best.slowest)
			ELSE 1.0 END AS score
	FROM compared AS able JOIN best USING (session)
)
SELECT
	trial,
	relative_low,
	relative_high,
	tied,
	score,
	row_number() OVER (
		PARTITION BY session
		ORDER BY
			tied DESC,
			slower,
			CASE WHEN tied THEN cost END NULLS LAST,
			CASE WHEN tied THEN prep_s END NULLS LAST,
			throughput DESC, outgrows, strategy, threads, cache
	) AS rank
FROM rated;

-- After how many epochs of the full dataset preparation and epochs together have
-- taken no longer than those of `unprocessed` loaded in the same way; no row if
-- they never do.
-- The first epoch is a cold one, or the one that fills a cache.
CREATE VIEW v_payback AS
WITH timed AS MATERIALIZED (
	SELECT
		f.*,
		samples / v_full.samples_per_s AS epoch_s,
		samples / CASE cache WHEN 'none' THEN v_full.samples_per_s
			ELSE coalesce(first_samples_per_s, v_full.samples_per_s)
			END AS first_s
	FROM v_figure AS f JOIN v_full ON v_full.trial = f.trial
	WHERE f.throughput > 0
),
compared AS (
	SELECT
		f.trial,
		f.strategy,
		f.prep_s + f.first_s - base.first_s AS behind_s, -- after one epoch
		base.epoch_s - f.epoch_s AS gain_s -- in each later one
	FROM timed AS f
	JOIN timed AS base
		ON base.session = f.session AND base.strategy = 'unprocessed'
		AND base.threads = f.threads AND base.cache = f.cache
)
SELECT
	trial,
	CASE
		WHEN strategy = 'unprocessed' THEN 0.0
		WHEN behind_s <= 0 THEN 1.0
		ELSE 1.0 + behind_s / gain_s
	END AS epochs
FROM compared
WHERE strategy = 'unprocessed' OR gain_s > 0 OR gain_s = 0 AND behind_s <= 0;
