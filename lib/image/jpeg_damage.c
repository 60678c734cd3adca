/* jpeg_damage.c - see jpeg_damage.h. */
#include "lib/image/jpeg_damage.h"

#include <jerror.h>

#include "lib/base/array.h"
#include "lib/base/error.h"

static const struct {
	int code;
	enum jpeg_damage damage;
} warnings[] = {
	/* An unknown colour transform: taken as YCbCr or YCCK. */
	{ JWRN_ADOBE_XFORM, JPEG_WHOLE },
	/* Invalid codes: the rest of the segment is guessed. */
	{ JWRN_ARITH_BAD_CODE, JPEG_DAMAGED },
	{ JWRN_HUFF_BAD_CODE, JPEG_DAMAGED },
	/* A colour profile with missing parts: it is not applied. */
	{ JWRN_BOGUS_ICC, JPEG_WHOLE },
	/* A scan refines data that no scan has sent: one is missing. */
	{ JWRN_BOGUS_PROGRESSION, JPEG_DAMAGED },
	/* Bytes before a marker: harmless between headers; see jpeg_padding. */
	{ JWRN_EXTRANEOUS_DATA, JPEG_UNSURE },
	/* A segment ended before its pixels: the rest is grey. */
	{ JWRN_HIT_MARKER, JPEG_DAMAGED },
	/* A JFIF version other than 1: the format is the same. */
	{ JWRN_JFIF_MAJOR, JPEG_WHOLE },
	/* The file ended before its end marker. */
	{ JWRN_JPEG_EOF, JPEG_DAMAGED },
	/* A restart marker is missing or wrong: blocks were skipped. */
	{ JWRN_MUST_RESYNC, JPEG_DAMAGED },
	/* Spectral selection in a sequential file: it is ignored. */
	{ JWRN_NOT_SEQUENTIAL, JPEG_WHOLE },
	/* The caller asked for more rows than there are. */
	{ JWRN_TOO_MUCH_DATA, JPEG_WHOLE },
};

enum jpeg_damage jpeg_damage_of(int code)
{
	for (size_t i = 0; i < ARRAY_LEN(warnings); i++)
		if (warnings[i].code == code)
			return warnings[i].damage;
	return JPEG_DAMAGED;
}

long jpeg_padding(const struct jpeg_decompress_struct *info, size_t file_bytes)
{
	const JOCTET *marker = info->src->next_input_byte;
	const size_t before = file_bytes - info->src->bytes_in_buffer;
	const size_t extraneous = (size_t)info->err->msg_parm.i[0];
	size_t zeros = 0;

	if (info->input_scan_number == 0)
		return 0;
	while (zeros < before && marker[-1 - (long)zeros] == 0)
		zeros++;
	if (zeros && zeros < before && marker[-1 - (long)zeros] == 0xff)
		zeros--; /* 0xff 0x00 is a byte of data */
	return zeros < extraneous ? -1 : (long)zeros;
}

int jpeg_check_scans(struct jpeg_decompress_struct *info, struct error *err)
{
	for (int c = 0; c < info->num_components; c++) {
		const int *bits = info->coef_bits ? info->coef_bits[c] : NULL;

		/* the first scan of the component sets it */
		if (!info->comp_info[c].quant_table || (bits && bits[0] < 0))
			return error_set(err, ERROR_DATA,
			    "premature end of file: channel %d of %d is "
			    "missing",
			    c + 1, info->num_components);
		for (int k = 0; bits && k < DCTSIZE2; k++)
			if (bits[k] > 0)
				return error_set(err, ERROR_DATA,
				    "premature end of file: scans with details "
				    "of channel %d of %d are missing",
				    c + 1, info->num_components);
	}
	return 0;
}
