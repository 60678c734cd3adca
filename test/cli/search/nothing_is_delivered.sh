# Behind a filter that keeps nothing there is no rate, no bound, and no cache mode to assume.
cat >photos.conf <<CONF
[dataset]
source = folder
path = $SMALL_PHOTOS
match = **/*.jpg
[pipeline]
kept = filter by=size min=9MB
decoded = jpeg_decode
[strategies]
split = all
store = tar
codec = none
[measure]
samples = 6
runs = 1
min_run_time = 0
probe = no
[load]
threads = 1
cache = none, system
CONF
presto profile --search auto photos.conf >table 2>log || tail -n 1 log
cat table log | grep -cE '1e\+15|cache ,' || true
sqlite3 presto.db 'select count(*) from trial where bound_samples_per_s > 1e12 or predicted_samples_per_s = 1'
