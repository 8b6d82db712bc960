/* rule_versions.h - the versions of the rules that turned documents into terms.
 *
 * The settings of a store (settings.h) contain the options; the versions say
 * how the options were implemented: our rules for reading and for words, and
 * ICU.  Another version may extract different terms from the same text, so
 * stores of different versions are merged only if the user accepts this.  The
 * merged store then lists all versions that its documents were read with.
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

/* Increase these numbers whenever a change extracts other terms from a document
 * under the same options.  docs/FORMAT.md says what each number means. */
#define READING_RULES 2
#define WORD_RULES 2

struct rule_version {
    uint32_t reading, words;
    char icu[TOKEN_ICU_MAX]; /* "" if ICU was not used */
};

#define RULE_VERSIONS_MAX 32

/* A sorted list without repetitions.  An all-zero struct is empty. */
struct rule_versions {
    struct rule_version v[RULE_VERSIONS_MAX];
    size_t n;
};

/* The versions for documents that are read now with these options. */
struct rule_versions rule_versions_now(const struct rules_options *o);

/* Add the versions of more to *to.  COOC_ELIMIT if there are too many. */
int rule_versions_unite(struct rule_versions *to,
                        const struct rule_versions *more,
                        struct cooc_err *err);
bool rule_versions_equal(const struct rule_versions *a,
                         const struct rule_versions *b);

/* Return COOC_EINVAL with a message that says how the versions of two stores
 * differ and what to do. */
int rule_versions_differ(const struct rule_versions *a, const char *a_path,
                         const struct rule_versions *b, const char *b_path,
                         struct cooc_err *err);

/* Append a readable text: "reading 2, words 2, ICU 72.1; ...". */
int rule_versions_text(const struct rule_versions *r, struct buf *out,
                       struct cooc_err *err);

/* Convert to and from a member of the manifest.  If the member is missing (j is
 * NULL), the store is of the first version.  rule_versions_read() returns false
 * if j is malformed. */
json_t *rule_versions_json(const struct rule_versions *r);
bool rule_versions_read(struct rule_versions *r, const json_t *j);

#endif
