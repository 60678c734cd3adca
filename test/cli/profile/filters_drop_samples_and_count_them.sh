# 20 pages, 13 of label 0, and 12 of 1000 bytes or more.
for i in $(seq -w 0 19); do
	label=$([ "$((10#$i))" -lt 13 ] && echo a || echo b)
	mkdir -p "pages/$label"
	words=$([ "$((10#$i % 5))" -lt 3 ] && echo 300 || echo 60)
	printf '<html><body><p>page %s %s</p></body></html>\n' "$((10#$i))" \
	    "$(yes word | head -n "$words" | tr '\n' ' ')" >"pages/$label/$i.html"
done
cat >keep.py <<'PY'
def is_even(text: str) -> bool:
    return int(text.split("page ")[1].split()[0]) % 2 == 0


class Above:
    def __init__(self, least="0"):
        self.least = int(least)

    def __call__(self, page):
        return page.size > self.least


def wrong(page):
    return b"yes"
PY
conf() { # STEPS
	cat >pages.conf <<CONF
[dataset]
source = folder
path = pages
match = **/*.html
label = directory
[pipeline]
$1
[strategies]
split = all
store = tar, npy
[measure]
samples = 100
runs = 1
min_run_time = 0
probe = no
[load]
threads = 2
cache = none, application
CONF
}
columns() {
	presto report --csv | python3 -c '
import csv, sys
for row in csv.DictReader(sys.stdin):
    print(*(row[c] for c in ("strategy", "cache", "status", "samples", "filtered", "equivalent")))' | sort -u
}
for filter in 'filter by=length min=1000' 'filter by=label max=0' 'filter by=key fraction=0.5' \
    'filter_python keep.py:is_even' 'filter_python keep.py:Above least=1000'; do
	echo "$filter"
	conf "kept = $filter
text = html_text"
	rm -f presto.db
	presto profile --search all pages.conf >/dev/null 2>log || cat log
	grep -o 'filters dropped.*' log
	columns
done
# Behind another step, two of them, and a pipeline that keeps nothing.
conf "text = html_text
longer = filter by=length min=1000
kept = filter by=label min=1"
rm -f presto.db
presto profile --search all --cache system pages.conf >/dev/null 2>log || cat log
grep -o 'filters dropped.*' log
columns
presto show pages.conf | grep '^filter:'
conf "kept = filter_python keep.py:wrong"
presto profile pages.conf 2>&1 >/dev/null | grep -o 'step filter_python.*' | head -1
conf "kept = filter by=size min=9MB
text = html_text"
presto show pages.conf 2>&1 >/dev/null
