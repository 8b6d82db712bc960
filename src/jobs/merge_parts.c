/* merge_parts.c - all parts of an index, given in any order. */
#include "jobs/merge_parts.h"

#include "base/err.h"
#include "base/mem.h"
#include "base/name_list.h"
#include "read/reading.h"

#define LISTED 10u /* numbers of missing parts in a message */

struct arranging {
    const char *const *paths;
    struct part_info *infos; /* by store, in the order given */
    size_t n;
    const char **by_part;    /* the path of each part; NULL: missing */
    size_t *number;          /* by part: index in infos */
};

static int read_infos(struct arranging *a, struct cooc_err *err)
{
    int rc = 0;

    for (size_t i = 0; i < a->n && rc == 0; i++) {
        struct manifest m;

        rc = manifest_read(&m, a->paths[i], err);
        if (rc < 0)
            break;
        if (!i && !m.part.parts)
            a->n = 0; /* no parts */
        else if (!m.part.parts)
            rc = err_path(err, COOC_EINVAL, a->paths[i],
                          "is not a part of an index, but %.150s is part %u "
                          "of %u; merge all parts first, then merge the "
                          "result with other stores", a->paths[0],
                          a->infos[0].part, a->infos[0].parts);
        a->infos[i] = m.part;
        m.part = (struct part_info){ 0 };
        manifest_release(&m);
    }
    return rc;
}

/* Enter each store under the number of its part. */
static int enter_parts(struct arranging *a, struct cooc_err *err)
{
    const struct part_info *first = &a->infos[0];

    for (size_t i = 0; i < a->n; i++) {
        const struct part_info *p = &a->infos[i];

        if (p->parts != first->parts)
            return err_path(err, COOC_EINVAL, a->paths[i],
                            "is part %u of %u, but %.150s is part %u of %u; "
                            "merge the parts of one division of the inputs",
                            p->part, p->parts, a->paths[0], first->part,
                            first->parts);
        if (p->inputs != first->inputs)
            return err_path(err, COOC_EINVAL, a->paths[i],
                            "cannot be combined with %.150s: they are parts of "
                            "different inputs, or of inputs that have changed, "
                            "or were read with different options; index these "
                            "parts again", a->paths[0]);
        if (p->part - 1 < a->n && a->by_part[p->part - 1])
            return err_path(err, COOC_EINVAL, a->paths[i],
                            "is part %u of %u, and so is %.150s; give each "
                            "part once", p->part, p->parts,
                            a->by_part[p->part - 1]);
        if (p->part - 1 >= a->n)
            continue; /* so another part is missing */
        a->by_part[p->part - 1] = a->paths[i];
        a->number[p->part - 1] = i;
    }
    return 0;
}

/* All parts must be there: list the numbers of missing ones. */
static int refuse_gaps(const struct arranging *a, struct cooc_err *err)
{
    struct buf list = { 0 };
    uint32_t parts = a->infos[0].parts;
    uint64_t missing = 0, listed = 0;
    bool *there = mem_zarray(parts, sizeof *there);
    int rc = there ? 0 : err_nomem(err);

    for (size_t i = 0; i < a->n && rc == 0; i++)
        there[a->infos[i].part - 1] = true;
    for (uint32_t i = 0; i < parts && rc == 0; i++) {
        if (there[i])
            continue;
        if (++missing <= LISTED) {
            rc = buf_printf(&list, err, "%s%u", listed ? ", " : "", i + 1);
            listed++;
        }
    }
    if (rc == 0 && missing)
        rc = err_set(err, COOC_EINVAL,
                     "%s %.*s%s of %u %s missing; merge all parts of an index "
                     "at once", missing == 1 ? "part" : "parts",
                     (int)list.len, list.data, missing > listed ? ", ..." : "",
                     parts, missing == 1 ? "is" : "are");
    mem_free(there);
    buf_release(&list);
    return rc;
}

/* Each part must begin where the one before it ends. */
static int check_ends(const struct arranging *a, struct cooc_err *err)
{
    for (size_t i = 1; i < a->n; i++) {
        const struct share_place *end = &a->infos[a->number[i - 1]].end;
        const struct share_place *begin = &a->infos[a->number[i]].begin;

        if (begin->file != end->file || begin->byte != end->byte)
            return err_path(err, COOC_EINVAL, a->by_part[i],
                            "does not begin where %.150s ends: the inputs "
                            "changed in between; index all parts again",
                            a->by_part[i - 1]);
    }
    return 0;
}

/* Some record must have text in each requested field, as in a single run. */
static int check_fields(const struct arranging *a, struct cooc_err *err)
{
    const struct buf *asked = NULL;
    const char *name = NULL;
    bool any_text = false;

    for (size_t i = 0; i < a->n; i++) {
        if (!a->infos[i].records)
            continue;
        asked = &a->infos[i].asked;
        any_text |= a->infos[i].any_text;
    }
    while (asked && (name = name_list_next(asked, name)) != NULL) {
        bool seen = false;

        for (size_t i = 0; i < a->n; i++)
            seen |= a->infos[i].records &&
                    !name_list_has(&a->infos[i].missing, name, strlen(name));
        if (!seen || !any_text)
            return err_option(err, COOC_EINVAL, "text_fields",
                              "no record of any part has text in the field "
                              "\"%.80s\"; index the parts again and choose "
                              "another field", name);
    }
    return 0;
}

/* If any part has documents, each option about files must apply to some of
 * them. */
static int check_options(const struct arranging *a, struct cooc_err *err)
{
    const struct part_info *first = NULL;
    const char *name = NULL;

    for (size_t i = 0; i < a->n && !first; i++)
        first = a->infos[i].any_document ? &a->infos[i] : NULL;
    while (first && (name = name_list_next(&first->unused, name)) != NULL) {
        bool used = false;

        for (size_t i = 0; i < a->n; i++)
            used |= a->infos[i].any_document &&
                    !name_list_has(&a->infos[i].unused, name, strlen(name));
        if (!used)
            return reading_refuse_unused(name, err);
    }
    return 0;
}

int parts_arrange(const char ***arranged, const char *const *paths, size_t n,
                  struct cooc_err *err)
{
    struct arranging a = {
        .paths = paths,
        .n = n,
        .infos = mem_zarray(n, sizeof *a.infos),
        .by_part = mem_zarray(n, sizeof *a.by_part),
        .number = mem_zarray(n, sizeof *a.number),
    };
    bool made = a.infos && a.by_part && a.number;
    int rc = made ? read_infos(&a, err) : err_nomem(err);

    *arranged = NULL;
    if (rc == 0 && a.n)
        rc = enter_parts(&a, err);
    if (rc == 0 && a.n)
        rc = refuse_gaps(&a, err);
    if (rc == 0 && a.n)
        rc = check_ends(&a, err);
    if (rc == 0 && a.n)
        rc = check_fields(&a, err);
    if (rc == 0 && a.n)
        rc = check_options(&a, err);
    if (rc == 0 && a.n) {
        *arranged = a.by_part;
        a.by_part = NULL;
    }
    for (size_t i = 0; a.infos && i < n; i++)
        part_info_release(&a.infos[i]);
    mem_free(a.infos);
    mem_free(a.by_part);
    mem_free(a.number);
    return rc;
}

int parts_refuse(const struct manifest *m, const char *path,
                 const char *first, struct cooc_err *err)
{
    if (!m->part.parts)
        return 0;
    return err_path(err, COOC_EINVAL, path,
                    "is part %u of %u of an index, but %.150s is not; merge "
                    "all parts first, then combine the result with other "
                    "stores", m->part.part, m->part.parts, first);
}
