/* SPDX-License-Identifier: MIT */
#include <ctype.h>
#include <string.h>

#include "cli/exit.h"
#include "cli/generate.h"
#include "cli/help.h"
#include "cli/wrap.h"
#include "health/finding.h"
#include "report/metric.h"

#define MAN_COLUMNS 78

/*
 * A sentence of running text: a capital first, a full stop last, wrapped, and with the characters
 * that roff would take for something else written its way.
 */
static void add_sentence(struct str *out, const char *text)
{
	CLEANUP(str_release) struct str escaped = { 0 };

	for (const char *s = text; *s; s++) {
		if (*s == '\\')
			str_add(&escaped, "\\e");
		else if (*s == '-' && (s == text || s[-1] == ' ' || s[-1] == '-'))
			str_add(&escaped, "\\-"); /* a dash of an option, not a hyphen */
		else
			str_add_char(&escaped, s == text ? (char)toupper((unsigned char)*s) : *s);
	}
	str_add_char(&escaped, '.');
	str_take_error(out, &escaped);
	add_wrapped(out, str_text(&escaped), 0, 0, MAN_COLUMNS);
}

static void add_option(struct str *out, const struct option_row *row, const struct command *command)
{
	CLEANUP(str_release) struct str help = { 0 };

	str_add(out, ".It ");
	if (row->letter)
		str_addf(out, "Fl %c , ", row->letter);
	str_addf(out, "Fl Fl %s", row->name);
	if (row->argument)
		str_addf(out, " Ar %s", row->argument);
	str_add_char(out, '\n');
	add_option_help(&help, row, command);
	str_take_error(out, &help);
	add_sentence(out, str_text(&help));
}

void generate_man_options(struct str *out, const struct command *command)
{
	for (size_t g = 0; g < group_rows_n; g++) {
		bool any = false;

		for (size_t i = 0; i < option_rows_n; i++) {
			const struct option_row *row = &option_rows[i];

			if (row->group != group_rows[g].group || !command_takes(command, row))
				continue;
			if (!any)
				str_addf(out, ".Ss %s\n.Bl -tag -width Ds\n",
					 group_rows[g].heading);
			any = true;
			add_option(out, row, command);
		}
		if (any)
			str_add(out, ".El\n");
	}
}

void generate_man_commands(struct str *out)
{
	str_add(out, ".Bl -tag -width Ds\n");
	for (size_t i = 0; i < commands_n; i++) {
		if (commands[i].hidden)
			continue;
		/* help is explained nowhere else */
		if (commands[i].run == cmd_help)
			str_add(out, ".It Cm help\n");
		else
			str_addf(out, ".It Xr nandlife-%s 8\n", commands[i].name);
		add_sentence(out, commands[i].summary);
	}
	str_add(out, ".El\n");
}

static void add_exit_rows(struct str *out, const struct exit_row *rows, size_t n)
{
	str_add(out, ".Bl -tag -width 4n -compact\n");
	for (size_t i = 0; i < n; i++)
		str_addf(out, ".It %d\n%s\n", rows[i].code, rows[i].meaning);
	str_add(out, ".El\n");
}

void generate_man_exit_status(struct str *out)
{
	add_exit_rows(out, exit_rows, exit_rows_n);
	str_add(out, ".Pp\n.Nm Cm health\nanswers with its verdict:\n.Pp\n");
	add_exit_rows(out, verdict_rows, verdict_rows_n);
	str_addf(out,
		 ".Pp\nWrong usage of it is %d as everywhere.\nWith\n"
		 ".Fl Fl format Ar nagios\nevery failure is %d.\n",
		 EX_USAGE, EXIT_UNKNOWN);
}

void generate_man_limits(struct str *out)
{
	str_add(out, ".Bl -tag -width Ds\n");
	for (size_t i = 0; i < limit_rows_n; i++) {
		CLEANUP(str_release) struct str help = { 0 };

		add_limit_help(&help, &limit_rows[i]);
		str_take_error(out, &help);
		str_addf(out, ".It Ic %s\n", limit_rows[i].name);
		add_sentence(out, str_text(&help));
	}
	str_add(out, ".El\n");
}

void generate_man_findings(struct str *out)
{
	str_add(out, ".Bl -item -compact -offset indent\n");
	for (const char *const *id = finding_ids; *id; id++)
		str_addf(out, ".It\n.Ic %s\n", *id);
	str_add(out, ".El\n");
}

void generate_man_metrics(struct str *out)
{
	str_add(out, ".Bl -tag -width Ds -compact\n");
	for (size_t i = 0; i < metrics_n; i++) {
		CLEANUP(str_release) struct str help = { 0 };

		add_metric_help(&help, &metrics[i]);
		str_take_error(out, &help);
		str_addf(out, ".It Ic %s\n", metrics[i].name);
		add_sentence(out, str_text(&help));
	}
	str_add(out, ".El\n");
}
