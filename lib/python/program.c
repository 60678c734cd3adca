/* program.c - see program.h. */
#define _GNU_SOURCE /* memfd_create */
#include "lib/python/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "lib/base/error.h"

const char python_worker_program[] = {
#include "lib/python/worker.py.inc"
	0
};

static const char user_code[] = {
#include "lib/python/user_code.py.inc"
	0
};

size_t python_program_bytes(const char *program)
{
	return sizeof(user_code) - 1 + strlen(program);
}

void python_program_write(const char *program, void *to)
{
	const size_t first = sizeof(user_code) - 1;

	memcpy(to, user_code, first);
	memcpy(
	    (char *)to + first, program, python_program_bytes(program) - first);
}

void python_program_words(
    const char *program, int fd, char words[PROGRAM_WORDS])
{
	snprintf(words, PROGRAM_WORDS,
	    "import os,sys,types;m=types.ModuleType('user_code');"
	    "exec(compile(os.pread(%d,%zu,0),'presto','exec'),m.__dict__);"
	    "sys.modules['user_code']=m;"
	    "exec(compile(os.pread(%d,%zu,%zu),'presto','exec'))",
	    fd, strlen(user_code), fd, strlen(program), strlen(user_code));
}

int python_program_open(const char *program, struct error *err)
{
	const size_t bytes = python_program_bytes(program);
	char *text = malloc(bytes);
	const int file = memfd_create("presto-program", MFD_CLOEXEC);
	ssize_t written = -1;

	if (!text || file < 0) {
		error_memory(err, bytes);
	} else {
		python_program_write(program, text);
		written = write(file, text, bytes);
		if (written != (ssize_t)bytes)
			error_errno(err, "write", "a program in memory");
	}
	free(text);
	if (file < 0 || written == (ssize_t)bytes)
		return file;
	close(file);
	return -1;
}
