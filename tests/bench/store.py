"""Size of the history database, and how `life` and `report` take to many drives in it.

A year of 1,000 drives is 8.76 million samples and takes about an hour to fill; `--full` does it. Else a year of a few
drives is measured, and one and two days of all of them: as many bytes for each sample more of the last as for each
of the first means that the size grows with the samples alone.
"""

import json
import resource
import statistics
import subprocess

from verdict import verdict

DRIVES, FEW, HOURS, YEAR, REPORT_HOURS = 1000, 10, 48, 8760, 48
KEEP_DAYS = 90  # the usual retention
BOUNDS = {"facts": 120, "raw": 150}
LIFE_BOUND, LINEAR_BOUND = 1.3, 1.1
LIFE_ROUNDS, REPORT_ROUNDS = 41, 5


def fill(bench, database, drives, hours, *options):
    """Fill a new database; the sizes that bench_store tells."""
    command = (bench, "--db", database, "--drives", drives, "--hours", hours, *options)
    return json.loads(subprocess.run([str(word) for word in command], check=True, stdout=subprocess.PIPE).stdout)


def year(bench, folder, drives, what, *options):
    run = fill(bench, folder / f"{what}-year.db", drives, YEAR, "--keep-days", KEEP_DAYS, *options)
    good = True
    for state, when in ("filled", ""), ("thinned", ", thinned"):
        samples = run[state]["samples"]
        for part, bound in BOUNDS.items():
            good &= verdict(f"bytes a sample, {what}: {part}{when}", run[state][part + "_bytes"] / samples, bound,
                            f"{samples:,} samples, {drives:,} drives")
    speed = run["filled"]["samples"] / run["cpu_seconds"]
    print(f"{'':9} decoded and stored at {speed:,.0f} samples a second of CPU time")
    return good


def growth(bench, folder, what, *options):
    """What each sample more costs with all drives in the database."""
    few = fill(bench, folder / f"{what}-half.db", DRIVES, HOURS // 2, *options)["filled"]
    many = fill(bench, folder / f"{what}.db", DRIVES, HOURS, *options)["filled"]
    more = many["samples"] - few["samples"]
    return all([verdict(f"bytes a sample more, {what}: {part}", (many[part + "_bytes"] - few[part + "_bytes"]) / more,
                        bound, f"{few['samples']:,} to {many['samples']:,} samples, {DRIVES:,} drives")
                for part, bound in BOUNDS.items()])


def seconds(*command):
    """CPU time of a command: other work on the machine does not count."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([str(word) for word in command], check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def life(binary, bench, folder):
    """One drive's life among all the others, and alone with the same history."""
    fill(bench, folder / "one.db", 1, HOURS)
    among, alone = [], []
    for _ in range(LIFE_ROUNDS):
        for database, times in (folder / "records.db", among), (folder / "one.db", alone):
            times.append(seconds(binary, "life", "FLEET000000", "--db", database, "--json"))
    among, alone = statistics.median(among), statistics.median(alone)
    return verdict(f"life, {DRIVES:,} drives / 1", among / alone, LIFE_BOUND,
                   f"{among * 1000:.1f} ms against {alone * 1000:.1f} ms, medians of {LIFE_ROUNDS}")


def report(binary, bench, folder):
    counts, times = (100, 200, 400), []
    for drives in counts:
        fill(bench, folder / f"report-{drives}.db", drives, REPORT_HOURS)
        times.append(statistics.median(seconds(binary, "report", "--db", folder / f"report-{drives}.db", "--json")
                                       for _ in range(REPORT_ROUNDS)))
    detail = ", ".join(f"{t * 1000:.0f} ms of {n}" for t, n in zip(times, counts))
    return all([verdict("report, 200 drives / 2 x 100", times[1] / times[0] / 2, LINEAR_BOUND, detail),
                verdict("report, 400 drives / 2 x 200", times[2] / times[1] / 2, LINEAR_BOUND, "")])


def run(binary, bench, folder, full):
    drives = DRIVES if full else FEW
    return [year(bench, folder, drives, "records"), year(bench, folder, drives, "dumps", "--dumps"),
            growth(bench, folder, "records"), growth(bench, folder, "dumps", "--dumps"),
            life(binary, bench, folder), report(binary, bench, folder)]
