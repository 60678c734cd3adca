# The loader of a training program is measured beside the strategies: on the
# same samples, with what it prints kept apart, and never as an answer.
mkdir own
cat >own/my.py <<'END'
import os
import time

print("noise of the import")


class Loader:
    def __init__(self, path, batch_size, num_workers):
        self.files = [
            os.path.join(folder, name)
            for folder, _, names in sorted(os.walk(path))
            for name in sorted(names)
            if name.endswith(".jpg")
        ]
        self.size = batch_size
        open("workers", "a").write(f"{num_workers}\n")

    def __iter__(self):
        print("noise of an epoch")
        for at in range(0, len(self.files), self.size):
            batch = []
            for name in self.files[at : at + self.size]:
                with open(name, "rb") as file:
                    batch.append(file.read())
            time.sleep(0.2)
            yield batch


def make_loader(path, batch_size, num_workers=0):
    return Loader(path, batch_size, num_workers)


def every_epoch_anew():
    for _ in range(3):
        time.sleep(0.2)
        yield {"x": [1, 2], "y": [3, 4]}
END
quick="--samples 24 --runs 2 --split decoded --store tar --codec none --set measure.min_run_time=0"
presto profile $quick --threads 1,2 --cache none,system --loader own/my.py:make_loader \
	"$SMALL_PHOTOS/photos.conf" >out 2>log
grep -c noise out log || true
sort -u workers
presto report --csv | python3 -c '
import csv, sys
for row in csv.DictReader(sys.stdin):
    if row["strategy"] != "yours":
        continue
    names = "strategy split threads cache status samples runs equivalent rank storage_bytes bottleneck".split()
    print([row[name] for name in names])
    rate, cpu = float(row["throughput_samples_per_s"]), float(row["cpu_us_per_sample"])
    print(0 < rate < 120, cpu > 0, float(row["peak_rss_bytes"]) > 1e6)
'
presto recommend --format json >json || [ $? = 4 ]
python3 -c '
import json
all = json.load(open("json"))
r = all["recommendation"]
print(r["strategy"] != "yours", r["speedup_over_yours"] > 1, "times yours" in r["reason"])
print({row["unranked"] for row in all["ranking"] if row["strategy"] == "yours"})
'
grep -o 'times yours' out | head -1
presto report --html page.html && grep -c 'as fast as your loader' page.html
presto recommend --from <(presto report --csv) >from || [ $? = 4 ]
grep -o 'times yours' from | head -1
presto compare presto.db presto.db >compared || [ $? = 4 ]
grep -c '^ *yours' compared

echo "a generator is called for each epoch; other samples are noted"
presto profile $quick --cache system --loader own/my.py:every_epoch_anew --db gen.db \
	"$SMALL_PHOTOS/photos.conf" 2>&1 >/dev/null | grep -o 'my.py:every.*takes 24'
presto report --db gen.db --csv | grep ,yours, | cut -d, -f4,10-12,14,15

echo "without a file it is remembered; a forecast says that it knows nothing"
cd own
presto profile --resume --dry-run --db ../gen.db 2>&1 | grep -E '^yours' | tr -s ' '
