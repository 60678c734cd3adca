presto generate photos --count 12 --seed 9 --threads 1 --out a >/dev/null
presto generate photos --count 12 --seed 9 --threads 3 --out b >/dev/null
presto generate photos --count 12 --seed 10 --out c >/dev/null
diff -r a b && echo same
diff -rq a c >/dev/null || echo different
