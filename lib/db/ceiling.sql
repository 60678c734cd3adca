-- The rates that a storage was seen to give (lib/measure/storage/ceiling.h): of probes,
-- and of trials that read faster than those.  A boot of a machine is named by
-- the kernel's boot_id: a device has the same name on each node of a cluster.
CREATE TEMP TABLE old_ceiling AS SELECT * FROM ceiling;
DROP TABLE ceiling;
CREATE TABLE ceiling (
	device TEXT NOT NULL,        -- "ext4 on /dev/vda"
	boot TEXT NOT NULL,          -- '': not known
	day TEXT NOT NULL,           -- ISO 8601, UTC
	pattern TEXT NOT NULL CHECK (pattern IN ('sequential', 'files')),
	threads INTEGER NOT NULL,
	origin TEXT NOT NULL CHECK (origin IN ('probe', 'trial')),
	brief INTEGER NOT NULL CHECK (brief IN (0, 1)), -- read little
	bytes_per_s REAL NOT NULL,   -- the most that was seen
	requests_per_s REAL NOT NULL, -- of 4 KiB, or files opened and read
	latency_ns REAL,             -- mean, of a read of 1 MiB or of a file
	files INTEGER NOT NULL,      -- that each thread read
	file_bytes INTEGER NOT NULL, -- of each
	tool TEXT NOT NULL,          -- 'fio 3.33' or 'presto'
	measured TEXT NOT NULL,      -- ISO 8601, UTC
	resident_percent REAL,       -- just before; NULL: could not be seen
	cold INTEGER NOT NULL CHECK (cold IN (0, 1)),
	median_bytes_per_s REAL,     -- of the passes; NULL: not a probe
	low_bytes_per_s REAL,        -- their interval
	high_bytes_per_s REAL,
	passes INTEGER,
	PRIMARY KEY (device, boot, day, pattern, threads, origin, brief)
) STRICT, WITHOUT ROWID;
INSERT INTO ceiling (device, boot, day, pattern, threads, origin, brief,
	bytes_per_s, requests_per_s, latency_ns, files, file_bytes, tool,
	measured, resident_percent, cold)
SELECT device, '', day, pattern, threads, 'probe', brief, bytes_per_s,
	requests_per_s, latency_ns, files, file_bytes, tool, measured,
	resident_percent, cold
FROM old_ceiling;
DROP TABLE old_ceiling;
