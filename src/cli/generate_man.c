/* SPDX-License-Identifier: MIT */
#include <ctype.h>
#include <string.h>

#include "cli/exit.h"
#include "cli/generate.h"
#include "cli/help.h"

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

void generate_man_exit_status(struct str *out)
{
	static const struct {
		int code;
		const char *meaning;
	} codes[] = {
#define X(code, meaning) { code, meaning },
		EXIT_CODES(X)
#undef X
	}, verdicts[] = {
#define X(code, meaning) { code, meaning },
		EXIT_VERDICTS(X)
#undef X
	};

	str_add(out, ".Bl -tag -width 4n -compact\n");
	for (size_t i = 0; i < ARRAY_SIZE(codes); i++)
		str_addf(out, ".It %d\n%s\n", codes[i].code, codes[i].meaning);
	str_add(out, ".El\n.Pp\n"
		     ".Nm Cm health\n"
		     "answers with its verdict:\n.Pp\n.Bl -tag -width 4n -compact\n");
	for (size_t i = 0; i < ARRAY_SIZE(verdicts); i++)
		str_addf(out, ".It %d\n%s\n", verdicts[i].code, verdicts[i].meaning);
	str_addf(out,
		 ".El\n.Pp\nWrong usage of it is %d as everywhere.\nWith\n"
		 ".Fl Fl format Ar nagios\nevery failure is %d.\n",
		 EX_USAGE, EXIT_UNKNOWN);
}
