/* credentials.c - see credentials.h. */
#include "lib/media/s3/credentials.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/media/s3/profile.h"
#include "lib/media/s3/secret.h"

/* ---- one set of keys ---- */

struct credentials *credentials_new(const char *key, const char *secret,
    const char *token, const char *source, struct error *err)
{
	struct credentials *made = memory_zeroed(sizeof(*made), err);

	if (!made)
		return NULL;
	atomic_init(&made->users, 1);
	made->expires_s = -1;
	snprintf(made->source, sizeof(made->source), "%s", source);
	if (!key)
		return made;
	made->key = strdup(key);
	made->secret = strdup(secret);
	if (token && *token)
		made->token = strdup(token);
	if (made->key && made->secret && (!token || !*token || made->token))
		return made;
	credentials_give(made);
	error_memory(err, strlen(key));
	return NULL;
}

struct credentials *credentials_share(struct credentials *credentials)
{
	atomic_fetch_add(&credentials->users, 1);
	return credentials;
}

void credentials_give(struct credentials *credentials)
{
	if (!credentials || atomic_fetch_sub(&credentials->users, 1) > 1)
		return;
	secret_free(credentials->key);
	secret_free(credentials->secret);
	secret_free(credentials->token);
	free(credentials);
}

/* ---- sources ---- */

static const char *word(const char *variable)
{
	const char *value = getenv(variable);

	return value && *value ? value : NULL;
}

bool credentials_is_yes(const char *variable)
{
	const char *value = word(variable);

	return value &&
	       (strcasecmp(value, "yes") == 0 ||
	           strcasecmp(value, "true") == 0 || strcmp(value, "1") == 0);
}

static int of_user(const struct credentials_search *search,
    struct credentials **found, struct error *err)
{
	if (!search->is_unsigned && !credentials_is_yes("AWS_NO_SIGN_REQUEST"))
		return 0;
	*found = credentials_new(NULL, NULL, NULL, "nowhere", err);
	return *found ? 1 : -1;
}

static int of_environment(const struct credentials_search *search,
    struct credentials **found, struct error *err)
{
	const char *key = word("AWS_ACCESS_KEY_ID");
	const char *secret = word("AWS_SECRET_ACCESS_KEY");

	UNUSED(search);
	if (!key && !secret)
		return 0;
	if (!key || !secret)
		return error_set(err, ERROR_USAGE,
		    "the environment has %s without %s",
		    key ? "AWS_ACCESS_KEY_ID" : "AWS_SECRET_ACCESS_KEY",
		    key ? "AWS_SECRET_ACCESS_KEY" : "AWS_ACCESS_KEY_ID");
	*found = credentials_new(
	    key, secret, word("AWS_SESSION_TOKEN"), "the environment", err);
	return *found ? 1 : -1;
}

/* Refuses a profile whose keys another program would have to fetch. */
static int refuse_profile(
    const struct profile *profile, const char *name, struct error *err)
{
	const char *what = NULL;

	if (profile->values[PROFILE_SSO])
		what = "single sign-on";
	else if (profile->values[PROFILE_ROLE] &&
	         !profile->values[PROFILE_TOKEN_FILE])
		what = "role_arn with another profile";
	if (!what)
		return 0;
	return error_set(err, ERROR_USAGE,
	    "profile %.64s gets its keys by %s, which presto does not do: run "
	    "eval \"$(aws configure export-credentials --profile %.64s "
	    "--format env)\" first, or let another profile have "
	    "credential_process = aws configure export-credentials --profile "
	    "%.64s",
	    name, what, name, name);
}

static int of_files(const struct credentials_search *search,
    struct credentials **found, struct error *err)
{
	const struct profile *profile = search->profile;
	const char *key = profile->values[PROFILE_KEY_ID];
	const char *secret = profile->values[PROFILE_SECRET];
	char source[CREDENTIALS_SOURCE];
	const char *name;
	const bool is_asked = profile_name(&name);

	if (is_asked && !profile->is_there)
		return error_set(err, ERROR_USAGE,
		    "there is no profile %.64s in ~/.aws/credentials or "
		    "~/.aws/config: AWS_PROFILE asks for it",
		    name);
	if (!key && !secret)
		return refuse_profile(profile, name, err)
		           ? -1
		           : credentials_of_process(search, found, err);
	if (!key || !secret)
		return error_set(err, ERROR_USAGE,
		    "profile %.64s has only one of aws_access_key_id and "
		    "aws_secret_access_key",
		    name);
	snprintf(
	    source, sizeof(source), "profile %.64s of the shared files", name);
	*found = credentials_new(
	    key, secret, profile->values[PROFILE_TOKEN], source, err);
	if (!*found)
		return -1;
	(*found)->is_renewable = true;
	return 1;
}

struct credentials *credentials_find(
    const struct credentials_search *search, struct error *err)
{
	static credentials_source *const sources[] = { of_user, of_environment,
		of_files, credentials_of_role, credentials_of_container,
		credentials_of_instance };
	struct credentials *found = NULL;

	for (size_t i = 0; i < ARRAY_LEN(sources); i++) {
		const int rc = sources[i](search, &found, err);

		if (rc)
			return rc > 0 ? found : NULL;
	}
	error_set(err, ERROR_USAGE,
	    "no credentials: AWS_ACCESS_KEY_ID, a profile in "
	    "~/.aws/credentials, a role of web identity, of the container or "
	    "of the instance; AWS_NO_SIGN_REQUEST=yes reads public data");
	return NULL;
}
