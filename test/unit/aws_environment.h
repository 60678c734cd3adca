/* aws_environment.h - for tests of S3, whatever the user of them has set. */
#ifndef TEST_UNIT_AWS_ENVIRONMENT_H
#define TEST_UNIT_AWS_ENVIRONMENT_H

/* Removes all that says who asks; nobody asks the machine's own service. */
void aws_environment_clear(void);

#endif
