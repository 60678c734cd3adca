# What all hosts read together is said, unless their caches have all data.
sqlite3 "$MEASURED" ".backup a.db"
together() { # BYTES: of each of four hosts, in one second
	sqlite3 a.db "delete from host_run;
	    insert into host_run select trial.id, 4, 1, 1, rank.value, 'a', 20,
	        1000000000, $1 from trial,
	        json_each('[0, 1, 2, 3]') as rank"
	presto recommend --db a.db | grep together || echo "nothing"
}
together 5000000
together 0
