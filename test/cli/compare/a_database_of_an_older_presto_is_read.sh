# Version 1: nothing is known of other programs, the files, or the host.
schema=$here/../../lib/db/schema.sql
fill() { # FILE WALL_NS
	sqlite3 "$1" ".read $schema" 'PRAGMA application_id = 0x70726573' 'PRAGMA user_version = 1' \
	    "INSERT INTO session VALUES (1, 'old', 'old.conf', '[pipeline]
decoded = jpeg_decode
', 'f00d', 'photos', 'work', 8, 8, 8, 1, 64, 0, 0, 0, 'A CPU', 2, 4000000000, 0, 'Linux', 'gcc', 'zstd', 'ext4 on /dev/sda',
	    'ext4 on /dev/sda', '0.0.1', '2026-01-01T00:00:00Z', '2026-01-01T00:01:00Z', 'done')" \
	    "INSERT INTO strategy VALUES (1, 1, 'unprocessed', '', 'unprocessed', '', '', 0, 1, NULL, NULL)" \
	    "INSERT INTO preparation VALUES (1, 0, 0, 0, 1000, 8, 0, 'yes')" \
	    "INSERT INTO trial VALUES (1, 1, 2, 'none', 'done', '', '', NULL)" \
	    "WITH RECURSIVE r (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 8)
	    INSERT INTO run SELECT 1, 0, n, 1, $2 + 100000 * (4 * n % 9), 1000, 8, 0, 1000000, 0, 1000, NULL, 0, 1000 FROM r"
}
fill base.db 10000000 >/dev/null
fill new.db 15000000 >/dev/null
presto compare base.db base.db
presto compare base.db new.db 2>/dev/null || echo "exit $?"
