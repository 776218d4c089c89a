/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "cli/generate.h"
#include "cli/help.h"

void add_shell_escaped(struct str *out, const char *s, const char *special)
{
	for (; *s; s++) {
		if (*s == '\'') {
			str_add(out, "'\\''");
			continue;
		}
		if (strchr(special, *s))
			str_add_char(out, '\\');
		str_add_char(out, *s);
	}
}

static void add_formats(struct str *out, const struct command *command)
{
	const char *before = "";

	for (unsigned i = 0; i < FORMAT_COUNT; i++) {
		if (!(command->formats & FORMAT_BIT(i)))
			continue;
		str_addf(out, "%s%s", before, format_word((enum format)i));
		before = " ";
	}
}

static void add_choices(struct str *out, const struct command *command)
{
	for (size_t i = 0; command->choices && command->choices[i]; i++)
		str_addf(out, "%s%s", i ? " " : "", command->choices[i]);
}

static void add_command_names(struct str *out)
{
	const char *before = "";

	for (size_t i = 0; i < commands_n; i++) {
		if (commands[i].hidden)
			continue;
		str_addf(out, "%s%s", before, commands[i].name);
		before = " ";
	}
}

static void add_topics(struct str *out)
{
	add_command_names(out);
	for (size_t i = 0; i < help_topics_n; i++)
		str_addf(out, " %s", help_topics[i].name);
}

/* bash ------------------------------------------------------------------------------------- */

/* "--from | --output | -o", all options for which `wanted` holds. */
static void add_pattern(struct str *out, bool (*wanted)(const struct option_row *row))
{
	const char *before = "";

	for (size_t i = 0; i < option_rows_n; i++) {
		const struct option_row *row = &option_rows[i];

		if (!wanted(row))
			continue;
		str_addf(out, "%s--%s", before, row->name);
		before = " | ";
		if (row->letter)
			str_addf(out, " | -%c", row->letter);
	}
}

static bool is_file(const struct option_row *row)
{
	return row->type == OPTION_FILE || row->type == OPTION_FILES;
}

static bool is_folder(const struct option_row *row)
{
	return row->type == OPTION_FOLDER;
}

static bool is_other_value(const struct option_row *row)
{
	return option_takes_value(row) && !is_file(row) && !is_folder(row) &&
	       row->type != OPTION_FORMAT;
}

static const char bash_words[] =
	"	# bash takes --format=json apart at the equals sign\n"
	"	case $cur in\n"
	"	=) option=$prev cur='' ;;\n"
	"	*) [[ $prev == = ]] && option=${COMP_WORDS[COMP_CWORD - 2]} || option=$prev ;;\n"
	"	esac\n"
	"	for ((i = 1; i < COMP_CWORD; i++)); do\n"
	"		case ${COMP_WORDS[i]} in\n"
	"		=) ((i++)) ;;\n";

static const char bash_reply[] =
	"	if [[ $cur == -* ]]; then\n"
	"		mapfile -t COMPREPLY < <(compgen -W \"$options\" -- \"$cur\")\n"
	"	elif [[ $words == drives ]]; then\n"
	"		[[ $cur == /dev/disk/* ]] && compopt -o filenames &&\n"
	"			mapfile -t COMPREPLY < <(compgen -f -- \"$cur\") && return\n"
	"		mapfile -t COMPREPLY < <(compgen -W \"$(compgen -G '/dev/nvme[0-9]*';\n"
	"			compgen -G '/dev/sd*[a-z]')\" -- \"$cur\")\n"
	"	else\n"
	"		mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$cur\")\n"
	"		[[ ${#COMPREPLY[@]} -gt 0 ]] || { compopt -o filenames &&\n"
	"			mapfile -t COMPREPLY < <(compgen -f -- \"$cur\"); }\n"
	"	fi\n"
	"}\n"
	"complete -F _nandlife nandlife\n";

static void add_bash_command(struct str *out, const struct command *command)
{
	const char *before = "";

	str_addf(out, "	%s)\n		options='", command->name);
	for (size_t i = 0; i < option_rows_n; i++) {
		if (!command_takes(command, &option_rows[i]))
			continue;
		str_addf(out, "%s--%s", before, option_rows[i].name);
		before = " ";
	}
	str_add(out, "'\n		formats='");
	add_formats(out, command);
	str_add(out, "'\n		words='");
	if (command->words == WORDS_DRIVES)
		str_add(out, "drives");
	else if (command->words == WORDS_TOPICS)
		add_topics(out);
	else if (command->words == WORDS_CHOICE)
		add_choices(out, command);
	str_add(out, "'\n		;;\n");
}

