# Each outcome of a trial as a test case; the XML is read by another program.
cp "$MEASURED" base.db
sqlite3 base.db "UPDATE run SET wall_ns = 100000000 + 1000000 * (run * (2 + (SELECT strategy FROM trial WHERE id = run.trial)) % 7), user_ns = 90000000, system_ns = 0, others_ns = 0, stolen_ns = 0, reference_ns = NULL;
    UPDATE session SET pipeline = 'a<b> & \"c\"'"
show() { # BASE NEW [OPTIONS]
	status=0
	presto compare "$@" --format junit -o out.xml 2>/dev/null || status=$?
	echo "exit $status"
	python3 - <<'END'
import xml.etree.ElementTree as tree
root = tree.parse("out.xml").getroot()
suites = list(root)
print(root.tag, [s.tag for s in suites], suites[0].get("name"))
for key in ("tests", "failures", "errors", "skipped"):
    assert root.get(key) == suites[0].get(key)
cases = list(root.iter("testcase"))
found = {k: sum(c.find(k) is not None for c in cases) for k in ("failure", "skipped")}
assert [root.get(k) for k in ("tests", "failures", "skipped")] == [str(n) for n in (len(cases), found["failure"], found["skipped"])]
assert root.get("errors") == "0"
times = [float(c.get("time")) for c in cases]
assert abs(sum(times) - float(root.get("time"))) < 0.01 * len(times)
for c in cases:
    told = [f"{e.tag} {e.get('type')}: {e.get('message')}" for e in c]
    assert all(e.text == e.get("message") for e in c if e.tag == "failure")
    print(c.get("classname"), "|", c.get("name"), "|", *told)
END
}
. "$here/turns"
of() { # LABEL: its trials
	echo "trial = (SELECT trial.id FROM trial JOIN strategy ON strategy.id = strategy WHERE label = '$1')"
}
show base.db base.db
cp base.db new.db
sqlite3 new.db "UPDATE run SET wall_ns = wall_ns * 2 WHERE $(of resized/tar/none);
    DELETE FROM run WHERE run > 3 AND $(of raw/tar/none)"
show base.db new.db
echo "-- failed with words that are no markup; and not measured"
cp base.db new.db
sqlite3 new.db "DELETE FROM run WHERE $(of raw/tar/none);
    UPDATE trial SET state = 'failed', message = '<img.jpg>: \"cut\" & ' || char(1) WHERE id = (SELECT trial.id FROM trial JOIN strategy ON strategy.id = strategy WHERE label = 'raw/tar/none');
    DELETE FROM trial WHERE id = (SELECT trial.id FROM trial JOIN strategy ON strategy.id = strategy WHERE label = 'resized/tar/none')"
show base.db new.db
echo "-- all together"
turns turns.db base.db 0
turns slow.db base.db 1
# Each trial is slower in another turn, and the mean in all of them.
sqlite3 slow.db "UPDATE run SET wall_ns = CAST(wall_ns * (1.09 + 0.04 * ((trial % 100 + trial / 100) % 3 - 1) + 0.001 * (trial / 100)) AS INTEGER) WHERE trial > 100"
show turns.db:2-6 slow.db:2-6
echo "-- cut short"
cp base.db new.db
sqlite3 new.db "UPDATE session SET state = 'interrupted'"
show base.db new.db
presto compare new.db base.db --format junit --form bmf 2>&1 || echo "exit $?"
