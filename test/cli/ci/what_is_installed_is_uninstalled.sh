# The program, library, manual, gate and completions, and nothing left of them.
root=$(realpath "$(dirname "$0")/../../..")
build=$(dirname "$(realpath "$(command -v presto)")")
into() {
	make -s -C "$root" BUILD="$build" -o "$build/presto" -o "$build/libpresto.so.1" \
	    DESTDIR="$PWD/there" PREFIX=/usr "$@" >log 2>&1 || cat log
}
into install
cd there/usr || exit 1
for file in bin/presto bin/presto-ci-gate share/presto/ci.conf share/man/man1/presto.1 \
    share/bash-completion/completions/presto share/fish/vendor_completions.d/presto.fish \
    share/zsh/site-functions/_presto include/presto.h lib/libpresto.so.1 \
    lib/pkgconfig/presto.pc share/man/man3/libpresto.3; do
	[ -s $file ] && echo "$file $(stat -c %a $file)"
done
readlink lib/libpresto.so
sed -n 's/^prefix=//p' lib/pkgconfig/presto.pc
cmp share/zsh/site-functions/_presto <(presto completions zsh)
cd ../.. || exit 1
into uninstall
find there ! -type d
