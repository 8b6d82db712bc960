/* advice.c - add the command-line option that helps to an error message. */
#include "cli/advice.h"

#include <stdio.h>
#include <string.h>

#include "cooc.h"

/* The first matching entry is used; code 0 matches every error code.  An option
 * that is not listed is named after the field: " (--min-df)" for min_df. */
static const struct {
    const char *option;
    int code;
    const char *text;
} advice[] = {
    { "replace", 0, " with --force" },
    { "recount", 0, "; use --force to count them again" },
    { "rows", COOC_EFULL,
      "; free some space, move the store to another disk, add --rows "
      "compact, or count anyway with --force" },
    { "rows", COOC_EINVAL,
      " (--rows, --compact-df), or start over with --force and without "
      "--part" },
    { "min_df", COOC_EFULL,
      "; free some space, move the store to another disk, index fewer terms "
      "(--min-df), or count anyway with --force" },
    { "ignore_space", 0,
      "; free some space, name another directory with --tmpdir, allow more "
      "--memory, or count anyway with --force" },
    { "tmpdir", COOC_EFULL,
      "; free some space or name another directory with --tmpdir" },
    { "like", COOC_EINVAL,
      ": cooc terms NAME.cooc --like PATTERN" },
    { "drop_numbers", 0, " (--numbers)" },
    { "from", 0, " (--pairs-from)" },
    { "max_df_share", 0, " (--max-df)" },
    { "keep_phrase_words", 0, " (--phrase-words)" },
    { "phrases_file", 0, " (--phrases)" },
    { "per_node", COOC_ELIMIT, " (--per-node, --memory)" },
    { "skip_bad", COOC_EINVAL,
      "; to skip files that these options do not fit, add --skip-bad" },
    { "skip_bad", 0, "; to skip what cannot be read, add --skip-bad" },
    { "rarer", 0, " (--rarer, --commoner)" },
    { "scoring", 0, " (--by, --shift, --smoothing)" },
    { "shape", 0, " (--triangle, --symmetric)" },
    { "stop_file", 0, " (--stop)" },
    { "terms_file", 0, " (--terms)" },
    { "text_fields", 0, " (--text-field)" },
    { "thesaurus_file", 0, " (--thesaurus)" },
    { "top_edges", COOC_ELIMIT, " (--top-edges, --memory)" },
    { "vocab_file", 0, " (--vocab)" },
};

void advice_add(struct cooc_err *err)
{
    char spelt[sizeof err->option + 8];
    const char *text = spelt;
    size_t used = strlen(err->text);

    if (!*err->option)
        return;
    snprintf(spelt, sizeof spelt, " (--%s)", err->option);
    for (char *p = spelt; (p = strchr(p, '_')) != NULL;)
        *p = '-';
    for (size_t i = 0; i < sizeof advice / sizeof *advice; i++)
        if (!strcmp(advice[i].option, err->option) &&
            (!advice[i].code || advice[i].code == err->code)) {
            text = advice[i].text;
            break;
        }
    snprintf(err->text + used, sizeof err->text - used, "%s", text);
    err->option[0] = '\0';
}
