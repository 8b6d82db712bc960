/* word_scan_wide.c - add the characters above 0x7f of a block to its bitmaps.
 *
 * Each character is decoded and looked up in a table (char_kinds.h), and its
 * folded form, which has the same length, is written over it.
 *
 * Cost.  2.2 ns per byte of Cyrillic or Greek text.
 */
#include <string.h>

#include "base/utf8.h"
#include "token/word_scan.h"

/* Set the given kinds of the bytes [from, to) and clear KIND_HARD. */
static void set_kind(struct word_scan *s, size_t from, size_t to,
                     unsigned kind)
{
    while (from < to) {
        size_t w = from / WINDOW, start = w * WINDOW;
        size_t stop = to < start + WINDOW ? to : start + WINDOW;
        uint64_t these = low_bits(stop - start) & ~low_bits(from - start);

        for (unsigned c = BIT_RUN; c <= BIT_LETTER; c++)
            if (kind >> c & 1)
                s->masks[w][c] |= these;
        s->masks[w][BIT_HARD] &= ~these;
        from = stop;
    }
}

/* Decode the character at text[i]; NULL if it is outside the table. */
static inline const struct wide_kind *
wide_at(struct word_scan *s, const char *text, size_t len, size_t i,
        size_t *size)
{
    const uint8_t *p = (const uint8_t *)text;
    int32_t c;

    *size = utf8_next(p + i, p + len, &c);
    return c >= 0x80 && c < WIDE_MAX ? wide_kind_of(s->wide, c) : NULL;
}

/* The kinds of the byte before i, as far as they matter to a mid character. */
static unsigned kind_before(const struct word_scan *s, size_t i)
{
    const uint64_t *m = i ? s->masks[(i - 1) / WINDOW] : NULL;
    unsigned bit = (unsigned)((i - 1) % WINDOW);

    return m ? (unsigned)(m[BIT_LETTER] >> bit & 1) * KIND_LETTER |
                   (unsigned)(m[BIT_DIGIT] >> bit & 1) * KIND_DIGIT
             : 0;
}

static unsigned kind_at(struct word_scan *s, const char *text, size_t len,
                        size_t i)
{
    const struct wide_kind *k;
    size_t size;

    if (i == len)
        return 0;
    if ((uint8_t)text[i] < 0x80)
        return s->kinds->of[(uint8_t)text[i]];
    k = wide_at(s, text, len, i, &size);
    return k ? k->kind : KIND_HARD;
}

/* Does a mid character of this kind join neighbours of these kinds? */
static bool joins(unsigned mid, unsigned left, unsigned right)
{
    return (mid & KIND_MID_LETTER && left & right & KIND_LETTER) ||
           (mid & KIND_MID_DIGIT && left & right & KIND_DIGIT);
}

/* Fold the letters of two bytes that begin at text[i], as in Greek, Cyrillic
 * and most Latin words, as far as they are known.  Return the position after
 * them. */
static inline size_t two_byte_letters(struct word_scan *s, const char *text,
                                      size_t len, size_t i)
{
    const struct wide_kind *of = s->wide->of;
    const uint8_t *p = (const uint8_t *)text;

    while (i + 1 < len && (p[i] & 0xe0) == 0xc0 && (p[i + 1] & 0xc0) == 0x80) {
        const struct wide_kind *k = &of[(p[i] & 0x1f) << 6 | (p[i + 1] & 0x3f)];

        if (!(k->kind & KIND_LETTER)) /* also if the form is overlong */
            break;
        memcpy(s->folded.data + i, k->folded, 2);
        i += 2;
    }
    return i;
}

/* Process the characters above 0x7f that begin at text[i].  Return the position
 * after them. */
static size_t wide_run(struct word_scan *s, const char *text, size_t len,
                       size_t i)
{
    const unsigned letter = KIND_RUN | KIND_ALNUM | KIND_LETTER;
    size_t from = i; /* start of a run of letters that is not recorded yet */
    unsigned run = 0;

    while (i < len && (uint8_t)text[i] >= 0x80) {
        size_t size, to = two_byte_letters(s, text, len, i);
        const struct wide_kind *k;
        unsigned kind;

        if (to > i) {
            run = letter;
            i = to;
            continue;
        }
        k = wide_at(s, text, len, i, &size);
        kind = k ? k->kind & ~(unsigned)WIDE_KNOWN : KIND_HARD;
        if (kind & KIND_RUN) {
            memcpy(s->folded.data + i, k->folded, 2);
            s->folded.data[i + size - 1] = (char)k->folded[size - 1];
            run = kind & letter;
            i += size;
            continue;
        }
        set_kind(s, from, i, run);
        if (kind & (KIND_MID_LETTER | KIND_MID_DIGIT) &&
            joins(kind, kind_before(s, i), kind_at(s, text, len, i + size))) {
            memcpy(s->folded.data + i, k->folded, size);
            set_kind(s, i, i + size, KIND_RUN);
        } else if (kind != KIND_HARD) {
            set_kind(s, i, i + size, kind & KIND_CUT);
        }
        i += size;
        from = i;
    }
    set_kind(s, from, i, run);
    return i;
}

void word_scan_wide(struct word_scan *s, const char *text, size_t len)
{
    size_t done = 0;

    for (size_t w = 0; w < windows_of(len); w++) {
        size_t start = w * WINDOW;
        uint64_t hard = s->masks[w][BIT_HARD];

        while (hard && done < start + WINDOW) {
            if (done > start)
                hard &= ~low_bits(done - start);
            if (!hard)
                break;
            done = start + (size_t)__builtin_ctzll(hard);
            if ((uint8_t)text[done] < 0x80) /* an ASCII character is hard */
                done++;
            else
                done = wide_run(s, text, len, done);
        }
    }
}
