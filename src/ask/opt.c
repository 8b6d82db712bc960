/* opt.c - find an option in a table, set it from text, format its value. */
#include "ask/opt.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/suggest.h"

const struct opt *opt_next(struct opt_iter *it)
{
    for (;;) {
        const struct opt *o = it->tables[it->depth].next++;
        size_t offset = it->tables[it->depth].offset + o->offset;

        if (o->kind == OPT_KIND_TABLE && o->table) {
            it->tables[++it->depth].next = o->table;
            it->tables[it->depth].offset = offset;
        } else if (o->kind == OPT_KIND_END) {
            if (it->depth-- == 0)
                return NULL;
        } else if (o->kind != OPT_KIND_TABLE) {
            it->offset = offset;
            return o;
        }
    }
}

static bool is_name(const char *known, const char *name, size_t len)
{
    return known && strlen(known) == len && !memcmp(known, name, len);
}

const struct opt *opt_find(const struct opt *table, const char *name,
                           size_t len, char letter, size_t *offset)
{
    struct opt_iter it = OPT_ITER(table);
    const struct opt *o;

    while ((o = opt_next(&it)) != NULL)
        if (o->kind != OPT_KIND_TITLE &&
            (name ? is_name(o->name, name, len) ||
                        is_name(o->old_name, name, len)
                  : o->letter == letter))
            break;
    *offset = it.offset;
    return o;
}

/* The i-th name that an option accepts, or NULL after the last. */
static const char *name_at(const struct opt *o, unsigned i)
{
    return o->name_of ? o->name_of(i) : o->names ? o->names[i] : NULL;
}

void opt_choices(const struct opt *o, char *to, size_t room)
{
    const char *name;
    size_t used = 0;

    *to = '\0';
    for (unsigned i = 0; (name = name_at(o, i)) && used < room; i++) {
        const char *between = !i ? "" : name_at(o, i + 1) ? ", " : " or ";
        int n = snprintf(to + used, room - used, "%s%s", between, name);

        if (n < 0)
            break;
        used += (size_t)n;
    }
}

static int set_name(const struct opt *o, const char **to, const char *value,
                    struct cooc_err *err)
{
    struct suggest near;
    const char *name;
    char all[300];

    suggest_init(&near, value);
    for (unsigned i = 0; (name = name_at(o, i)) != NULL; i++) {
        if (!strcmp(name, value) ||
            (o->old_names && !strcmp(o->old_names[i], value))) {
            *to = name;
            return 0;
        }
        suggest_try(&near, name);
    }
    opt_choices(o, all, sizeof all);
    if (near.best)
        return err_set(err, COOC_EINVAL,
                       "--%s: unknown %s '%.80s'; did you mean '%s'? (%s)",
                       o->name, o->arg, value, near.best, all);
    return err_set(err, COOC_EINVAL, "--%s must be %s, not '%.80s'", o->name,
                   all, value);
}

/* Append value to the text at *at, after a '\n'.  The joined text lives until
 * the end of the program. */
static int join(const char **at, const char *value, struct cooc_err *err)
{
    static struct joined {
        struct joined *before;
        char text[];
    } *last;
    size_t len = *at ? strlen(*at) : 0;
    struct joined *j;

    if (!*at) {
        *at = value;
        return 0;
    }
    j = mem_array(1, sizeof *j + len + strlen(value) + 2);
    if (!j)
        return err_nomem(err);
    memcpy(j->text, *at, len);
    j->text[len] = '\n';
    strcpy(j->text + len + 1, value);
    j->before = last;
    last = j;
    *at = j->text;
    return 0;
}

int opt_set(const struct opt *o, void *at, const char *value,
            struct cooc_err *err)
{
    const char *expected = "";
    uint64_t v;
    bool ok = true;

