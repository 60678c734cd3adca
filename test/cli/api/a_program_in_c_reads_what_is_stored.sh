# The example in C, built against what is installed: by pkg-config, in C and in
# C++.  The samples and the sum are those that the .npy files have.
root=$(realpath "$(dirname "$0")/../../..")
build=$(dirname "$(realpath "$(command -v presto)")")
make -s -C "$root" BUILD="$build" -o "$build/libpresto.so.1" PREFIX="$PWD/there" \
    install-library >log 2>&1 || cat log
export PKG_CONFIG_PATH=$PWD/there/lib/pkgconfig LD_LIBRARY_PATH=$PWD/there/lib
pkg-config --modversion presto
# shellcheck disable=SC2046 # a list of words
cc -std=c17 -Wall -Wextra -Wpedantic -Werror "$root/examples/read.c" -o read \
    $(pkg-config --cflags --libs presto)
printf '#include <presto.h>\n' >header.c
for language in 'c -std=c17' 'c++ -std=c++11'; do
	# shellcheck disable=SC2046,SC2086
	clang -x $language -Wall -Wextra -Wpedantic -Werror -fsyntax-only \
	    $(pkg-config --cflags presto) header.c && echo "presto.h is ${language% *}"
done
cat >small.conf <<C
[dataset]
source = folder
path = $SMALL_PHOTOS
match = **/*.jpg
[pipeline]
decoded = jpeg_decode
small = resize size=8x8
C
presto materialize small.conf --strategy small/npy/none --shards 2 --out small >/dev/null
presto materialize small.conf --strategy decoded/tar/none --out decoded >/dev/null
for file in small/shard-*[0-9].npy; do
	tail -c +129 "$file"
done | od -An -v -tu1 | awk '{ for (i = 1; i <= NF; i++) sum += $i }
    END { printf "24 samples, sum %d\n", sum }' >wanted
for what in small decoded small.conf; do
	./read $what | cmp - wanted && echo "$what: the same"
done
# The example of libpresto(3).
awk '/^\.Bd -literal/ { on = 1; next } /^\.Ed/ { on = 0 }
    on { gsub(/\\e/, "\\"); print }' "$root/man/libpresto.3" >sum.c
# shellcheck disable=SC2046
cc -std=c17 -Wall -Wextra -Werror sum.c -o sum $(pkg-config --cflags --libs presto)
ln -s small train
[ "$(./sum)" = "$(awk '{ print $4 }' wanted)" ] && echo "sum.c: the same"
status=0
./read nowhere.conf || status=$?
echo "status $status"
