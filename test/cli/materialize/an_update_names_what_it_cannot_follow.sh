# A changed pipeline, an argument of another folder, and files whose samples
# nobody knows are refused in words, and nothing is written.
. "$here/photos"
copy_photos data
write_photos_conf data 'decoded = jpeg_decode' 'small = resize size=16x16'
sed 's/16x16/24x24/' photos.conf >other.conf
try() {
	presto materialize "$@" 2>&1 || echo "status $?"
}
try photos.conf --out out --update
presto materialize photos.conf -s small/tar/none --shuffle 5 --out out >/dev/null
try other.conf --out out --update
try photos.conf --out out --update --strategy small/npy/none
try photos.conf --out out --update --shuffle 6
try photos.conf --out out --update --part 0/2
try --out out --update
rm "$(find data -name '*.jpg' | sort | head -1)"
presto materialize photos.conf --out out --update >/dev/null
try photos.conf -s small/tar/none --shuffle 5 --out out
try photos.conf --out again -s small/tar/none --at 1
presto show out --at 9 2>&1 || echo "status $?"
echo "-- archives"
mkdir tars
(cd data && tar cf ../tars/a.tar $(find . -name '*.jpg' | sort | head -4))
(cd data && tar cf ../more.tar $(find . -name '*.jpg' | sort | tail -4))
sed 's/source = .*/source = tar/; s/path = .*/path = tars/; /match/d' photos.conf >tars.conf
presto materialize tars.conf -s small/tar/none --shuffle no --out packed >/dev/null
cp more.tar tars/b.tar
presto materialize tars.conf --out packed --update |
    sed 's/\(shards*\) in [0-9.]* [a-z]*,/\1 in T,/'
cp more.tar tars/a.tar
try tars.conf --out packed --update
rm tars/a.tar
try tars.conf --out packed --update
echo "-- windows"
presto generate speech --count 2 --out speech >/dev/null 2>&1
cat >speech.conf <<'C'
[dataset]
source = folder
path = speech
match = *.flac

[pipeline]
decoded = audio_decode dtype=int16 channels=1
cut = window length=100 hop=1000000000
C
presto materialize speech.conf -s cut/tar/none --shuffle no --out windows >/dev/null
rm speech/rec_000000.flac
try speech.conf --out windows --update
