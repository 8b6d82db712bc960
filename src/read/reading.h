/* reading.h - the options that say how files become documents, as a table.
 *
 * Everything that treats these options alike (the note of an unfinished count,
 * the division into parts, the memory of a store, additions) walks this table.
 * To add an option: add it to struct cooc_index_options, to the table, and to
 * `uses` of the formats that it applies to.
 */
#ifndef COOC_READING_H
#define COOC_READING_H

#include <stdbool.h>
#include <stddef.h>

struct buf;
struct cooc_err;
struct cooc_index_options;

/* The formats that an option applies to say so with these bits. */
enum reading_use {
    USE_FIELDS = 1 << 0,     /* text_fields */
    USE_ID = 1 << 1,         /* id_field */
    USE_VOCAB = 1 << 2,      /* vocab_file */
    USE_SEPARATORS = 1 << 3, /* separators */
    USE_ZERO_BASED = 1 << 4, /* zero_based */
    USE_TABLE = 1 << 5,      /* delimiter, header, no_header */
    USE_SPLIT = 1 << 6,      /* split */
    USE_FOLD = 1 << 7,       /* fold */
    USE_GROUP = 1 << 8,      /* group_by */
    USE_RECORD = 1 << 9,     /* record */
    USE_COLUMN = 1 << 10,    /* column, pos */
    USE_ALWAYS = 0
};

struct reading_option {
    const char *name;     /* of the member */
    const char *what;     /* for messages, as in "the choice of ..." */
    size_t offset;        /* of the member in struct cooc_index_options */
    bool is_flag;         /* bool; otherwise const char * */
    enum reading_use use; /* USE_ALWAYS: applies to every format */
    bool is_path;         /* names a file, so a store does not remember it */
};

#define READING_OPTIONS 16

extern const struct reading_option reading_options[READING_OPTIONS];

/* The value of an option as text: NULL if it is not set, "1" for a flag. */
const char *reading_value(const struct cooc_index_options *o, size_t i);
/* Whether the value of an option, as text or NULL, says more than its default
 * does. */
bool reading_differs(const struct cooc_index_options *o, size_t i);
/* Set option i of *o to value, which must outlive *o; set a flag. */
void reading_set(struct cooc_index_options *o, size_t i, const char *value);
/* Set option i of *to to its value in *from. */
void reading_copy(struct cooc_index_options *to, size_t i,
                  const struct cooc_index_options *from);

/* The delimiter that the text of the option means: one character, or "tab", or
 * a backslash and a t; '\0' for NULL. */
char reading_delimiter(const char *text);

/* COOC_EINVAL if two options exclude each other or a value is not allowed. */
int reading_check(const struct cooc_index_options *o, struct cooc_err *err);
/* COOC_EINVAL, naming the first option, if options are set that apply to none
 * of the formats that were read.  used: their bits; format: their names. */
int reading_check_used(const struct cooc_index_options *o, unsigned used,
                       const char *format, struct cooc_err *err);
/* Add the names of these options to a list (base/name_list.h). */
int reading_list_unused(const struct cooc_index_options *o, unsigned used,
                        struct buf *list, struct cooc_err *err);
/* Return COOC_EINVAL: the option of this name applies to none of the parts. */
int reading_refuse_unused(const char *name, struct cooc_err *err);

#endif
