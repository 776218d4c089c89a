/* SPDX-License-Identifier: MIT */
/* Drives by name: every value has a basis, every file makes a drive that can be simulated. */
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "cli/files.h"
#include "cli/presets.h"
#include "cli/simulate.h"

static const char *const asked[] = {
	"x25-m-80",	     "x25-e-32",	 "pny-sf2281-120",    "ioxtreme-pro-80",
	"540s-480",	     "c300-128",	 "510-250",	      "x25-m-g2-160",
	"v20-120",	     "px-64m2s-64",	 "vplus-256",	      "client-tlc-1tb",
	"client-qlc-1tb",    "dc-tlc-1dwpd-960", "dc-tlc-3dwpd-3200", "boot-tlc-240",
	"slc-industrial-32",
};

static struct context ctx;
static struct presets presets;

static int load(void **state)
{
	(void)state;
	context_init(&ctx);
	return presets_load(&ctx, &presets);
}

static int unload(void **state)
{
	(void)state;
	presets_release(&presets);
	context_release(&ctx);
	return 0;
}

static const struct preset *find(const char *name)
{
	const struct preset *p = NULL;

	assert_int_equal(presets_find(&ctx, &presets, name, &p), 0);
	return p;
}

static void all_are_there(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(asked); i++)
		find(asked[i]);
	assert_int_equal(presets.n, ARRAY_SIZE(asked));
}

/* The parser refuses a value without a basis; this holds the files to more. */
static void every_value_has_a_basis(void **state)
{
	(void)state;
	for (size_t i = 0; i < presets.n; i++) {
		const struct preset *p = &presets.items[i];
		unsigned sourced = 0;

		for (unsigned k = 0; k < PRESET_KEY_COUNT; k++) {
			const struct preset_value *x = &p->values[k];

			if (!x->given)
				continue;
			sourced += x->sourced;
			assert_true(strlen(x->basis) >= 5);
			assert_false(x->sourced && x->fitted);
		}
		assert_true(sourced >= 3);
		assert_true(preset_fitted(p) <= 3);
		/* what the model leaves to the drive's memory is said */
		if (!preset_map_fits(p))
			assert_non_null(strstr(p->values[PRESET_MAPPING].basis, "assumption"));
	}
}

static void every_preset_can_be_simulated(void **state)
{
	(void)state;
	for (size_t i = 0; i < presets.n; i++) {
		const struct preset *p = &presets.items[i];
		struct simulation_config c;
		struct drive_model m;
		struct diag d = { 0 };
		double op = preset_overprovisioning(p, preset_number(p, PRESET_USER));

		if (preset_config(p, 0, 1, &d, &c, &m) < 0)
			fail_msg("%s: %s", p->name, d.text);
		assert_true(fabs(simulation_spare(&c) - op / (1 + op)) < 1e-3);
		/* the DRAM against the map, as documented: 4 bytes an entry */
		assert_true(fabs(preset_map_bytes(p) - 4.0 * c.device.logical_pages) < 8);
		for (unsigned k = 0; k < p->nmodes; k++)
			assert_int_equal(preset_config(p, p->modes[k], 1, &d, &c, &m), 0);
	}
}

/* The options that a preset fills say the same drive as preset_config. */
static void options_say_the_same(void **state)
{
	(void)state;
	for (size_t i = 0; i < presets.n; i++) {
		char *argv[] = { "nandlife", "simulate", "--queue-depth", "7", NULL };
		const struct preset *p = &presets.items[i];
		struct context own;
		CLEANUP(simulate_input_release) struct simulate_input in = { 0 };
		struct simulation_config a, b;
		struct drive_model ma, mb;

		context_init(&own);
		options_init(&own.options);
		assert_int_equal(options_parse(&own.options, 4, argv, &own.diag), 0);
		presets_fill_options(p, &own.options, true);
		assert_true(own.options.queue_depth.value == 7);
		if (simulate_config(&own, &in, &a) < 0 ||
		    simulate_model(&own, a.page_bytes, &ma) < 0)
			fail_msg("%s: %s", p->name, own.diag.text);
		preset_cache_times(p, &ma);
		assert_int_equal(preset_config(p, 0, 1, NULL, &b, &mb), 0);
		assert_int_equal(a.page_bytes, b.page_bytes);
		assert_memory_equal(&a.device, &b.device, sizeof(a.device));
		assert_memory_equal(&ma.times, &mb.times, sizeof(ma.times));
		assert_int_equal(ma.program_bytes, mb.program_bytes);
		assert_int_equal(ma.erase_bytes, mb.erase_bytes);
		assert_int_equal(ma.host_command_ns, mb.host_command_ns);
		assert_int_equal(ma.controller_command_ns, mb.controller_command_ns);
		assert_int_equal(ma.collects_at_once, mb.collects_at_once);
		assert_int_equal(ma.continuous_ppm, mb.continuous_ppm);
		assert_int_equal(ma.collection, mb.collection);
		assert_int_equal(ma.pslc.mode, mb.pslc.mode);
		assert_int_equal(ma.pslc.bytes, mb.pslc.bytes);
		assert_int_equal(ma.pslc.program_ns, mb.pslc.program_ns);
		assert_int_equal(ma.dies, mb.dies);
		options_release(&own.options);
		context_release(&own);
	}
}

