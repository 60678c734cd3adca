-- trust.sql - columns and tables of version 4 of the database, which show whether
-- a figure can be trusted.  NULL is not known, as in sessions of older versions.

ALTER TABLE session ADD COLUMN emulated_open REAL NOT NULL DEFAULT 0;
-- '' or the kind of virtual machine that it was: "cold" is then cold for it,
-- and not for its host.
ALTER TABLE session ADD COLUMN virtual TEXT NOT NULL DEFAULT '';
-- Files of the samples taken, and of all; NULL: not known.
ALTER TABLE session ADD COLUMN source_bytes INTEGER;
ALTER TABLE session ADD COLUMN total_bytes INTEGER;
ALTER TABLE session ADD COLUMN budget_ns INTEGER; -- of --budget; NULL: none

-- Of the time of preparation: wall time of the threads in each part, summed,
-- so that each part's share of wall_ns is its share of the sum.
ALTER TABLE preparation ADD COLUMN read_ns INTEGER;
ALTER TABLE preparation ADD COLUMN compute_ns INTEGER;
ALTER TABLE preparation ADD COLUMN compress_ns INTEGER;
ALTER TABLE preparation ADD COLUMN write_ns INTEGER;
ALTER TABLE preparation ADD COLUMN sync_ns INTEGER;

ALTER TABLE trial ADD COLUMN evidence TEXT;  -- of the bottleneck: "71 %"
ALTER TABLE trial ADD COLUMN peak_rss_bytes INTEGER; -- with this trial alone
-- Why there are no more runs: 'precise', 'budget' or 'runs'.
ALTER TABLE trial ADD COLUMN ended TEXT;

-- Where the run stands in the session, and what else went on meanwhile.
ALTER TABLE run ADD COLUMN started_ns INTEGER;  -- since the session began
ALTER TABLE run ADD COLUMN others_ns INTEGER;   -- CPU time of other programs
ALTER TABLE run ADD COLUMN stolen_ns INTEGER;   -- taken by the host
ALTER TABLE run ADD COLUMN waited_ns INTEGER;   -- cores that waited for I/O

ALTER TABLE step ADD COLUMN calls INTEGER;
ALTER TABLE step ADD COLUMN bytes_in INTEGER;
ALTER TABLE step ADD COLUMN bytes_out INTEGER;

-- The traced pass by what the threads did, summed over them.
CREATE TABLE phase (
	trial INTEGER NOT NULL REFERENCES trial ON DELETE CASCADE,
	phase TEXT NOT NULL CHECK (phase IN ('open', 'read', 'decompress',
		'parse', 'steps', 'batch', 'wait')),
	wall_ns INTEGER NOT NULL,
	cpu_ns INTEGER NOT NULL,
	calls INTEGER NOT NULL,
	bytes INTEGER NOT NULL,
	PRIMARY KEY (trial, phase)
) STRICT, WITHOUT ROWID;

-- The differential check: an epoch that only reads, one that decodes what was
-- read (decompresses and parses), and one that does everything.
CREATE TABLE level (
	trial INTEGER NOT NULL REFERENCES trial ON DELETE CASCADE,
	level TEXT NOT NULL CHECK (level IN ('read', 'decode', 'all')),
	wall_ns INTEGER NOT NULL,
	cpu_ns INTEGER NOT NULL,
	samples INTEGER NOT NULL,
	bytes INTEGER NOT NULL,      -- asked of the medium
	PRIMARY KEY (trial, level)
) STRICT, WITHOUT ROWID;

-- What the user was told, in this order.
CREATE TABLE warning (
	id INTEGER PRIMARY KEY,
	session INTEGER NOT NULL REFERENCES session ON DELETE CASCADE,
	text TEXT NOT NULL
) STRICT;

CREATE INDEX warning_session ON warning (session);

-- The machine while it ran; rates are over the time since the row before.
CREATE TABLE system_sample (
	id INTEGER PRIMARY KEY,
	session INTEGER NOT NULL REFERENCES session ON DELETE CASCADE,
	activity TEXT NOT NULL,      -- 'prepare', 'run', ...
	label TEXT NOT NULL,         -- of the strategy; '' between
	threads INTEGER,             -- of the trial; NULL: none
	cache TEXT,
	run INTEGER,
	at_ns INTEGER NOT NULL,      -- since the session began
	interval_ns INTEGER NOT NULL,
	cpu_user_percent REAL,       -- 100: all cores that this process may use
	cpu_system_percent REAL,
	cpu_idle_percent REAL,
	cpu_wait_percent REAL,
	cpu_stolen_percent REAL,
	disk_read_bytes_per_s REAL,
	disk_write_bytes_per_s REAL,
	network_read_bytes_per_s REAL,
	network_write_bytes_per_s REAL,
	memory_free_bytes INTEGER,
	memory_cached_bytes INTEGER,
	memory_used_bytes INTEGER,
	major_faults_per_s REAL,
	minor_faults_per_s REAL,
	context_switches_per_s REAL,
	interrupts_per_s REAL,
	pressure_cpu_percent REAL,   -- PSI: some task waited, of the time
	pressure_io_percent REAL,
	pressure_memory_percent REAL
) STRICT;

CREATE INDEX system_sample_session ON system_sample (session);

-- What a storage can do (`presto probe`), measured once a device and day.
CREATE TABLE ceiling (
	device TEXT NOT NULL,        -- "ext4 on /dev/vda"
	day TEXT NOT NULL,           -- ISO 8601, UTC
	pattern TEXT NOT NULL CHECK (pattern IN ('sequential', 'files')),
	threads INTEGER NOT NULL,
	bytes_per_s REAL NOT NULL,
	requests_per_s REAL NOT NULL, -- of 4 KiB, or files opened and read
	latency_ns REAL NOT NULL,    -- mean, of a read of 1 MiB or of a file
	files INTEGER NOT NULL,      -- that each thread read
	file_bytes INTEGER NOT NULL, -- of each
	tool TEXT NOT NULL,          -- 'fio 3.33' or 'presto'
	measured TEXT NOT NULL,      -- ISO 8601, UTC
	resident_percent REAL,       -- just before; NULL: could not be seen
	cold INTEGER NOT NULL CHECK (cold IN (0, 1)),
	brief INTEGER NOT NULL CHECK (brief IN (0, 1)), -- read little
	PRIMARY KEY (device, day, pattern, threads)
) STRICT, WITHOUT ROWID;
