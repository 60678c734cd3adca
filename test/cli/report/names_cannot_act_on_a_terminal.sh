# Each text of a foreign database, names of files and options are full of what
# a terminal, a spreadsheet or a page would obey: no output has it as it is.
cp "$MEASURED" base.db
python3 - <<'END'
import csv, io, json, os, pty, re, shutil, sqlite3, subprocess
import xml.etree.ElementTree as xml

EVIL = b"\x1b]0;own\x07\x1b[31m\r\n=1+1|`x`<evil>&lt;\xe2\x80\xae\xc2\x9b2J\xe2\x80\xa8\x7f\xff"
COMMA = b"=HYPERLINK(\"http://x\",\"y\")" + EVIL

def spoil(path, change):
    shutil.copy("base.db", path)
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("PRAGMA ignore_check_constraints = ON")
    db.execute("PRAGMA foreign_keys = OFF")
    tables = [name for name, in db.execute(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'")]
    for table in tables:
        for _, column, kind, *_ in db.execute(f"PRAGMA table_info({table})").fetchall():
            if kind == "TEXT":
                change(db, table, column)
    db.close()

def everything(db, table, column):
    db.execute(f"UPDATE {table} SET {column} = CAST(? || CAST({column} AS BLOB) || ? AS TEXT)", (COMMA, EVIL))

KEPT = {"state", "cache", "equivalent", "started", "ended", "text", "file_text", "file_folder",
        "section", "key", "value", "fingerprint"}

def names(db, table, column):
    if column not in KEPT:
        everything(db, table, column)
    if (table, column) == ("trial", "state"):
        db.execute("UPDATE trial SET state = 'failed' WHERE id = (SELECT max(id) FROM trial)")

spoil("names.db", names)
spoil("all.db", everything)

bad = 0

def wrong(what, why):
    global bad
    bad += 1
    print(f"{what}: {why}")

ACTS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")

def harmless(what, data, lines="\n\t"):
    try:
        text = data.decode()
    except UnicodeDecodeError as e:
        return wrong(what, f"no UTF-8: {e}")
    found = ACTS.search(text)
    if found:
        wrong(what, f"{text[max(0, found.start() - 40):found.end() + 20]!r}")
    if "<evil>" in text and what.rsplit(" ", 1)[-1] in ("html", "junit", "x.svg"):
        wrong(what, "markup")

def run(*args, shown=None, **more):
    what = shown or "presto " + " ".join(args)
    done = subprocess.run(["presto", *args], capture_output=True, stdin=subprocess.DEVNULL, **more)
    if done.returncode not in (0, 1, 2, 3, 4):
        wrong(what, f"exit {done.returncode}")
    harmless(what, done.stdout)
    harmless(what + " (stderr)", done.stderr)
    return what, done.stdout

def check_csv(what, out):
    rows = list(csv.reader(io.StringIO(out.decode(), newline="")))
    for row in rows:
        if len(row) != len(rows[0]):
            wrong(what, f"{len(row)} columns of {len(rows[0])}")
        for cell in row:
            if cell[:1] in ("=", "+", "-", "@", "\t", "\r", "\n"):
                try:
                    float(cell)
                except ValueError:
                    wrong(what, f"a formula: {cell[:40]!r}")

def check_markdown(what, out):
    bars = [len(re.findall(r"(?<!\\)\|", line)) for line in out.decode().split("\n") if line.startswith("|")]
    if len(set(bars)) > 2: # two tables at most
        wrong(what, f"rows of {set(bars)} bars")

CHECKS = {
    "csv": check_csv,
    "json": lambda what, out: json.loads(out or b"null"),
    "junit": lambda what, out: xml.fromstring(out) if out else None,
    "markdown": check_markdown,
}
count = 0
for db, command, formats in (
        ("names.db", ["report"], "json html"),
        ("names.db", ["report", "--warnings"], "markdown"),
        ("all.db", ["report"], "csv"),
        ("names.db", ["report", "--what", "runs"], "csv"),
        ("all.db", ["report", "--form", "bmf"], "json"),
        ("names.db", ["recommend"], "csv json markdown html"),
        ("names.db", ["compare", "base.db"], "text csv json markdown junit"),
        ("all.db", ["compare", "names.db"], "junit")):
    for form in formats.split():
        operands = [db] if command[0] == "compare" else ["--db", db]
        what, out = run(*command, *operands, "--format", form)
        try:
            CHECKS.get(form, lambda what, out: None)(what, out)
        except (ValueError, xml.ParseError) as e:
            wrong(what, e)
        count += 1
run("report", "--db", "names.db", "--chart", "storage", "--plot", "x.svg")
data = open("x.svg", "rb").read()
harmless("x.svg", data)
xml.fromstring(data)
run("materialize", "--db", "all.db", "--dry-run")
shutil.copy("names.db", "resumed.db")
run("profile", "--db", "resumed.db", "--resume", "--dry-run")
count += 3
print(f"{count} outputs of foreign databases")

# What the recommendation prints to be run is that, and no more.
evil = "a\x1b[2J'\n`touch ran`$(touch ran)\u202e.db"
shutil.copy("base.db", evil)
json_of = json.loads(run("recommend", "--db", evil, "--format", "json", shown="recommend of a file")[1])
command = json_of["recommendation"]["command"].replace("presto ", "printf '%s\\0' ", 1)
harmless("command", command.encode())
words = subprocess.run(["bash", "-c", command], capture_output=True).stdout.split(b"\0")
print("the command names the database:", evil.encode() in words, "and ran:", os.path.exists("ran"))

# Files, options, the environment; a report of another program.
name = os.fsdecode(EVIL.replace(b"/", b"").replace(b"\n", b""))
os.mkdir(name)
shutil.copy(os.path.join(os.environ["PHOTOS"], "photos.conf"), name + ".conf")
with open(name + ".csv", "wb") as out:
    out.write(b"strategy,split," + EVIL.replace(b"\n", b"") + b"\nx\n")
env = dict(os.environ, PRESTO_DB=name + ".db")
count = 0
for args in (["show", name + ".conf"], ["show", name], ["list", name], [name], ["help", name],
        ["report", "--session", name], ["report", "--what", name], ["recommend", "--from", name + ".csv"],
        ["recommend", "--weights", name], ["recommend", "--accelerators", name], ["probe", name + "x"],
        ["recommend", "--readable-by", name], ["compare", name, name], ["completions", name],
        ["report", "--" + name], ["profile", name + ".conf", "--set", "measure." + name + "=1"],
        ["profile", name + ".conf", "--split", name], ["profile", name + ".conf", "--store", name],
        ["snippet", name, "--for", name], ["generate", name, "--out", name], ["materialize", name + ".conf"],
        ["generate", "tensors", "--out", "made", "--set", "dtype=" + name]):
    run(*args, shown="presto " + ascii(" ".join(args)), env=env)
    count += 1
print(f"{count} outputs of names")

# On a terminal: own escapes are those of the line of progress.
def on_terminal(*args):
    pid, fd = pty.fork()
    if pid == 0:
        os.environ["COLUMNS"] = "100"
        os.execvp("presto", ["presto", *args])
    data = b""
    while True:
        try:
            got = os.read(fd, 65536)
        except OSError:
            got = b""
        if not got:
            break
        data += got
    os.waitpid(pid, 0)
    data = data.replace(b"\r\n", b"\n").replace(b"\r\x1b[K", b"")
    harmless("terminal: presto " + ascii(" ".join(args)), data)
    return data.decode(errors="replace")

on_terminal("report", "--db", "names.db")
on_terminal("report", "--db", "all.db")
on_terminal("recommend", "--db", "names.db")
on_terminal("report", "--what", "runs", "--db", "names.db")

# A dataset of such names, from the file to the program that reads it.
photos = os.environ["PHOTOS"]
picture = next(os.path.join(root, file) for root, _, files in os.walk(photos) for file in files if file.endswith(".jpg"))
for label in "a", name:
    os.makedirs(os.path.join("evil", label))
    shutil.copy(picture, os.path.join("evil", label, name + ".jpg"))
with open(os.path.join("evil", "a", name + "2.jpg"), "wb") as out:
    out.write(b"none")
with open("evil.conf", "w") as out:
    out.write("[dataset]\nsource = folder\npath = evil\nlabel = directory\non_error = skip\n"
              "[pipeline]\ndecoded = jpeg_decode\nresized = resize size=8x8\n"
              "[strategies]\nstore = tar\ncodec = none\nsplit = resized\n[load]\ncache = system\n"
              "[measure]\nruns = 1\nmin_run_time = 0\nprobe = no\n")
on_terminal("show", "evil.conf")
text = on_terminal("profile", "evil.conf", "--name", name, "--db", "evil.db", "--skipped", "skipped.txt")
print("the skipped sample is named:", "premature" in text or "skipped" in text)
on_terminal("report", "--db", "evil.db")
run("materialize", "evil.conf", "--strategy", "resized/tar/none", "--out", "stored", "--skipped", "skipped.txt")
for file in "skipped.txt", "stored/README.md", "stored/dataset.json":
    harmless(file, open(file, "rb").read())
json.load(open("stored/dataset.json"))
os.rename("stored", name + "stored")
on_terminal("show", name + "stored")
what, program = run("snippet", name + "stored", "--for", "webdataset", shown="snippet")
scope = {}
exec(next(line for line in program.decode().split("\n") if line.startswith("FOLDER")), scope)
print("the program finds its folder:", os.path.isdir(scope["FOLDER"]))
print("terminals:", "harmless" if not bad else "not")
print("bad:", bad)
END