void generate_bash(struct str *out)
{
	str_add(out, "# Completion of nandlife for bash; made by: nandlife generate bash\n"
		     "_nandlife()\n{\n"
		     "	local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}\n"
		     "	local option command='' options formats words i\n\n");
	str_add(out, bash_words);
	str_add(out, "		");
	add_pattern(out, option_takes_value);
	str_add(out, ") [[ ${COMP_WORDS[i + 1]} == = ]] || ((i++)) ;;\n"
		     "		-*) ;;\n"
		     "		*) [[ $command ]] || command=${COMP_WORDS[i]} ;;\n"
		     "		esac\n	done\n\n"
		     "	case $command in\n");
	for (size_t i = 0; i < commands_n; i++)
		if (!commands[i].hidden)
			add_bash_command(out, &commands[i]);
	str_add(out, "	*)\n		options='--help --version'\n		formats=''\n"
		     "		words='");
	add_command_names(out);
	str_add(out, "'\n		;;\n	esac\n\n	case $option in\n	");
	add_pattern(out, is_file);
	str_add(out, ")\n		compopt -o filenames\n"
		     "		mapfile -t COMPREPLY < <(compgen -f -- \"$cur\")\n		"
		     "return\n"
		     "		;;\n	");
	add_pattern(out, is_folder);
	str_add(out, ")\n		compopt -o filenames\n"
		     "		mapfile -t COMPREPLY < <(compgen -d -- \"$cur\")\n		"
		     "return\n"
		     "		;;\n"
		     "	--format)\n"
		     "		mapfile -t COMPREPLY < <(compgen -W \"$formats\" -- \"$cur\")\n"
		     "		return\n		;;\n	");
	add_pattern(out, is_other_value);
	str_add(out, ") return ;;\n	esac\n\n");
	str_add(out, bash_reply);
}

/* zsh -------------------------------------------------------------------------------------- */

static const char zsh_special[] = "[]:\\";

static void add_zsh_option(struct str *out, const struct command *command,
			   const struct option_row *row)
{
	CLEANUP(str_release) struct str spec = { 0 };

	str_addf(&spec, "--%s%s[", row->name, option_takes_value(row) ? "=" : "");
	str_take_error(out, &spec);
	str_add(out, "			'");
	if (row->letter)
		str_addf(out, "(-%c --%s)'{-%c%s,--%s%s}'[", row->letter, row->name, row->letter,
			 option_takes_value(row) ? "+" : "", row->name,
			 option_takes_value(row) ? "=" : "");
	else
		str_addf(out, "%s%s", option_is_list(row) ? "*" : "", str_text(&spec));
	add_shell_escaped(out, row->help, zsh_special);
	str_add(out, "]");
	if (option_takes_value(row)) {
		str_add(out, ":");
		add_shell_escaped(out, row->argument, zsh_special);
		str_add(out, ":");
	}
	if (is_file(row))
		str_add(out, "_files");
	if (is_folder(row))
		str_add(out, "_files -/");
	if (row->type == OPTION_FORMAT) {
		str_add(out, "(");
		add_formats(out, command);
		str_add(out, ")");
	}
	str_add(out, "' \\\n");
}

static void add_zsh_command(struct str *out, const struct command *command)
{
	str_addf(out, "		%s)\n			_arguments \\\n", command->name);
	for (size_t i = 0; i < option_rows_n; i++)
		if (command_takes(command, &option_rows[i]))
			add_zsh_option(out, command, &option_rows[i]);
	switch (command->words) {
	case WORDS_DRIVES:
		str_add(out, "			'*:drive:_nandlife_drives'\n");
		break;
	case WORDS_TOPICS:
		str_add(out, "			'1:command:(");
		add_topics(out);
		str_add(out, ")'\n");
		break;
	case WORDS_CHOICE:
		str_add(out, "			'1:what:(");
		add_choices(out, command);
		str_add(out, ")' '*:file:_files'\n");
		break;
	case WORDS_FILES:
		str_add(out, "			'*:file:_files'\n");
		break;
	case WORDS_NONE:
		str_add(out, "			&& return\n");
		break;
	}
	str_add(out, "			;;\n");
}

