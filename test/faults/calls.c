/*
 * calls.c - a library to preload that disturbs one system call; see fault.h.
 *
 * A seccomp filter turns each call of the table below into SIGSYS, and the
 * handler counts it, then fails it, shortens it, kills the program, or makes
 * the call.  So every call is seen, by whichever function of whichever library
 * it is made, by those inside libc too, and needs no privilege.  Programs that
 * this one starts have the filter, but not the handler, and end: what starts
 * some cannot be run with it.
 */
#define _GNU_SOURCE /* REG_RAX, dlsym(RTLD_NEXT) */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include "test/faults/fault.h"

#define ARRAY_LEN(array) (sizeof(array) / sizeof((array)[0]))

enum {
	UNAVAILABLE = 125, /* exit status where there is no seccomp */
	/* Which argument of a call is a file: */
	NO_FILE = -1,
	FD = 0x10, /* a descriptor, else a path */
};

struct call {
	long number;
	enum fault_class class;
	int file; /* argument, and FD */
};

static const struct call calls[] = {
	{ SYS_openat, FAULT_OPEN, 1 },
	{ SYS_openat2, FAULT_OPEN, 1 },
	{ SYS_read, FAULT_READ, FD | 0 },
	{ SYS_pread64, FAULT_READ, FD | 0 },
	{ SYS_readv, FAULT_READ, FD | 0 },
	{ SYS_preadv, FAULT_READ, FD | 0 },
	{ SYS_preadv2, FAULT_READ, FD | 0 },
	{ SYS_write, FAULT_WRITE, FD | 0 },
	{ SYS_pwrite64, FAULT_WRITE, FD | 0 },
	{ SYS_writev, FAULT_WRITE, FD | 0 },
	{ SYS_pwritev, FAULT_WRITE, FD | 0 },
	{ SYS_pwritev2, FAULT_WRITE, FD | 0 },
	{ SYS_copy_file_range, FAULT_WRITE, FD | 2 },
	{ SYS_sendfile, FAULT_WRITE, FD | 0 },
	{ SYS_fsync, FAULT_SYNC, FD | 0 },
	{ SYS_fdatasync, FAULT_SYNC, FD | 0 },
	{ SYS_syncfs, FAULT_SYNC, FD | 0 },
	{ SYS_msync, FAULT_SYNC, NO_FILE },
	{ SYS_sync_file_range, FAULT_SYNC, FD | 0 },
	{ SYS_ftruncate, FAULT_TRUNCATE, FD | 0 },
	{ SYS_truncate, FAULT_TRUNCATE, 0 },
	{ SYS_fallocate, FAULT_TRUNCATE, FD | 0 },
	{ SYS_renameat2, FAULT_RENAME, 3 },
	{ SYS_linkat, FAULT_RENAME, 3 },
	{ SYS_symlinkat, FAULT_RENAME, 2 },
	{ SYS_unlinkat, FAULT_UNLINK, 1 },
	{ SYS_mkdirat, FAULT_MKDIR, 1 },
	{ SYS_mknodat, FAULT_MKDIR, 1 },
	{ SYS_fchmod, FAULT_MODE, FD | 0 },
	{ SYS_fchmodat, FAULT_MODE, 1 },
	{ SYS_fchown, FAULT_MODE, FD | 0 },
	{ SYS_fchownat, FAULT_MODE, 1 },
	{ SYS_utimensat, FAULT_MODE, 1 },
	{ SYS_fstat, FAULT_STAT, FD | 0 },
	{ SYS_newfstatat, FAULT_STAT, 1 },
	{ SYS_statx, FAULT_STAT, 1 },
	{ SYS_statfs, FAULT_STAT, 0 },
	{ SYS_fstatfs, FAULT_STAT, FD | 0 },
	{ SYS_getdents64, FAULT_LIST, FD | 0 },
	{ SYS_flock, FAULT_LOCK, FD | 0 },
	{ SYS_fcntl, FAULT_LOCK, FD | 0 },
	{ SYS_mmap, FAULT_MMAP, NO_FILE },
	{ SYS_mremap, FAULT_MMAP, NO_FILE },
#ifdef SYS_renameat /* not on architectures that have only renameat2 */
	{ SYS_renameat, FAULT_RENAME, 3 },
#endif
#ifdef SYS_open /* nor are these of old ones on arm64 */
	{ SYS_open, FAULT_OPEN, 0 },
	{ SYS_creat, FAULT_CREATE, 0 },
	{ SYS_rename, FAULT_RENAME, 1 },
	{ SYS_link, FAULT_RENAME, 1 },
	{ SYS_symlink, FAULT_RENAME, 1 },
	{ SYS_unlink, FAULT_UNLINK, 0 },
	{ SYS_rmdir, FAULT_UNLINK, 0 },
	{ SYS_mkdir, FAULT_MKDIR, 0 },
	{ SYS_mknod, FAULT_MKDIR, 0 },
	{ SYS_chmod, FAULT_MODE, 0 },
	{ SYS_chown, FAULT_MODE, 0 },
	{ SYS_stat, FAULT_STAT, 0 },
	{ SYS_lstat, FAULT_STAT, 0 },
#endif
};

