# The script for bash, asked as bash asks; those of zsh and fish where they are.
for shell in bash zsh fish; do
	presto completions $shell >presto.$shell
	command -v $shell >/dev/null || continue
	$shell -n presto.$shell 2>&1 || echo "$shell: not understood"
done
mkdir data
touch data/a.conf data/a.csv "data/with blank.conf" "two words.db"
cat >try.bash <<'S'
. ./presto.bash
complete -p presto
while read -r line; do
	[ "$line" = "${line% _}" ] || line="${line%_}''"
	eval "COMP_WORDS=($line)"
	COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
	COMPREPLY=()
	_presto
	echo "$line: $(printf '%s\n' "${COMPREPLY[@]}" | sort | tr '\n' ';')"
done
S
bash try.bash <<'LINES'
presto rec
presto --ver
presto report --chart _
presto recommend --objective thr
presto recommend --format = js
presto recommend --format =
presto compare --form --format jun
presto profile --store tar,tf
presto profile --cache none,system,app
presto profile data/
presto profile --work-dir da
presto report --output tw
presto report -o tw
presto report --plo
presto list ste
presto help recom
presto generate pho
presto completions z
presto recommend --epochs _
presto nonsense --f
presto recommend --readable-by tensor
presto snippet data --for tens
presto profile --shuffle _
LINES
fish_says() {
	! command -v fish >/dev/null ||
		fish -c "source presto.fish; complete -C '$1'" | cut -f 1 | grep -qxF -- "$2" ||
		echo "fish: $1: no $2"
}
fish_says 'presto rec' recommend
fish_says 'presto recommend --obj' --objective
fish_says 'presto recommend --objective thr' throughput
fish_says 'presto profile --store tar,tf' tar,tfrecord
fish_says 'presto profile data/' data/a.conf
fish_says 'presto generate pho' photos
presto completions tcsh 2>&1 || echo "exit $?"
presto completions zhs 2>&1 || echo "exit $?"
presto completions 2>&1 || echo "exit $?"
