# SQL clients read the figures that profile stored; a change of what was measured makes them out of date.
cp "$MEASURED" presto.db
same_as_csv() {
    presto report --csv >printed.csv
    sqlite3 -csv -header presto.db 'select * from v_report' | python3 -c '
import csv, sys
def near(a, b):
    try:
        return a == b or abs(float(a) - float(b)) <= 1e-5 * abs(float(a))
    except ValueError:
        return False
stored, printed = list(csv.reader(sys.stdin)), list(csv.reader(open("printed.csv")))
print(len(stored), stored[0] == printed[0], all(near(a, b) for s, p in zip(stored, printed) for a, b in zip(s, p)))'
}
same_as_csv
cp presto.db before.db
sqlite3 presto.db 'update run set wall_ns = 2 * wall_ns'
cp presto.db changed.db
same_as_csv
presto report --csv >changed.csv
cmp presto.db changed.db && echo "a report leaves the file alone"
presto report --rebuild --csv 2>&1 >rebuilt.csv
cmp changed.csv rebuilt.csv && echo "the same figures"
same_as_csv
# A database of an older presto, without later columns, is brought up to date.
sqlite3 presto.db "select 'drop view ' || name || ';' from sqlite_schema where type = 'view'" >views.sql
sqlite3 presto.db <views.sql
for name in preparation trial run step phase strategy host_run; do
    for event in INSERT UPDATE DELETE; do sqlite3 presto.db "drop trigger derived_${name}_$event"; done
done
sqlite3 presto.db 'drop trigger derived_session_UPDATE'
sqlite3 presto.db 'drop table derivation; drop table seen_rate; drop table figure; drop table run_figure; drop table ranking;
    alter table trial drop column cold; alter table preparation drop column verified;
    alter table run drop column early_bytes; alter table run drop column early_ns;
    alter table session drop column code; alter table session drop column emulated_stream;
    alter table session drop column emulated_opens; alter table run drop column filtered;
    alter table preparation drop column filtered; alter table preparation drop column difference_largest;
    alter table preparation drop column difference_mean; alter table preparation drop column psnr_db;
    drop table trace_event; drop table host_run; alter table session drop column cache_budget;
    alter table session drop column order_costs;
    pragma user_version = 15'
known() { # the columns that an older presto had measured: all up to prep_cpu_s but cold and verified
	python3 -c 'import csv, sys
for row in csv.reader(sys.stdin): print(row[:59] + row[60:61] + row[62:63])'
}
known <changed.csv >changed.known
presto report --csv | known | cmp - changed.known && sqlite3 presto.db 'pragma user_version'
presto report --rebuild --csv 2>/dev/null | known | cmp - changed.known && sqlite3 presto.db 'pragma user_version'
same_as_csv
presto report --rebuild --db none.db 2>&1 || echo "status $?"
[ ! -e none.db ]
