/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <string.h>

#include "base/suggest.h"
#include "cli/command.h"

#define LINES(...) ((const char *const[]){ __VA_ARGS__, NULL })

#define GROUPS_DRIVES \
	(GROUP_READ | GROUP_DUMP | GROUP_HISTORY | GROUP_JUDGE | GROUP_RULES | GROUP_OUTPUT)
#define FORMATS_ALL_HAVE (FORMAT_BIT(FORMAT_TEXT) | FORMAT_BIT(FORMAT_JSON))

const struct command commands[] = {
	{
		.name = "list",
		.summary = "every SSD found: size, life left, end date, health, temperature",
		.usage = LINES("[DRIVE...]", "--from FILE..."),
		.about = "One line a drive; the reason stands beside a verdict that is not OK. A "
			 "drive in standby is listed and not woken. A drive that vanished lately "
			 "is told of, and with --db every drive of that history that is not "
			 "there, as last seen.",
		.words = WORDS_DRIVES,
		.groups = GROUPS_DRIVES,
		.formats = FORMATS_ALL_HAVE | FORMAT_BIT(FORMAT_CSV),
		.run = cmd_list,
	},
	{
		.name = "show",
		.summary = "everything a drive reports, decoded, with the source of each number",
		.usage = LINES("DRIVE...", "--from FILE..."),
		.about = "Identity, canonical facts with all their sources, SMART attributes, "
			 "self-tests and every field of every log. JSON also holds reserved and "
			 "unknown bytes.",
		.words = WORDS_DRIVES,
		.groups = GROUPS_DRIVES,
		.formats = FORMATS_ALL_HAVE,
		.run = cmd_show,
	},
	{
		.name = "health",
		.summary = "verdict OK, WARNING, CRITICAL or UNKNOWN, with the reason for it",
		.usage = LINES("[DRIVE...]", "--from FILE..."),
		.about = "The worst finding decides; --verbose shows the evidence, remarks and "
			 "accepted findings too, --quiet only the drives that need attention. The "
			 "exit status is the verdict, for monitoring. Findings of change come from "
			 "the history; a drive that may not be opened or is in standby is judged "
			 "by its last record, whose age is told.",
		.words = WORDS_DRIVES,
		.groups = GROUPS_DRIVES,
		.formats = FORMATS_ALL_HAVE | FORMAT_BIT(FORMAT_NAGIOS) |
			   FORMAT_BIT(FORMAT_OPENMETRICS),
		.gives_verdict = true,
		.run = cmd_health,
	},
	{
		.name = "life",
		.summary = "how worn a drive is, why, and how long it lasts by each method",
		.usage = LINES("[DRIVE...]", "--from FILE...",
			       "--capacity SIZE --pe N --waf F --unevenness F [--daily SIZE]",
			       "--capacity SIZE --pe N --daily SIZE --years N"),
		.about = "Write amplification, wear unevenness, and the time left by each method "
			 "with what it rests on; the binding one is marked. Rates of late, dates "
			 "and their intervals come from the history where there is one. With --db "
			 "and no drive it answers for every drive of that history, with --at as "
			 "if the history ended there. With --capacity it answers the "
			 "wear equation without a drive: lifetime host writes = capacity x rated "
			 "P/E "
			 "cycles / (write amplification x wear unevenness).",
		.words = WORDS_DRIVES,
		.groups = GROUP_RATING | GROUP_EQUATION | GROUPS_DRIVES,
		.formats = FORMATS_ALL_HAVE | FORMAT_BIT(FORMAT_CSV) |
			   FORMAT_BIT(FORMAT_OPENMETRICS),
		.run = cmd_life,
	},
	{
		.name = "capture",
		.summary = "save all raw logs of a drive in one file that --from reads",
		.usage = LINES("DRIVE...", "--from FILE..."),
		.about = "What is read from the capture later is the same to the byte as what "
			 "would be "
			 "read from the drive now. With --redact the file can be given away.",
		.words = WORDS_DRIVES,
		.groups = GROUP_CAPTURE | GROUP_TARGET | GROUP_READ | GROUP_DUMP | GROUP_RULES |
			  GROUP_OUTPUT,
		.formats = FORMAT_BIT(FORMAT_JSON),
		.run = cmd_capture,
	},
	{
		.name = "record",
		.summary = "put a sample of each drive into the history",
		.usage = LINES("[DRIVE...]"),
		.about = "Meant for a timer, and cheap enough for every ten minutes. Drives in "
			 "standby are left asleep. The first run of a day thins out what is older "
			 "than nandlife.conf says. A corrupt database is moved aside.",
		.words = WORDS_DRIVES,
		.groups = GROUP_READ | GROUP_HISTORY | GROUP_RULES | GROUP_OUTPUT,
		.formats = FORMATS_ALL_HAVE,
		.run = cmd_record,
	},
	{
		.name = "import",
		.summary = "put captures and other tools' dumps into the history",
		.usage = LINES("FILE..."),
		.about =
			"Takes every kind of file that --from takes, of any length, and folders of "
			"them; - is standard input. The same dump twice is one sample. Its time is "
			"the dump's own, else that of the file's last change. What is good is "
			"taken, what is bad is named, and the exit code is then 65.",
		.words = WORDS_FILES,
		.groups = GROUP_IMPORT | GROUP_HISTORY | GROUP_RULES | GROUP_OUTPUT,
		.formats = FORMATS_ALL_HAVE,
		.run = cmd_import,
	},
	{
		.name = "history",
		.summary = "what a drive reported over time: table, CSV, JSON, curves",
		.usage = LINES("DRIVE [--since TIME] [--until TIME] [--show NAME,...] [--plot]", "",
			       "backup FILE", "export [DRIVE] [-o FILE]", "prune [--dry-run]",
			       "redecode"),
		.about = "DRIVE is a serial number, a by-id link or a device node. Without one, "
			 "lists the drives in the history. Events (resets, gaps, changes) stand "
			 "among the "
			 "samples. backup makes a consistent copy, export writes JSON Lines that "
			 "import takes back, prune thins out old samples as nandlife.conf says, "
			 "redecode makes all facts anew from the raw logs by today's drive rules.",
		.words = WORDS_CHOICE,
		.choices = LINES("backup", "export", "prune", "redecode"),
		.groups = GROUP_QUERY | GROUP_UPKEEP | GROUP_TARGET | GROUP_HISTORY | GROUP_RULES |
			  GROUP_OUTPUT,
		.formats = FORMATS_ALL_HAVE | FORMAT_BIT(FORMAT_CSV),
		.run = cmd_history,
	},
	{
		.name = "report",
		.summary = "who ends first, what to order and when: text, HTML with charts, mail",
		.usage = LINES("[DRIVE...]", "--from FILE...", "--html FILE",
			       "--mail | --mail-to ADDRESS"),
		.about = "Drives by the date at which they end, what they add up to, and a plan "
			 "of "
			 "replacements by quarter. Members of an array are spread. With --html one "
			 "self-contained page: charts of life left with its forecast, writes, "
			 "write "
			 "amplification, erase counts and temperature, and every number with its "
			 "source.",
		.words = WORDS_DRIVES,
		.groups = GROUP_PAGE | GROUP_REPORT | GROUPS_DRIVES,
		.formats = FORMATS_ALL_HAVE | FORMAT_BIT(FORMAT_CSV),
		.run = cmd_report,
	},
	{
		.name = "simulate",
		.summary = "model flash translation: write amplification, wear, life",
		.usage = LINES("[OPTION...]", "--analytic [OPTION...]",
			       "--summarise TRACE [OPTION...]",
			       "--sweep OPTION=VALUE,... [OPTION...]"),
		.about = "A drive of the size and spare given is filled, worn in until it is "
			 "steady, "
			 "and measured. CSV is the course of the write amplification over the run. "
			 "A "
			 "signal ends the run early, and what is known by then is shown.",
		.groups = GROUP_RATING | GROUP_MODEL | GROUP_SPARE | GROUP_WRITES | GROUP_FILL |
			  GROUP_WORKLOAD | GROUP_SIMULATION | GROUP_TIMING | GROUP_PAGE |
			  GROUP_OUTPUT,
		.formats = FORMATS_ALL_HAVE | FORMAT_BIT(FORMAT_CSV),
		.run = cmd_simulate,
	},
	{
		.name = "project",
		.summary = "fit the model of flash translation to a drive, and ask what if",
		.usage = LINES(
			"DRIVE... [--overprovision F] [--trim WHEN] [--fill F] [--writes xN]",
			"--from FILE... [OPTION...]"),
		.about = "What the drive recorded of write amplification, erase counts and space "
			 "in use allows only some drives of the model; they tell its spare, the "
			 "skew of its writes and more, each with an interval, or that the record "
			 "does not tell. Under the conditions asked for, the same drives give the "
			 "write amplification and the years left, beside today's forecast. Without "
			 "a history one reading answers: its average over the life.",
		.words = WORDS_DRIVES,
		.groups = GROUP_WHAT_IF | GROUP_SPARE | GROUP_WRITES | GROUP_FILL | GROUPS_DRIVES,
		.formats = FORMATS_ALL_HAVE | FORMAT_BIT(FORMAT_CSV),
		.run = cmd_project,
	},
	{
		.name = "db",
		.summary = "list, look up and check the drive rules",
		.usage = LINES("list", "show MODEL", "lint [FILE...]", "presets [NAME]"),
		.about = "Drive rules say what the attributes and logs of a family of drives mean, "
			 "what its makers rate it for and which firmware is dangerous. lint checks "
			 "the rules in use, with each FILE as an override of them. presets shows "
			 "the "
			 "drives that simulate knows by name, and where each value is known from.",
		.words = WORDS_CHOICE,
		.choices = LINES("list", "show", "lint", "presets"),
		.groups = GROUP_LOOKUP | GROUP_RULES | GROUP_OUTPUT,
		.formats = FORMATS_ALL_HAVE | FORMAT_BIT(FORMAT_CSV),
		.run = cmd_db,
	},
	{
		.name = "help",
		.summary = "explain a command",
		.usage = LINES("[COMMAND | limits | findings | metrics | exit-codes]"),
		.about = "Without a word, lists the commands.",
		.words = WORDS_TOPICS,
		.run = cmd_help,
	},
	{
		.name = "generate",
		.summary =
			"print what is made from the option rows: completions, parts of man pages",
		.usage = LINES("bash", "zsh", "fish", "man COMMAND", "commands", "exit-status",
			       "limits", "findings", "metrics"),
		.words = WORDS_CHOICE,
		.choices = LINES("bash", "zsh", "fish", "man", "commands", "exit-status", "limits",
				 "findings", "metrics"),
		.hidden = true,
		.run = cmd_generate,
	},
};
const size_t commands_n = ARRAY_SIZE(commands);

const struct command *command_by_name(const char *name)
{
	for (size_t i = 0; i < commands_n; i++)
		if (!strcmp(commands[i].name, name))
			return &commands[i];
	return NULL;
}

int command_unknown(const char *name, struct diag *d)
{
	struct suggestion s = { .word = name };

	for (size_t i = 0; i < commands_n; i++)
		if (!commands[i].hidden)
			suggestion_offer(&s, commands[i].name);
	if (s.best)
		return diag_fail(d, -EINVAL, "there is no command '%s'; did you mean %s?", name,
				 s.best);
	return diag_fail(d, -EINVAL, "there is no command '%s'; nandlife help lists them", name);
}
