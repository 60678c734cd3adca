/*
 * option.h - options as data.  One sorted table parses a command line, a
 * section of the pipeline file and the options of a step; it prints -h, and the
 * manual is checked against it.
 *
 * Values are written through offsetof into a plain struct of the owner.  Texts
 * are borrowed from their source (argv, the pipeline file).
 */
#ifndef LIB_SYNTAX_OPTION_H
#define LIB_SYNTAX_OPTION_H

#include <stdbool.h>
#include <stddef.h>

struct error;

enum option_type {
	OPTION_END,
	OPTION_FLAG,   /* bool; has no value on the command line */
	OPTION_UINT,   /* uint64_t */
	OPTION_REAL,   /* double */
	OPTION_TEXT,   /* const char *, NULL when not given */
	OPTION_BYTES,  /* uint64_t: "500MB" */
	OPTION_RATE,   /* double, bytes per second: "910MB/s" */
	OPTION_TIME,   /* double, seconds: "90s", "600us" */
	OPTION_CHOICE, /* unsigned: index in `choices`; "yes|no" for switches */
	OPTION_PATH,   /* a text; in a pipeline file relative to its folder */
	OPTION_REPEAT, /* struct option_texts; may be given more than once */
};

enum { OPTION_REPEAT_MAX = 32 };

struct option_texts {
	const char *text[OPTION_REPEAT_MAX];
	unsigned count;
};

struct option {
	const char *name; /* without the dashes */
	char letter;      /* 0: there is no short form */
	enum option_type type;
	size_t offset;
	const char *arg;     /* name of the value in -h; NULL for flags */
	const char *help;    /* one phrase, no full stop */
	const char *choices; /* "nearest|bilinear|box" */
	double min, max;     /* bounds of a number, checked when min < max */
};

/* OPTION(UINT, "runs", 'r', struct args, runs, "N", "runs of a trial") */
#define OPTION(kind, word, short_name, type_of, member, value, phrase)         \
	{                                                                      \
		.name = (word), .letter = (short_name), .type = OPTION_##kind, \
		.offset = offsetof(type_of, member), .arg = (value),           \
		.help = (phrase)                                               \
	}
/* The same with bounds, or with choices. */
#define OPTION_RANGE(kind, word, type_of, member, low, high, phrase) \
	{                                                            \
		.name = (word), .type = OPTION_##kind,               \
		.offset = offsetof(type_of, member), .arg = "N",     \
		.help = (phrase), .min = (low), .max = (high)        \
	}
/* The value must not be 0, which means that none is given. */
#define OPTION_ABOVE_0(kind, word, type_of, member, value, phrase)   \
	{                                                            \
		.name = (word), .type = OPTION_##kind,               \
		.offset = offsetof(type_of, member), .arg = (value), \
		.help = (phrase), .min = 1, .max = 1e18              \
	}
#define OPTION_WORDS(word, type_of, member, words, phrase)          \
	{                                                           \
		.name = (word), .type = OPTION_CHOICE,              \
		.offset = offsetof(type_of, member), .arg = "WORD", \
		.help = (phrase), .choices = (words)                \
	}
#define OPTION_TABLE_END                         \
	{                                        \
		.name = NULL, .type = OPTION_END \
	}

const struct option *option_find(const struct option *table, const char *name);

/*
 * Sets one option from its text.  Errors (ERROR_USAGE): "unknown option 'mach';
 * did you mean 'match'?" and "shorter must be 1 to 65535, got 0".
 */
int option_set(const struct option *table, void *values, const char *name,
    const char *text, struct error *err);

/*
 * Parses argv[1..argc-1]: --name VALUE, --name=VALUE, -n VALUE, -nVALUE,
 * --flag, -f; "--" ends the options.  Operands are moved to the front of argv,
 * from argv[1] on, in order; *operands is their number.  -h and --help set
 * *help and stop.
 */
int option_parse(const struct option *table, void *values, int argc,
    char **argv, int *operands, bool *help, struct error *err);

enum { OPTION_VALUE = 64 };

/*
 * Writes a value as a pipeline file would contain it: "yes", "bilinear", "0.5".
 * A text is returned itself; NULL: none is given.
 */
const char *option_value(
    const struct option *option, const void *values, char text[OPTION_VALUE]);

/* Prints one line for each option, as in -h: "  -r, --runs N   text\n". */
struct buf;
int option_help(const struct option *table, struct buf *out, struct error *err);

#endif
