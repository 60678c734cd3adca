/* option.c - see option.h. */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/bytes.h"
#include "lib/base/error.h"
#include "lib/base/units.h"
#include "lib/syntax/nearest.h"
#include "lib/syntax/option.h"

enum {
	NAME_MAX_BYTES = 64,
	LABEL_MAX = NAME_MAX_BYTES + 3,
	RANGE_MAX = 256, /* such as "1 to 65535" or "nearest, bilinear, box" */
};

const struct option *option_find(const struct option *table, const char *name)
{
	for (; table->type != OPTION_END; table++)
		if (strcmp(table->name, name) == 0)
			return table;
	return NULL;
}

static const struct option *find_letter(const struct option *table, char letter)
{
	for (; table->type != OPTION_END; table++)
		if (table->letter && table->letter == letter)
			return table;
	return NULL;
}

static int error_unknown(const struct option *table, const char *dashes,
    const char *name, struct error *err)
{
	struct nearest nearest = nearest_to(name);
	char hint[NEAREST_HINT];

	nearest.prefix = dashes;
	nearest.see = *dashes ? "-h" : NULL;
	for (; table->type != OPTION_END; table++)
		nearest_try(&nearest, table->name);
	return error_set(err, ERROR_USAGE, "unknown %s '%s%s'%s",
	    *dashes ? "option" : "key", dashes, name,
	    *dashes && nearest.best ? nearest_question(&nearest, hint)
	                            : nearest_hint(&nearest, hint));
}

/* Writes a bound as a user would. */
static const char *bound_text(
    enum option_type type, double bound, char text[UNITS_TEXT])
{
	if (type == OPTION_BYTES || type == OPTION_RATE)
		return units_bytes(bound, text);
	if (type == OPTION_TIME)
		return units_time(bound, text);
	snprintf(text, UNITS_TEXT,
	    bound >= 1e6 && bound < 1e18 ? "%.0f" : "%.10g", bound);
	return text;
}

/* Writes "nearest|bilinear|box" as "nearest, bilinear, box". */
static void choices_text(const char *choices, char text[RANGE_MAX])
{
	size_t len = 0;

	for (; *choices && len + 3 < RANGE_MAX; choices++) {
		if (*choices != '|') {
			text[len++] = *choices;
			continue;
		}
		text[len++] = ',';
		text[len++] = ' ';
	}
	text[len] = '\0';
}

/* Writes the allowed values; "" when any value of the type is allowed. */
static const char *range_text(const struct option *option, char text[RANGE_MAX])
{
	char low[UNITS_TEXT], high[UNITS_TEXT];

	text[0] = '\0';
	if (option->type == OPTION_CHOICE)
		choices_text(option->choices, text);
	else if (option->min < option->max)
		snprintf(text, RANGE_MAX, "%s to %s",
		    bound_text(option->type, option->min, low),
		    bound_text(option->type, option->max, high));
	return text;
}

static const char *type_text(enum option_type type)
{
	static const char *const words[] = {
		[OPTION_UINT] = "a whole number",
		[OPTION_REAL] = "a number",
		[OPTION_BYTES] = "a size such as 500MB or 64KiB",
		[OPTION_RATE] = "a rate such as 910MB/s",
		[OPTION_TIME] = "a time such as 90s or 5m",
	};

	return words[type];
}

/* Parses whole numbers into *whole, others into *real. */
static int parse_number(
    enum option_type type, const char *text, uint64_t *whole, double *real)
{
	int rc = -1;

	if (type == OPTION_UINT)
		rc = units_parse_uint(text, whole);
	else if (type == OPTION_BYTES)
		rc = units_parse_bytes(text, whole);
	else if (type == OPTION_RATE)
		rc = units_parse_rate(text, real);
	else if (type == OPTION_TIME)
		rc = units_parse_time(text, real);
	else if (type == OPTION_REAL)
		rc = units_parse_real(text, real);
	return rc;
}

