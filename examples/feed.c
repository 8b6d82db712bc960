/* feed.c - make a store from documents in memory, then add one more document.
 *
 *     cc feed.c $(pkg-config --cflags --libs cooc) -o feed
 *     ./feed feed.cooc
 */
#include <stdio.h>
#include <string.h>

#include <cooc_build.h>

static const char *const letters[][2] = {
    { "monday", "We had coffee with milk." },
    { "tuesday", "The tea was cold, the milk was not." },
    { "friday", "Coffee again: black coffee, no milk." },
};

static int build(const char *store, struct cooc_err *err)
{
    struct cooc_index_options options = COOC_INDEX_OPTIONS;
    struct cooc_index_report report = COOC_INDEX_REPORT;
    struct cooc_builder *b;
    int rc;

    options.replace = true;
    rc = cooc_builder_open(&b, store, &options, err);
    if (rc < 0)
        return rc;
    for (size_t i = 0; i < 3 && rc == 0; i++)
        rc = cooc_builder_text(b, letters[i][0], strlen(letters[i][0]),
                               letters[i][1], strlen(letters[i][1]), err);
    if (rc < 0) {
        cooc_builder_abort(b);
        return rc;
    }
    rc = cooc_builder_finish(b, &report, err);
    if (rc == 0)
        printf("%llu documents, %llu terms\n",
               (unsigned long long)report.documents,
               (unsigned long long)report.terms);
    return rc < 0 ? rc : cooc_count(store, NULL, NULL, err);
}

static int add(const char *store, const char *text, struct cooc_err *err)
{
    struct cooc_merge_report merged = COOC_MERGE_REPORT;
    struct cooc_builder *b;
    int rc = cooc_builder_open_add(&b, store, NULL, err);

    if (rc < 0)
        return rc;
    /* If this fails, cooc_builder_finish_add() returns the same error. */
    cooc_builder_text(b, NULL, 0, text, strlen(text), NULL);
    rc = cooc_builder_finish_add(b, NULL, &merged, err);
    if (rc == 0)
        printf("%llu documents, %llu terms\n",
               (unsigned long long)merged.documents,
               (unsigned long long)merged.terms);
    return rc;
}

int main(int argc, char **argv)
{
    struct cooc_err err;
    int rc;

    if (argc != 2) {
        fprintf(stderr, "usage: feed NAME.cooc\n");
        return 2;
    }
    rc = build(argv[1], &err);
    if (rc == 0)
        rc = add(argv[1], "A cup of green tea.", &err);
    if (rc < 0)
        fprintf(stderr, "feed: %s\n", err.text);
    return rc < 0;
}
