# [decision] tolerance: lossy data with this PSNR is ranked like any other.
cat >grey.conf <<'C'
[dataset]
source = folder
path = .
match = *.jpg
[pipeline]
decoded = jpeg_decode
small = resize shorter=48
grey = grayscale
[strategies]
split = grey
order = o1
[load]
threads = 1
cache = system
[measure]
samples = 12
runs = 2
min_run_time = 0
probe = no
search = all
[decision]
tolerance = 40
C
ln -s "$SMALL_PHOTOS"/*/ .
presto profile grey.conf >/dev/null 2>&1
presto profile grey.conf --set decision.tolerance=90 >/dev/null 2>&1
for session in 1 2; do
	presto recommend --session $session --format json 2>/dev/null | python3 -c '
import json, sys
for r in sorted(json.load(sys.stdin)["ranking"], key=lambda r: r["strategy"]):
    print(r["strategy"], r["equivalent"], r["rank"] is not None, r["unranked"], (r["psnr_db"] or 99) < 90)'
done
# The same in the report, whose ranks are kept in the database.
presto report --session 1 --csv | cut -d, -f4,30,38 | sed 's/,[1-9][0-9]*$/,ranked/'
presto report --session 2 --csv | cut -d, -f4,30,38 | sed 's/,[1-9][0-9]*$/,ranked/'
