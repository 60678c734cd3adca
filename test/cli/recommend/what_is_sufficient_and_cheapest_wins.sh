# Accelerators take so much: the paper's CV strategies, and VirtualFlow's hosts.
cat >cv.csv <<'END'
session,pipeline,strategy,split,store,codec,threads,cache,status,samples,runs,throughput_samples_per_s,prep_s,storage_bytes
1,cv,unprocessed,unprocessed,,,8,none,done,1281167,5,107,0,146900000000
1,cv,raw/tfrecord/none,raw,tfrecord,none,8,none,done,1281167,5,962.1,9432,146952000000
1,cv,decoded/tfrecord/none,decoded,tfrecord,none,8,none,done,1281167,5,746.8,11988,842482000000
1,cv,resized/tfrecord/none,resized,tfrecord,none,8,none,done,1281167,5,1789.7,12204,347297000000
END
hosts() { # BATCH OF_V100
	cat <<END
[job]
batch = $1
allreduce = 1.061s
allreduce_host = 500ms

[V100]
count = 2
host = a
memory = 16GB
throughput = 64:$2, 1024:$2

[P100]
count = 2
host = b
throughput = 64:66, 256:66
END
}
hosts 2048 900 >some.conf
presto recommend --from cv.csv --accelerators some.conf
hosts 1024 60 >few.conf
presto recommend --from cv.csv --accelerators few.conf | grep 'recommended\|do nothing\|verdict'
presto recommend --from cv.csv --accelerators some.conf --format json | python3 -c '
import json, sys
r = json.load(sys.stdin)
a = r["accelerators"]
print(sorted(a), sorted(a["shares"][0]), sorted(a["left_out"][0]), sorted(a["hosts"][0]))
print([(x["strategy"], x["sufficient"], round(x["covers"], 2)) for x in r["ranking"]])
print(r["allocation"])'
presto recommend --from cv.csv --accelerators some.conf --format csv | cut -d, -f1,28,29
