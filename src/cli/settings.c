/* SPDX-License-Identifier: MIT */
#include "cli/settings.h"

#include <errno.h>
#include <ini.h>
#include <stdio.h>
#include <string.h>

#include "base/suggest.h"
#include "base/text.h"

#define SECTION_LIMITS	"limits"
#define SECTION_HISTORY "history"
#define SECTION_ACCEPT	"accept "
/* inih keeps no more of a section's or an entry's name and cuts it silently */
#define INI_NAME_MAX	 49
#define SUPPRESSIONS_MAX 1000
#define HISTORY_DAYS_MAX 36500

/* The state of one parse: inih calls read_line and on_entry in turn. */
struct parse {
	struct settings *settings;
	const char *name;
	struct diag *diag;
	struct bytes rest;
	unsigned line;
	bool indented; /* the current line */
	int err;
};

static PRINTF(2, 3) int complain(struct parse *p, const char *fmt, ...)
{
	char text[256];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	if (!p->err)
		p->err = diag_fail(p->diag, -EINVAL, "%s:%u: %s", p->name, p->line, text);
	return p->err;
}

/* inih goes on after such a line and may find a later mistake first. */
static bool is_no_entry(const char *line)
{
	line += strspn(line, " \t\r\n");
	if (!*line || *line == '#' || *line == ';')
		return false;
	return *line == '[' ? !strchr(line, ']') : !strpbrk(line, "=:");
}

/* As fgets. A line longer than inih's buffer would reach it in pieces. */
static char *read_line(char *buf, int size, void *stream)
{
	struct parse *p = stream;
	const uint8_t *end;
	size_t n;

	if (!p->rest.len || p->err)
		return NULL;
	end = memchr(p->rest.data, '\n', p->rest.len);
	n = end ? (size_t)(end - p->rest.data) + 1 : p->rest.len;
	p->line++;
	if (n >= (size_t)size || memchr(p->rest.data, '\0', n)) {
		complain(p, n >= (size_t)size ? "the line is too long" : "the line has a NUL byte");
		return NULL;
	}
	memcpy(buf, p->rest.data, n);
	buf[n] = '\0';
	p->indented = buf[0] == ' ' || buf[0] == '\t';
	p->rest = bytes_slice(p->rest, n, p->rest.len);
	if (is_no_entry(buf)) {
		complain(p, "the line is neither [section] nor NAME = VALUE");
		return NULL;
	}
	return buf;
}

static int unknown_limit(const char *name, struct diag *d)
{
	struct suggestion s = { .word = name };

	for (size_t i = 0; i < limit_rows_n; i++)
		suggestion_offer(&s, limit_rows[i].name);
	if (s.best)
		return diag_fail(d, -EINVAL, "there is no limit '%s'; did you mean %s?", name,
				 s.best);
	return diag_fail(d, -EINVAL, "there is no limit '%s'; nandlife help limits lists them",
			 name);
}

static int set_limit(struct settings *s, const char *name, const char *value, struct diag *d)
{
	int r = limits_set(&s->limits, name, value, d);

	if (r == -ENOENT) {
		diag_clear(d);
		return unknown_limit(name, d);
	}
	if (r < 0)
		return diag_fail(d, -EINVAL, "%s: '%s' is no value for this limit", name, value);
	return 0;
}

static bool is_finding(const char *id)
{
	for (const char *const *known = finding_ids; *known; known++)
		if (!strcmp(*known, id))
			return true;
	return false;
}

static int unknown_finding(struct parse *p, const char *id)
{
	struct suggestion s = { .word = id };

	for (const char *const *known = finding_ids; *known; known++)
		suggestion_offer(&s, *known);
	if (s.best)
		return complain(p, "there is no finding '%s'; did you mean %s?", id, s.best);
	return complain(p, "there is no finding '%s'", id);
}