    switch (o->kind) {
    case OPT_KIND_U32:
        expected = "a number from 0 to 4294967295";
        ok = parse_u64(value, UINT32_MAX, &v);
        if (ok)
            *(uint32_t *)at = (uint32_t)v;
        break;
    case OPT_KIND_U64:
        expected = "a number from 0 to 18446744073709551615";
        ok = parse_u64(value, UINT64_MAX, at);
        break;
    case OPT_KIND_SIZE:
        expected = "a size such as 512M or 8G";
        ok = parse_size(value, at);
        break;
    case OPT_KIND_SHARE:
        expected = "a number such as 1000 or a percentage above 0% and up "
                   "to 100%";
        ok = parse_share(value, at);
        break;
    case OPT_KIND_PART:
        expected = "I/N with I from 1 to N, such as 3/64";
        ok = parse_part(value, at);
        break;
    case OPT_KIND_REAL:
        expected = "a number such as 2, 0.5 or -1";
        ok = parse_real(value, at);
        break;
    case OPT_KIND_NAME:
        return set_name(o, at, value, err);
    case OPT_KIND_TEXT:
    case OPT_KIND_LIST:
        if (!*value)
            return err_set(err, COOC_EINVAL, "--%s must not be empty", o->name);
        if (o->kind == OPT_KIND_LIST)
            return join(at, value, err);
        *(const char **)at = value;
        break;
    case OPT_KIND_FLAG:
        *(bool *)at = true;
        break;
    default:
        break;
    }
    if (!ok)
        return err_set(err, COOC_EINVAL, "--%s must be %s, not '%.200s'",
                       o->name, expected, value);
    return 0;
}

const char *opt_text(const struct opt *o, const void *at,
                     char buf[NUMBER_MAX])
{
    const struct share *share = at;
    const struct part_of *part = at;
    bool zero = false;

    switch (o->kind) {
    case OPT_KIND_FLAG:
        return *(const bool *)at ? "yes" : "";
    case OPT_KIND_U32:
        zero = !*(const uint32_t *)at;
        snprintf(buf, NUMBER_MAX, "%" PRIu32, *(const uint32_t *)at);
        break;
    case OPT_KIND_U64:
        zero = !*(const uint64_t *)at;
        snprintf(buf, NUMBER_MAX, "%" PRIu64, *(const uint64_t *)at);
        break;
    case OPT_KIND_SIZE:
        zero = !*(const uint64_t *)at;
        format_size(buf, *(const uint64_t *)at);
        break;
    case OPT_KIND_SHARE:
        zero = !share->count && !(share->part > 0);
        if (share->part > 0)
            snprintf(buf, NUMBER_MAX, "%g%%", share->part * 100);
        else
            snprintf(buf, NUMBER_MAX, "%" PRIu64, share->count);
        break;
    case OPT_KIND_PART:
        *buf = '\0';
        if (part->parts)
            snprintf(buf, NUMBER_MAX, "%" PRIu32 "/%" PRIu32, part->part,
                     part->parts);
        break;
    case OPT_KIND_REAL:
        zero = isnan(*(const double *)at);
        format_exact(buf, *(const double *)at);
        break;
    case OPT_KIND_TEXT:
    case OPT_KIND_LIST:
    case OPT_KIND_NAME:
        zero = !*(const char *const *)at;
        if (!zero)
            return *(const char *const *)at;
        *buf = '\0';
        break;
    default:
        *buf = '\0';
    }
    return zero && o->unset ? o->unset : buf;
}

static bool is_among(const char *const *names, const char *name)
{
    while (*names && strcmp(*names, name) != 0)
        names++;
    return *names;
}

bool opt_given(const struct opt *table, const void *args,
               const void *defaults, const char *const *but)
{
    char given[NUMBER_MAX], usual[NUMBER_MAX];
    struct opt_iter it = OPT_ITER(table);
    const struct opt *o;

    while ((o = opt_next(&it)) != NULL)
        if (!is_among(but, o->name) &&
            strcmp(opt_text(o, (const char *)args + it.offset, given),
                   opt_text(o, (const char *)defaults + it.offset, usual)))
            return true;
    return false;
}
