/* damage_tasks.c - query a damaged store, count it, merge it, add to it.
 *
 * A query result is right, or an error that reports the damage.  A command that
 * writes writes the right bytes, or fails without changing anything: a store
 * that cannot be read may be the only copy, and a result that is incomplete
 * must not look complete.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cooc_build.h"
#include "damage.h"

#define SAID_MAX 20 /* messages per trial */

void complain(struct trial *t, const char *what)
{
    if (t->shared->said++ < SAID_MAX)
        fprintf(stderr, "%s: %s: %s\n", t->label, t->m.what, what);
}

/* Whether the error reports a damaged store or a missing file. */
static bool tells_damage(int rc)
{
    return rc == COOC_EFORMAT || rc == COOC_EVERSION;
}

/* ---- queries ------------------------------------------------------------- */

static bool names_a_file(const struct trial *t, const char *text)
{
    for (size_t f = 0; f < t->m.good->n; f++)
        if (t->m.touched[f] && strstr(text, t->m.good->files[f].name))
            return true;
    return false;
}

static void look(struct trial *t, struct tally *y)
{
    struct cooc_err why = { 0 };
    int rc = cooc_check(t->store, 1, NULL, NULL, &why);

    if (tells_damage(rc) &&
        (t->m.kind == FOREIGN || names_a_file(t, why.text)))
        y->found++;
    else
        complain(t, rc < 0 ? why.text : "not found by check");
}

/* The right answers.  The manifest identifies the store: with the manifest and
 * most files of the foreign store, they are those of the foreign store. */
static const struct exam_answer *truth_of(const struct trial *t)
{
    const struct image *good = t->m.good;

    for (size_t f = 0; f < good->n && t->m.kind == FOREIGN; f++)
        if (t->m.touched[f] && !strcmp(good->files[f].name, "manifest.json"))
            return t->his;
    return t->exam.truth;
}

/* Check that every answer is right or reports that the store is damaged. */
void ask(struct trial *t, struct tally *y)
{
    const struct exam_answer *truth = truth_of(t);
    struct cooc_err why = { 0 };
    struct cooc *db = NULL;
    int rc;

    look(t, y);
    rc = cooc_open(&db, t->store, &why);
    if (tells_damage(rc)) {
        y->unopened++;
        return;
    }
    if (rc < 0) {
        y->wrong++;
        complain(t, why.text);
        return;
    }
    for (size_t q = 0; q < t->exam.n; q++) {
        const struct exam_answer *want = &truth[q];
        struct exam_answer got = exam_ask(&t->exam, db, q, 0);
        char question[100];

        if (got.rc == COOC_EFORMAT) {
            y->refused++;
        } else if (got.rc == want->rc && got.hash == want->hash) {
            y->right++;
        } else {
            y->wrong++;
            exam_describe(&t->exam, q, question, sizeof question);
            complain(t, question);
        }
    }
    cooc_close(db);
}

/* ---- files on disk after an error ---------------------------------------- */

static bool is_file(const struct image *im, const struct image_file *f)
{
    const struct image_file *own = image_find(im, f->name);

    return own && own->len == f->len && !memcmp(own->bytes, f->bytes, f->len);
}

/* Files that a count may remove: invalid parts, temporary files of a killed
 * count, and the note of a count to resume (FORMAT.md). */
static bool may_go(const char *name)
{
    size_t len = strlen(name);

    return !strncmp(name, "rows-", 5) || !strncmp(name, "tmp-", 4) ||
           !strncmp(name, ".tmp-", 5) ||
           !strcmp(name, "counting.json") ||
           (len > 4 && !strcmp(name + len - 4, ".tmp"));
}

/* Whether the damaged store is unchanged.  A count may have finished parts that
 * the manifest does not name; they must be right. */
static bool is_kept(const struct trial *t, bool counted)
{
    struct image now;
    bool kept = true;

    image_load(&now, t->store);
    for (size_t f = 0; f < now.n; f++) {
        const struct image_file *file = &now.files[f];

        kept &= is_file(&t->was, file) ||
                (counted && !strncmp(file->name, "rows-", 5) &&
                 is_file(&t->want, file));
    }
    for (size_t f = 0; f < t->was.n; f++)
        kept &= image_find(&now, t->was.files[f].name) ||
                (counted && may_go(t->was.files[f].name));
    image_release(&now);
    return kept;
}

