/* fault.c - see fault.h. */
#include "lib/base/fault.h"

#include <stddef.h>

void fault_pass_on(
    const struct sigaction *before, int number, siginfo_t *info, void *context)
{
	if (before->sa_flags & SA_SIGINFO) {
		before->sa_sigaction(number, info, context);
	} else if (before->sa_handler == SIG_DFL ||
	           before->sa_handler == SIG_IGN) {
		/* The fault happens again, with the earlier handler. */
		sigaction(number, before, NULL);
		if (info->si_code <= 0)
			raise(number);
	} else {
		before->sa_handler(number);
	}
}
