/* work.c - hand out items of work: the loops of the main threads.
 *
 * Rank 0 keeps a list of its peers: all ranks, including itself.  A peer waits
 * from READY or DONE until it gets an item; at the end, all wait, and get STOP.
 * After a failure, all get STOP at once, and leave when their item is
 * cancelled.
 */
#include "mpi/work.h"

#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/watch.h"
#include "mpi/worker.h"

struct peer {
    enum { PEER_AWAY, PEER_WAITING, PEER_BUSY } state;
    struct item item;
    double share; /* of the item that is done */
};

/* ---- warnings ------------------------------------------------------------ */

/* Show a warning, unless another rank has just sent the same. */
static void show_warning(const struct work *w, const char *text)
{
    static char shown[WARNINGS][MESSAGE_TEXT];
    static size_t n;

    for (size_t i = 0; i < WARNINGS; i++)
        if (!strcmp(shown[i], text))
            return;
    snprintf(shown[n++ % WARNINGS], MESSAGE_TEXT, "%s", text);
    if (w->watch && w->watch->warning)
        w->watch->warning(w->watch->self, text);
}

/* ---- rank 0 -------------------------------------------------------------- */

static void fail(struct work *w, int rc, const struct cooc_err *err)
{
    struct message stop = message_of(MSG_STOP);

    if (w->rc < 0)
        return;
    w->rc = rc;
    if (err)
        w->err = *err;
    w->stopping = true;
    atomic_store(&w->worker->stop, true);
    stop.n[0] = (uint64_t)(int64_t)rc;
    message_send_all(&stop);
}

/* Give items to all ranks that wait. */
static void hand_out(struct work *w)
{
    for (unsigned r = 0; r < ranks.size && !w->stopping; r++) {
        struct peer *p = &w->peers[r];
        struct message m = message_of(MSG_ITEM);

        if (p->state != PEER_WAITING || !w->next(w->self, r, &p->item))
            continue;
        p->state = PEER_BUSY;
        p->share = 0;
        if (r == 0) {
            worker_give(w->worker, &p->item);
            continue;
        }
        m.n[0] = p->item.first;
        m.n[1] = p->item.last;
        m.n[2] = p->item.cost;
        message_send(r, &m);
    }
}

static void item_ended(struct work *w, unsigned r, bool good,
                       const uint64_t *result, const char *text)
{
    struct peer *p = &w->peers[r];

    if (p->state == PEER_BUSY && good) {
        w->cost_done += p->item.cost;
        if (w->done)
            w->done(w->self, r, result, text);
    }
    p->state = PEER_WAITING;
}

static void take(struct work *w, const struct message *m)
{
    struct cooc_err err = { 0 };
    int rc;

    switch (m->kind) {
    case MSG_READY:
        w->peers[m->from].state = PEER_WAITING;
        break;
    case MSG_NEWS:
        w->peers[m->from].share = (double)m->n[0] / 1e6;
        break;
    case MSG_WARNING:
        show_warning(w, m->text);
        break;
    case MSG_DONE:
        item_ended(w, m->from, true, m->n, m->text);
        break;
    case MSG_FAILED:
        rc = message_get_error(m, &err);
        item_ended(w, m->from, false, NULL, NULL);
        fail(w, rc, &err);
        break;
    case MSG_END: /* failed before it got here */
        ranks.ended[m->from] = true;
        rc = message_get_error(m, &err);
        fail(w, rc < 0 ? rc : COOC_EIO, &err);
        break;
    default:
        break;
    }
}

static const struct cooc_err *err_of_own(struct worker *k)
{
    char text[sizeof k->err.text];

    memcpy(text, k->err.text, sizeof text);
    err_reword(&k->err, "rank 0 on %s: %s", own_stats()->host, text);
    return &k->err;
}

static void look_after_own(struct work *w)
{
    char text[MESSAGE_TEXT];
    int rc;

    while (worker_warning(w->worker, text))
        show_warning(w, text);
    w->peers[0].share = worker_share(w->worker);
    if (!worker_finished(w->worker, &rc))
        return;
    item_ended(w, 0, rc == 0, w->worker->result, w->worker->text);
    if (rc < 0)
        fail(w, rc, err_of_own(w->worker));
}

static void update_progress(struct work *w)
{
    double done = (double)w->cost_done;

    for (unsigned r = 0; r < ranks.size; r++)
        if (w->peers[r].state == PEER_BUSY)
            done += (double)w->peers[r].item.cost * w->peers[r].share;
    done = w->cost ? done / (double)w->cost : 1;
    w->now.done = (uint64_t)((double)w->now.total * (done < 1 ? done : 1));
}

/* Whether no rank works. */
static bool all_wait(const struct work *w)
{
    for (unsigned r = 0; r < ranks.size; r++)
        if (w->peers[r].state != PEER_WAITING)
            return false;
    return true;
}

