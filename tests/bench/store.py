"""Size of the history database, and how `life` and `report` take to many drives in it.

A year of 1,000 drives is 8.76 million samples and takes about an hour to fill. So one week is measured, and half of it:
bytes a sample that do not rise from one to the other will not rise after them. `--full` fills the year.
"""

import json
import statistics
import subprocess
import time

from verdict import verdict

DRIVES, WEEK, YEAR, REPORT_HOURS = 1000, 168, 8760, 72
FACTS_BOUND, RAW_BOUND, GROWTH_BOUND, LIFE_BOUND, LINEAR_BOUND = 120, 150, 1.05, 1.3, 1.1
LIFE_ROUNDS, REPORT_ROUNDS = 41, 5


def fill(bench, database, drives, hours, *options):
    """Fill a new database; the sizes that bench_store tells."""
    days = max(1, round(hours / 24 * 90 / 365))  # at full resolution, as in a year with the usual retention
    command = (bench, "--db", database, "--drives", drives, "--hours", hours, "--keep-days", days, *options)
    return json.loads(subprocess.run([str(word) for word in command], check=True, stdout=subprocess.PIPE).stdout)


def bytes_a_sample(sizes, part):
    return sizes[part + "_bytes"] / sizes["samples"]


def size(bench, folder, full, what, *options):
    hours = YEAR if full else WEEK
    half = fill(bench, folder / f"{what}-half.db", DRIVES, hours // 2, *options)
    whole = fill(bench, folder / f"{what}.db", DRIVES, hours, *options)
    results = []
    for state, when in ("filled", ""), ("thinned", ", after retention"):
        for part, bound in ("facts", FACTS_BOUND), ("raw", RAW_BOUND):
            of_half, of_whole = (bytes_a_sample(run[state], part) for run in (half, whole))
            results.append(verdict(
                f"bytes a sample, {what}: {part}{when}", of_whole, bound,
                f"{whole[state]['samples']:,} samples; {of_half:.1f} of {half[state]['samples']:,}"))
            if state == "filled":
                results.append(verdict(f"  growth, {hours} against {hours // 2} hours", of_whole / of_half,
                                       GROWTH_BOUND, ""))
    print(f"{'':9} filled at {whole['filled']['samples'] / whole['cpu_seconds']:,.0f} samples a second of CPU time")
    return all(results)


def seconds(*command):
    start = time.monotonic()
    subprocess.run([str(word) for word in command], check=True, stdout=subprocess.DEVNULL)
    return time.monotonic() - start


def life(binary, bench, folder, full):
    """One drive's life among all the others, and alone with the same history."""
    fill(bench, folder / "one.db", 1, YEAR if full else WEEK)
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
    return [size(bench, folder, full, "records"), size(bench, folder, full, "dumps", "--dumps"),
            life(binary, bench, folder, full), report(binary, bench, folder)]
