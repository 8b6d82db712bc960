/* token_judge.h - ICU as the reference for the tokeniser, and texts to compare.
 *
 * A word is defined by ICU's result for a whole text.  The tokeniser finds
 * words in other ways; the functions here compare the two.
 */
#ifndef COOC_TOKEN_JUDGE_H
#define COOC_TOKEN_JUDGE_H

#include "harness.h"

#include "base/mem.h"
#include "token/token.h"
#include "token_define.h"

#define SEED 20240607u

static const struct rules_options plain = { .mode = TOKENS_WORDS };

/* ---- tools ----------------------------------------------------------- */

static uint32_t random_below(uint64_t *state, uint32_t n)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((*state >> 33) % n);
}

static void words_of(struct tokeniser *t, const char *text, size_t len,
                     struct buf *out)
{
    struct cooc_err err = { 0 };
    const char *word;
    size_t n;
    int rc;

    out->len = 0;
    tokeniser_start(t, text, len);
    while ((rc = tokeniser_next(t, &word, &n, &err)) > 0) {
        volatile char slack[WORD_SLACK]; /* checked by sanitizers */

        for (size_t i = 0; i < WORD_SLACK; i++)
            slack[i] = word[i];
        (void)slack;
        CHECK_RC(buf_add(out, word, n, &err), 0, &err);
        CHECK_RC(buf_byte(out, '|', &err), 0, &err);
    }
    CHECK_RC(rc, 0, &err);
    CHECK_RC(buf_text(out, &err), 0, &err);
}

struct bench {
    struct rules *rules;
    struct tokeniser *t;
    struct buf out;
};

static struct bench begin(const struct rules_options *o)
{
    struct bench b = { 0 };
    struct cooc_err err = { 0 };

    CHECK_RC(rules_new(&b.rules, o, &err), 0, &err);
    CHECK_RC(tokeniser_new(&b.t, b.rules, &err), 0, &err);
    return b;
}

static void end(struct bench *b)
{
    buf_release(&b->out);
    tokeniser_free(b->t);
    rules_free(b->rules);
    assert_int_equal(mem_live(), 0);
}

static inline void check_words(struct bench *b, const char *text, size_t len,
                        const char *want)
{
    words_of(b->t, text, len, &b->out);
    if (strcmp(b->out.data, want) != 0)
        fail_msg("\"%s\": got %s, expected %s", text, b->out.data, want);
}

#define LIST(s) { .name = "list", .text = (s), .len = sizeof(s) - 1 }

static inline void check_term(struct bench *b, const char *word,
                       enum token_verdict want, const char *want_term)
{
    struct cooc_err err = { 0 };
    enum token_verdict v;
    const char *term;
    size_t len;

    CHECK_RC(tokeniser_term(b->t, word, strlen(word), &v, &term, &len, &err),
             0, &err);
    if (v != want)
        fail_msg("%s: verdict %d, expected %d", word, (int)v, (int)want);
    if (want_term && (len != strlen(want_term) ||
                      memcmp(term, want_term, len) != 0))
        fail_msg("%s: became %.*s, expected %s", word, (int)len, term,
                 want_term);
}

static void print_bytes(const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++)
        print_message("%s%02x", i ? " " : "", (uint8_t)text[i]);
    print_message("\n");
}

