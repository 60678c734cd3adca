# What a function returns says what is stored: an array, a text, or an image
# with its channels in front.
mkdir texts images
for word in one two three; do
	echo "$word is $word" >texts/$word.txt
done
python3 - <<'P'
import numpy as np
for i in range(3):
    np.save(f"images/{i}.npy", np.full((6 + i, 8, 3), i, np.uint8))
P
cat >own.py <<'P'
import numpy as np


def upper(text: str):
    return text.upper()


class Lengths:
    def __init__(self, most):
        self.most = int(most)

    def __call__(self, text: bytes):
        return np.array([len(w) for w in text.split()][:self.most], np.int32)


def codes(x):
    return x[:4]


def planar(x):
    return (x / np.float32(255)).transpose(2, 0, 1)


def turned(x):
    return x[::-1]
P
make_conf() { # FOLDER PATTERN
	printf '[dataset]\nsource = folder\npath = %s\nmatch = %s\nlabel = none\n[pipeline]\n' "$1" "$2"
}
{
	make_conf texts '*.txt'
	echo 'upper = python own.py:upper'
	echo 'lengths = python own.py:Lengths most=2'
} >texts.conf
{
	make_conf texts '*.txt'
	echo 'codes = python own.py:codes'
} >codes.conf
{
	make_conf images '*.npy'
	echo 'turned = python own.py:turned gives=uint8:?x8x3'
	echo 'planar = python own.py:planar'
	echo 'half = to_half'
} >images.conf
for conf in texts codes images; do
	presto show $conf.conf | grep -E '^ +(upper|lengths|codes|turned|planar|half) ' | tr -s ' ' | cut -d ' ' -f 2,5-6
done
presto materialize texts.conf -s upper/files/none -o upper >/dev/null 2>&1
cat upper/*.txt upper/*/*.txt 2>/dev/null | sort
presto materialize texts.conf -s lengths/files/none -o lengths >/dev/null 2>&1
python3 - <<'P'
import glob
import numpy as np
for path in sorted(glob.glob("lengths/**/*.npy", recursive=True)):
    print(np.load(path))
P
