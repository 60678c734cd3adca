presto generate photos --count 12 --set width=200 --out small >/dev/null
presto profile --set measure.min_run_time=0 --samples 12 --runs 3 --split decoded --store files,tar,tfrecord \
    --codec jpeg,png,jpeg:50 --cache system small/photos.conf >/dev/null 2>log
presto report --csv | cut -d, -f4,8,12,14,30,31
presto recommend | grep -c 'lossy trials are left out'
presto recommend --lossy --top 99 >text || [ $? = 4 ]
grep -c '^ *=*[0-9][0-9]* .*jpeg' text
grep -c 'left out' text || true
presto report --what steps --csv | grep -o ',unpack,[^,]*' | sort -u
ls -A -I small
