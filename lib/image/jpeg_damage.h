/*
 * jpeg_damage.h - tells which warnings of libjpeg mean lost pixels, and finds
 * damage that libjpeg does not report.
 *
 * A warning that is not in the table, from a later libjpeg, counts as damage.
 */
#ifndef LIB_IMAGE_JPEG_DAMAGE_H
#define LIB_IMAGE_JPEG_DAMAGE_H

#include <stddef.h>
#include <stdio.h> /* jpeglib.h needs it but does not include it */

#include <jpeglib.h>

struct error;

enum jpeg_damage {
	JPEG_WHOLE, /* no pixel is lost */
	JPEG_DAMAGED,
	JPEG_UNSURE, /* depends on the bytes: see jpeg_padding */
};

/* Returns the meaning of a warning by its number (JWRN_*). */
enum jpeg_damage jpeg_damage_of(int code);

/*
 * Call this at a warning of extraneous bytes.  Returns 0 behind a header
 * segment, where they are harmless.  Behind image data, returns the number of
 * bytes before the marker if they are all zeros, else -1: damage, since the
 * data of all pixels ended before the encoder's did.
 *
 * Zeros behind image data are padding by a camera, or they replaced the data,
 * since zeros are valid codes.  In the first case the file can be decoded
 * without them.
 */
long jpeg_padding(const struct jpeg_decompress_struct *info, size_t file_bytes);

/*
 * Call this before jpeg_finish_decompress.  ERROR_DATA when a file of several
 * scans ended before the last: libjpeg decodes it without colours or details,
 * and without a warning.
 */
int jpeg_check_scans(struct jpeg_decompress_struct *info, struct error *err);

#endif
