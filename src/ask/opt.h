/* opt.h - options as data: a table with offsets into an argument struct.
 *
 *     static const struct opt docs_options[] = {
 *         OPT_FLAG(struct docs_args, any, 0, "any", "match any of the terms"),
 *         OPT_U64(struct docs_args, limit, 'n', "limit", "N", "all",
 *                 "print at most N names"),
 *         OPT_END
 *     };
 *
 * The same table is used to parse the command line and to print the help,
 * which reads the defaults from a struct of defaults.  The type of each member
 * is checked at compile time.
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
    OPT_KIND_TABLE, /* another table, for the struct at offset */
    OPT_KIND_FLAG,
    OPT_KIND_U32,
    OPT_KIND_U64,
    OPT_KIND_SIZE,
    OPT_KIND_SHARE,
    OPT_KIND_PART,
    OPT_KIND_REAL, /* NAN: not set */
    OPT_KIND_TEXT,
    OPT_KIND_LIST, /* text; given again, the texts are joined by '\n' */
    OPT_KIND_NAME, /* one of a list of names */
};

struct opt {
    enum opt_kind kind;
    char letter;       /* 0: none */
    const char *name;  /* without dashes; for a title, its text */
    const char *old_name; /* former name, still accepted; or NULL */
    size_t offset;     /* of the member in the argument struct */
    const char *arg;   /* name of the value in the help */
    const char *unset; /* default shown in the help for 0, NAN or NULL */
    const char *help;
    const struct opt *table;            /* OPT_KIND_TABLE; NULL: empty */
    const char *const *names;           /* OPT_KIND_NAME; ends with NULL; */
    const char *(*name_of)(unsigned i); /* or a function; NULL after the last */
    const char *const *old_names; /* former names, in the order of names,
                                   * still accepted; or NULL */
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
#define OPT_PART(s, m, c, n, h)                                              \
    { OPT_VALUE(OPT_KIND_PART, struct part_of, s, m, c, n, "I/N", NULL, h) }
#define OPT_REAL(s, m, c, n, a, u, h)                                        \
    { OPT_VALUE(OPT_KIND_REAL, double, s, m, c, n, a, u, h) }
#define OPT_TEXT(s, m, c, n, a, u, h)                                        \
    { OPT_VALUE(OPT_KIND_TEXT, const char *, s, m, c, n, a, u, h) }
#define OPT_LIST(s, m, c, n, a, u, h)                                        \
    { OPT_VALUE(OPT_KIND_LIST, const char *, s, m, c, n, a, u, h) }
#define OPT_NAME(s, m, c, n, a, u, list, h)                                  \
    { OPT_VALUE(OPT_KIND_NAME, const char *, s, m, c, n, a, u, h),           \
      .names = (list) }
#define OPT_NAME_OF(s, m, c, n, a, u, function, h)                           \
    { OPT_VALUE(OPT_KIND_NAME, const char *, s, m, c, n, a, u, h),           \
      .name_of = (function) }

/* Iterates over the entries of a table and of its nested tables, in order.
 *
 *     struct opt_iter it = OPT_ITER(table);
 *     while ((o = opt_next(&it)) != NULL) ...
 */
enum { OPT_DEPTH = 8 }; /* nested tables, at most */
struct opt_iter {
    size_t offset; /* of the entry's member in the outermost struct */
    size_t depth;
    struct {
        const struct opt *next;
        size_t offset;
    } tables[OPT_DEPTH];
};
#define OPT_ITER(table) { .tables[0].next = (table) }
const struct opt *opt_next(struct opt_iter *it); /* NULL after the last */

/* Find an option by its name or old name, or by its letter if name is NULL, and
 * set *offset to the offset of its member.  Returns NULL if there is none. */
const struct opt *opt_find(const struct opt *table, const char *name,
                           size_t len, char letter, size_t *offset);

/* Parse value and set the member at *at; a flag has no value.  Returns 0, or
 * COOC_EINVAL if the value is invalid. */
int opt_set(const struct opt *o, void *at, const char *value,
            struct cooc_err *err);

/* List the names that an option accepts, as in "a, b or c", truncated to room
 * bytes; "" if the option is not an OPT_KIND_NAME. */
void opt_choices(const struct opt *o, char *to, size_t room);

/* The value at *at as the user would write it, or o->unset if it is not set; ""
 * if there is nothing to print.  The result may be in buf. */
const char *opt_text(const struct opt *o, const void *at,
                     char buf[NUMBER_MAX]);

/* Whether any option differs from its default, except the options named in but,
 * which ends with NULL. */
bool opt_given(const struct opt *table, const void *args,
               const void *defaults, const char *const *but);

#endif