void generate_zsh(struct str *out)
{
	str_add(out, "#compdef nandlife\n"
		     "# Completion of nandlife for zsh; made by: nandlife generate zsh\n"
		     "_nandlife_drives() {\n"
		     "	local -a drives\n"
		     "	drives=(/dev/nvme[0-9]*(N) /dev/sd*[a-z](N))\n"
		     "	compadd -a drives\n"
		     "	[[ $PREFIX == /dev/disk/* ]] && _files\n}\n\n"
		     "_nandlife() {\n"
		     "	local curcontext=$curcontext state line\n"
		     "	local -a commands\n	commands=(\n");
	for (size_t i = 0; i < commands_n; i++) {
		if (commands[i].hidden)
			continue;
		str_addf(out, "		'%s:", commands[i].name);
		add_shell_escaped(out, commands[i].summary, zsh_special);
		str_add(out, "'\n");
	}
	str_add(out, "	)\n"
		     "	_arguments -C '--help[explain]' '--version[print the version]' \\\n"
		     "		'1:command:->command' '*::argument:->argument'\n"
		     "	case $state in\n"
		     "	command) _describe command commands ;;\n"
		     "	argument)\n"
		     "		case $words[1] in\n");
	for (size_t i = 0; i < commands_n; i++)
		if (!commands[i].hidden)
			add_zsh_command(out, &commands[i]);
	str_add(out, "		esac\n		;;\n	esac\n}\n\n_nandlife \"$@\"\n");
}

/* fish ------------------------------------------------------------------------------------- */

static void add_fish_quoted(struct str *out, const char *s)
{
	str_add_char(out, '\'');
	for (; *s; s++) {
		if (*s == '\'' || *s == '\\')
			str_add_char(out, '\\');
		str_add_char(out, *s);
	}
	str_add_char(out, '\'');
}

static void add_fish_option(struct str *out, const struct command *command,
			    const struct option_row *row)
{
	str_addf(out, "complete -c nandlife -n '__fish_seen_subcommand_from %s'", command->name);
	if (row->letter)
		str_addf(out, " -s %c", row->letter);
	str_addf(out, " -l %s", row->name);
	if (is_file(row))
		str_add(out, " -r -F");
	else if (is_folder(row))
		str_add(out, " -x -a '(__fish_complete_directories)'");
	else if (row->type == OPTION_FORMAT) {
		str_add(out, " -x -a '");
		add_formats(out, command);
		str_add(out, "'");
	} else if (option_takes_value(row))
		str_add(out, " -x");
	str_add(out, " -d ");
	add_fish_quoted(out, row->help);
	str_add_char(out, '\n');
}

static void add_fish_words(struct str *out, const struct command *command)
{
	if (command->words == WORDS_NONE)
		return;
	str_addf(out, "complete -c nandlife -n '__fish_seen_subcommand_from %s'", command->name);
	if (command->words == WORDS_FILES) {
		str_add(out, " -F\n");
		return;
	}
	str_add(out, " -a '");
	if (command->words == WORDS_DRIVES)
		str_add(out, "(__nandlife_drives)");
	else if (command->words == WORDS_TOPICS)
		add_topics(out);
	else
		add_choices(out, command);
	str_add(out, "'\n");
}

void generate_fish(struct str *out)
{
	str_add(out, "# Completion of nandlife for fish; made by: nandlife generate fish\n"
		     "function __nandlife_drives\n"
		     "    set -l nodes /dev/nvme* /dev/sd*\n"
		     "    string match -r '^/dev/(?:nvme[0-9].*|sd[a-z]+)$' -- $nodes\n"
		     "end\n\n"
		     "complete -c nandlife -f\n");
	for (size_t i = 0; i < commands_n; i++) {
		if (commands[i].hidden)
			continue;
		str_addf(out, "complete -c nandlife -n __fish_use_subcommand -a %s -d ",
			 commands[i].name);
		add_fish_quoted(out, commands[i].summary);
		str_add_char(out, '\n');
	}
	for (size_t i = 0; i < commands_n; i++) {
		if (commands[i].hidden)
			continue;
		add_fish_words(out, &commands[i]);
		for (size_t j = 0; j < option_rows_n; j++)
			if (command_takes(&commands[i], &option_rows[j]))
				add_fish_option(out, &commands[i], &option_rows[j]);
	}
}