/*
 * A system call that the filter lets pass, by its address.  Aligned so that
 * the upper half of the address is the same in all of it.
 */
long faults_pass(long number, long a, long b, long c, long d, long e, long f);
extern const char faults_pass_end[];
#if defined(__x86_64__)
__asm__(".text\n.p2align 6\n.globl faults_pass\n.hidden faults_pass\n"
        "faults_pass: mov %rdi, %rax\nmov %rsi, %rdi\nmov %rdx, %rsi\n"
        "mov %rcx, %rdx\nmov %r8, %r10\nmov %r9, %r8\nmov 8(%rsp), %r9\n"
        "syscall\nret\n.globl faults_pass_end\n.hidden faults_pass_end\n"
        "faults_pass_end: nop\n");
#define THIS_ARCH       AUDIT_ARCH_X86_64
#define RESULT(context) ((context)->uc_mcontext.gregs[REG_RAX])
#elif defined(__aarch64__)
__asm__(".text\n.p2align 6\n.globl faults_pass\n.hidden faults_pass\n"
        "faults_pass: mov x8, x0\nmov x0, x1\nmov x1, x2\nmov x2, x3\n"
        "mov x3, x4\nmov x4, x5\nmov x5, x6\nsvc 0\nret\n"
        ".globl faults_pass_end\n.hidden faults_pass_end\n"
        "faults_pass_end: nop\n");
#define THIS_ARCH       AUDIT_ARCH_AARCH64
#define RESULT(context) ((context)->uc_mcontext.regs[0])
#else
#error "calls.c knows the system calls of x86-64 and arm64"
#endif

static void get_arguments(const ucontext_t *context, long arguments[6])
{
#if defined(__x86_64__)
	static const int registers[6] = { REG_RDI, REG_RSI, REG_RDX, REG_R10,
		REG_R8, REG_R9 };

	for (int i = 0; i < 6; i++)
		arguments[i] = context->uc_mcontext.gregs[registers[i]];
#else
	for (int i = 0; i < 6; i++)
		arguments[i] = (long)context->uc_mcontext.regs[i];
#endif
}

static const struct call *find(long number)
{
	for (size_t i = 0; i < ARRAY_LEN(calls); i++)
		if (calls[i].number == number)
			return &calls[i];
	return NULL;
}

/* Says in the record which file it was about; async-signal-safe. */
static void note(const struct call *call, const long arguments[6])
{
	char *path = fault_record->path;
	const size_t room = sizeof(fault_record->path) - 1;
	char link[32] = "/proc/self/fd/";

	fault_record->call = (uint64_t)call->number;
	if (call->file == NO_FILE)
		return;
	if (call->file & FD) {
		long fd = arguments[call->file & ~FD];
		char *at = link + strlen(link);
		char digits[12];
		int n = 0;

		do {
			digits[n++] = (char)('0' + fd % 10);
			fd /= 10;
		} while (fd > 0);
		while (n > 0)
			*at++ = digits[--n];
		faults_pass(SYS_readlinkat, AT_FDCWD, (long)link, (long)path,
		    (long)room, 0, 0);
	} else {
		strncpy(path, (const char *)arguments[call->file], room);
	}
}

static bool opens_to_write(const struct call *call, const long arguments[6])
{
	long flags = arguments[call->file + 1];

	if (call->number == SYS_openat2)
		flags = *(const long *)arguments[2];
	return (flags & O_ACCMODE) != O_RDONLY || flags & O_CREAT;
}

/* FAULT_CLASSES: none, it is let pass. */
static enum fault_class classify(
    const struct call *call, const long arguments[6])
{
	switch (call->class) {
	case FAULT_OPEN:
		return opens_to_write(call, arguments) ? FAULT_CREATE
		                                       : FAULT_OPEN;
	case FAULT_WRITE:
		/* The messages must arrive: they are what is judged. */
		return arguments[0] == STDERR_FILENO ? FAULT_CLASSES
		                                     : FAULT_WRITE;
	case FAULT_LOCK:
		if (call->number == SYS_fcntl && arguments[1] != F_SETLK &&
		    arguments[1] != F_SETLKW && arguments[1] != F_OFD_SETLK &&
		    arguments[1] != F_OFD_SETLKW)
			return FAULT_CLASSES;
		return FAULT_LOCK;
	default:
		return call->class;
	}
}

static bool needs_room(enum fault_class class)
{
	return class == FAULT_CREATE || class == FAULT_WRITE ||
	       class == FAULT_TRUNCATE || class == FAULT_RENAME ||
	       class == FAULT_MKDIR;
}

static bool changes_files(enum fault_class class)
{
	return needs_room(class) || class == FAULT_SYNC ||
	       class == FAULT_UNLINK || class == FAULT_MODE;
}

/* Is the third argument the number of bytes, or of pieces? */
static bool has_length(const struct call *call)
{
	return (call->class == FAULT_READ || call->class == FAULT_WRITE) &&
	       call->number != SYS_copy_file_range &&
	       call->number != SYS_sendfile;
}

