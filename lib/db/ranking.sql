-- ranking.sql - the views that rank trials; made anew like those of views.sql.

DROP VIEW IF EXISTS v_rank;
DROP VIEW IF EXISTS v_payback;

-- The ranking by throughput of the trials that may be recommended: done, and
-- giving the same data as `unprocessed`.  Those whose interval overlaps that
-- of the fastest are tied with it, and the cheaper to keep comes first; a
-- single figure has no interval and is taken as plus or minus 2.5 %.
-- `unprocessed` costs nothing, since its files are there anyway, and what is
-- slower than it never comes before it.
CREATE VIEW v_rank AS
WITH able AS (
	SELECT
		*,
		CASE WHEN low < high THEN low ELSE 0.975 * throughput END AS least,
		CASE WHEN low < high THEN high ELSE 1.025 * throughput END AS most,
		CASE strategy WHEN 'unprocessed' THEN 0 ELSE storage_bytes END AS cost
	FROM v_figure
	WHERE state = 'done' AND throughput > 0
		AND coalesce(equivalent, 'yes') = 'yes'
),
best AS (
	SELECT DISTINCT
		session,
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
			PARTITION BY session ORDER BY throughput DESC, least, most DESC
			ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING
		)
),
rated AS (
	SELECT
		able.*,
		able.most >= best.least AND able.least <= best.most AS tied,
		coalesce(able.throughput < best.base, 0) AS slower,
		CASE WHEN best.fastest > best.slowest
			THEN (able.throughput - best.slowest)
				/ (best.fastest - best.slowest)
			ELSE 1.0 END AS score
	FROM able JOIN best USING (session)
)
SELECT
	trial,
	tied,
	score,
	row_number() OVER (
		PARTITION BY session
		ORDER BY
			tied DESC,
			slower,
			CASE WHEN tied THEN cost END NULLS LAST,
			CASE WHEN tied THEN prep_s END NULLS LAST,
			throughput DESC, strategy, threads, cache
	) AS rank
FROM rated;

-- After how many epochs preparation and epochs together have taken no longer
-- than those of `unprocessed` loaded in the same way; no row if they never do.
-- The first epoch is a cold one, or the one that fills a cache.
CREATE VIEW v_payback AS
WITH timed AS (
	SELECT
		*,
		samples / throughput AS epoch_s,
		samples / CASE cache WHEN 'none' THEN throughput
			ELSE coalesce(first_samples_per_s, throughput) END AS first_s
	FROM v_figure
	WHERE throughput > 0
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