static int accept_finding(struct parse *p, const char *serial, const char *id, const char *reason)
{
	struct settings *s = p->settings;
	struct suppression *more, *last;

	if (!is_finding(id))
		return unknown_finding(p, id);
	if (!*reason)
		return complain(p, "%s: say why it is accepted", id);
	if (s->nsuppressions >= SUPPRESSIONS_MAX)
		return complain(p, "more than %d findings are accepted", SUPPRESSIONS_MAX);
	more = reallocarray(s->suppressions, s->nsuppressions + 1, sizeof(*more));
	if (!more)
		return p->err = -ENOMEM;
	s->suppressions = more;
	last = &more[s->nsuppressions++];
	if (!text_copy(last->serial, sizeof(last->serial), strcmp(serial, "*") ? serial : "") ||
	    !text_copy(last->id, sizeof(last->id), id) ||
	    !text_copy(last->reason, sizeof(last->reason), reason))
		return complain(p, "%s: the text is too long", id);
	return 0;
}

static int add_limit(struct parse *p, const char *name, const char *value)
{
	struct diag d = { 0 };

	if (set_limit(p->settings, name, value, &d) < 0)
		return complain(p, "%s", d.text);
	return 0;
}

static int set_history(struct parse *p, const char *name, const char *value)
{
	struct settings *s = p->settings;
	const struct {
		const char *name;
		unsigned *days;
	} rows[] = { { "full-days", &s->full_days }, { "daily-days", &s->daily_days } };
	uint64_t days;

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		if (strcmp(rows[i].name, name) != 0)
			continue;
		if (parse_u64(value, HISTORY_DAYS_MAX, &days) < 0)
			return complain(p, "%s: '%s' is no number of days from 0 (for ever) to %d",
					name, value, HISTORY_DAYS_MAX);
		*rows[i].days = (unsigned)days;
		return 0;
	}
	return complain(p, "there is no entry '%s' under [history]; full-days and daily-days are",
			name);
}

/* 1 goes on, 0 stops. */
static int on_entry(void *user, const char *section, const char *name, const char *value)
{
	struct parse *p = user;

	if (p->err)
		return 0;
	if (p->indented)
		return complain(p, "an entry may not be indented") == 0;
	if (strlen(section) >= INI_NAME_MAX || strlen(name) >= INI_NAME_MAX)
		return complain(p, "the name is too long") == 0;
	if (!strcmp(section, SECTION_LIMITS))
		return add_limit(p, name, value) == 0;
	if (!strcmp(section, SECTION_HISTORY))
		return set_history(p, name, value) == 0;
	if (text_starts_with(section, SECTION_ACCEPT))
		return accept_finding(p, section + strlen(SECTION_ACCEPT), name, value) == 0;
	if (!*section)
		return complain(p, "an entry stands before the first [section]") == 0;
	return complain(p,
			"there is no section [%s]; write [limits], [history] or "
			"[accept SERIAL]",
			section) == 0;
}

void settings_init(struct settings *s)
{
	*s = (struct settings){ .full_days = HISTORY_FULL_DAYS };
	limits_defaults(&s->limits);
}

void settings_release(struct settings *s)
{
	free(s->suppressions);
	s->suppressions = NULL;
	s->nsuppressions = 0;
}

int settings_parse(struct settings *s, struct bytes text, const char *name, struct diag *d)
{
	struct parse p = { .settings = s, .name = name, .diag = d, .rest = text };
	int r;

	r = ini_parse_stream(read_line, &p, on_entry, &p);
	if (!p.err && r > 0) {
		p.line = (unsigned)r;
		complain(&p, "the line is neither [section] nor NAME = VALUE");
	}
	if (!p.err && r < 0)
		p.err = -ENOMEM;
	return p.err;
}

int settings_limit(struct settings *s, const char *word, struct diag *d)
{
	const char *equals = strchr(word, '=');
	char name[64];

	if (!equals || equals == word || (size_t)(equals - word) >= sizeof(name))
		return diag_fail(d, -EINVAL, "--limit: '%s' is not NAME=VALUE", word);
	memcpy(name, word, (size_t)(equals - word));
	name[equals - word] = '\0';
	return set_limit(s, name, equals + 1, d);
}
