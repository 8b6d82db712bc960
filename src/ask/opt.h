/* opt.h - options as data: a table with offsets into an argument struct.
 *
 *     static const struct opt docs_options[] = {
 *         OPT_FLAG(struct docs_args, any, 0, "any", "any of the terms"),
 *         OPT_U64(struct docs_args, limit, 'n', "limit", "N", "all",
 *                 "print at most N names"),
 *         OPT_END
 *     };
 *
 * One table serves the command line, the parameters of a request and the
 * help, which prints each default by reading a struct of defaults.  The type
 * of each member is checked when the table is compiled.
 */
#ifndef COOC_ASK_OPT_H
#define COOC_ASK_OPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ask/number.h"

struct cooc_err;

enum opt_kind {
    OPT_KIND_END,
    OPT_KIND_TITLE, /* a heading in the help */
    OPT_KIND_TABLE, /* the options of another table, for a member */
    OPT_KIND_FLAG,
    OPT_KIND_U32,
    OPT_KIND_U64,
    OPT_KIND_SIZE,
    OPT_KIND_SHARE,
    OPT_KIND_REAL, /* NAN: unset */
    OPT_KIND_TEXT,
    OPT_KIND_NAME, /* one of a list of names */
};

struct opt {
    enum opt_kind kind;
    char letter;       /* 0: none */
    const char *name;  /* without its dashes; the text of a title */
    const char *old_name; /* still accepted but not shown, or NULL */
    size_t offset;     /* of its member in the argument struct */
    const char *arg;   /* what the help calls the value */
    const char *unset; /* the help's words for a default of 0, NAN or NULL */
    const char *help;
    const struct opt *table;            /* OPT_KIND_TABLE: NULL is empty */
    const char *const *names;           /* OPT_KIND_NAME: NULL at the end, */
    const char *(*name_of)(unsigned i); /* or a function: NULL past the last */
    const char *const *old_names; /* what names were called before, in their
                                   * order: accepted but not shown; or NULL */
};

/* The offset of member m of struct s, which must be of type t. */
#define OFFSET_OF(s, m, t) _Generic(((s *)0)->m, t: offsetof(s, m))

#define OPT_END { .kind = OPT_KIND_END }
#define OPT_TITLE(text) { .kind = OPT_KIND_TITLE, .name = (text) }
#define OPT_TABLE(s, m, t)                                                   \
    { .kind = OPT_KIND_TABLE, .offset = offsetof(s, m), .table = (t) }
#define OPT_FLAG(s, m, c, n, h)                                              \
    { .kind = OPT_KIND_FLAG, .letter = (c), .name = (n), .help = (h),        \
      .offset = OFFSET_OF(s, m, bool) }
#define OPT_VALUE(k, t, s, m, c, n, a, u, h)                                 \
    .kind = (k), .letter = (c), .name = (n), .offset = OFFSET_OF(s, m, t),   \
    .arg = (a), .unset = (u), .help = (h)
#define OPT_U32(s, m, c, n, a, u, h)                                         \
    { OPT_VALUE(OPT_KIND_U32, uint32_t, s, m, c, n, a, u, h) }
#define OPT_U64(s, m, c, n, a, u, h)                                         \
    { OPT_VALUE(OPT_KIND_U64, uint64_t, s, m, c, n, a, u, h) }
#define OPT_SIZE(s, m, c, n, u, h)                                           \
    { OPT_VALUE(OPT_KIND_SIZE, uint64_t, s, m, c, n, "SIZE", u, h) }
#define OPT_SHARE(s, m, c, n, u, h)                                          \
    { OPT_VALUE(OPT_KIND_SHARE, struct share, s, m, c, n, "N|N%", u, h) }
#define OPT_REAL(s, m, c, n, a, u, h)                                        \
    { OPT_VALUE(OPT_KIND_REAL, double, s, m, c, n, a, u, h) }
#define OPT_TEXT(s, m, c, n, a, u, h)                                        \
    { OPT_VALUE(OPT_KIND_TEXT, const char *, s, m, c, n, a, u, h) }
#define OPT_NAME(s, m, c, n, a, u, list, h)                                  \
    { OPT_VALUE(OPT_KIND_NAME, const char *, s, m, c, n, a, u, h),           \
      .names = (list) }
#define OPT_NAME_OF(s, m, c, n, a, u, function, h)                           \
    { OPT_VALUE(OPT_KIND_NAME, const char *, s, m, c, n, a, u, h),           \
      .name_of = (function) }

/* Goes through the entries of a table and of the tables in it, in order.
 *
 *     struct opt_iter it = OPT_ITER(table);
 *     while ((o = opt_next(&it)) != NULL) ...
 */
enum { OPT_DEPTH = 8 }; /* of tables in tables */
struct opt_iter {
    size_t offset; /* of the entry's member, in the struct of the outer table */
    size_t depth;
    struct {
        const struct opt *next;
        size_t offset;
    } tables[OPT_DEPTH];
};
#define OPT_ITER(table) { .tables[0].next = (table) }
const struct opt *opt_next(struct opt_iter *it); /* NULL past the last */

/* The option of that name or old name (if name is NULL, of that letter) and
 * where its member is in the argument struct; NULL if there is none. */
const struct opt *opt_find(const struct opt *table, const char *name,
                           size_t len, char letter, size_t *offset);

/* Set the member at *at to what value says; a flag has no value.
 * COOC_EINVAL. */
int opt_set(const struct opt *o, void *at, const char *value,
            struct cooc_err *err);

/* The names that an option can take, as in "a, b or c", cut to fit; "" if it
 * is no OPT_KIND_NAME. */
void opt_choices(const struct opt *o, char *to, size_t room);

/* The value at *at as the user would write it, or the table's words for none;
 * "" if it says nothing.  buf may hold it. */
const char *opt_text(const struct opt *o, const void *at,
                     char buf[NUMBER_MAX]);

/* Whether any option differs from its default, apart from those named in but
 * (NULL at the end). */
bool opt_given(const struct opt *table, const void *args,
               const void *defaults, const char *const *but);

#endif
