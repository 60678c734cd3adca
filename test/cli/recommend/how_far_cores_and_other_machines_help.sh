presto profile --set measure.min_run_time=0 --samples 16 --runs 1 --cache system --codec none --store tar \
    --split resized "$SMALL_PHOTOS/photos.conf" >/dev/null 2>&1
printf '%s\n' '[remote]' 'cores = 8' 'count = 3' '[network]' 'bandwidth = 1GB/s' '[accelerator]' 'rate = 1e9' >more.conf
printf '%s\n' '[remote]' 'rate = 100' '[accelerator]' 'rate = 1' >less.conf
presto recommend | grep -o '^  allocation   .* at most\|^  threads  .* reach that' | sed 's|threads  .*|threads       N reach that|; s/ [0-9]* cores* gives* / /'
presto recommend --cores 999 | grep -o '^  allocation   999 cores give at most\|on other cores'
presto recommend --offload less.conf | grep '  offload' | sed 's/  [a-z/]*:/  STRATEGY:/' | sort -u
presto recommend --offload less.conf | grep '^    network'
presto recommend --offload more.conf | grep '^    after' | grep -o 'centered: .* of the work'  | sed 's/[0-9]* %/N %/'
presto recommend --offload more.conf --format json | python3 -c '
import json, sys
r = json.load(sys.stdin)
a, o = r["allocation"], r["offload"]
print(sorted(a), sorted(a["group_cores"]), a["limit"])
print(sorted(o), sorted(o["points"][0]))
assert abs(sum(a["group_cores"].values()) - a["cores"]) < 1e-6
assert a["gain_one_more_core"] > 0 and 0 < a["reached"] < 1.5'
