"""
invariants.py - what must hold whatever is killed or fails.

Each takes a case (scenarios.py) and yields a sentence for each violation.
"""
import re

from faults.world import tree

DOCUMENTED = (0, 1, 2, 3)  # presto(1), EXIT STATUS
# What presto makes and removes again, whatever it is named.
# The journal of a database is part of it until the next run takes it in.
OUR_LEFTOVERS = re.compile(r"\.tmp|presto-(sync|probe|work)")


def ends_in_order(case):
    """No crash, no hang, no other status than the documented ones."""
    outcome = case.outcome
    if case.point.kills and outcome.was_killed:
        return
    if outcome.status is None:
        yield "it hangs"
    elif outcome.status not in DOCUMENTED:
        yield f"it ended with status {outcome.status}: {outcome.err[-300:]}"


def sanitizers_are_silent(case):
    for outcome in (case.outcome, case.again):
        if outcome and re.search("Sanitizer|runtime error:", outcome.err):
            yield "a sanitizer reports: " + outcome.err[-1500:]


def says_why(case):
    """A failure ends with a message in words."""
    outcome = case.outcome
    if outcome.status in (None, 0) or outcome.was_killed:
        return
    if outcome.status > 0 and \
            not re.search(r"[a-z]{2,} [a-z]{2,}", outcome.last_words):
        yield f"status {outcome.status} without a message: {outcome.err!r}"


def names_a_file(case):
    """The message of a failed system call says where it happened."""
    outcome, point = case.outcome, case.point
    if point.kind in ("malloc", "mmap", "thread", "stat", "lock"):
        return
    names = [re.escape(word) for word in outcome.args if word[0] != "-"]
    if outcome.status == 1 and outcome.hits and not re.search(
            r"[a-z]/|[a-z]\.[a-z]| \.:|the output|\b(" + "|".join(names) +
            r")\b", outcome.messages):
        yield "no message names a file: " + outcome.messages


def database_is_sound(case):
    """In every state in which a program may find it."""
    for database in (case.database, case.database_again):
        if database and database.sound not in (None, "ok"):
            yield "the database is damaged: " + database.sound


def finished_runs_stay(case):
    if not case.database or not case.database_again:
        return
    lost = set(case.database.runs) - set(case.database_again.runs)
    if lost:
        yield f"{len(lost)} finished runs are lost: {sorted(lost)[:2]}"


def rerun_succeeds(case):
    again = case.again
    if again.status != 0:
        yield (f"the next run ended with status {again.status}: "
               f"{again.err[-400:]}")


def result_is_the_same(case):
    """After the next run all files are as if nothing had happened."""
    yield from differences("after the next run", case.scenario.reference,
                           case.files_again, case.scenario.varying)


def refuses_or_is_whole(case):
    """The next run does it all, or says what stands in its way."""
    if case.again.status == 0:
        yield from result_is_the_same(case)
    elif case.again.status not in DOCUMENTED or not case.again.last_words:
        yield f"the next run ended with status {case.again.status}"
    elif case.files_again != case.files:
        yield "the next run refused, and changed something"


def success_is_whole(case):
    """Who ends with 0 has done it all."""
    if case.outcome.status == 0:
        yield from differences("after success", case.scenario.reference,
                               case.files, case.scenario.varying)


def complete_folder_is_whole(case):
    """
    A folder that says that it is complete is, or has not been touched yet;
    and files have their names when they are complete.
    """
    expected, before = case.scenario.reference, case.scenario.before
    is_complete = "out/presto.manifest" in case.files and \
        "out/presto.partial" not in case.files
    for path, what in case.files.items():
        if path in expected and what not in (expected[path],
                                             before.get(path)):
            yield f"{path} is not what was written before, nor the new one"
    missing = sorted(set(expected) - set(case.files))
    if is_complete and missing:
        yield f"the folder is complete, but {missing[0]} is missing"


def session_is_complete(case):
    """The same strategies are done as without the disturbance."""
    trials = case.database_again.newest()
    if case.point.kills or case.outcome.status != 0:
        if trials != case.scenario.trials:
            yield (f"the session has {trials}, and should have "
                   f"{case.scenario.trials}")
    states = [state for _, state in case.database_again.sessions]
    if states and states[-1] != "done":
        yield f"the session is {states[-1]}"


def nothing_is_left(case):
    """No temporary file, work folder or probe, when presto ended by itself."""
    outcome, point = case.outcome, case.point
    if outcome.was_killed or outcome.status is None:
        return
    # Where the removal itself fails, the next run has to do it.
    if point.kind in ("unlink", "list", "open", "stat", "malloc", "lock") or \
            (point.stays and point.kind != "room"):
        return
    left = [path for path in case.files if OUR_LEFTOVERS.search(path) and
            path not in case.scenario.before]
    if left:
        yield f"left behind: {', '.join(sorted(left)[:4])}"


def users_files_are_untouched(case):
    world = case.world
    yield from differences("the dataset", world.data_tree, tree(world.data),
                           ())
    for path, what in case.scenario.users.items():
        for files in (case.files, case.files_again):
            if files is not None and files.get(path) != what:
                yield f"the user's {path} is not what it was"
                return


def differences(when, expected, found, varying):
    for path in sorted(set(expected) | set(found)):
        if path not in found:
            yield f"{when}: {path} is missing"
        elif path not in expected:
            yield f"{when}: {path} should not be there"
        elif found[path] != expected[path] and path not in varying:
            yield f"{when}: {path} differs"


OF_ALL = (ends_in_order, sanitizers_are_silent, says_why, names_a_file,
          nothing_is_left, users_files_are_untouched)
OF_RERUN = (rerun_succeeds, result_is_the_same)
OF_FOLDERS = OF_ALL + OF_RERUN + (success_is_whole, complete_folder_is_whole)
OF_SESSIONS = OF_ALL + OF_RERUN + (
    database_is_sound, finished_runs_stay, session_is_complete)