/* The result of the call: a negative errno, or what the kernel says. */
static long make_call(const struct call *call, long arguments[6])
{
	const enum fault_class class = classify(call, arguments);
	bool is_due = class != FAULT_CLASSES && fault_is_due(class);

	if (class != FAULT_CLASSES && changes_files(class))
		is_due |= fault_is_due(FAULT_CHANGE);
	if (class != FAULT_CLASSES && needs_room(class))
		is_due |= fault_is_due(FAULT_ROOM);
	if (is_due) {
		if (atomic_load(&fault_record->hits) == 1)
			note(call, arguments);
		if (fault.kills)
			faults_pass(SYS_kill, getpid(), SIGKILL, 0, 0, 0, 0);
		if (!fault.is_short)
			return -fault.number;
		if (arguments[2] > 1 && has_length(call))
			arguments[2] /= 2;
	}
	return faults_pass(call->number, arguments[0], arguments[1],
	    arguments[2], arguments[3], arguments[4], arguments[5]);
}

static void trapped(int signal_number, siginfo_t *info, void *data)
{
	ucontext_t *context = data;
	const struct call *call = find(info->si_syscall);
	long arguments[6];

	(void)signal_number;
	get_arguments(context, arguments);
	RESULT(context) =
	    (__typeof__(RESULT(context)))(call ? make_call(call, arguments)
	                                       : -ENOSYS);
}

/* The instructions of the filter: all calls pass but those of the table. */
static int install_filter(void)
{
	const uint64_t first = (uint64_t)(uintptr_t)faults_pass;
	const uint64_t last = (uint64_t)(uintptr_t)faults_pass_end;
	struct sock_filter code[ARRAY_LEN(calls) + 12];
	struct sock_fprog program = { .filter = code };
	unsigned n = 0;

#define LOAD(what)  (BPF_LD | BPF_W | BPF_ABS), 0, 0, (uint32_t)(what)
#define FIELD(name) offsetof(struct seccomp_data, name)
#define JUMP(how, value, yes, no)                                           \
	(uint16_t)(BPF_JMP | (how) | BPF_K), (uint8_t)(yes), (uint8_t)(no), \
	    (uint32_t)(value)
#define RETURN(what) (BPF_RET | BPF_K), 0, 0, (what)
	code[n++] = (struct sock_filter){ LOAD(FIELD(arch)) };
	code[n++] = (struct sock_filter){ JUMP(BPF_JEQ, THIS_ARCH, 1, 0) };
	code[n++] = (struct sock_filter){ RETURN(SECCOMP_RET_ALLOW) };
	code[n++] =
	    (struct sock_filter){ LOAD(FIELD(instruction_pointer) + 4) };
	code[n++] = (struct sock_filter){ JUMP(BPF_JEQ, first >> 32, 0, 4) };
	code[n++] = (struct sock_filter){ LOAD(FIELD(instruction_pointer)) };
	code[n++] = (struct sock_filter){ JUMP(BPF_JGE, first, 0, 2) };
	code[n++] = (struct sock_filter){ JUMP(BPF_JGT, last, 1, 0) };
	code[n++] = (struct sock_filter){ RETURN(SECCOMP_RET_ALLOW) };
	code[n++] = (struct sock_filter){ LOAD(FIELD(nr)) };
	for (size_t i = 0; i < ARRAY_LEN(calls); i++)
		code[n++] = (struct sock_filter){ JUMP(
		    BPF_JEQ, calls[i].number, ARRAY_LEN(calls) - i, 0) };
	code[n++] = (struct sock_filter){ RETURN(SECCOMP_RET_ALLOW) };
	code[n++] = (struct sock_filter){ RETURN(SECCOMP_RET_TRAP) };
	program.len = (unsigned short)n;
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return -1;
	return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program);
}

__attribute__((constructor)) static void start(void)
{
	const struct sigaction action = {
		.sa_sigaction = trapped,
		.sa_flags = SA_SIGINFO | SA_NODEFER,
	};

	fault_init();
	if (sigaction(SIGSYS, &action, NULL) || install_filter()) {
		perror("faults: there is no seccomp");
		_exit(UNAVAILABLE);
	}
}

/* ---- what stands in front of functions of libc ---- */

static void *next_of(const char *name)
{
	return dlsym(RTLD_NEXT, name);
}

/* A thread that blocks SIGSYS would end the program. */
FAULT_EXPORTED
int pthread_sigmask(int how, const sigset_t *set, sigset_t *before)
{
	int (*real)(int, const sigset_t *, sigset_t *);
	sigset_t without;

	*(void **)&real = next_of("pthread_sigmask");
	if (!set || how == SIG_UNBLOCK)
		return real(how, set, before);
	without = *set;
	sigdelset(&without, SIGSYS);
	return real(how, &without, before);
}

FAULT_EXPORTED
int pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
    void *(*run)(void *), void *arg)
{
	int (*real)(
	    pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

	*(void **)&real = next_of("pthread_create");
	if (fault_is_due(FAULT_THREAD)) {
		if (fault.kills)
			kill(getpid(), SIGKILL);
		return fault.number;
	}
	return real(thread, attributes, run, arg);
}
