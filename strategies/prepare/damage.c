/* damage.c - see damage.h. */
#include "strategies/prepare/damage.h"

#include "lib/base/error.h"
#include "lib/sample/reader.h"
#include "lib/stores/store.h"

/* Parses a chunk until it ends or cannot be parsed. */
static int read_chunk(const struct reader *reader, void *unpacker,
    struct chunk *chunk, struct error *err)
{
	struct sample sample = SAMPLE_INIT;
	int got;

	if (reader_unpack(reader, unpacker, chunk, err))
		return -1;
	do
		got = reader->ops->next(reader, chunk, &sample, err);
	while (got > 0);
	return got;
}

/* One shard is one stream. */
static int read_shard(const struct reader *reader, void *unpacker, size_t shard,
    struct error *err)
{
	const uint64_t losses = mapping_losses();
	void *stream = reader->ops->stream_open(reader, shard, err);
	struct chunk chunk = CHUNK_INIT;
	int rc = stream ? 1 : -1;

	while (rc > 0) {
		chunk_reset(&chunk);
		rc = reader->ops->stream_fetch(stream, &chunk, err);
		chunk.stream = shard;
		if (rc > 0 && read_chunk(reader, unpacker, &chunk, err))
			rc = -1;
	}
	chunk_release(&chunk);
	reader->ops->stream_close(stream);
	return mapping_judge(losses, rc, err);
}

int damage_find(struct medium *medium, const char *dir, bool *stands,
    unsigned *found, struct error *err)
{
	struct reader *reader = store_open(medium, dir, err);
	void *unpacker = NULL;
	int rc = -1;

	*found = 0;
	if (!reader || reader_unpacker_new(reader, &unpacker, err))
		goto done;
	rc = 0;
	for (size_t i = 0; rc == 0 && i < reader->streams; i++) {
		rc = read_shard(reader, unpacker, i, err);
		if (rc == 0 || err->code != ERROR_DATA)
			continue;
		rc = 0;
		stands[i] = false;
		++*found;
	}
done:
	if (reader)
		reader_unpacker_free(reader, unpacker);
	reader_free(reader);
	return rc;
}
