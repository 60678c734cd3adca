# No other name is to be seen, and each has a version.
root=$(realpath "$(dirname "$0")/../../..")
library=$(dirname "$(realpath "$(command -v presto)")")/libpresto.so
sed -E 's,/\*([^*]|\*[^/])*\*/,,g' "$root/api/presto.h" | tr '\n' ' ' |
    sed -E 's,/\*([^*]|\*[^/])*\*/,,g' | grep -oE '\bpresto_[a-z_]+\(' | tr -d '(' |
    sort -u >declared
nm -D --defined-only "$library" | awk '$2 != "A" { print $2, $3 }' | sort >shown
sed 's/.*/T &@@PRESTO_1/' declared | sort | diff - shown && echo 'shown: what is declared'
[ "$(wc -l <declared)" -gt 20 ] && echo 'declared: more than 20 functions'
objdump -p "$library" | awk '$1 == "SONAME" { print $2 }'
