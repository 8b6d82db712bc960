/* exp_raw.c - pairs as binary numbers, in the format of the paper.
 *
 * For each row that has pairs: the id of the term, the number of pairs, then
 * (id, count) per pair; all little-endian 32-bit.  Ids are those of the store.
 * Scores are not written: a measure only selects pairs.
 */
#include <endian.h>

#include "base/bytes.h"
#include "export/export.h"

static int raw_row(void *self, const struct export_row *row,
                   struct output *to, struct cooc_err *err)
{
    const struct export_job *j = self;
    uint8_t pair[8];
    int rc;

    if (!row->n)
        return 0;
    put_le32(pair, selection_store_id(&j->sel, row->id));
    put_le32(pair + 4, (uint32_t)row->n);
    rc = output_add(to, 0, pair, sizeof pair, err);
    if (rc == 0 && !j->sel.store_id && BYTE_ORDER == LITTLE_ENDIAN)
        return output_add(to, 0, row->entries, row->n * 8, err);
    for (size_t i = 0; i < row->n && rc == 0; i++) {
        put_le32(pair, selection_store_id(&j->sel, row->entries[i].term));
        put_le32(pair + 4, row->entries[i].count);
        rc = output_add(to, 0, pair, sizeof pair, err);
    }
    return rc;
}

const struct exporter export_raw = {
    .name = "raw", .summary = "ids and counts, 32 bits each",
    .flags = EXPORT_TO_PIPE | EXPORT_EITHER,
    .format = raw_row, .streams = 1,
};

_Static_assert(sizeof(struct entry) == 8, "an entry is two numbers");
