/* word_scan.h - find words in a block of text with bitmaps.
 *
 * The kinds of all bytes of the block become bitmaps (kernel/classify.h); words
 * are runs of ones in a combination of them.  Stretches of text whose words
 * only ICU can find are returned as chunks.
 *
 * Threads    A scan belongs to one thread.
 */
#ifndef COOC_WORD_SCAN_H
#define COOC_WORD_SCAN_H

#include "base/buf.h"
#include "kernel/classify.h"
#include "kernel/kernel.h"
#include "token/char_kinds.h"

struct chunk_range {
    uint32_t from, to;
};

struct word_scan {
    const struct byte_classes *kinds;
    struct wide_kinds *wide;
    classify_fn *classify;
    const struct kernels *k;
    bool has_hard;             /* the block has a KIND_HARD byte */
    uint64_t (*masks)[CLASSES]; /* by window, by bit of enum char_kind */
    size_t masks_cap;
    uint64_t *words; /* bit i: byte i of the window is part of a word */
    size_t words_cap;
    uint64_t *flips; /* the starts and ends of words */
    size_t flips_cap;
    struct chunk_range *chunks; /* of the block, for ICU, in order */
    size_t n_chunks, chunks_cap;
    struct buf folded; /* the block, folded; later also the words of chunks */
    uint32_t *at; /* start and end of each word in folded */
    size_t n_at, at_cap;
};

int word_scan_init(struct word_scan *s, const struct byte_classes *kinds,
                   struct wide_kinds *wide, struct cooc_err *err);
void word_scan_release(struct word_scan *s);
/* Free buffers that grew for a very long word. */
void word_scan_trim(struct word_scan *s);

/* Load a block from text[0..left), left > 0, and set *len to its length.  A
 * block ends after white space or at the end of the text, so that words and
 * chunks are always whole. */
int word_scan_load(struct word_scan *s, const char *text, size_t left,
                   size_t *len, struct cooc_err *err);

/* Find words and chunks in the block.  text and len are those of
 * word_scan_load(). */
int word_scan_find(struct word_scan *s, const char *text, size_t len,
                   struct cooc_err *err);

/* The part of word_scan_find() for characters above 0x7f. */
void word_scan_wide(struct word_scan *s, const char *text, size_t len);

/* Append the words in [from, to) of the block to at[].  Neither boundary may be
 * inside a word. */
int word_scan_emit(struct word_scan *s, size_t from, size_t to,
                   struct cooc_err *err);

/* Append text[0..len), a word of a chunk, to folded and at[]. */
int word_scan_add(struct word_scan *s, const char *text, size_t len,
                  struct cooc_err *err);

/* The number of windows of len bytes. */
static inline size_t windows_of(size_t len)
{
    return (len + WINDOW - 1) / WINDOW;
}

/* Bits 0 to n - 1, n <= 64. */
static inline uint64_t low_bits(size_t n)
{
    return n >= WINDOW ? UINT64_MAX : (UINT64_C(1) << n) - 1;
}

#endif
