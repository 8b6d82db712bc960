/* mutate.c - numbered ways to damage files. */
#include "mutate.h"

#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *const mutation_names[MUTATIONS] = {
    "flip", "cut", "grow", "zero", "swap", "gone", "twice", "foreign",
};

static const uint8_t grown[] = { 0, '\n', 0xff };

/* The unit that a disk loses; larger for large files. */
static size_t sector(size_t len)
{
    return len > 65536 ? 4096 : 512;
}

static uint64_t sectors(size_t len)
{
    return (len + sector(len) - 1) / sector(len);
}

static uint64_t ways(size_t len)
{
    uint64_t s = sectors(len);

    return (uint64_t)len * 9 + sizeof grown + s + s * (s ? s - 1 : 0) / 2 + 1;
}

/* Damage f, which has space for one more byte, in the i-th way. */
static enum mutation mutate(struct image_file *f, uint64_t i, char *what,
                            size_t size)
{
    size_t n = f->len, z = sector(n), s = (size_t)sectors(n), a = 0;

    snprintf(what, size, "%s of %zu bytes: ", f->name, n);
    what += strlen(what);
    if (i < n * 8) {
        snprintf(what, 64, "bit %d of byte %zu", (int)(i % 8), (size_t)i / 8);
        f->bytes[i / 8] ^= (uint8_t)(1 << i % 8);
        return FLIP;
    }
    i -= n * 8;
    if (i < n) {
        snprintf(what, 64, "cut to %zu", (size_t)i);
        f->len = (size_t)i;
        return CUT;
    }
    i -= n;
    if (i < sizeof grown) {
        snprintf(what, 64, "a byte %d more", grown[i]);
        f->bytes[f->len++] = grown[i];
        return GROW;
    }
    i -= sizeof grown;
    if (i < s) {
        snprintf(what, 64, "sector %zu zeroed", (size_t)i);
        memset(f->bytes + i * z, 0, n - i * z < z ? n - i * z : z);
        return ZERO;
    }
    i -= s;
    if (i == s * (s ? s - 1 : 0) / 2) {
        snprintf(what, 64, "gone");
        return GONE;
    }
    while (i >= s - 1 - a) /* sector a with a later one */
        i -= s - 1 - a++;
    i += a + 1;
    snprintf(what, 64, "sectors %zu and %zu swapped", a, (size_t)i);
    for (size_t k = 0; k < z && i * z + k < n; k++) {
        uint8_t byte = f->bytes[a * z + k];

        f->bytes[a * z + k] = f->bytes[i * z + k];
        f->bytes[i * z + k] = byte;
    }
    return SWAP;
}

static bool chosen(const struct mutator *m, size_t file)
{
    return !strncmp(m->good->files[file].name, m->prefix, strlen(m->prefix));
}

void mutator_init(struct mutator *m, const struct image *good,
                  const struct image *foreign, const char *prefix,
                  uint64_t twice, uint64_t subsets)
{
    *m = (struct mutator){ .good = good, .foreign = foreign,
                           .prefix = prefix };
    for (size_t f = 0; f < good->n; f++)
        if (chosen(m, f))
            m->singles += ways(good->files[f].len);
    m->twice = twice;
    m->total = m->singles + twice + (foreign ? good->n + subsets : 0);
}

uint64_t scramble(uint64_t i)
{
    i = (i ^ i >> 30) * 0xbf58476d1ce4e5b9u;
    i = (i ^ i >> 27) * 0x94d049bb133111ebu;
    return i ^ i >> 31;
}

/* Damage all files in the i-th way; the copies may already be damaged. */
static void mutate_one(struct mutator *m, struct image_file *copies,
                       uint64_t i)
{
    size_t f = 0, used = strlen(m->what);

    for (; !chosen(m, f) || i >= ways(m->good->files[f].len); f++)
        if (chosen(m, f))
            i -= ways(m->good->files[f].len);
    if (!m->touched[f]) {
        copies[f] = m->good->files[f];
        copies[f].bytes = malloc(copies[f].len + 2);
        if (!copies[f].bytes)
            err(2, "%s", copies[f].name);
        memcpy(copies[f].bytes, m->good->files[f].bytes, copies[f].len);
    } else { /* for the original length, which may have changed */
        i %= ways(copies[f].len);
    }
    m->touched[f] = true;
    m->kind = mutate(&copies[f], i, m->what + used, sizeof m->what - used);
    if (m->kind == GONE)
        copies[f].name[0] = '\0';
}

/* Some files of another store; not all, which would be the other store. */
static bool swap_files(struct mutator *m, uint64_t i, const char *dir)
{
    uint64_t bits = scramble(i + 1);
    size_t differ = 0, touched = 0;

    snprintf(m->what, sizeof m->what, "of another store:");
    for (size_t f = 0; f < m->good->n; f++) {
        const struct image_file *own = &m->good->files[f];
        const struct image_file *his = image_find(m->foreign, own->name);

        if (!his || (his->len == own->len &&
                     !memcmp(his->bytes, own->bytes, own->len)))
            continue;
        differ++;
        if (i < m->good->n ? i != f : !(bits >> f % 64 & 1))
            continue;
        touched++;
        m->touched[f] = true;
        file_put(dir, own->name, his->bytes, his->len);
        strncat(m->what, " ", sizeof m->what - strlen(m->what) - 1);
        strncat(m->what, own->name, sizeof m->what - strlen(m->what) - 1);
    }
    m->kind = FOREIGN;
    return touched > 0 && touched < differ;
}

bool mutator_apply(struct mutator *m, uint64_t i, const char *dir)
{
    struct image_file copies[IMAGE_FILES] = { 0 };
    bool changed = false;

    memset(m->touched, 0, sizeof m->touched);
    m->what[0] = '\0';
    if (i >= m->singles + m->twice)
        return swap_files(m, i - m->singles - m->twice, dir);
    if (i < m->singles) {
        mutate_one(m, copies, i);
    } else {
        mutate_one(m, copies, scramble(i * 2) % m->singles);
        strncat(m->what, "; ", sizeof m->what - strlen(m->what) - 1);
        mutate_one(m, copies, scramble(i * 2 + 1) % m->singles);
        m->kind = TWICE;
    }
    for (size_t f = 0; f < m->good->n; f++) {
        const struct image_file *own = &m->good->files[f];

        if (!m->touched[f])
            continue;
        changed |= !copies[f].name[0] || copies[f].len != own->len ||
                   memcmp(copies[f].bytes, own->bytes, own->len) != 0;
        if (copies[f].name[0]) {
            file_put(dir, own->name, copies[f].bytes, copies[f].len);
        } else {
            char path[512];

            snprintf(path, sizeof path, "%s/%s", dir, own->name);
            unlink(path);
        }
        free(copies[f].bytes);
    }
    return changed;
}