static int set_number(const struct option *option, const char *label,
    void *member, const char *text, struct error *err)
{
	const bool is_whole =
	    option->type == OPTION_UINT || option->type == OPTION_BYTES;
	const bool is_bounded = option->min < option->max;
	char range[RANGE_MAX];
	uint64_t whole = 0;
	double real = 0;

	if (parse_number(option->type, text, &whole, &real))
		return error_set(err, ERROR_USAGE, "%s must be %s, got '%s'",
		    label,
		    is_bounded ? range_text(option, range)
		               : type_text(option->type),
		    text);
	if (is_whole)
		real = (double)whole;
	if (is_bounded && (real < option->min || real > option->max))
		return error_set(err, ERROR_USAGE, "%s must be %s, got %s",
		    label, range_text(option, range), text);
	if (is_whole)
		*(uint64_t *)member = whole;
	else
		*(double *)member = real;
	return 0;
}

static int set_choice(const struct option *option, const char *label,
    unsigned *member, const char *text, struct error *err)
{
	const char *word = option->choices;
	struct nearest nearest = nearest_to(text);
	char range[RANGE_MAX], words[RANGE_MAX], hint[NEAREST_HINT];

	for (unsigned i = 0;; i++) {
		const size_t len = strcspn(word, "|");

		if (strlen(text) == len && memcmp(word, text, len) == 0) {
			*member = i;
			return 0;
		}
		if (!word[len])
			break;
		word += len + 1;
	}
	nearest_try_words(&nearest, option->choices, words, sizeof(words));
	return error_set(err, ERROR_USAGE, "%s must be one of %s, got '%s'%s",
	    label, range_text(option, range), text,
	    nearest_question(&nearest, hint));
}

static int set_flag(
    const char *label, bool *member, const char *text, struct error *err)
{
	if (text && strcmp(text, "yes") != 0 && strcmp(text, "no") != 0)
		return error_set(err, ERROR_USAGE,
		    "%s must be yes or no, got '%s'", label, text);
	*member = !text || strcmp(text, "yes") == 0;
	return 0;
}

static int add_text(const char *label, struct option_texts *texts,
    const char *text, struct error *err)
{
	if (texts->count == OPTION_REPEAT_MAX)
		return error_set(err, ERROR_USAGE,
		    "%s can be given %d times at most", label,
		    OPTION_REPEAT_MAX);
	texts->text[texts->count++] = text;
	return 0;
}

/* `label` is the option's name in messages: "runs", "--runs" or "-r". */
static int set_value(const struct option *option, const char *label,
    void *values, const char *text, struct error *err)
{
	void *member = (char *)values + option->offset;

	if (option->type == OPTION_FLAG)
		return set_flag(label, member, text, err);
	if (!text)
		return error_set(err, ERROR_USAGE, "%s needs a value (%s)",
		    label, option->arg ? option->arg : "VALUE");
	if (option->type == OPTION_CHOICE)
		return set_choice(option, label, member, text, err);
	if (option->type == OPTION_REPEAT)
		return add_text(label, member, text, err);
	if (option->type == OPTION_TEXT || option->type == OPTION_PATH) {
		*(const char **)member = text;
		return 0;
	}
	return set_number(option, label, member, text, err);
}

int option_set(const struct option *table, void *values, const char *name,
    const char *text, struct error *err)
{
	const struct option *option = option_find(table, name);

	if (!option)
		return error_unknown(table, "", name, err);
	return set_value(option, name, values, text, err);
}

struct parser {
	const struct option *table;
	void *values;
	char **argv;
	int argc, next; /* argv[next] is the next argument to look at */
	bool help;
};

/* Takes the next argument as the value of an option; NULL: there is none. */
static const char *next_argument(struct parser *parser)
{
	return parser->next < parser->argc ? parser->argv[parser->next++]
	                                   : NULL;
}

/* `arg` comes after the dashes: "runs" or "runs=5". */
static int parse_long(struct parser *parser, const char *arg, struct error *err)
{
	const size_t len = strcspn(arg, "=");
	const struct option *option;
	char name[NAME_MAX_BYTES], label[LABEL_MAX];
	const char *text = NULL;

	if (len >= sizeof(name))
		return error_unknown(parser->table, "--", arg, err);
	memcpy(name, arg, len);
	name[len] = '\0';
	if (strcmp(arg, "help") == 0) {
		parser->help = true;
		return 0;
	}
	option = option_find(parser->table, name);
	if (!option)
		return error_unknown(parser->table, "--", name, err);
	snprintf(label, sizeof(label), "--%s", name);
	if (option->type == OPTION_FLAG && arg[len])
		return error_set(err, ERROR_USAGE, "%s takes no value", label);
	if (arg[len])
		text = arg + len + 1;
	else if (option->type != OPTION_FLAG)
		text = next_argument(parser);
	return set_value(option, label, parser->values, text, err);
}

