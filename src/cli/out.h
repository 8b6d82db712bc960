/* out.h - results on stdout, in the form their reader wants.
 *
 *     a person at a terminal   aligned columns, thousands separators
 *     a program in a pipe      TSV with a header line
 *     --json                   an object; for a list, an object a line
 *
 * Questions and reports hand it facts and lists (ask/answer.h):
 *
 *     out_init(&o, stdout, out_form(json));
 *     answer_count(&o.answer, "documents", 3);
 *     answer_rows(&o.answer, "terms", fields, records, sizeof *records, n,
 *                 err);
 *     out_finish(&o);
 *
 * Errors     Those of writing stay in stdout, where main finds them.
 */
#ifndef COOC_CLI_OUT_H
#define COOC_CLI_OUT_H

#include <stdio.h>

#include "ask/answer.h"

enum out_form { OUT_HUMAN, OUT_TSV, OUT_JSON };
enum { OUT_ROWS = 256 };

struct out {
    struct answer answer; /* comes first */
    FILE *to;
    enum out_form form;
    bool open;  /* there are facts */
    bool comma; /* JSON: the object has a member already */

    /* The list at hand; rows wait for their widths in the human form. */
    size_t n_rows;
    bool started;
    struct list_buffer *buffer;
};

void out_init(struct out *o, FILE *to, enum out_form form);

/* The form that suits stdout. */
enum out_form out_form(bool json);

/* End the facts and free what an unfinished list holds. */
void out_finish(struct out *o);

/* What struct answer_form asks for; a is the answer of a struct out. */
void out_fact(struct answer *a, const struct field *f, const struct value *v);
bool out_square(struct answer *a, const struct cooc_pair *p);
void out_list(struct answer *a, const char *label);
int out_row(struct answer *a, const struct value *values,
            struct cooc_err *err);
int out_list_end(struct answer *a, struct cooc_err *err);
void out_note(struct answer *a, const char *text); /* to stderr */

/* Inside: one value; a label as programs read it, alone or in an object. */
void out_value(struct out *o, FILE *to, const struct value *v, int decimals);
void out_key(FILE *to, const char *label);
void out_member(struct out *o, const char *label);
void out_release_list(struct out *o);

#endif
