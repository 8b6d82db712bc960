/* classify.h - the classes of 64 bytes of text at a time.
 *
 * A window is 64 bytes.  The classes of its bytes become one bitmap per class,
 * so that words can be found with shifts and logic on whole windows.
 *
 * The scalar function is the reference; all others must return the same bits.
 *
 * Threads    The functions keep no state.
 */
#ifndef COOC_CLASSIFY_H
#define COOC_CLASSIFY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WINDOW 64
#define CLASSES 8

/* Which ASCII characters belong to which class.  All bytes above 0x7f belong to
 * class `high` and to no other. */
struct byte_classes {
    uint8_t of[256]; /* bit c: the byte is in class c */
    unsigned high;
    bool lower; /* fold capitals to small letters */
    /* The same as of[], for lookups of 16 bytes at once: bit h of
     * rows[c][l] says whether 16 * h + l is in class c. */
    uint8_t rows[CLASSES][16];
};

/* Set rows[] and the upper half of of[] from the lower half of of[]. */
void byte_classes_complete(struct byte_classes *c);

/* Set bit i of masks[w][c] if byte i of window w is in class c, and fold the
 * case of the text.  Neither text nor folded need be aligned. */
typedef void classify_fn(const struct byte_classes *c, const char *text,
                         size_t windows, char *folded,
                         uint64_t (*masks)[CLASSES]);

struct classifier {
    const char *name;
    bool (*usable)(void); /* whether this CPU supports it */
    classify_fn *classify;
};

extern const struct classifier classifier_avx2, classifier_neon,
    classifier_scalar;

/* The fastest function that this CPU supports. */
classify_fn *classify_best(void);

#endif
