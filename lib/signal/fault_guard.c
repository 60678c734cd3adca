/* fault_guard.c - see fault_guard.h. */
#define _XOPEN_SOURCE 700 /* sigaltstack */

#include <setjmp.h>
#include <signal.h>
#include <stddef.h>

#include "lib/base/array.h"
#include "lib/base/fault.h"
#include "lib/signal/fault_guard.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define IS_SANITIZED 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define IS_SANITIZED 1
#endif
#ifndef IS_SANITIZED
#define IS_SANITIZED 0
#endif

enum { STACK_BYTES = 1 << 16 };

static const int faults[] = { SIGFPE, SIGSEGV, SIGBUS };

static struct sigaction before[ARRAY_LEN(faults)];
static sigjmp_buf back;
static _Thread_local volatile sig_atomic_t is_guarded;
/* A stack for handlers, since the thread's own may have overflowed. */
static unsigned char stack[STACK_BYTES];

static const struct sigaction *before_of(int number)
{
	const struct sigaction *action = before;

	for (size_t i = 0; i < ARRAY_LEN(faults); i++)
		if (faults[i] == number)
			action = &before[i];
	return action;
}

static void on_fault(int number, siginfo_t *info, void *context)
{
	/* Codes above 0 are the kernel's: an instruction caused the signal. */
	if (!is_guarded || info->si_code <= 0) {
		fault_pass_on(before_of(number), number, info, context);
		return;
	}
	is_guarded = 0;
	siglongjmp(back, number);
}

static void begin(stack_t *stack_before)
{
	const stack_t ours = { .ss_sp = stack, .ss_size = sizeof(stack) };
	struct sigaction action = { .sa_sigaction = on_fault };

	/* The signal mask is unchanged, so the jump need not restore it. */
	action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
	sigemptyset(&action.sa_mask);
	sigaltstack(&ours, stack_before);
	for (size_t i = 0; i < ARRAY_LEN(faults); i++)
		sigaction(faults[i], &action, &before[i]);
}

static void end(const stack_t *stack_before)
{
	for (size_t i = 0; i < ARRAY_LEN(faults); i++)
		sigaction(faults[i], &before[i], NULL);
	sigaltstack(stack_before, NULL);
}

bool fault_guard_works(void)
{
	return !IS_SANITIZED;
}

int fault_guard(void (*work)(void *arg), void *arg)
{
	stack_t stack_before;
	int number;

	if (IS_SANITIZED) {
		work(arg);
		return 0;
	}
	begin(&stack_before);
	number = sigsetjmp(back, 0);
	if (number == 0) {
		is_guarded = 1;
		work(arg);
		is_guarded = 0;
	}
	end(&stack_before);
	return number;
}

const char *fault_name(int number)
{
	switch (number) {
	case SIGFPE:
		return "SIGFPE";
	case SIGBUS:
		return "SIGBUS";
	default:
		return "SIGSEGV";
	}
}
