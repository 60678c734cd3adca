# Step times differ from run to run: a session that goes on chooses its orders by those that it began with.
cat >photos.conf <<'C'
[dataset]
source = folder
path = .
match = *.jpg
label = directory
[pipeline]
decoded = jpeg_decode
small = resize size=40 fixed=yes
cropped = random_crop size=32
centered = center
[strategies]
store = tar
codec = none
[load]
threads = 1
cache = system
[measure]
samples = 6
runs = 1
min_run_time = 0
probe = no
C
ln -s "$SMALL_PHOTOS"/*/ .
measure() {
	presto profile photos.conf --order all --search all "$@" >/dev/null 2>log || cat log
	presto report --csv | cut -d, -f4 | grep -c '^o1:' || true
}
measure
sqlite3 presto.db "select order_costs from session" >began
wc -w <began
sqlite3 presto.db "pragma foreign_keys = on; update session set state = 'interrupted'; delete from strategy"
measure --resume
sqlite3 presto.db "select order_costs from session" | cmp began - && echo "the same costs"
# Costs that cannot be read are measured again.
sqlite3 presto.db "pragma foreign_keys = on; update session set state = 'interrupted', order_costs = 'damaged'; delete from strategy"
measure --resume
sqlite3 presto.db "select count(*) from session"