static bool is_absent(const char *path, const char *suffix)
{
    char name[300];

    snprintf(name, sizeof name, "%s%s", path, suffix);
    return access(name, F_OK) < 0 && errno == ENOENT;
}

/* ---- tasks that write ---------------------------------------------------- */

/* Check that the task failed because of the damage and changed nothing, or
 * wrote the right result. */
static void judge(struct trial *t, struct tally *y, int rc,
                  const struct cooc_err *why, bool same, bool kept)
{
    const char *wrong = NULL;

    if (rc >= 0 && !same)
        wrong = "other bytes were written";
    else if (rc < 0 && !*why->text)
        wrong = "an error without a word";
    else if (rc < 0 && !tells_damage(rc) &&
             !(t->task == go_on && rc == COOC_EEXISTS)) /* cannot be resumed */
        wrong = why->text;
    else if (!is_absent(t->store, ".part") || !is_absent(t->out, ".part") ||
             !is_absent(t->store, ".added.part"))
        wrong = "an unfinished store is left";
    else if (rc < 0 && !kept)
        wrong = "refused, but not all is as it was";
    if (wrong) {
        y->wrong++;
        complain(t, wrong);
    } else if (rc < 0) {
        y->refused++;
    } else {
        y->right++;
    }
}

void count(struct trial *t, struct tally *y)
{
    struct cooc_count_options o = COOC_COUNT_OPTIONS;
    struct cooc_err why = { 0 };
    int rc;

    o.threads = 1;
    rc = cooc_count(t->store, &o, NULL, &why);
    judge(t, y, rc, &why,
          image_same(&t->want, t->store, "rows-") &&
              image_same(&t->want, t->store, "manifest"),
          is_kept(t, true));
}

void go_on(struct trial *t, struct tally *y)
{
    struct cooc_index_options io = COOC_INDEX_OPTIONS;
    struct cooc_count_options o = COOC_COUNT_OPTIONS;
    struct cooc_err why = { 0 };
    int rc;

    io.format = "lines";
    io.threads = o.threads = 1;
    io.count_follows = true;
    rc = cooc_index(t->others, 1, t->store, &io, NULL, &why);
    if (rc == 0)
        rc = cooc_count(t->store, &o, NULL, &why);
    judge(t, y, rc, &why,
          image_same(&t->want, t->store, "rows-") &&
              image_same(&t->want, t->store, "manifest"),
          is_kept(t, true));
}

void merge(struct trial *t, struct tally *y)
{
    const char *const both[] = { t->store, t->others[0] };
    struct cooc_merge_options o = COOC_MERGE_OPTIONS;
    struct cooc_count_options c = COOC_COUNT_OPTIONS;
    struct cooc_err why = { 0 };
    int rc;

    o.from = t->from_rows ? COOC_MERGE_ROWS : COOC_MERGE_DOCUMENTS;
    o.count = &c;
    c.threads = 1;
    rc = cooc_merge(both, 2, t->out, &o, NULL, &why);
    judge(t, y, rc, &why,
          image_same(&t->want, t->out, "") && is_kept(t, false),
          is_absent(t->out, "") && is_kept(t, false));
    image_empty(t->out);
    rmdir(t->out);
}

void add(struct trial *t, struct tally *y)
{
    struct cooc_add_options o = COOC_ADD_OPTIONS;
    struct cooc_index_options io = COOC_INDEX_OPTIONS;
    struct cooc_merge_options m = COOC_MERGE_OPTIONS;
    struct cooc_count_options c = COOC_COUNT_OPTIONS;
    struct cooc_err why = { 0 };
    int rc;

    io.format = "lines";
    c.threads = 1;
    m.count = &c;
    o.input = &io;
    o.merge = &m;
    m.from = t->from_rows ? COOC_MERGE_ROWS : COOC_MERGE_DOCUMENTS;
    rc = cooc_add(t->store, t->others, 1, &o, NULL, NULL, &why);
    judge(t, y, rc, &why, image_same(&t->want, t->store, ""),
          is_kept(t, false));
}
