/*
 * profile.h - the files of AWS that users share between programs:
 * ~/.aws/credentials and ~/.aws/config, with sections for profiles.
 *
 * The programs of AWS write and read these files, and people edit them.  So
 * they are read as those programs do: names of keys in any case, '=' or ':',
 * comments, line ends of Windows, settings of services that follow indented,
 * and what is not known is passed by.
 */
#ifndef LIB_MEDIA_S3_PROFILE_H
#define LIB_MEDIA_S3_PROFILE_H

#include <stdbool.h>

#include "lib/base/bytes.h"

struct error;

enum profile_key {
	PROFILE_KEY_ID,
	PROFILE_SECRET,
	PROFILE_TOKEN, /* the last of the three parts of a key */
	PROFILE_REGION,
	PROFILE_ENDPOINT,
	PROFILE_ROLE,
	PROFILE_TOKEN_FILE,
	PROFILE_SESSION,
	PROFILE_SOURCE,  /* the profile whose keys get a role */
	PROFILE_PROCESS, /* a program that prints credentials */
	PROFILE_SSO,     /* a session of single sign-on */
	PROFILE_KEYS
};

struct profile {                    /* zero: empty */
	char *values[PROFILE_KEYS]; /* owned; NULL: not set */
	bool is_there;              /* a file has its section */
};

enum profile_file { PROFILE_OF_CREDENTIALS, PROFILE_OF_CONFIG };

/*
 * Takes what a file says of the profile `name`; values that are set already
 * stay.  In the config, "[profile NAME]" is its section, and "[default]".
 */
int profile_parse(struct profile *profile, struct span text,
    enum profile_file file, const char *name, struct error *err);
/*
 * Reads both files for the profile of $AWS_PROFILE, else "default", from
 * $AWS_SHARED_CREDENTIALS_FILE and $AWS_CONFIG_FILE, else below ~/.aws.  A file
 * that is missing is empty.
 */
int profile_read(struct profile *profile, struct error *err);
/* The name that the environment asks for; false: it is the default. */
bool profile_name(const char **name);
void profile_release(struct profile *profile); /* wipes its values */

#endif
