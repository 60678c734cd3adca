# The first is as large as all others together, behind the end of its picture.
cp -r "$SMALL_PHOTOS" photos
first=$(find photos -name '*.jpg' | sort | head -n 1)
head -c 5000000 /dev/urandom >>"$first"
presto profile --set measure.min_run_time=0 --runs 1 --cache none --split raw --store tar,files --codec none,zstd:1 \
    photos/photos.conf >/dev/null 2>&1
python3 -c '
import sqlite3
for label, ratio in sqlite3.connect("presto.db").execute(
        "SELECT label, predicted_storage_bytes / storage_bytes"
        " FROM strategy JOIN preparation ON preparation.strategy = strategy.id"
        " ORDER BY strategy.id"):
    print(label, "as predicted" if 0.97 < ratio < 1.03 else ratio)
'
