/* SPDX-License-Identifier: MIT */
#include "cli/help.h"
#include "cli/wrap.h"

#include <string.h>

#include "base/text.h"

#define HELP_COLUMNS	 80  /* where the output is no terminal */
#define HELP_COLUMNS_MAX 100 /* longer lines read badly */
#define OPTION_COLUMN	 26  /* where the explanation of an option starts */

const struct group_row group_rows[] = {
	{ GROUP_RATING, "A drive that is not read" },
	{ GROUP_EQUATION, "The wear equation, without a drive" },
	{ GROUP_MODEL, "The flash translation layer" },
	{ GROUP_WHAT_IF, "What if, and what is" },
	{ GROUP_SPARE, "Overprovisioning" },
	{ GROUP_WRITES, "Writes" },
	{ GROUP_FILL, "Fill" },
	{ GROUP_WORKLOAD, "The workload" },
	{ GROUP_SIMULATION, "The run" },
	{ GROUP_TIMING, "The drive in time" },
	{ GROUP_CAPTURE, "The capture" },
	{ GROUP_IMPORT, "The dumps" },
	{ GROUP_QUERY, "What to show" },
	{ GROUP_UPKEEP, "Upkeep" },
	{ GROUP_TARGET, "Target" },
	{ GROUP_LOOKUP, "Look-up" },
	{ GROUP_PAGE, "A page" },
	{ GROUP_REPORT, "The report" },
	{ GROUP_READ, "Reading" },
	{ GROUP_DUMP, "Files instead of drives" },
	{ GROUP_HISTORY, "History" },
	{ GROUP_JUDGE, "Judging" },
	{ GROUP_RULES, "Drive rules" },
	{ GROUP_OUTPUT, "Output" },
	{ GROUP_GENERAL, "General" },
};
const size_t group_rows_n = ARRAY_SIZE(group_rows);

bool command_takes(const struct command *command, const struct option_row *row)
{
	return (command->groups | GROUP_GENERAL) & row->group;
}

static void add_formats(struct str *out, const struct command *command, const char *fallback)
{
	const char *before = ": ";

	for (unsigned i = 0; i < FORMAT_COUNT; i++) {
		if (!(command->formats & FORMAT_BIT(i)))
			continue;
		str_addf(out, "%s%s", before, format_word((enum format)i));
		if (!strcmp(format_word((enum format)i), fallback))
			str_add(out, " (the default)");
		before = ", ";
	}
}

void add_option_help(struct str *out, const struct option_row *row, const struct command *command)
{
	str_add(out, row->help);
	if (row->type == OPTION_FORMAT)
		add_formats(out, command, row->fallback);
	else if (row->fallback)
		str_addf(out, " (default %s)", row->fallback);
	if (option_is_list(row))
		str_add(out, "; may be repeated");
}

static size_t help_columns(const struct context *ctx)
{
	size_t columns = ctx->out.terminal.columns ? ctx->out.terminal.columns : HELP_COLUMNS;

	return columns < HELP_COLUMNS_MAX ? columns : HELP_COLUMNS_MAX;
}

void help_entry(struct context *ctx, const char *name, const char *text, size_t column)
{
	struct str *out = &ctx->out.text;
	size_t used = 2 + strlen(name);

	str_addf(out, "  %s", name);
	if (used + 2 > column) {
		str_add_char(out, '\n');
		used = 0;
	}
	str_add_repeat(out, ' ', column - used);
	add_wrapped(out, text, column, column, help_columns(ctx));
}

static void add_option(struct context *ctx, const struct command *command,
		       const struct option_row *row)
{
	CLEANUP(str_release) struct str name = { 0 }, text = { 0 };

	if (row->letter)
		str_addf(&name, "-%c, ", row->letter);
	str_addf(&name, "--%s", row->name);
	if (row->argument)
		str_addf(&name, " %s", row->argument);
	add_option_help(&text, row, command);
	str_take_error(&ctx->out.text, &name);
	str_take_error(&ctx->out.text, &text);
	help_entry(ctx, str_text(&name), str_text(&text), OPTION_COLUMN);
}

static void add_group(struct context *ctx, const struct command *command,
		      const struct group_row *group)
{
	bool any = false;

	for (size_t i = 0; i < option_rows_n; i++) {
		const struct option_row *row = &option_rows[i];

		if (row->group != group->group || !command_takes(command, row))
			continue;
		if (!any) {
			str_addf(&ctx->out.text, "\n%s\n", group->heading);
		}
		any = true;
		add_option(ctx, command, row);
	}
}

int help_command(struct context *ctx, const struct command *command)
{
	struct str *out = &ctx->out.text;
	const char *before = "Usage: ";

	str_addf(out, "nandlife %s: %s\n\n", command->name, command->summary);
	for (const char *const *line = command->usage; *line; line++) {
		str_addf(out, "%snandlife %s%s%s\n", before, command->name, **line ? " " : "",
			 *line);
		before = "       ";
	}
	if (command->about) {
		str_add_char(out, '\n');
		add_wrapped(out, command->about, 0, 0, help_columns(ctx));
	}
	for (size_t i = 0; i < group_rows_n; i++)
		add_group(ctx, command, &group_rows[i]);
	return str_error(out);
}

int help_overview(struct context *ctx)
{
	struct str *out = &ctx->out.text;

	str_add(out, "nandlife: how worn an SSD is, why, and how long it lasts\n\n"
		     "Usage: nandlife COMMAND [OPTION...] [DRIVE...]\n\n");
	str_add(out, "Commands\n");
	for (size_t i = 0; i < commands_n; i++)
		if (!commands[i].hidden)
			help_entry(ctx, commands[i].name, commands[i].summary, 12);
	str_add_char(out, '\n');
	add_wrapped(out,
		    "A DRIVE is a device node (/dev/nvme0, /dev/sda), a link under /dev/disk/by-id "
		    "or a serial number. nandlife help COMMAND explains a command and its options; "
		    "there is help on limits, findings and exit-codes too.",
		    0, 0, help_columns(ctx));
	return str_error(out);
}
