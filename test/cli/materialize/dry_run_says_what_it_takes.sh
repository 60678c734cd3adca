# The shards, their size, the time and what the order costs; nothing is written.
presto materialize "$SMALL_PHOTOS/photos.conf" -s resized/tar -n --shards 4 |
    sed -E 's/about [0-9.]+ [a-zA-Z]+/about N/g; s/[0-9]+ thread.*/N threads/; s/about (as long as|N longer than)/HOW/; s/\([^)]*\)/(N)/'
presto materialize "$SMALL_PHOTOS/photos.conf" -s resized/tar -n --shuffle no -o out |
    sed -n '1p; $p'
ls
