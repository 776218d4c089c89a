/* SPDX-License-Identifier: MIT */
#include "cli/context.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "sys/sys.h"

void context_init(struct context *ctx)
{
	struct sys sys;

	*ctx = (struct context){ 0 };
	/* without a clock the times of this run are those of 1970, and say so */
	if (sys_real(&sys, "") < 0 || sys_now(&sys, &ctx->now) < 0)
		ctx->now = 0;
	options_init(&ctx->options);
	output_init(&ctx->out, STDOUT_FILENO);
}

const char *const *context_words(const struct context *ctx, size_t *ret_n)
{
	const struct option_list *words = &ctx->options.words;

	*ret_n = words->n ? words->n - 1 : 0;
	return words->n ? words->items + 1 : words->items;
}

static PRINTF(4, 0) int fail_v(struct context *ctx, int exit_code, int err, const char *fmt,
			       va_list ap)
{
	char text[sizeof(ctx->diag.text)];

	vsnprintf(text, sizeof(text), fmt, ap);
	if (!ctx->diag.err)
		ctx->fail_code = exit_code;
	return diag_fail(&ctx->diag, err, "%s", text);
}

int context_usage(struct context *ctx, const char *fmt, ...)
{
	va_list ap;
	int r;

	va_start(ap, fmt);
	r = fail_v(ctx, EX_USAGE, -EINVAL, fmt, ap);
	va_end(ap);
	return r;
}

int context_fail(struct context *ctx, int exit_code, int err, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	err = fail_v(ctx, exit_code, err, fmt, ap);
	va_end(ap);
	return err;
}

/* One write for the whole line, so that lines of several processes do not mix. */
static PRINTF(1, 0) void complain(const char *fmt, va_list ap)
{
	char raw[1024], clean[1024], line[1056];
	int n;

	vsnprintf(raw, sizeof(raw), fmt, ap);
	text_escape(clean, sizeof(clean), raw);
	n = snprintf(line, sizeof(line), "nandlife: %s\n", clean);
	/* nowhere to tell that standard error fails */
	if (write(STDERR_FILENO, line, (size_t)n) < 0)
		return;
}

void context_error(const struct context *ctx, const char *fmt, ...)
{
	va_list ap;

	(void)ctx;
	va_start(ap, fmt);
	complain(fmt, ap);
	va_end(ap);
}

void context_remark(const struct context *ctx, const char *fmt, ...)
{
	va_list ap;

	if (ctx->options.quiet)
		return;
	va_start(ap, fmt);
	complain(fmt, ap);
	va_end(ap);
}

/* The one line that a monitoring system reads; a bar would start performance data. */
static void add_nagios_line(struct context *ctx, const char *why)
{
	struct str *text = &ctx->out.text;

	str_release(text);
	str_add(text, "NANDLIFE UNKNOWN - ");
	for (; *why; why++)
		str_add_char(text, *why == '|' ? '/' : *why);
	str_add_char(text, '\n');
}

int context_report(struct context *ctx, int r)
{
	const char *why = ctx->diag.err ? ctx->diag.text : strerror(-r);
	int code = ctx->fail_code ? ctx->fail_code : exit_code_of(r);

	context_error(ctx, "%s", why);
	if (ctx->options.format.value == FORMAT_NAGIOS &&
	    (!ctx->command || ctx->command->formats & FORMAT_BIT(FORMAT_NAGIOS))) {
		add_nagios_line(ctx, why);
		return EXIT_UNKNOWN;
	}
	if (ctx->command && ctx->command->gives_verdict && code != EX_USAGE)
		return EXIT_UNKNOWN;
	return code;
}

void context_release(struct context *ctx)
{
	if (ctx->unload)
		ctx->unload(ctx);
	output_release(&ctx->out);
	options_release(&ctx->options);
}
