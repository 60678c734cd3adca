presto materialize "$SMALL_PHOTOS/photos.conf" -s raw/tar/none --set dataset.label=directory -o first >/dev/null 2>&1
cat >again.conf <<'END'
[dataset]
source = presto
path = first
[pipeline]
same = identity
END
presto materialize again.conf -s raw/files/none -o second >/dev/null 2>&1
presto show first | grep '^classes'
presto show second | grep '^classes'
