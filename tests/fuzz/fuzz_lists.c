/* fuzz_lists.c - stop list and thesaurus, and the verdicts on words.
 *
 *     u8 mode and options, u8 stemmer, u8 shortest, u8 longest word; u16
 *     length of the stop list, u16 of the thesaurus; both; a text
 */
#include "fuzz.h"

#include "token/token.h"

enum { KEEP_CASE = 4, DROP_NUMBERS = 8 };

/* Every word gets a verdict, and the same one a second time. */
static void judge(struct tokeniser *t, const char *word, size_t len)
{
    char *copy = malloc(len ? len : 1), *first = NULL;
    enum token_verdict v, again;
    struct cooc_err err;
    const char *term = NULL;
    size_t n = 0, first_n;

    MUST(copy);
    memcpy(copy, word, len);
    MUST(tokeniser_term(t, copy, len, &v, &term, &n, &err) == 0);
    if (v <= TOKEN_MERGED) {
        MUST(n > 0 && n <= TERM_MAX);
        first = malloc(n);
        MUST(first);
        memcpy(first, term, n);
    }
    first_n = n;
    MUST(tokeniser_term(t, copy, len, &again, &term, &n, &err) == 0);
    MUST(again == v);
    MUST(v > TOKEN_MERGED || (n == first_n && !memcmp(term, first, n)));
    free(first);
    free(copy);
}

void fuzz_one(const uint8_t *data, size_t size)
{
    static const char *const stems[] = { NULL, NULL, "english", "german",
                                         "turkish", "russian", "no such" };
    struct bytes in = { data, size };
    uint8_t how = take_byte(&in), stem = take_byte(&in);
    struct rules_options o = { .mode = how % 3, .keep_case = how & KEEP_CASE,
                               .drop_numbers = how & DROP_NUMBERS,
                               .stem = stems[stem % ARRAY_LEN(stems)] };
    struct bytes stop, thesaurus;
    size_t n_stop, n_thesaurus;
    struct cooc_err err = { 0 };
    struct tokeniser *t = NULL;
    struct rules *r = NULL;
    const char *word;
    size_t len;
    int rc;

    o.min_length = take_byte(&in) & 7;
    o.max_length = take_byte(&in) & 31;
    n_stop = (size_t)take_u64(&in, 2);
    n_thesaurus = (size_t)take_u64(&in, 2);
    stop = take_bytes(&in, n_stop);
    thesaurus = take_bytes(&in, n_thesaurus);
    o.stop = (struct text_list){ "stop", (const char *)stop.p, stop.n };
    o.thesaurus = (struct text_list){ "thesaurus",
                                      (const char *)thesaurus.p,
                                      thesaurus.n };
    rc = rules_new(&r, &o, &err);
    if (rc == 0)
        rc = tokeniser_new(&t, r, &err);
    MUST(rc == 0 || err.text[0]);
    if (rc == 0) {
        tokeniser_start(t, (const char *)in.p, in.n);
        while ((rc = tokeniser_next(t, &word, &len, &err)) > 0)
            judge(t, word, len);
        MUST(rc == 0);
    }
    tokeniser_free(t);
    rules_free(r);
}
