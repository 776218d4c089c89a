/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <unistd.h>

#include "cli/run.h"

/* A closed standard stream must not become the descriptor of a drive; writing to it still fails. */
static void hold_standard_streams(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 && errno == EBADF)
			(void)!open("/dev/null", O_RDONLY);
}

int main(int argc, char **argv)
{
	struct context ctx;
	int code;

	hold_standard_streams();
	signal(SIGPIPE, SIG_IGN);
	/* characters are UTF-8 wherever we run; numbers never follow the locale */
	setlocale(LC_CTYPE, "C.UTF-8");
	context_init(&ctx);
	code = run_command_line(&ctx, argc - 1, argv + 1);
	context_release(&ctx);
	return code;
}
