/* decompress.h - undo one layer of compression.
 *
 * Ownership  *out is set only on success; release it with its free().  The name
 *            given must outlive it.
 * Errors     *out fails with COOC_EFORMAT if the data is damaged, truncated or
 *            followed by anything but zeros, but only after the bytes before
 *            the damage have been returned.
 */
#ifndef COOC_DECOMPRESS_H
#define COOC_DECOMPRESS_H

#include "base/err.h"
#include "read/lookahead.h"
#include "read/codec.h"
#include "read/magic.h"

/* The codec for a compressed type (magic_is_compressed()). */
const struct codec *codec_of(enum magic magic);

int decompress_new(struct pull *out, const char *name,
                   const struct codec *codec, struct pull from,
                   struct cooc_err *err);

#endif