static int serve(struct work *w)
{
    struct message m;
    struct nap nap = { 0 };

    w->peers[0].state = PEER_WAITING;
    while (!w->stopping) {
        bool news = message_receive(&m);

        if (news)
            take(w, &m);
        look_after_own(w);
        hand_out(w);
        update_progress(w);
        if (ranks_interrupted(w->watch, &w->now))
            return COOC_ECANCELLED;
        if (all_wait(w)) /* nothing is left */
            break;
        if (news)
            nap.ns = 0;
        else
            worker_nap(w->worker, &nap);
    }
    if (!w->stopping) {
        m = message_of(MSG_STOP);
        message_send_all(&m);
    }
    return w->rc;
}

/* ---- other ranks --------------------------------------------------------- */

static void send_news(struct work *w, double *told)
{
    struct message m = message_of(MSG_WARNING);
    double now = clock_seconds();

    while (worker_warning(w->worker, m.text))
        message_send(0, &m);
    if (now - *told < 1 || worker_idle(w->worker))
        return;
    *told = now;
    m = message_of(MSG_NEWS);
    m.n[0] = (uint64_t)(1e6 * worker_share(w->worker));
    message_send(0, &m);
}

static void send_result(struct work *w, int rc)
{
    struct worker *k = w->worker;
    struct message m = message_of(rc < 0 ? MSG_FAILED : MSG_DONE);

    if (rc < 0) {
        message_put_error(&m, rc, &k->err);
    } else {
        memcpy(m.n, k->result, sizeof m.n);
        memcpy(m.text, k->text, sizeof m.text);
    }
    message_send(0, &m);
}

static int obey(struct work *w)
{
    struct message m = message_of(MSG_READY);
    double told = clock_seconds();
    struct nap nap = { 0 };
    int rc;

    message_send(0, &m);
    for (;;) {
        bool news = message_receive(&m);

        if (news && m.kind == MSG_STOP)
            return (int)(int64_t)m.n[0];
        if (news && m.kind == MSG_ITEM)
            worker_give(w->worker,
                        &(struct item){ m.n[0], m.n[1], m.n[2] });
        send_news(w, &told);
        if (worker_finished(w->worker, &rc)) {
            send_result(w, rc);
            nap.ns = 0;
        }
        if (ranks_interrupted(w->watch, &w->now))
            return COOC_ECANCELLED;
        if (news)
            nap.ns = 0;
        else
            worker_nap(w->worker, &nap);
    }
}

/* ---- all ranks ----------------------------------------------------------- */

int work_run(struct work *w, struct cooc_err *err)
{
    struct worker worker;
    int rc;

    w->peers = mem_zarray(ranks.size, sizeof *w->peers);
    if (!w->peers)
        return err_nomem(err);
    w->err = (struct cooc_err){ 0 };
    w->worker = &worker;
    rc = worker_start(&worker, w, err);
    if (rc < 0)
        err_copy(&worker.err, err);
    if (rc < 0 && ranks.rank == 0)
        fail(w, rc, err_of_own(&worker));
    else if (rc < 0)
        send_result(w, rc);
    rc = ranks.rank == 0 ? serve(w) : obey(w);
    if (ranks.broken)
        err_set(err, rc, "interrupted");
    else if (rc < 0)
        err_copy(err, &w->err);
    worker_end(&worker);
    w->worker = NULL;
    mem_free(w->peers);
    w->peers = NULL;
    return rc;
}

static int keep_stats(void *self, const struct message *m,
                      struct cooc_err *err)
{
    struct rank_stats *s = &ranks.stats[m->from];

    (void)self;
    (void)err;
    s->threads = m->n[1];
    s->items = m->n[2];
    s->units = m->n[3];
    s->messages = m->n[4];
    s->bytes = m->n[5];
    s->busy = (double)m->n[6] / 1e6;
    s->waiting = (double)m->n[7] / 1e6;
    s->start = (double)m->n[8] / 1e6;
    return 0;
}

int work_leave(struct work *w, int rc, struct cooc_err *err)
{
    const struct rank_stats *s = own_stats();
    struct message m = message_of(MSG_LEFT);
    struct cooc_err ignored;
    int end;

    if (ranks.rank == 0) {
        end = message_collect(MSG_LEFT, w->watch, keep_stats, NULL,
                              rc < 0 ? &ignored : err);
        return rc < 0 ? rc : end;
    }
    m.n[1] = s->threads;
    m.n[2] = s->items;
    m.n[3] = s->units;
    m.n[4] = s->messages + 1; /* with this one */
    m.n[5] = s->bytes + MESSAGE_BYTES;
    m.n[6] = (uint64_t)(1e6 * s->busy);
    m.n[7] = (uint64_t)(1e6 * s->waiting);
    m.n[8] = (uint64_t)(1e6 * s->start);
    message_send(0, &m);
    return rc;
}

int work_agree(struct work *w, int rc, struct cooc_err *err)
{
    struct message m = message_of(MSG_RESULT);

    if (ranks.rank == 0) {
        m.n[0] = (uint64_t)(int64_t)rc;
        message_send_all(&m);
        return rc;
    }
    if (rc < 0)
        return rc;
    rc = message_await(MSG_RESULT, &m, w->watch, err);
    return rc < 0 ? rc : message_get_error(&m, err);
}
