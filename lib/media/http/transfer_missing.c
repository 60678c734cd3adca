/* transfer_missing.c - transfer.h without libcurl: every request is refused. */
#include <stddef.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/media/http/transfer.h"

struct transfer_share *transfer_share_new(struct error *err)
{
	error_set(err, ERROR_USAGE,
	    "this presto was built without libcurl, which reads http and s3");
	return NULL;
}

void transfer_share_free(struct transfer_share *share)
{
	UNUSED(share);
}

struct transfer *transfer_new(struct transfer_share *share, struct error *err)
{
	UNUSED(share);
	UNUSED(err);
	return NULL;
}

enum transfer_end transfer_run(
    struct transfer *transfer, struct attempt *attempt, struct error *err)
{
	UNUSED(transfer);
	UNUSED(attempt);
	UNUSED(err);
	return TRANSFER_FAILED;
}

void transfer_free(struct transfer *transfer)
{
	UNUSED(transfer);
}
