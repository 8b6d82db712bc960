/* exp_sqlite.c - an SQLite database.
 *
 *     terms(id, term, df)    pairs(term1, term2, count [, score])
 *     meta(name, value)      what was asked for
 *     named                  view: pairs with both names and df
 *     partners               view: each pair from both sides
 *
 * Pairs come in order of their rarer term, so that the primary key (term2,
 * term1) only appends; an index serves the other way.  There is no journal:
 * the file has no name yet, and is thrown away whole if something fails.
 */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include "base/err.h"
#include "base/workdir.h"
#include "export/export.h"

#define CHECK_EVERY 20000 /* SQLite's steps between looks at the watch */
#define CACHE_MAX ((uint64_t)64 << 20)
#define SQL_MAX 2000      /* bytes of our longest statements */

struct database {
    sqlite3 *db;
    sqlite3_stmt *insert;
};

static int failed(const struct export_job *j, struct cooc_err *err)
{
    const struct database *d = j->state;
    int code = sqlite3_errcode(d->db);

    if (code == SQLITE_FULL) {
        errno = ENOSPC;
        return sink_failed(&j->main, err);
    }
    if (code == SQLITE_NOMEM)
        return err_nomem(err);
    if (code == SQLITE_INTERRUPT)
        return err_set(err, COOC_ECANCELLED, "interrupted");
    return err_path(err, COOC_EIO, j->main.path, "cannot write: %s",
                    sqlite3_errmsg(d->db));
}

/* Statements with their %s filled in. */
__attribute__((format(printf, 3, 4))) static int
run_sql(const struct export_job *j, struct cooc_err *err, const char *fmt, ...)
{
    const struct database *d = j->state;
    char sql[SQL_MAX];
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(sql, sizeof sql, fmt, ap);
    va_end(ap);
    return sqlite3_exec(d->db, sql, NULL, NULL, NULL) == SQLITE_OK
               ? 0
               : failed(j, err);
}

static int prepare(const struct export_job *j, const char *sql,
                   struct cooc_err *err)
{
    struct database *d = j->state;

    sqlite3_finalize(d->insert);
    d->insert = NULL;
    return sqlite3_prepare_v2(d->db, sql, -1, &d->insert, NULL) == SQLITE_OK
               ? 0
               : failed(j, err);
}

static int step(const struct export_job *j, struct cooc_err *err)
{
    struct database *d = j->state;

    if (sqlite3_step(d->insert) != SQLITE_DONE ||
        sqlite3_reset(d->insert) != SQLITE_OK)
        return failed(j, err);
    return 0;
}

static int on_progress(void *self)
{
    return watch_add(self, 0, 0, 0, NULL) < 0;
}

static int open_database(struct export_job *j, struct cooc_err *err)
{
    struct database *d = j->state;
    const char *path = j->main.tmp ? j->main.tmp : j->main.path;
    uint64_t cache = j->sel.memory / 4;
    char real[PATH_MAX];

    if (*path != '/' && workdir_real(j->main.fd, real))
        path = real; /* SQLite knows the working directory of now only */
    if (sqlite3_open_v2(path, &d->db, SQLITE_OPEN_READWRITE, NULL) !=
        SQLITE_OK)
        return d->db ? failed(j, err) : err_nomem(err);
    sqlite3_progress_handler(d->db, CHECK_EVERY, on_progress,
                             j->sel.watch);
    cache = cache < CACHE_MAX ? cache : CACHE_MAX;
    return run_sql(j, err, "PRAGMA cache_size=-%" PRIu64, cache >> 10);
}

/* ---- tables ---------------------------------------------------------- */

static int write_notes(const struct export_job *j, struct cooc_err *err)
{
    struct notes notes;
    int rc = 0;

    export_notes(j, &notes);
    for (size_t i = 0; i < notes.n && rc == 0; i++)
        rc = run_sql(j, err, "INSERT INTO meta VALUES ('%s', '%s')",
                     notes.list[i].name, notes.list[i].value);
    return rc;
}

