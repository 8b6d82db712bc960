/* bib_strings.c - the strings that a BibTeX file defines.
 *
 * A value may consist of other strings, so a short file can define very long
 * ones; BIB_STRING_MAX limits them.
 */
#include "read/bib_strings.h"

#include "base/ascii_case.h"
#include "base/dict.h"
#include "base/mem.h"

#define NAME_MAX_LEN 255u /* longer names are not looked up */

static size_t lower(char out[NAME_MAX_LEN], const char *name, size_t len)
{
    for (size_t i = 0; i < len; i++)
        out[i] = (char)ascii_lower(name[i]);
    return len;
}

int bib_strings_add(struct bib_strings *s, const char *name, size_t name_len,
                    const char *value, size_t len, struct cooc_err *err)
{
    char key[NAME_MAX_LEN];
    uint32_t id;
    int rc;

    if (name_len > NAME_MAX_LEN)
        return 0;
    if (len > BIB_STRING_MAX)
        len = BIB_STRING_MAX;
    rc = s->names ? 0 : dict_new(&s->names, err);
    if (rc == 0)
        rc = array_grow(&s->values, &s->cap, (size_t)dict_size(s->names) + 1,
                        sizeof *s->values, err);
    if (rc == 0)
        rc = buf_reserve(&s->text, len + 1, err);
    if (rc == 0)
        rc = dict_add(s->names, key, lower(key, name, name_len), &id, err);
    if (rc < 0)
        return rc;
    s->values[id] = (struct bib_string){ s->text.len, len };
    return len ? buf_add(&s->text, value, len, err) : 0;
}

void bib_strings_find(struct bib_strings *s, const char **name, size_t *len)
{
    char key[NAME_MAX_LEN];
    uint32_t id;

    if (!s->names || *len > NAME_MAX_LEN)
        return;
    id = dict_find(s->names, key, lower(key, *name, *len));
    if (id == DICT_NONE)
        return;
    *name = s->text.data + s->values[id].at;
    *len = s->values[id].len;
}

void bib_strings_clear(struct bib_strings *s)
{
    dict_free(s->names);
    mem_free(s->values);
    buf_release(&s->text);
    *s = (struct bib_strings){ 0 };
}
