# A few of the runs of test/far/soak_http.py: the right bytes, or words.
root=$(realpath "$(dirname "$0")/../../..")
printf '[dataset]\nsource = folder\npath = %s\nmatch = *.jpg\n[pipeline]\ndecoded = jpeg_decode\n' \
    "$SMALL_PHOTOS" >raw.conf
presto materialize raw.conf --strategy raw/tar/none --shuffle no --shards 2 --out packed >/dev/null
python3 "$root/test/far/soak_http.py" presto packed --runs 6 --seed 2 | sed 's/: .*, 0 wrong/: fine/'
