/* show_status.c - print how far the count of a store is. */
#include <time.h>

#include "ask/answer.h"
#include "base/err.h"
#include "cli/report.h"
#include "cli/show_status.h"
#include "cooc_parts.h"

#define TIME_MAX 24

/* A row of the list of processes. */
struct process_row {
    const char *host, *label, *state;
    uint64_t pid, units;
    double percent;
    char started[TIME_MAX], last[TIME_MAX];
};

/* Consecutive units in the same state. */
struct range_row {
    const char *kind, *state, *host, *label;
    uint64_t first, last, pid; /* numbers of files */
    double percent;
    char finished[TIME_MAX];
};

static const struct field info_fields[] = {
    FIELD_COUNT(struct cooc_status_info, increments, "increments"),
    FIELD_COUNT(struct cooc_status_info, shards, "row files"),
    FIELD_COUNT(struct cooc_status_info, shards_done, "row files finished"),
    FIELD_COUNT(struct cooc_status_info, shares, "shares of omitted rows"),
    FIELD_COUNT(struct cooc_status_info, shares_done, "shares finished"),
    FIELD_COUNT(struct cooc_status_info, running, "processes running"),
    FIELD_END
};

static const struct field process_fields[] = {
    FIELD_TEXT(struct process_row, host, "host"),
    FIELD_ID(struct process_row, pid, "process"),
    FIELD_TEXT(struct process_row, label, "counts"),
    FIELD_TEXT(struct process_row, state, "state"),
    FIELD_COUNT(struct process_row, units, "files"),
    FIELD_REAL(struct process_row, percent, "percent", 1),
    FIELD_CHARS(struct process_row, started, "started"),
    FIELD_CHARS(struct process_row, last, "last finished"),
    FIELD_END
};

static const struct field range_fields[] = {
    FIELD_TEXT(struct range_row, kind, "files"),
    FIELD_COUNT(struct range_row, first, "first"),
    FIELD_COUNT(struct range_row, last, "last"),
    FIELD_TEXT(struct range_row, state, "state"),
    FIELD_REAL(struct range_row, percent, "percent", 1),
    FIELD_TEXT(struct range_row, host, "host"),
    FIELD_ID(struct range_row, pid, "process"),
    FIELD_TEXT(struct range_row, label, "counted as"),
    FIELD_CHARS(struct range_row, finished, "finished"),
    FIELD_END
};

/* Format a time as in 2026-01-31T12:00:00Z; "" if it is 0. */
static void format_time(char to[TIME_MAX], uint64_t seconds)
{
    time_t t = (time_t)seconds;
    struct tm tm;

    *to = '\0';
    if (seconds && gmtime_r(&t, &tm))
        strftime(to, TIME_MAX, "%Y-%m-%dT%H:%M:%SZ", &tm);
}

static const char *state_of(const struct cooc_status_info *i)
{
    return i->counted                         ? "counted"
           : i->running                       ? "being counted"
           : i->shards_done == i->shards && i->shares_done == i->shares
               ? "ready to finish"
           : i->shards_done || i->shares_done ? "partly counted"
                                              : "not counted";
}

static int show_processes(struct answer *out, const struct cooc_status *s,
                          const struct cooc_status_info *info,
                          struct cooc_err *err)
{
    int rc = 0;

    answer_list(out, "processes", process_fields);
    for (uint64_t i = 0; i < info->processes && rc == 0; i++) {
        struct cooc_status_process p = COOC_STATUS_PROCESS;
        struct process_row row;

        rc = cooc_status_process_get(s, i, &p, err);
        if (rc < 0)
            break;
        row = (struct process_row){
            .host = p.host, .label = p.label, .pid = p.pid, .units = p.units,
            .state = p.running ? "running" : p.ended ? "finished" : "stopped",
            .percent = 100 * p.done,
        };
        format_time(row.started, p.started);
        format_time(row.last, p.units ? p.last : 0);
        rc = answer_row(out, &row, err);
    }
    return rc < 0 ? rc : answer_list_end(out, err);
}

static bool same_range(const struct cooc_status_unit *a,
                       const struct cooc_status_unit *b)
{
    return a->is_shard == b->is_shard && a->done == b->done &&
           a->process == b->process;
}

static int show_range(struct answer *out, const struct cooc_status *s,
                      const struct cooc_status_unit *u, uint64_t first,
                      uint64_t last, double cost, struct cooc_err *err)
{
    struct cooc_status_process p = COOC_STATUS_PROCESS;
    struct range_row row = {
        .kind = u->is_shard ? "rows" : "omitted", .host = "", .label = "",
        .state = u->done ? "finished" : "missing", .first = first,
        .last = last, .percent = 100 * cost,
    };
    int rc = u->process < 0 ? 0 : cooc_status_process_get(
                                      s, (uint64_t)u->process, &p, err);

    if (rc < 0)
        return rc;
    if (u->process >= 0) {
        row.host = p.host;
        row.label = p.label;
        row.pid = p.pid;
    }
    format_time(row.finished, u->finished);
    return answer_row(out, &row, err);
}

static int show_units(struct answer *out, const struct cooc_status *s,
                      const struct cooc_status_info *info,
                      struct cooc_err *err)
{
    uint64_t n = info->shards + info->shares, first = 0;
    struct cooc_status_unit u = COOC_STATUS_UNIT, next = COOC_STATUS_UNIT;
    double cost = 0;
    int rc = n ? cooc_status_unit_get(s, 0, &u, err) : 0;

    answer_list(out, "files", range_fields);
    for (uint64_t i = 0; i < n && rc == 0; i++) {
        uint64_t from = i < info->shards ? 0 : info->shards;

        cost += u.cost;
        if (i + 1 < n)
            rc = cooc_status_unit_get(s, i + 1, &next, err);
        if (rc < 0)
            break;
        if (i + 1 == n || !same_range(&u, &next)) {
            rc = show_range(out, s, &u, first - from, i - from, cost, err);
            first = i + 1;
            cost = 0;
        }
        u = next;
    }
    return rc < 0 ? rc : answer_list_end(out, err);
}

int show_status(const char *store, const struct cooc_count_options *o,
                bool json, struct cooc_err *err)
{
    struct cooc_status_info info = COOC_STATUS_INFO;
    struct cooc_status *s = NULL;
    struct answer out;
    int rc = cooc_status_open(&s, store, o, err);

    if (rc == 0)
        rc = cooc_status_info_get(s, &info, err);
    if (rc < 0)
        return rc;
    answer_init(&out, stdout, out_form(json));
    answer_text(&out, "store", store);
    answer_text(&out, "state", state_of(&info));
    answer_text(&out, "rows written",
                info.rows == COOC_ROWS_FULL ? "full" : "compact");
    rc = answer_facts(&out, info_fields, &info, err);
    answer_real(&out, "percent finished", 100 * info.done, 1);
    if (info.seconds_left >= 0)
        answer_real(&out, "seconds left", info.seconds_left, 0);
    if (rc == 0 && info.processes)
        rc = show_processes(&out, s, &info, err);
    if (rc == 0 && !info.counted)
        rc = show_units(&out, s, &info, err);
    answer_finish(&out);
    cooc_status_close(s);
    return rc;
}
