/* fuzz_tokens.c - a text, split into words.
 *
 *     u8 mode and case; the text
 *
 * The tokeniser finds words in faster ways than ICU, but they must be the words
 * that ICU finds.
 */
#include "fuzz.h"

#include "../unit/token_define.h"
#include "token/token.h"

#define MODES 6 /* three modes, with case folded or kept */

static struct tokeniser *tokenisers[MODES]; /* slow to create */
static UBreakIterator *judge;

static void prepare(void)
{
    UErrorCode status = U_ZERO_ERROR;

    for (int i = 0; i < MODES; i++) {
        struct rules_options o = { .mode = i % 3, .keep_case = i >= 3 };
        struct rules *rules;

        MUST(rules_new(&rules, &o, NULL) == 0);
        MUST(tokeniser_new(&tokenisers[i], rules, NULL) == 0);
    }
    fuzz_keeps = true;
    judge = ubrk_open(UBRK_WORD, "", NULL, 0, &status);
    MUST(U_SUCCESS(status));
}

static void cut(struct tokeniser *t, const struct bytes *in, struct buf *out)
{
    struct cooc_err err = { 0 };
    enum token_verdict verdict;
    const char *word, *term;
    size_t len, term_len;
    int rc;

    tokeniser_start(t, (const char *)in->p, in->n);
    while ((rc = tokeniser_next(t, &word, &len, &err)) > 0) {
        char slack[WORD_SLACK]; /* must be readable */

        memcpy(slack, word, sizeof slack);
        MUST(slack[0] == word[0] && len > 0 && utf8_is_valid(word, len));
        MUST(buf_add(out, word, len, NULL) == 0);
        MUST(buf_byte(out, '|', NULL) == 0);
        MUST(tokeniser_term(t, word, len, &verdict, &term, &term_len,
                            &err) == 0);
        MUST(verdict == TOKEN_KEPT || len > TERM_MAX);
    }
    MUST(rc == 0);
}

void fuzz_one(const uint8_t *data, size_t size)
{
    struct bytes in = { data, size };
    int mode = take_byte(&in) % MODES;
    struct buf out = { 0 }, want = { 0 };

    if (!judge)
        prepare();
    cut(tokenisers[mode], &in, &out);
    if (mode % 3 == TOKENS_WORDS) {
        define_words(judge, (const char *)in.p, in.n, mode >= 3, &want);
        MUST(out.len == want.len);
        MUST(!out.len || !memcmp(out.data, want.data, want.len));
    }
    buf_release(&out);
    buf_release(&want);
}
