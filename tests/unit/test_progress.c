/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four above */
#include <cmocka.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "cli/progress.h"

static size_t drain(int fd, char *buf, size_t size)
{
	ssize_t n = read(fd, buf, size - 1);

	buf[n > 0 ? n : 0] = '\0';
	return n > 0 ? (size_t)n : 0;
}

static void a_log_gets_one_line_a_step_of_long_work(void **state)
{
	struct progress p;
	char buf[256];
	int fds[2];

	(void)state;
	assert_int_equal(pipe2(fds, O_NONBLOCK), 0);
	progress_start(&p, fds[1], false, "reading drives", 1000);
	progress_step(&p, 1, 4, 1500);
	progress_step(&p, 2, 4, 3000);
	progress_step(&p, 2, 4, 3500);
	progress_step(&p, 3, 4, 9000);
	progress_end(&p);
	drain(fds[0], buf, sizeof(buf));
	assert_string_equal(buf, "reading drives: 2 of 4\nreading drives: 3 of 4\n");

	progress_start(&p, fds[1], true, "reading drives", 0);
	progress_step(&p, 2, 4, 9000);
	progress_end(&p);
	assert_int_equal(drain(fds[0], buf, sizeof(buf)), 0);
	close(fds[0]);
	close(fds[1]);
}

static void a_log_gets_one_line_a_tenth(void **state)
{
	struct progress p;
	char buf[256];
	int fds[2];

	(void)state;
	assert_int_equal(pipe2(fds, O_NONBLOCK), 0);
	progress_start(&p, fds[1], false, "simulating", 1000);
	progress_share(&p, 0.2, 1500);
	progress_share(&p, 0.25, 11000);
	progress_share(&p, 0.3, 12000);
	progress_share(&p, 0.5, 21000);
	progress_end(&p);
	drain(fds[0], buf, sizeof(buf));
	assert_string_equal(buf, "simulating: 25 %, 30 s left\nsimulating: 50 %, 20 s left\n");
	close(fds[0]);
	close(fds[1]);
}

/* A terminal whose other end this test reads. */
static int open_terminal(int *ret_slave)
{
	int master = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK);
	struct termios raw;

	if (master < 0 || grantpt(master) < 0 || unlockpt(master) < 0)
		return -1;
	*ret_slave = open(ptsname(master), O_RDWR | O_NOCTTY);
	if (*ret_slave < 0 || tcgetattr(*ret_slave, &raw) < 0)
		return -1;
	cfmakeraw(&raw);
	return tcsetattr(*ret_slave, TCSANOW, &raw) < 0 ? -1 : master;
}

/* The kernel hands over what a terminal gets in its own time: wait for n bytes. */
static void read_all(int fd, char *buf, size_t size, size_t n)
{
	struct pollfd ready = { .fd = fd, .events = POLLIN };
	size_t got = 0;

	buf[0] = '\0';
	while (got < n && poll(&ready, 1, 10000) == 1)
		got += drain(fd, buf + got, size - got);
}

static void a_terminal_gets_a_bar_that_goes_away(void **state)
{
	static const char bar[] = "\r\033[Kreading drives: 0 of 3 [                              ]"
				  "\r\033[Kreading drives: 1 of 3 [==========                    ]"
				  "\r\033[K";
	struct progress p;
	char buf[512];
	int slave = -1, master = open_terminal(&slave);

	(void)state;
	if (master < 0)
		return; /* no terminals here, as in some build chambers */
	progress_start(&p, slave, false, "reading drives", 0);
	p.columns = 80;
	progress_step(&p, 0, 3, 2000);
	progress_step(&p, 1, 3, 2100);
	progress_end(&p);
	progress_end(&p);
	read_all(master, buf, sizeof(buf), strlen(bar));
	assert_string_equal(buf, bar);
	close(slave);
	close(master);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_log_gets_one_line_a_step_of_long_work),
		cmocka_unit_test(a_log_gets_one_line_a_tenth),
		cmocka_unit_test(a_terminal_gets_a_bar_that_goes_away),
	};

	return cmocka_run_group_tests_name("progress", tests, NULL, NULL);
}
