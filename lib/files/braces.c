/* braces.c - see braces.h. */
#include "lib/files/braces.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/bytes.h"
#include "lib/base/error.h"
#include "lib/files/path.h"

enum {
	TEXT_MOST = 4096, /* bytes; limits the depth of recursion, too */
	DIGITS_MOST = 18, /* digits of a number */
};

/* One "{...}" of a text. */
struct group {
	const char *open, *close; /* positions of its braces */
	bool is_list;
	uint64_t first, last, step; /* the range, if it is one */
	int width;
};

struct expansion {
	braces_visit *visit;
	void *arg;
	size_t count, missing;
	struct buf first; /* the first path that is missing */
};

/* Reads digits at *at and moves *at behind them; false: no digits there. */
static bool take_number(const char **at, uint64_t *number, int *width)
{
	const size_t len = strspn(*at, "0123456789");

	if (len == 0 || len > DIGITS_MOST)
		return false;
	*number = strtoull(*at, NULL, 10);
	if (**at == '0' && len > 1 && (int)len > *width)
		*width = (int)len;
	*at += len;
	return true;
}

/* Reads a range such as "000..146}" or "0..8..2}". */
static bool read_range(const char *at, struct group *group)
{
	int unused = 0;

	group->width = 0;
	group->step = 1;
	if (!take_number(&at, &group->first, &group->width) ||
	    strncmp(at, "..", 2) != 0)
		return false;
	at += 2;
	if (!take_number(&at, &group->last, &group->width))
		return false;
	if (strncmp(at, "..", 2) == 0) {
		at += 2;
		if (!take_number(&at, &group->step, &unused) || !group->step)
			return false;
	}
	return *at == '}';
}

/* Finds the comma or brace that ends the part at `at`; NULL: none. */
static const char *part_end(const char *at)
{
	unsigned depth = 0;

	for (; *at; at++) {
		if (depth == 0 && (*at == ',' || *at == '}'))
			return at;
		if (*at == '{')
			depth++;
		else if (*at == '}')
			depth--;
	}
	return NULL;
}

static bool read_group(const char *open, struct group *group)
{
	const char *end = part_end(open + 1);

	group->open = open;
	group->is_list = end && *end == ',';
	while (end && *end == ',')
		end = part_end(end + 1);
	group->close = end;
	return end && (group->is_list || read_range(open + 1, group));
}

/* Finds the first group of the text that begins at or after `from`. */
static bool find_group(const char *from, struct group *group)
{
	const char *open = from;

	while ((open = strchr(open, '{'))) {
		if (read_group(open, group))
			return true;
		open++;
	}
	return false;
}

bool braces_any(const char *text)
{
	struct group group;

	return find_group(text, &group);
}

static int visit_path(
    struct expansion *expansion, const char *path, struct error *err)
{
	int rc;

	if (expansion->count == BRACES_MOST)
		return error_set(err, ERROR_USAGE,
		    "the braces stand for more than %d paths", BRACES_MOST);
	expansion->count++;
	rc = expansion->visit(expansion->arg, path, err);
	if (rc > 0 && expansion->missing++ == 0)
		rc = buf_append(&expansion->first, path, strlen(path) + 1, err);
	return rc < 0 ? -1 : 0;
}

static int expand(struct expansion *expansion, const char *text, size_t from,
    struct error *err);

/* Replaces the group by `part`, and goes on expanding after `done` bytes. */
static int replace(struct expansion *expansion, const char *text,
    const struct group *group, struct span part, size_t done, struct error *err)
{
	const size_t before = (size_t)(group->open - text);
	struct buf next = BUF_INIT;
	int rc = -1;

	if (buf_append(&next, text, before, err) == 0 &&
	    buf_append(&next, part.data, part.len, err) == 0 &&
	    buf_append(&next, group->close + 1, strlen(group->close), err) == 0)
		rc = expand(
		    expansion, (const char *)next.data, before + done, err);
	buf_release(&next);
	return rc;
}

static int expand_list(struct expansion *expansion, const char *text,
    const struct group *group, struct error *err)
{
	const char *at = group->open;
	int rc = 0;

	while (rc == 0 && at != group->close) {
		const char *end = part_end(at + 1);
		const struct span part = {
			.data = (const unsigned char *)at + 1,
			.len = (size_t)(end - at - 1),
		};

		rc = replace(expansion, text, group, part, 0, err);
		at = end;
	}
	return rc;
}

static int expand_range(struct expansion *expansion, const char *text,
    const struct group *group, struct error *err)
{
	const bool is_up = group->first <= group->last;
	const uint64_t length =
	    is_up ? group->last - group->first : group->first - group->last;
	int rc = 0;

	for (uint64_t i = 0; rc == 0 && i <= length / group->step; i++) {
		const uint64_t off = i * group->step;
		const uint64_t number =
		    is_up ? group->first + off : group->first - off;
		char digits[DIGITS_MOST + 2];
		struct span part;

		snprintf(digits, sizeof(digits), "%0*llu", group->width,
		    (unsigned long long)number);
		part = span_text(digits);
		rc = replace(expansion, text, group, part, part.len, err);
	}
	return rc;
}

static int expand(struct expansion *expansion, const char *text, size_t from,
    struct error *err)
{
	struct group group;

	if (!find_group(text + from, &group))
		return visit_path(expansion, text, err);
	return group.is_list ? expand_list(expansion, text, &group, err)
	                     : expand_range(expansion, text, &group, err);
}

int braces_each(
    const char *text, braces_visit *visit, void *arg, struct error *err)
{
	struct expansion expansion = { .visit = visit, .arg = arg };
	struct group group;
	int rc;

	if (!strchr(text, '{') || path_exists(text))
		return visit(arg, text, err);
	if (strlen(text) > TEXT_MOST)
		return error_set(err, ERROR_USAGE,
		    "a path with braces has at most %d bytes", TEXT_MOST);
	if (!find_group(text, &group))
		return visit(arg, text, err);
	rc = expand(&expansion, text, 0, err);
	if (rc == 0 && expansion.missing)
		rc = error_set(err, ERROR_SYSTEM,
		    "%s does not exist (%zu of the %zu paths are missing)",
		    (const char *)expansion.first.data, expansion.missing,
		    expansion.count);
	buf_release(&expansion.first);
	return rc;
}
