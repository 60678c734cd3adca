# A file of many transactions, with values changed, removed and of any size, is
# read as liblmdb reads it, and nothing is made beside it.
if ! python3 -c 'import lmdb' 2>/dev/null; then
	echo "skip: no lmdb of Python here" >&2
	echo "the same"
	exit 0
fi
cat >make.py <<'END'
import random

import lmdb

random.seed(7)
env = lmdb.open("set", map_size=1 << 26)
for turn in range(12):
    with env.begin(write=True) as transaction:
        for _ in range(150):
            key = b"%s/%04d" % (random.choice([b"cat", b"dog"]), random.randrange(900))
            size = random.choice([0, 40, 1500, 4080, 4081, 30000])
            transaction.put(key, random.randbytes(random.randrange(size + 1)))
        for _ in range(30):
            transaction.delete(b"cat/%04d" % random.randrange(900))
env.close()
END
cat >compare.py <<'END'
import lmdb
import tarfile

read = {}
with tarfile.open("out/shard-000000.tar") as archive:
    for member in archive:
        key, ending = member.name.rsplit(".", 1)
        if ending != "cls":
            read[key.encode()] = archive.extractfile(member).read()
with lmdb.open("copy", readonly=True, lock=False).begin() as transaction:
    want = dict(transaction.cursor())
print("the same" if len(want) > 500 and read == want else f"{len(read)} of {len(want)}")
END
python3 make.py
rm set/lock.mdb
cp -r set copy
printf '[dataset]\nsource = lmdb\npath = set\nlabel = directory\n[pipeline]\nsame = identity\n' >it.conf
chmod a-w set
presto materialize it.conf --strategy raw/tar/none --shards 1 --out out >/dev/null
python3 compare.py
find set -mindepth 1 ! -name data.mdb
chmod u+w set