/* Check that the words of texts made by make() are those that ICU finds. */
static inline void check_against_icu(size_t (*make)(uint64_t *state, char *text),
                              int texts, bool keep_case)
{
    struct rules_options o = { .mode = TOKENS_WORDS, .keep_case = keep_case };
    struct bench b = begin(&o);
    UErrorCode status = U_ZERO_ERROR;
    UBreakIterator *it = ubrk_open(UBRK_WORD, "", NULL, 0, &status);
    struct buf want = { 0 };
    uint64_t state = SEED;
    char text[32768];

    assert_true(U_SUCCESS(status));
    for (int i = 0; i < texts; i++) {
        size_t len = make(&state, text);
        char *exact = malloc(len ? len : 1); /* with exact bounds */

        assert_non_null(exact);
        memcpy(exact, text, len);
        words_of(b.t, exact, len, &b.out);
        define_words(it, exact, len, keep_case, &want);
        if (b.out.len != want.len ||
            memcmp(b.out.data, want.data, want.len) != 0) {
            print_bytes(text, len);
            fail_msg("seed %u, text %d: got %s, ICU says %s", SEED, i,
                     b.out.data, want.data);
        }
        free(exact);
    }
    ubrk_close(it);
    buf_release(&want);
    end(&b);
}

/* ---- random texts --------------------------------------------------- */

/* ASCII, mostly the characters that matter for words, in texts around the size
 * of the window. */
static inline size_t make_ascii(uint64_t *state, char *text)
{
    static const char often[] = "abcXYZ019__@..,,;;::''\"-/  \t\n\r";
    size_t len = random_below(state, random_below(state, 4) ? 24 : 200);
    bool letters = random_below(state, 2);

    for (size_t i = 0; i < len; i++)
        if (letters && random_below(state, 8))
            text[i] = random_below(state, 5) ? "eE"[random_below(state, 2)]
                                             : '7';
        else if (random_below(state, 12))
            text[i] = often[random_below(state, sizeof often - 1)];
        else
            text[i] = (char)random_below(state, 128);
    return len;
}

static const char *const pieces[] = {
    "a", "B", "e", "word", "The", "x1", "7", "42", "_", "@", ".", ",", ";",
    ":", "'", "\"", "-", "(", " ", " ", " ", " ", "  ", "\n", "\r\n", "\t",
    "\v", "\f", "\u00e9", "\u00c9", "\u00df", "\u0130", "\u03a3", "\u03c2",
    "\u0390", "\u0301", "\u0308", "\u0345", "\u200d", "\u200c", "\u200b",
    "\u2060", "\ufeff", "\u00ad", "\u2019", "\u2018", "\u201c", "\u00b7",
    "\u2027", "\ufe13", "\uff0e", "\u203f", "\u05d0", "\u05d1", "\u05f4",
    "\u0e44\u0e17\u0e22", "\u0e20\u0e32\u0e29\u0e32", "\u0e31",
    "\u4e2d", "\u6587", "\u56fd\u4eba", "\u3007", "\u30ab\u30bf\u30ab\u30ca",
    "\u3072\u3089", "\u30fc", "\ud55c\uae00", "\u1112\u1161\u11ab",
    "\U0001f600", "\U0001f468\u200d\U0001f469", "\U0001f1e9",
    "\U0001f1ea", "\u2139", "\u24c2", "\u2764\ufe0f", "\U0001f3fd",
    "\u0661", "\u066b", "\u066c", "\u0967", "\uff11", "\u0915\u094d",
    "\u1780\u17d2", "\u0639\u0631", "\u043f\u0440", "\ufffd", "\u00a0",
    "\u3000", "\u2003", "\xc2\x85", "\u2028", "\u1680", "\u00bd", "\u2163",
    "\u00aa", "\u02d7", "\u309b", "\U00010400", "\U0001d7d8",
    "\x80", "\xff", "\xe2\x82", "\xc3", "\xf0\x9f\x98", "\xed\xa0\x80",
};

static inline size_t make_mixed(uint64_t *state, char *text)
{
    uint32_t n = random_below(state, random_below(state, 6) ? 12 : 120);
    uint32_t span = random_below(state, 2) ? (uint32_t)ARRAY_LEN(pieces) : 40;
    size_t len = 0;

    for (uint32_t i = 0; i < n; i++) {
        const char *p = pieces[random_below(state, 3)
                                   ? random_below(state, span)
                                   : random_below(state, 28)];

        memcpy(text + len, p, strlen(p));
        len += strlen(p);
    }
    return len;
}

#endif
