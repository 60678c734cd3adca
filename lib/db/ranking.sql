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
-- may be recommended: done, giving the same data as `unprocessed`, and taken by
-- the reader that the session is for.  It is what strategies/decide/rank.c makes of the
-- same trials; a test holds the two equal.
--
-- Cache modes are no rivals: those of one mode are ranked, which is `system` as
-- long as some stored data fits in memory, else `none`.  The others follow by
-- their place, without a rank.
--
-- Runs of the same round were made one after the other, so what the machine
-- was like hit all of them: trials that have 5 rounds in common with the
-- fastest of their cache mode are compared with it round by round.
-- `relative_low` and `relative_high` are the 95 % interval of the median of
-- their ratios to it, by v_signed_rank of the logarithms of these: the Walsh
-- averages are then the roots of the products of two ratios, in the order of the
-- products.  Of more than 60 rounds, whose pairs would be too many, it is as
-- that of v_throughput.
--
-- A trial is clearly beaten by another with a better median when the intervals
-- are disjoint with 2 % of grace: those of the ratios where both have them, else
-- their own, where a single figure has none and is taken as plus or minus 2.5 %.
-- Those that nobody beats are tied and share rank 1, the cheapest to keep in
-- front; `unprocessed` costs nothing, since its files are there anyway.  But
-- noise makes nobody tied who is slower than the best by a tenth, or slower than
-- `unprocessed`, by the median.
CREATE VIEW v_rank AS
WITH RECURSIVE able AS MATERIALIZED (
	SELECT
		f.trial,
		f.session,
		f.strategy,
		f.threads,
		f.cache,
		f.readable,
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
mode AS MATERIALIZED (
	SELECT
		session,
		CASE
			WHEN max(cache = 'system' AND NOT outgrows) THEN 'system'
			WHEN max(cache = 'application' AND NOT outgrows)
				THEN 'application'
			WHEN max(cache = 'none') THEN 'none'
			WHEN max(cache = 'system') THEN 'system'
			ELSE 'application'
		END AS cache
	FROM able
	WHERE readable
	GROUP BY session
),
best AS MATERIALIZED (
	SELECT DISTINCT
		session,
		cache,
		first_value(trial) OVER ordered AS trial,
		first_value(rounds_ns) OVER ordered AS rounds_ns
	FROM able
	WINDOW ordered AS (
		PARTITION BY session, cache
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
	JOIN best ON best.session = able.session AND best.cache = able.cache
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
compared AS MATERIALIZED (
	SELECT
		able.*,
		CASE able.trial WHEN best.trial THEN 1.0 ELSE relative.low END
			AS relative_low,
		CASE able.trial WHEN best.trial THEN 1.0 ELSE relative.high END
			AS relative_high,
		coalesce(able.cache = mode.cache, 0) AS assumed,
		coalesce(able.cache = mode.cache, 0) AND able.readable AS ranked
	FROM able
	JOIN best ON best.session = able.session AND best.cache = able.cache
	LEFT JOIN mode ON mode.session = able.session
	LEFT JOIN relative ON relative.trial = able.trial
),
field AS MATERIALIZED (
	SELECT
		session,
		max(throughput) AS fastest,
		min(throughput) AS slowest,
		max(CASE strategy WHEN 'unprocessed' THEN throughput END) AS base
	FROM compared
	WHERE ranked
	GROUP BY session
),
judged AS MATERIALIZED (
	SELECT
		c.*,
		-- As strategies/decide/order.c has it: near_share, and grace of worth.c.
		c.ranked AND c.throughput >= max(0.9 * fastest, coalesce(base, 0))
			AND NOT EXISTS (
				SELECT 1 FROM compared AS d
				WHERE d.session = c.session AND d.ranked
					AND d.throughput > c.throughput
					AND coalesce(d.relative_low > c.relative_high * 1.02,
						d.least > c.most * 1.02)
			) AS unbeaten,
		CASE
			WHEN NOT c.ranked THEN NULL
			WHEN fastest > slowest
				THEN (c.throughput - slowest) / (fastest - slowest)
			ELSE 1.0
		END AS score
	FROM compared AS c LEFT JOIN field USING (session)
),
placed AS (
	SELECT
		*,
		unbeaten AND sum(unbeaten) OVER (PARTITION BY session) > 1 AS tied,
		row_number() OVER (
			PARTITION BY session
			ORDER BY
				ranked DESC,
				assumed DESC,
				CASE WHEN assumed THEN '' ELSE cache END,
				unbeaten DESC,
				CASE WHEN unbeaten THEN cost END NULLS LAST,
				CASE WHEN unbeaten THEN prep_s END NULLS LAST,
				throughput DESC,
				CASE WHEN ranked THEN cost END NULLS LAST,
				CASE WHEN ranked THEN prep_s END NULLS LAST,
				strategy, threads, cache
		) AS place
	FROM judged
)
SELECT
	trial,
	relative_low,
	relative_high,
	tied,
	score,
	CASE WHEN ranked THEN CASE WHEN tied THEN 1 ELSE place END END AS rank,
	place
FROM placed;

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
