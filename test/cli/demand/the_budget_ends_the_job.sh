presto demand --budget 2s --samples 1000 --write a.conf -- sleep 1000 2>err
sed -nE 's/^presto: the job was ended after [0-9.]+ m?s, its --budget$/ended/p' err
# Nothing was read, so it may have waited all the time.
grep -o 'at most unknown' err
grep -o '# from the outside: at least' a.conf
