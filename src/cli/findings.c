/* findings.c - print findings about the inputs. */
#include "cli/findings.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "ask/display.h"
#include "base/err.h"
#include "cli/index_args.h"
#include "cli/program.h"

/* One finding, as text; NULL: out of memory.  The caller frees it. */
static char *describe(const struct cooc_note *n)
{
    char *text = NULL, line[24] = "";
    int rc;

    if (n->line)
        snprintf(line, sizeof line, ":%" PRIu64, n->line);
    switch (n->kind) {
    case COOC_NOTE_ENCODING:
        rc = asprintf(&text, "%s (read as %s)", n->path, n->text);
        break;
    case COOC_NOTE_INVALID:
        rc = asprintf(&text, "%s (%" PRIu64 ")", n->path, n->count);
        break;
    default:
        rc = asprintf(&text, "%s%s%s%s%s", n->path, line,
                      *n->text ? " (" : "", n->text, *n->text ? ")" : "");
    }
    return rc < 0 ? NULL : text;
}

/* What is said about each finding of a kind, about one, about several. */
static const struct {
    const char *each, *one, *many;
    bool detail; /* only with --verbose */
} says[NOTE_KINDS] = {
    [COOC_NOTE_ENCODING] = { "not in UTF-8",
                             "1 file is not in UTF-8",
                             "files are not in UTF-8", false },
    [COOC_NOTE_INVALID] = { "invalid bytes replaced",
                            "1 file has invalid bytes, which were replaced",
                            "files have invalid bytes, which were replaced",
                            false },
    [COOC_NOTE_BAD] = { "skipped",
                        "1 file or record was skipped",
                        "files or records were skipped", false },
    [COOC_NOTE_BINARY] = { "not text, skipped",
                           "1 file is not text and was skipped",
                           "files are not text and were skipped", false },
    [COOC_NOTE_EMPTY] = { "empty", "1 file is empty", "files are empty", true },
    [COOC_NOTE_HIDDEN] = { "hidden, skipped", "1 hidden file was skipped",
                           "hidden files were skipped", true },
};

int findings_begin(struct findings *n, const char *list_path,
                   struct cooc_err *err)
{
    n->list_path = list_path;
    if (!list_path || program_silent())
        return 0;
    n->list = fopen(list_path, "we");
    return n->list ? 0 : err_sys(err, "cannot write", list_path);
}

/* Write a line of --skip-list: path TAB line TAB why. */
static void list_bad(struct findings *n, const struct cooc_note *note)
{
    display_tsv(n->list, note->path, strlen(note->path));
    if (note->line)
        fprintf(n->list, "\t%" PRIu64 "\t", note->line);
    else
        fputs("\t\t", n->list);
    display_tsv(n->list, note->text, strlen(note->text));
    putc('\n', n->list);
}

void findings_take(struct findings *n, const struct cooc_note *note)
{
    struct note_sum *sum;
    char *text;

    if ((unsigned)note->kind >= NOTE_KINDS || program_silent())
        return;
    sum = &n->kinds[note->kind];
    if (note->kind == COOC_NOTE_LINES) {
        if (!sum->n++ && !n->quiet) {
            fputs("cooc: ", stderr);
            display_terminal(stderr, note->path, strlen(note->path));
            fputs(": each line is a document; to make the whole file one "
                  "document, add --format files\n", stderr);
        }
        return;
    }
    if (note->kind == COOC_NOTE_BAD && n->list)
        list_bad(n, note);
    sum->bytes += note->count;
    text = sum->n < NOTES_NAMED || n->verbose ? describe(note) : NULL;
    if (text && n->verbose) {
        fprintf(stderr, "cooc: %s: ", says[note->kind].each);
        display_terminal(stderr, text, strlen(text));
        putc('\n', stderr);
    }
    if (text && sum->n < NOTES_NAMED)
        sum->named[sum->n] = text;
    else
        free(text);
    sum->n++;
}

static void print_sum(const struct findings *n, enum cooc_note_kind kind)
{
    const struct note_sum *sum = &n->kinds[kind];

    if (!sum->n || !says[kind].one || n->verbose || says[kind].detail)
        return;
    if (sum->n == 1)
        fprintf(stderr, "cooc: warning: %s: ", says[kind].one);
    else
        fprintf(stderr, "cooc: warning: %" PRIu64 " %s: ", sum->n,
                says[kind].many);
    for (uint64_t i = 0; i < sum->n && i < NOTES_NAMED; i++) {
        const char *name = sum->named[i] ? sum->named[i] : "...";

        fputs(i ? ", " : "", stderr);
        display_terminal(stderr, name, strlen(name));
    }
    if (sum->n > NOTES_NAMED)
        fprintf(stderr, " and %" PRIu64 " more; --verbose lists all",
                sum->n - NOTES_NAMED);
    if (kind == COOC_NOTE_ENCODING)
        fputs("; if this is wrong, name the encoding with --encoding", stderr);
    putc('\n', stderr);
}

int findings_end(struct findings *n, int rc, struct cooc_err *err)
{
    bool lost;

    for (int kind = 0; kind < NOTE_KINDS; kind++) {
        if (rc == 0)
            print_sum(n, (enum cooc_note_kind)kind);
        for (int i = 0; i < NOTES_NAMED; i++)
            free(n->kinds[kind].named[i]);
    }
    if (!n->list)
        return rc;
    lost = ferror(n->list) != 0;
    lost |= fclose(n->list) != 0;
    return rc == 0 && lost ? err_sys(err, "cannot write", n->list_path) : rc;
}
