/*
 * glob.h - matches file names against patterns like those of shells and git:
 * `*` and `?` stop at a slash, `**` between slashes matches any folders.
 */
#ifndef LIB_FILES_GLOB_H
#define LIB_FILES_GLOB_H

#include <stdbool.h>
#include <stddef.h>

struct error;

/*
 * Does the relative path `name` match?  A pattern without a slash is compared
 * with the last part of the name only.
 */
bool glob_matches(const char *pattern, const char *name);

/* Several patterns, as users write them: "*.jpg, *.png". */
struct glob_list {   /* all 0: none */
	char *texts; /* each terminated; owned */
	size_t len;
};

int glob_list_set(
    struct glob_list *list, const char *patterns, struct error *err);
/* Returns the next pattern, from NULL on the first; NULL behind the last. */
const char *glob_list_next(const struct glob_list *list, const char *pattern);
/* Does one of them match? */
bool glob_list_matches(const struct glob_list *list, const char *name);
void glob_list_release(struct glob_list *list);

#endif
