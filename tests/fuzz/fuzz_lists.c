/* fuzz_lists.c - stop list, thesaurus and phrases, and the verdicts on words.
 *
 *     u8 mode and options, u8 stemmer, u8 shortest, u8 longest word; u16
 *     length of the stop list, u16 of the thesaurus; with phrases: u16 of
 *     their list; the lists; a text
 */
#include "fuzz.h"

#include "token/phrase_match.h"
#include "token/token.h"

enum { KEEP_CASE = 4, DROP_NUMBERS = 8, PHRASES = 16 };

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

/* ---- phrases ------------------------------------------------------------- */

struct matched {
    struct tokeniser *t;
    const struct phrases *phrases;
    uint32_t words;
};

/* Every word leaves once, in the order of the text. */
static int word_leaves(void *self, uint32_t tag, struct cooc_err *err)
{
    struct matched *m = self;

    (void)err;
    MUST(tag == m->words);
    m->words++;
    return 0;
}

static int phrase_leaves(void *self, uint32_t phrase, struct cooc_err *err)
{
    struct matched *m = self;
    size_t len;
    const char *name;

    (void)err;
    MUST(phrase < phrases_count(m->phrases));
    name = phrases_name(m->phrases, phrase, &len);
    judge(m->t, name, len);
    return 0;
}

/* Find the phrases of a text, and look each of them up. */
static void match(const struct rules *r, struct tokeniser *t,
                  const struct bytes *in)
{
    struct matched m = { .phrases = rules_phrases(r) };
    struct phrase_match found = {
        .phrases = m.phrases, .keep = true,
        .out = { word_leaves, phrase_leaves, &m },
    };
    uint32_t words = 0;
    const char *word;
    size_t len;

    MUST(tokeniser_new(&m.t, r, NULL) == 0);
    tokeniser_start(t, (const char *)in->p, in->n);
    while (tokeniser_next(t, &word, &len, NULL) > 0) {
        struct phrase_word w;

        MUST(tokeniser_phrase_word(t, word, len, &w, NULL) == 0);
        MUST(phrase_match_add(&found, words++, w, NULL) == 0);
    }
    MUST(phrase_match_end(&found, NULL) == 0);
    MUST(m.words == words);
    tokeniser_free(m.t);
}

/* The list that a store keeps gives the same list. */
static void read_again(const struct rules *r, struct rules_options o)
{
    struct text_list list = rules_phrase_list(r), same;
    struct rules *again = NULL;

    o.phrase_list = list;
    MUST(rules_new(&again, &o, NULL) == 0);
    same = rules_phrase_list(again);
    MUST(same.len == list.len &&
         (!list.len || !memcmp(same.text, list.text, list.len)));
    MUST(phrases_count(rules_phrases(again)) ==
         phrases_count(rules_phrases(r)));
    rules_free(again);
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
    struct bytes stop, thesaurus, phrases;
    size_t n_stop, n_thesaurus, n_phrases = 0;
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
    o.phrases = o.mode != TOKENS_LINES && (how & PHRASES);
    if (o.phrases)
        n_phrases = (size_t)take_u64(&in, 2);
    stop = take_bytes(&in, n_stop);
    thesaurus = take_bytes(&in, n_thesaurus);
    phrases = take_bytes(&in, n_phrases);
    o.phrase_list = (struct text_list){ "phrases", (const char *)phrases.p,
                                        phrases.n };
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
        if (rules_phrases(r)) {
            match(r, t, &in);
            read_again(r, o);
        }
    }
    tokeniser_free(t);
    rules_free(r);
}
