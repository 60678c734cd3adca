# Commands in warnings name the database and the session that they are about.
mkdir "it's here"
cp "$MEASURED" "it's here/a.db"
sqlite3 "it's here/a.db" "
    UPDATE session SET state = 'interrupted';
    UPDATE preparation SET equivalent = 'lossy' WHERE strategy = (SELECT id FROM strategy WHERE label = 'raw/tar/none')"
words() {
	presto recommend --db "it's here/a.db" | grep -oE "presto (recommend|report|profile) .*(--lossy|--resume[^;]*a.db')"
}
words
while read -r command; do
	case $command in
	*--lossy) bash -euc "$command" | grep -c 'raw/tar/none.*lossy' ;;
	*--resume*) bash -euc "$command --dry-run" | grep -c resized/tar/none ;;
	esac
done <<<"$(words)"
