/* fuzz_words.c - terms as users write them: a word, a prefix, a pattern, a file
 * of words.
 *
 *     u8 which; the word, prefix, pattern or file
 */
#include "fuzz.h"

#include "cooc_build.h"
#include "cooc_bulk.h"
#include "query/pattern.h"

static const char lines[] =
    "Tea milk sugar\ncoffee milk\ntea lemon caf\xc3\xa9\n"
    "Stra\xc3\x9f"
    "e tea\n\xe6\x97\xa5\xe6\x9c\xac\xe8\xaa\x9e milk\n"
    "\xce\xa3\xce\xaf\xcf\x83\xcf\x85\xcf\x86\xce\xbf\xcf\x82 sugar 42\n";

static const char list[] = "tea lemon\nmilk sugar\nno such phrase\n";

static struct cooc *db;
static char *list_path;
static uint64_t n_terms;

static void prepare(void)
{
    struct cooc_index_options o = COOC_INDEX_OPTIONS;
    struct cooc_info info = COOC_INFO;
    char *store = fuzz_path("s"), *phrases = fuzz_path("phrases");
    uint32_t id;

    fuzz_put(phrases, list, sizeof list - 1);
    o.phrases_file = phrases;
    fuzz_make_store(store, lines, &o);
    MUST(cooc_open(&db, store, NULL) == 0);
    MUST(cooc_info_get(db, &info, NULL) == 0);
    n_terms = info.terms;
    /* creates the tokeniser */
    MUST(cooc_term_find(db, "tea", 3, &id, NULL) == 0);
    list_path = fuzz_path("list");
    fuzz_keeps = true;
    free(phrases);
    free(store);
}

static void find(const char *word, size_t len)
{
    struct cooc_err err = { 0 };
    uint32_t id, other;
    bool found;
    int rc = cooc_term_find(db, word, len, &id, &err);

    MUST(rc == 0 || err.text[0]);
    if (cooc_term_lookup(db, word, len, &other, &found, &err) == 0)
        MUST(found == (rc == 0) && (!found || id == other));
}

/* Check that exactly the terms that match are selected. */
static void choose(const struct cooc_term_filter *filter, size_t len)
{
    struct cooc_err err = { 0 };
    uint32_t *ids = NULL;
    size_t n = 0;
    int rc = cooc_terms(db, filter, &ids, &n, &err);

    MUST(rc == 0 || err.text[0]);
    MUST(n <= n_terms);
    for (size_t i = 0; i < n; i++)
        MUST(ids[i] < n_terms && (!i || ids[i] > ids[i - 1]));
    MUST(len || rc < 0 || n == n_terms || filter->like);
    cooc_free(ids);
}

static void read_list(const struct bytes *in)
{
    struct cooc_list found = COOC_LIST;
    struct cooc_err err = { 0 };
    int rc;

    fuzz_put(list_path, in->p, in->n);
    rc = cooc_list_read(db, list_path, &found, &err);
    MUST(rc == 0 || err.text[0]);
    for (size_t i = 0; i < found.n; i++)
        MUST(found.terms[i] < n_terms);
    MUST(strlen(found.first_unknown) < sizeof found.first_unknown);
    cooc_free(found.terms);
}

void fuzz_one(const uint8_t *data, size_t size)
{
    struct bytes in = { data, size };
    uint8_t what = take_byte(&in);
    const char *text = (const char *)in.p;
    char *whole = take_text(&in, in.n);
    size_t len = size ? size - 1 : 0, half = len / 2;
    struct cooc_term_filter filter = COOC_TERM_FILTER;

    in = (struct bytes){ (const uint8_t *)text, len };
    if (!db)
        prepare();
    if (what % 5 == 0)
        find(text, len);
    else if (what % 5 < 3) {
        filter.prefix = what % 5 == 1 ? whole : NULL;
        filter.like = what % 5 == 2 ? whole : NULL;
        choose(&filter, strlen(whole));
    }
    else if (what % 5 == 3)
        read_list(&in);
    else if (pattern_matches(text, half, text + half, len - half))
        MUST(pattern_head(text, half) <= len - half ||
             memchr(text, '\\', half));
    free(whole);
}
