/* part.c - write and read the members of the manifest that consist of names,
 * and the member of a part. */
#include "store/part.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/json.h"
#include "base/name_list.h"

#define HASH_DIGITS 16

json_t *names_json(const struct buf *names)
{
    json_t *all = json_array();
    const char *name = NULL;
    int rc = 0;

    while (rc == 0 && (name = name_list_next(names, name)) != NULL)
        rc = json_array_append_new(all, json_string(name));
    if (rc == 0)
        return all;
    json_decref(all);
    return NULL;
}

bool names_read(struct buf *names, const json_t *j, struct cooc_err *err)
{
    const char *last = "";
    const json_t *name;
    size_t i;

    if (j && (!json_is_array(j) || !json_array_size(j)))
        return false;
    json_array_foreach(j, i, name)
    {
        const char *text = json_string_value(name);

        if (!text || strcmp(last, text) >= 0)
            return false;
        last = text;
        if (buf_add(names, text, strlen(text) + 1, err) < 0)
            return false;
    }
    return true;
}

json_t *part_json(const struct part_info *p)
{
    char hash[HASH_DIGITS + 1];
    json_t *j;
    int rc = 0;

    snprintf(hash, sizeof hash, "%016" PRIx64, p->inputs);
    j = json_pack("{s:I, s:I, s:s, s:[I, I], s:[I, I], s:b, s:b, s:b, s:b}",
                  "number", (json_int_t)p->part, "of", (json_int_t)p->parts,
                  "inputs", hash, "begin", (json_int_t)p->begin.file,
                  (json_int_t)p->begin.byte, "end", (json_int_t)p->end.file,
                  (json_int_t)p->end.byte, "distinct", p->distinct, "records",
                  p->records, "text", p->any_text, "documents",
                  p->any_document);
    if (j && p->asked.len)
        rc = json_object_set_new(j, "fields", names_json(&p->asked));
    if (j && rc == 0 && p->missing.len)
        rc = json_object_set_new(j, "missing_fields", names_json(&p->missing));
    if (j && rc == 0 && p->unused.len)
        rc = json_object_set_new(j, "unused_options", names_json(&p->unused));
    if (rc == 0)
        return j;
    json_decref(j);
    return NULL;
}

static bool read_place(struct share_place *at, const json_t *j)
{
    const json_t *file = json_array_get(j, 0), *byte = json_array_get(j, 1);

    if (!json_is_integer(file) || !json_is_integer(byte) ||
        json_integer_value(file) < 0 || json_integer_value(byte) < 0)
        return false;
    at->file = (uint64_t)json_integer_value(file);
    at->byte = (uint64_t)json_integer_value(byte);
    return json_array_size(j) == 2;
}

bool part_read(struct part_info *p, const json_t *j, struct cooc_err *err)
{
    const char *hex = json_string_value(json_object_get(j, "inputs"));
    char *end;

    if (!j)
        return true;
    if (!hex || strlen(hex) != HASH_DIGITS ||
        !json_get_u32(j, "number", UINT32_MAX, &p->part) ||
        !json_get_u32(j, "of", UINT32_MAX, &p->parts) || !p->part ||
        p->part > p->parts ||
        !read_place(&p->begin, json_object_get(j, "begin")) ||
        !read_place(&p->end, json_object_get(j, "end")))
        return false;
    p->inputs = strtoull(hex, &end, 16);
    p->distinct = json_is_true(json_object_get(j, "distinct"));
    p->records = json_is_true(json_object_get(j, "records"));
    p->any_text = json_is_true(json_object_get(j, "text"));
    p->any_document = json_is_true(json_object_get(j, "documents"));
    return *end == '\0' &&
           names_read(&p->asked, json_object_get(j, "fields"), err) &&
           names_read(&p->missing, json_object_get(j, "missing_fields"),
                      err) &&
           names_read(&p->unused, json_object_get(j, "unused_options"), err);
}