static int write_terms(struct export_job *j, struct cooc_err *err)
{
    struct database *d = j->state;
    int rc = prepare(j, "INSERT INTO terms VALUES (?, ?, ?)", err);

    for (uint32_t id = 0; id < j->sel.n && rc == 0; id++) {
        const char *name;
        size_t len;

        rc = selection_term(&j->sel, id, &name, &len, err);
        if (rc < 0)
            return rc;
        if (sqlite3_bind_int64(d->insert, 1, id) ||
            sqlite3_bind_text(d->insert, 2, name, (int)len, SQLITE_STATIC) ||
            sqlite3_bind_int64(d->insert, 3,
                               (int64_t)selection_df(&j->sel, id)))
            return failed(j, err);
        rc = step(j, err);
    }
    return rc;
}

static int begin(struct export_job *j, struct cooc_err *err)
{
    bool scores = !j->sel.plain_count;
    int rc = open_database(j, err);

    if (rc == 0)
        rc = run_sql(j, err,
                     "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF;"
                     "PRAGMA locking_mode=EXCLUSIVE; PRAGMA page_size=8192;"
                     "BEGIN;"
                     "CREATE TABLE meta (name TEXT PRIMARY KEY, value);"
                     "CREATE TABLE terms (id INTEGER PRIMARY KEY, term TEXT "
                     "NOT NULL, df INTEGER NOT NULL);"
                     "CREATE TABLE pairs (term1 INTEGER NOT NULL, "
                     "term2 INTEGER NOT NULL, count INTEGER NOT NULL, %s"
                     "PRIMARY KEY (term2, term1)) WITHOUT ROWID;",
                     scores ? "score REAL, " : "");
    if (rc == 0)
        rc = write_notes(j, err);
    if (rc == 0)
        rc = write_terms(j, err);
    if (rc == 0)
        rc = prepare(j, scores ? "INSERT INTO pairs VALUES (?, ?, ?, ?)"
                               : "INSERT INTO pairs VALUES (?, ?, ?)", err);
    return rc;
}

static int write_row(void *self, const struct export_row *row,
                     struct cooc_err *err)
{
    struct export_job *j = self;
    sqlite3_stmt *in = ((struct database *)j->state)->insert;
    int rc = 0;

    for (size_t i = 0; i < row->n && rc == 0; i++) {
        if (sqlite3_bind_int64(in, 1, row->entries[i].term) ||
            sqlite3_bind_int64(in, 2, row->id) ||
            sqlite3_bind_int64(in, 3, row->entries[i].count) ||
            (row->scores && sqlite3_bind_double(in, 4, row->scores[i])))
            return failed(j, err);
        rc = step(j, err);
    }
    j->written += row->n;
    return rc;
}

static int end(struct export_job *j, struct cooc_err *err)
{
    const char *score = j->sel.plain_count ? "" : ", score";
    struct database *d = j->state;
    int rc;

    sqlite3_finalize(d->insert);
    d->insert = NULL;
    watch_phase(j->sel.watch, "indexing", "pairs", 0);
    rc = run_sql(j, err,
                 "CREATE UNIQUE INDEX terms_by_term ON terms (term);"
                 "CREATE INDEX pairs_by_term1 ON pairs (term1);"
                 "CREATE VIEW named AS SELECT a.term AS term1, b.term AS "
                 "term2, count, a.df AS df1, b.df AS df2%s FROM pairs "
                 "JOIN terms a ON a.id = pairs.term1 "
                 "JOIN terms b ON b.id = pairs.term2;"
                 "CREATE VIEW partners AS "
                 "SELECT term1 AS term, term2 AS partner, count, df2 AS df%s "
                 "FROM named UNION ALL "
                 "SELECT term2, term1, count, df1%s FROM named "
                 "WHERE term1 <> term2;"
                 "COMMIT;", score, score, score);
    if (rc == 0 && sqlite3_close(d->db) != SQLITE_OK)
        rc = failed(j, err);
    if (rc == 0) {
        off_t size = lseek(j->main.fd, 0, SEEK_END);

        d->db = NULL;
        j->main.written = size > 0 ? (uint64_t)size : 0;
    }
    return rc;
}

static void release(struct export_job *j)
{
    struct database *d = j->state;

    sqlite3_finalize(d->insert);
    sqlite3_close(d->db);
}

const struct exporter export_sqlite = {
    .name = "sqlite", .summary = "an SQLite database",
    .state_size = sizeof(struct database),
    .begin = begin, .row = write_row, .end = end, .release = release,
};
