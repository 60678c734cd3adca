# The example makes a library with its Makefile and presto.h alone; its steps
# run offline and online.  Made for another version, it is refused in words.
root=$(realpath "$(dirname "$0")/../../..")
cp -r "$root/examples/step" step
cp "$root/api/presto.h" .
unset MAKEFLAGS # of a make that runs the tests
build=(make -s -C step CPPFLAGS=-I"$PWD")
"${build[@]}"
write() { # FILE STEP
	cat >"$1" <<C
[dataset]
source = folder
path = $SMALL_PHOTOS
match = *.jpg
label = none

[pipeline]
decoded = jpeg_decode
own = $2
cropped = center_crop size=32

[strategies]
split = all
store = tar
codec = none

[measure]
min_run_time = 0
samples = 6
runs = 1
epochs = 1
probe = no
C
}
measure() { # FILE
	rm -f presto.db
	presto profile --cache system --threads 2 "$1" >/dev/null
	sqlite3 presto.db "SELECT label, state, equivalent FROM strategy JOIN trial
	    ON trial.strategy = strategy.id LEFT JOIN preparation
	    ON preparation.strategy = strategy.id ORDER BY label"
}
write invert.conf 'library ./step/libinvert.so:invert top=255'
presto show invert.conf | grep -E '^ *own '
measure invert.conf
sqlite3 presto.db "SELECT code FROM session" | sed 's/[0-9a-f]\{16\}/HASH/'
# Once more gives the pixels of before.
write twice.conf 'library ./step/libinvert.so:invert'
sed -i '/^own/a again = library ./step/libinvert.so:invert top=255' twice.conf
sed '/^own/d' invert.conf >none.conf
for name in twice none; do
	presto materialize "$name.conf" --strategy cropped/npy/none --out "$name" >/dev/null
done
cmp twice/shard-000000.npy none/shard-000000.npy && echo same
# What draws stays online.
write noise.conf 'library ./step/libinvert.so:noise strength=9'
measure noise.conf
for step in 'library ./step/libinvert.so:invret' 'library ./step/libinvert.so:invert tpo=1' \
    'library ./step/libinvert.so:invert top=256' 'library ./step/libinvert.so' \
    'library ./nope.so:invert'; do
	write bad.conf "$step"
	presto show bad.conf 2>&1 | sed "s,$PWD,HERE,g"
done
sed -i 's/^#define PRESTO_STEP_ABI .*/#define PRESTO_STEP_ABI 7/' presto.h
"${build[@]}" -B
presto show invert.conf 2>&1 | sed 's/([0-9]* bytes)/(N bytes)/g'
sed -i 's/presto_steps_v1/presto_steps_v7/' presto.h step/invert.c
"${build[@]}" -B
presto show invert.conf 2>&1 || true
sed -i 's/presto_steps_v7/my_steps/' presto.h step/invert.c
"${build[@]}" -B
presto show invert.conf 2>&1 || true
