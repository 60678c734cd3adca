/*
 * credentials.h - the keys that requests to S3 are signed with, found where the
 * programs of AWS look for them, in this order:
 *
 *	environment         AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY,
 *	                    AWS_SESSION_TOKEN
 *	shared files        ~/.aws/credentials and ~/.aws/config (profile.h),
 *	                    also by the program that credential_process names
 *	web identity        AWS_WEB_IDENTITY_TOKEN_FILE and AWS_ROLE_ARN, or the
 *	                    same of a profile, exchanged at STS
 *	container           AWS_CONTAINER_CREDENTIALS_RELATIVE_URI or _FULL_URI
 *	instance metadata   IMDSv2, unless AWS_EC2_METADATA_DISABLED is true
 *
 * With AWS_NO_SIGN_REQUEST=yes nothing is signed: for data that is public.
 *
 * A secret is wiped when it is freed, and no message has one.
 */
#ifndef LIB_MEDIA_S3_CREDENTIALS_H
#define LIB_MEDIA_S3_CREDENTIALS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "lib/base/bytes.h"

struct error;
struct http_pool;
struct profile;

enum { CREDENTIALS_SOURCE = 160 };

struct credentials {
	char *key, *secret; /* owned; NULL: requests are not signed */
	char *token;        /* owned; NULL: none */
	/* "the environment", "profile train of the shared files". */
	char source[CREDENTIALS_SOURCE];
	int64_t expires_s; /* since 1970; -1: they do not */
	bool is_renewable; /* its source may have other ones later */
	atomic_uint users;
};

/* Needed by the search; all borrowed. */
struct credentials_search {
	struct http_pool *pool;
	const struct profile *profile;
	const char *region;   /* for STS */
	const char *endpoint; /* for all services; NULL: AWS */
	bool is_unsigned;     /* asked for by the user */
	unsigned run_ms;      /* limit for a program; 0: a minute */
};

/* Finds them; one user.  NULL: there are none, and `err` says what was tried.
 */
struct credentials *credentials_find(
    const struct credentials_search *search, struct error *err);
/* Makes them from texts, which are copied; `token` may be NULL. */
struct credentials *credentials_new(const char *key, const char *secret,
    const char *token, const char *source, struct error *err);
struct credentials *credentials_share(struct credentials *credentials);
/* The last user frees them.  NULL is fine. */
void credentials_give(struct credentials *credentials);

/* ---- sources: 1 with credentials, 0: nothing is there, or -1 ---- */

typedef int credentials_source(const struct credentials_search *search,
    struct credentials **found, struct error *err);

credentials_source credentials_of_process;   /* credential_process */
credentials_source credentials_of_role;      /* web identity */
credentials_source credentials_of_container; /* AWS_CONTAINER_... */
credentials_source credentials_of_instance;  /* IMDSv2 */

/* ---- JSON ---- */

struct credentials_form {
	const char *token; /* key of the token */
	int version;       /* that it must have; 0: it has none */
};

extern const struct credentials_form credentials_by_program;

/* Reads keys; an error tells nothing of the text. */
struct credentials *credentials_read(const struct credentials_form *form,
    struct span text, const char *source, struct error *err);

/* Is a variable set to yes, true or 1? */
bool credentials_is_yes(const char *variable);

#endif
