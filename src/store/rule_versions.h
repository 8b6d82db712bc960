/* rule_versions.h - which version of the rules made terms out of documents.
 *
 * The options of a store (settings.h) say what was asked for; the versions
 * here say how it was done: our rules for reading and for words, and ICU.  The
 * same text may give different terms under another version, so stores of
 * different versions are merged only if the user accepts that.  The store then
 * lists every version that its documents were read by.
 */
#ifndef COOC_RULE_VERSIONS_H
#define COOC_RULE_VERSIONS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "token/token.h"

struct buf;
struct cooc_err;

/* Raise these whenever a change gives a document other terms under the same
 * options; docs/FORMAT.md says what each number means. */
#define READING_RULES 2
#define WORD_RULES 2

struct rule_version {
    uint32_t reading, words;
    char icu[TOKEN_ICU_MAX]; /* "": ICU had no influence */
};

#define RULE_VERSIONS_MAX 32

/* In order, each once; all zero is empty. */
struct rule_versions {
    struct rule_version v[RULE_VERSIONS_MAX];
    size_t n;
};

/* Those of documents that are read now, by these rules. */
struct rule_versions rule_versions_now(const struct rules_options *o);

/* Add those of more.  COOC_ELIMIT if there are too many. */
int rule_versions_unite(struct rule_versions *to,
                        const struct rule_versions *more,
                        struct cooc_err *err);
bool rule_versions_equal(const struct rule_versions *a,
                         const struct rule_versions *b);

/* COOC_EINVAL: the two differ, in what, and what to do. */
int rule_versions_differ(const struct rule_versions *a, const char *a_path,
                         const struct rule_versions *b, const char *b_path,
                         struct cooc_err *err);

/* "reading 2, words 2, ICU 72.1; ..." for people. */
int rule_versions_text(const struct rule_versions *r, struct buf *out,
                       struct cooc_err *err);

/* As a member of the manifest.  A manifest without it (NULL) is of the first
 * version.  false: it is not well-formed. */
json_t *rule_versions_json(const struct rule_versions *r);
bool rule_versions_read(struct rule_versions *r, const json_t *j);

#endif
