/* far_store.c - see far_store.h. */
#include "test/unit/far_store.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/base/error.h"
#include "test/unit/test.h"

static void run_server(const struct store *store, int out)
{
	dup2(out, STDOUT_FILENO);
	execlp("python3", "python3", "test/far/s3_server.py", store->dir,
	    "--control", store->control, (char *)NULL);
	_exit(127);
}

/* Starts the server; the environment says where it is. */
int store_start(void **state)
{
	struct store *store = calloc(1, sizeof(*store));
	char address[64] = "";
	struct error err = ERROR_INIT;
	FILE *in;
	int ends[2];

	store->dir = test_scratch();
	store->control = test_path(store->dir, ".control");
	test_write(store->dir, "photos/in/a.txt", "aaa");
	test_write(store->dir, "public/a.txt", "public");
	assert_int_equal(pipe(ends), 0);
	store->pid = fork();
	if (store->pid == 0)
		run_server(store, ends[1]);
	close(ends[1]);
	in = fdopen(ends[0], "r");
	if (fgets(address, sizeof(address), in))
		address[strcspn(address, "\n")] = '\0';
	fclose(in);
	setenv("AWS_ENDPOINT_URL", address, 1);
	setenv("AWS_ACCESS_KEY_ID", "tester", 1);
	setenv("AWS_SECRET_ACCESS_KEY", "word-of-the-test", 1);
	setenv("AWS_CONFIG_FILE", "/dev/null", 1);
	setenv("AWS_SHARED_CREDENTIALS_FILE", "/dev/null", 1);
	store->medium = medium_new_local(&err);
	store->client = s3_client_new(NULL, &err);
	*state = store;
	return *address ? 0 : -1;
}

int store_stop(void **state)
{
	struct store *store = *state;

	medium_free(store->medium);
	s3_client_free(store->client);
	kill(store->pid, SIGTERM);
	waitpid(store->pid, NULL, 0);
	free(store->control);
	test_scratch_remove(store->dir);
	free(store);
	return 0;
}

void store_fault(const struct store *store, const char *lines)
{
	test_write(store->dir, ".control", lines);
}

void store_put(struct store *store, const char *url, const char *text)
{
	struct error err = ERROR_INIT;
	struct medium_file *file = medium_begin(store->medium, url, &err);

	if (!file)
		fail_msg("%s", err.text);
	test_ok(medium_write(file, text, strlen(text), &err), &err);
	test_ok(medium_publish(file, &err), &err);
	medium_close(file);
}

void store_holds(struct store *store, const char *url, const char *text)
{
	struct error err = ERROR_INIT;
	struct buf bytes = BUF_INIT;

	test_ok(medium_slurp(store->medium, url, &bytes, &err), &err);
	assert_int_equal(bytes.len, strlen(text));
	assert_memory_equal(bytes.data, text, bytes.len);
	buf_release(&bytes);
}

struct medium_status store_status(struct store *store, const char *url)
{
	struct error err = ERROR_INIT;
	struct medium_status status;

	test_ok(medium_get_status(store->medium, url, &status, &err), &err);
	return status;
}
