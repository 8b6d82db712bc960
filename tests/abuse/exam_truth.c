/* exam_truth.c - the answers of a good store. */
#include "exam.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PAIRED 32u /* number of terms of which every pair is queried */

static bool take_names(struct exam *e, struct cooc *db)
{
    e->names = calloc(e->terms, sizeof *e->names);
    e->name_lens = calloc(e->terms, sizeof *e->name_lens);
    for (uint32_t t = 0; t < e->terms; t++) {
        const char *name;

        if (cooc_term_name(db, t, &name, &e->name_lens[t], NULL) < 0)
            return false;
        e->names[t] = strndup(name, e->name_lens[t]);
    }
    return true;
}

bool exam_prepare(struct exam *e, const char *store, const char *scratch,
                  unsigned threads, bool all_formats)
{
    struct cooc_err err = { 0 };
    struct cooc_info info = COOC_INFO;
    struct cooc *db;
    bool good = cooc_open(&db, store, &err) == 0 &&
                cooc_info_get(db, &info, &err) == 0;

    if (good) {
        *e = (struct exam){ .terms = (uint32_t)info.terms,
                            .documents = (uint32_t)info.documents,
                            .paired = info.terms < PAIRED
                                          ? (uint32_t)info.terms : PAIRED,
                            .scratch = scratch, .threads = threads,
                            .all_formats = all_formats };
        good = take_names(e, db);
        e->n = exam_count(e);
        e->truth = calloc(e->n, sizeof *e->truth);
    }
    for (size_t q = 0; good && q < e->n; q++) {
        e->truth[q] = exam_ask(e, db, q, 0);
        if (e->truth[q].rc < 0 && info.counted &&
            e->truth[q].rc != COOC_ENOTFOUND && e->truth[q].rc != COOC_EINVAL)
            good = false;
    }
    if (!good)
        fprintf(stderr, "%s: cannot be queried: %s\n", store, err.text);
    cooc_close(db);
    return good;
}

void exam_release(struct exam *e)
{
    for (uint32_t t = 0; t < e->terms; t++)
        free(e->names[t]);
    free(e->names);
    free(e->name_lens);
    free(e->truth);
}
