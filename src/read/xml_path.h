/* xml_path.h - names of elements and attributes as users write them.
 *
 *     title           every element title
 *     revision/text   every text directly inside a revision
 *     author/@id      the attribute id of every author
 *     @id             the attribute id of the record
 *
 * Prefixes of namespaces (dc:title) do not matter.
 */
#ifndef COOC_XML_PATH_H
#define COOC_XML_PATH_H

#include <stdbool.h>
#include <stddef.h>

#define XML_PATH_MAX 8 /* names in a path */

struct xml_element;

struct xml_name {
    const char *text; /* text[0..len) */
    size_t len;
};

struct xml_path {
    struct xml_name names[XML_PATH_MAX];
    size_t n;
    struct xml_name attribute; /* len 0: none */
};

/* Split text[0..len), which must outlive the path; false if it has too many
 * names or none. */
bool xml_path_set(struct xml_path *p, const char *text, size_t len);

/* Do the last names of the element's path equal those of p?  A path that is
 * only an attribute matches every element. */
bool xml_path_matches(const struct xml_path *p, const struct xml_element *e);

#endif