static void given_options_count_first(void **state)
{
	char *argv[] = { "nandlife", "simulate", "--capacity", "40GB", "--policy", "fifo", NULL };
	const struct preset *p = find("ioxtreme-pro-80");
	struct options o;

	(void)state;
	options_init(&o);
	assert_int_equal(options_parse(&o, 6, argv, NULL), 0);
	presets_fill_options(p, &o, false);
	assert_true(o.capacity.value == 40e9);
	assert_string_equal(o.policy, "fifo");
	assert_true(fabs(o.overprovision.value - 1.4) < 1e-9);
	/* without a drive in time its options stay as they are */
	assert_false(o.dies.set);
	options_release(&o);
}

/* --- what the parser refuses ------------------------------------------------------------------ */

static char text[32768];

/* The file of a preset with one piece replaced. */
static void altered(const char *name, const char *from, const char *to)
{
	CLEANUP(file_release) struct file file = { 0 };
	char path[128], *at;
	const char *whole;

	snprintf(path, sizeof(path), "db/presets/%s.json", name);
	assert_int_equal(file_read(path, NULL, &file), 0);
	whole = (const char *)file.data;
	at = strstr(whole, from);
	assert_non_null(at);
	snprintf(text, sizeof(text), "%.*s%s%s", (int)(at - whole), whole, to, at + strlen(from));
}

static void mistakes_are_named(void **state)
{
	static const struct {
		const char *from, *to, *reason;
	} rows[] = {
		{ "\"source\": ", "\"origin\": ", "unknown key \"origin\"" },
		{ "\"source\": \"L", "\"assumed\": \"x\", \"source\": \"L", "either a \"source\"" },
		{ "\"reserved_bytes\"", "\"reserved_byte\"", "did you mean reserved_bytes" },
		{ "\"value\": 137438953472", "\"value\": \"128GiB\"", "no number" },
		{ "\"value\": 137438953472", "\"value\": 120000000000", "\"user_bytes\" are more" },
		{ "\"value\": 8, ", "\"value\": 0, ", "\"channels\" is no number from 1" },
		{ "\"title\"", "\"name\"", "\"title\"" },
		{ "\"assumed\": \"page mapping", "\"source\": \"page mapping",
		  "can only be assumed" },
		{ "\"cache_bytes\": {\"value\": 0", "\"cache_bytes\": {\"value\": 5", "cache" },
		{ "\"value\": \"mlc\"", "\"value\": 2", "\"cell\" is no text" },
	};
	struct preset p = { 0 };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct diag d = { 0 };

		altered("pny-sf2281-120", rows[i].from, rows[i].to);
		assert_int_equal(preset_parse(bytes_of(text, strlen(text)), "x", &d, &p), -EINVAL);
		if (!strstr(d.text, rows[i].reason))
			fail_msg("\"%s\" does not say \"%s\"", d.text, rows[i].reason);
	}
	altered("pny-sf2281-120", "\"greedy\"", "\"gredy\"");
	assert_int_equal(preset_parse(bytes_of(text, strlen(text)), "x", NULL, &p), 0);
	assert_int_equal(preset_config(&p, 0, 1, NULL, &(struct simulation_config){ 0 }, NULL),
			 -EINVAL);
	preset_release(&p);
	assert_int_equal(preset_config(find("ioxtreme-pro-80"), 100e9, 1, NULL,
				       &(struct simulation_config){ 0 }, NULL),
			 -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_are_there),
		cmocka_unit_test(every_value_has_a_basis),
		cmocka_unit_test(every_preset_can_be_simulated),
		cmocka_unit_test(options_say_the_same),
		cmocka_unit_test(given_options_count_first),
		cmocka_unit_test(mistakes_are_named),
	};

	return cmocka_run_group_tests(tests, load, unload);
}
