# Paths are printed as they were given; with --private, no path, no name of a
# file, of the user or of the host goes into what can be sent around.
mkdir -p Telling_folder/marianne home
export HOME=$PWD/home USER=marianne_miller
cp -r "$SMALL_PHOTOS"/*/ Telling_folder/marianne
echo none >Telling_folder/marianne/John_Doe.jpg
printf '[dataset]\nsource = folder\npath = marianne\nmatch = *.jpg\nlabel = directory\non_error = skip\n
[pipeline]\ndecoded = jpeg_decode\nresized = resize size=8x8\n
[strategies]\nsplit = resized\nstore = tar\ncodec = none\n
[load]\ncache = system\n
[measure]\nsamples = 8\nruns = 2\nmin_run_time = 0\nprobe = no\n' >Telling_folder/p.conf
printf '[gpu]\ncount = 1\nhost = marianne_tower\nthroughput = 64:100\n' >accelerators.conf
here=$PWD
profile() { # DB FILE [OPTIONS]: what it printed for people is in DB.out
	presto profile --db "$@" >"$1.out" 2>"$1.err" || cat "$1.err"
	# No run is slower than another of its trial, so that the answer is sure.
	sqlite3 "$1" "UPDATE run SET wall_ns = 1000000 * samples * (1 + (trial = (SELECT min(trial) FROM run)))"
}
outputs() { # DB [OPTIONS]: every form of it, a file each
	mkdir "out.$1"
	for form in text csv json markdown html; do
		presto report --db "$@" --format $form -o "out.$1/report.$form"
		presto recommend --db "$@" --format $form -o "out.$1/recommend.$form" 2>/dev/null || [ $? = 4 ]
	done
	presto report --db "$@" --warnings -o "out.$1/warnings"
	presto report --db "$@" --plot "out.$1/plot.svg"
	presto report --db "$@" --what runs --format json -o "out.$1/runs"
	presto report --db "$@" --form bmf --format json -o "out.$1/bmf"
	shift_db=$1
	shift
	for form in text csv json markdown junit; do
		presto compare "$shift_db" "$shift_db" "$@" --format $form -o "out.$shift_db/compare.$form" 2>/dev/null || [ $? = 4 ]
	done
}
names() { # WORD... -- FILE...: which of them are in the files
	python3 - "$@" <<'END'
import sys
words, files = sys.argv[1:sys.argv.index("--")], sys.argv[sys.argv.index("--") + 1:]
for file in files:
    text = open(file).read().lower()
    for word in words:
        if word and word.lower() in text:
            at = text.index(word.lower())
            print(f"{file}: {word}: {text[max(0, at - 60):at + 60]!r}")
print(len(files) > 0 and "looked at", len(files))
END
}

echo "-- relative paths stay relative"
profile given.db Telling_folder/p.conf --work-dir Telling_folder
outputs given.db
names "$here" -- given.db.out given.db.err out.given.db/*
grep -c 'Telling_folder/marianne' out.given.db/report.text
presto recommend --from out.given.db/report.json | grep '^  next'
presto profile Telling_folder/p.conf --db given.db --work-dir Telling_folder --keep >/dev/null 2>keep.err
grep -o 'Telling_folder/presto-work-' keep.err | sort -u
names "$here" -- keep.err

echo "-- nothing private"
secrets=("$here" Telling marianne Miller "$HOME" John_Doe "$(uname -r)" /dev/)
[ ${#HOSTNAME} -lt 4 ] || secrets+=("$HOSTNAME")
cp given.db given2.db
outputs given2.db --private
names "${secrets[@]}" -- out.given2.db/*
profile "$here/full.db" "$here/Telling_folder/p.conf" --work-dir "$here/Telling_folder" --private
names "${secrets[@]}" -- full.db.out
outputs full.db --private
names "${secrets[@]}" -- out.full.db/*
presto report --db full.db --format json -o full.json
presto report --db full.db --format csv -o full.csv
presto recommend --from full.json --private >from.json.out 2>&1 || [ $? = 4 ]
presto recommend --from full.csv --private --warnings >from.csv.out 2>&1 || [ $? = 4 ]
presto recommend --from full.json --private --format json --accelerators accelerators.conf >accelerators.out 2>&1 || true
presto show "$here/Telling_folder/p.conf" --private >show.out
presto profile "$here/Telling_folder/p.conf" --dry-run --private >dry.out 2>/dev/null
presto materialize "$here/Telling_folder/p.conf" --strategy resized/tar/none --out "$here/Telling_folder/stored" >/dev/null 2>&1
presto show "$here/Telling_folder/stored" --private >stored.out
names "${secrets[@]}" -- from.*.out accelerators.out show.out dry.out stored.out

echo "-- what stays"
python3 - <<'END'
import json
report = json.load(open("out.full.db/report.json"))
machine, session = report["machine"], report["session"]
print("machine:", bool(machine["cpu"]), machine["cores"] > 0, machine["memory_bytes"] > 0, machine["kernel"], " on " not in machine["work_fs"])
print("session:", session["path"], session["dataset"], session["work_dir"], session["pipeline"])
print("\n".join(line for line in session["text"].split("\n") if line.startswith(("path", "match", "resized", "store"))))
print([w for w in report["warnings"] if "skipped" in w])
END
grep '^  next' out.full.db/recommend.text
