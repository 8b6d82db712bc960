/* part_info.h - what a store remembers if it was made from a share of the
 * inputs (division.h), so that all parts can be merged into the store of all
 * inputs.
 *
 * An error that only the whole can show is left to the merge: a text field that
 * no record has, an option that applies to no input, or a document whose lines
 * are in two parts.
 */
#ifndef COOC_PART_INFO_H
#define COOC_PART_INFO_H

#include "base/buf.h"
#include "read/division.h"

struct part_info {
    uint32_t part, parts;          /* part is 1-based; parts is 0 if the store
                                    * is not a part */
    uint64_t inputs;               /* struct division */
    struct share_place begin, end;
    bool distinct;
    bool records, any_text;        /* records that can have text fields were
                                    * read; one of them has text in one */
    struct buf asked;              /* name_list.h: the requested text fields */
    struct buf missing;            /* those that no record of this part has */
    bool any_document;             /* the part has documents */
    struct buf unused;             /* name_list.h: options about files
                                    * (reading.h) that apply to none of them */
};

static inline void part_info_release(struct part_info *p)
{
    buf_release(&p->asked);
    buf_release(&p->missing);
    buf_release(&p->unused);
    *p = (struct part_info){ 0 };
}

#endif