/* `arg` comes after the dash: "r", "r5", or several flags, "kq". */
static int parse_letters(
    struct parser *parser, const char *arg, struct error *err)
{
	for (; *arg && !parser->help; arg++) {
		const char label[] = { '-', *arg, '\0' };
		const struct option *option = find_letter(parser->table, *arg);
		const char *text = NULL;

		if (!option && *arg == 'h') {
			parser->help = true;
			return 0;
		}
		if (!option)
			return error_set(err, ERROR_USAGE,
			    "unknown option '%s'; see -h", label);
		if (option->type != OPTION_FLAG)
			text = arg[1] ? arg + 1 : next_argument(parser);
		if (set_value(option, label, parser->values, text, err))
			return -1;
		if (option->type != OPTION_FLAG)
			return 0;
	}
	return 0;
}

int option_parse(const struct option *table, void *values, int argc,
    char **argv, int *operands, bool *help, struct error *err)
{
	struct parser parser = {
		.table = table,
		.values = values,
		.argv = argv,
		.argc = argc,
		.next = 1,
	};
	bool ended = false;
	int count = 0, rc = 0;

	while (rc == 0 && !parser.help && parser.next < argc) {
		char *arg = argv[parser.next++];

		if (ended || arg[0] != '-' || !arg[1])
			argv[1 + count++] = arg;
		else if (strcmp(arg, "--") == 0)
			ended = true;
		else if (arg[1] == '-')
			rc = parse_long(&parser, arg + 2, err);
		else
			rc = parse_letters(&parser, arg + 1, err);
	}
	*operands = count;
	*help = parser.help;
	return rc;
}

/* Writes the left column: "  -r, --runs N". */
static int left_column(
    const struct option *option, struct buf *out, struct error *err)
{
	out->len = 0;
	if (option->letter &&
	    buf_printf(out, err, "  -%c, --%s", option->letter, option->name))
		return -1;
	if (!option->letter && buf_printf(out, err, "  --%s", option->name))
		return -1;
	if (option->arg && buf_printf(out, err, " %s", option->arg))
		return -1;
	return 0;
}

int option_help(const struct option *table, struct buf *out, struct error *err)
{
	struct buf left = BUF_INIT;
	size_t width = 0;
	int rc = 0;

	for (const struct option *o = table; o->type != OPTION_END; o++) {
		rc = left_column(o, &left, err);
		if (rc)
			goto done;
		if (left.len > width)
			width = left.len;
	}
	for (const struct option *o = table; o->type != OPTION_END; o++) {
		char range[RANGE_MAX];

		rc = left_column(o, &left, err);
		if (rc)
			goto done;
		range_text(o, range);
		rc = buf_printf(out, err, "%-*s   %s%s%s%s\n", (int)width,
		    (const char *)left.data, o->help, *range ? " (" : "", range,
		    *range ? ")" : "");
		if (rc)
			goto done;
	}
done:
	buf_release(&left);
	return rc;
}

/* Copies word number `i` of "nearest|bilinear|box". */
static void print_choice(
    const char *choices, unsigned i, char text[OPTION_VALUE])
{
	for (; i > 0 && *choices; i--) {
		choices += strcspn(choices, "|");
		choices += *choices == '|';
	}
	snprintf(
	    text, OPTION_VALUE, "%.*s", (int)strcspn(choices, "|"), choices);
}

const char *option_value(
    const struct option *option, const void *values, char text[OPTION_VALUE])
{
	const void *value = (const char *)values + option->offset;

	switch (option->type) {
	case OPTION_FLAG:
		return *(const bool *)value ? "yes" : "no";
	case OPTION_UINT:
	case OPTION_BYTES:
		snprintf(
		    text, OPTION_VALUE, "%" PRIu64, *(const uint64_t *)value);
		return text;
	case OPTION_REAL:
	case OPTION_RATE:
	case OPTION_TIME:
		snprintf(text, OPTION_VALUE, "%.10g", *(const double *)value);
		return text;
	case OPTION_CHOICE:
		print_choice(option->choices, *(const unsigned *)value, text);
		return text;
	case OPTION_TEXT:
	case OPTION_PATH:
		return *(const char *const *)value;
	default:
		return NULL;
	}
}
