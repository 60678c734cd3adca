# [decision] of a session is what recommend goes by, unless options say otherwise; then it warns.
presto profile --search auto --samples 8 --runs 1 --set measure.min_run_time=0 --cache none --codec none --store tar \
	--set storage.bandwidth=2MB/s --max-storage 1GB --set dataset.full_samples=8 "$PHOTOS/photos.conf" >table 2>log || cat log
presto recommend --format json | python3 -c 'import json, sys; print(json.load(sys.stdin)["searched"]["for_this_request"])'
presto recommend --max-storage 1GB --format json | python3 -c 'import json, sys; print(json.load(sys.stdin)["searched"]["for_this_request"])'
presto recommend --objective time --epochs 5 | grep -c "the search was for another objective"
presto profile --search random --samples 8 --runs 1 --set measure.min_run_time=0 --cache none --codec none --store tar,tfrecord \
	--set storage.bandwidth=20MB/s "$PHOTOS/photos.conf" >table 2>log || cat log
presto report --csv | cut -d, -f4,13 | tail -n +2 | cut -d, -f2 | sort | uniq -c | sed 's/^ *//'
