# A forecast where nothing was measured; the figures of a session where one was.
figures() { sed 's/[0-9][0-9.e+]*/N/g; s/N [kMGT]*B/N B/g; s/N \(hours\|minutes\|seconds\|min\|ms\|s\|h\|days\)\b/N T/g'; }
cp -r "$SMALL_PHOTOS" data
cd data
presto plan-scale photos.conf --strategy resized/tar/none --full-samples 5e9 \
    --machines 100 --network 1.25GB/s --requests 5500 | figures
echo "-- measured"
presto plan-scale "$SMALL_PHOTOS/photos.conf" --db "$MEASURED" --full-samples 5e9 \
    --machines 100 --csv | cut -d, -f1-6
presto plan-scale photos.conf --strategy none/tar/none 2>&1 || echo "status $?"
presto plan-scale photos.conf --csv --json 2>&1 || echo "status $?"
