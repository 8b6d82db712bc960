/* findings.h - what a job found out about its inputs: other encodings, invalid
 * bytes, files and records that were skipped.
 *
 * Findings of a kind are summed up in one line on stderr at the end; with
 * --verbose, each one is printed when it occurs.  --skip-list FILE lists what
 * --skip-bad skipped.
 */
#ifndef COOC_CLI_FINDINGS_H
#define COOC_CLI_FINDINGS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "cooc_build.h"

enum { NOTE_KINDS = COOC_NOTE_LINES + 1, NOTES_NAMED = 3 };

struct findings {
    bool quiet, verbose;
    FILE *list; /* --skip-list, or NULL */
    const char *list_path;
    struct note_sum {
        uint64_t n, bytes;
        char *named[NOTES_NAMED]; /* the first ones */
    } kinds[NOTE_KINDS];
};

/* Begin without findings.  list_path: of --skip-list, or NULL; the file is
 * created now. */
int findings_begin(struct findings *n, const char *list_path,
                   struct cooc_err *err);

/* Take a finding.  The caller has cleared the progress line. */
void findings_take(struct findings *n, const struct cooc_note *note);

/* Print the sums and finish the list.  rc is the result of the job; returns rc
 * if it is not 0, otherwise the result of writing the list. */
int findings_end(struct findings *n, int rc, struct cooc_err *err);

#endif
