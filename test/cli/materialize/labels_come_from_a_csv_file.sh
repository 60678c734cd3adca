# A table beside the files, with rows in another order and one too many.
mkdir sounds
for word in one two three; do
	printf '%s' "$word" >"sounds/$word.bin"
done
cat >sounds/labels.csv <<'C'
name,speaker
two,"Smith, Ann"
four,Bob
one.bin,Bob
"three","Smith, Ann"
C
cat >labels.conf <<'C'
[dataset]
source = folder
path   = sounds
labels = sounds/labels.csv
label_key = name
label_column = speaker

[pipeline]
same = identity
C
presto materialize labels.conf --strategy raw/tar/none --out data 2>&1 >/dev/null |
    grep warning
for word in one two three; do
	echo "$word $(tar -xOf data/shard-000000.tar $word.cls)"
done
# What was stored with other labels is not taken for what is wanted now.
sed -i 's/^"three.*/three,Bob/' sounds/labels.csv
presto materialize labels.conf --strategy raw/tar/none --out data 2>&1 |
    grep -v warning
sed -i '$d' sounds/labels.csv
presto show labels.conf 2>&1
