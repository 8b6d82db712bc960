/* program_mpi.c - the program cooc-mpi: count and index, with the ranks of an
 * MPI job. */
#include <stdio.h>
#include <string.h>

#include "ask/answer.h"
#include "base/err.h"
#include "cli/program.h"
#include "mpi/ranks.h"

static struct job count, index_;
static const struct cmd commands[] = {
    { CMD_MAKE, .job = &count },
    { CMD_MAKE, .job = &index_ },
};

static const char introduction[] =
    "cooc-mpi does the work of 'cooc count' and 'cooc index' with several "
    "processes,\n"
    "called ranks, on one or more hosts that share a file system. It makes "
    "the same\n"
    "bytes, and has the same options.\n"
    "\n"
    "  mpirun -n 4 cooc-mpi count letters/ -o letters.cooc\n"
    "  mpirun --hostfile hosts cooc-mpi count letters.cooc\n"
    "\n"
    "If a rank fails or a host goes down, the job ends; run the same command "
    "again to\n"
    "continue with what was finished. Threads (-j) and --memory apply to each "
    "rank.\n";

static const char conclusion[] =
    "\n"
    "'cooc-mpi help COMMAND' explains a command and its options; 'man "
    "cooc-mpi' tells\n"
    "more about hosts, memory and failures.\n";

const struct program program = {
    .name = "cooc-mpi", .usage = "mpirun -n R cooc-mpi",
    .commands = commands, .n_commands = sizeof commands / sizeof *commands,
    .introduction = introduction, .conclusion = conclusion,
    .kept = "finished parts are kept; run the same command to continue",
    .index = ranks_index, .count = ranks_count,
};

static void describe_commands(void)
{
    count = job_count;
    count.usage.details =
        "Counts the pairs of a store that 'cooc index' or 'cooc-mpi index' "
        "has made. With -o, indexes the INPUTs first; the options under "
        "Documents, Words and Terms apply only then.\n\n"
        "All hosts must see the inputs and the store under the same names. "
        "Each rank uses as many threads and as much memory as its share of "
        "the host, unless -j and --memory are given; they apply to each "
        "rank.";
    count.usage.output =
        "The report of 'cooc count', and\n"
        "- ranks: number of processes\n"
        "- busiest rank, least busy rank: its host, and the seconds for which "
        "it worked;\n"
        "  three facts for programs, as in busiest_rank, busiest_rank_host "
        "and\n"
        "  busiest_rank_seconds\n"
        "- messages, bytes sent: between ranks; documents and counts are "
        "exchanged in files";
    count.usage.examples =
        "mpirun -n 4 cooc-mpi count letters/ -o letters.cooc\n"
        "mpirun -n 8 --hostfile hosts --map-by node --bind-to none cooc-mpi "
        "count letters.cooc -j 16 --memory 40G\n";
    index_ = job_index;
    index_.usage.details =
        "Each rank reads some of the documents; then rank 0 merges what they "
        "have read. All hosts must see the inputs and the store under the same "
        "names.";
    index_.usage.output = "The report of 'cooc index', and the facts about "
                          "ranks of 'cooc-mpi count'.";
    index_.usage.examples =
        "mpirun -n 4 cooc-mpi index letters/ -o letters.cooc\n";
}

int program_start(int argc, char **argv, struct cooc_err *err)
{
    describe_commands();
    if (argc < 2 || !strcmp(argv[1], "--version") ||
        !strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") ||
        !strcmp(argv[1], "help"))
        return 0;
    return ranks_start(argc, argv, err);
}

bool program_silent(void)
{
    return ranks_silent();
}

int program_settle(int rc, struct cooc_err *err)
{
    return ranks_settle(rc, err);
}

void program_end(void)
{
    ranks_end();
}

/* ---- the report ---------------------------------------------------------- */

/* One fact at a terminal; three for programs: "busiest rank", "busiest rank
 * host" and "busiest rank seconds". */
static void name_rank(struct answer *a, const char *label,
                      const struct rank_stats *s)
{
    char text[HOST_NAME + 60];

    if (a->form == OUT_HUMAN) {
        snprintf(text, sizeof text, "%u on %s, %.2f s", (unsigned)s->rank,
                 s->host, s->busy);
        answer_text(a, label, text);
        return;
    }
    answer_count(a, label, s->rank);
    snprintf(text, sizeof text, "%s host", label);
    answer_text(a, text, s->host);
    snprintf(text, sizeof text, "%s seconds", label);
    answer_real(a, text, s->busy, 2);
}

int program_report(struct answer *a, bool each, struct cooc_err *err)
{
    static const struct field fields[] = {
        FIELD_COUNT(struct rank_stats, rank, "rank"),
        FIELD_CHARS(struct rank_stats, host, "host"),
        FIELD_COUNT(struct rank_stats, threads, "threads"),
        FIELD_COUNT(struct rank_stats, items, "items"),
        FIELD_COUNT(struct rank_stats, units, "units"),
        FIELD_COUNT(struct rank_stats, messages, "messages"),
        FIELD_COUNT(struct rank_stats, bytes, "bytes sent"),
        FIELD_REAL(struct rank_stats, busy, "seconds busy", 3),
        FIELD_REAL(struct rank_stats, waiting, "seconds waiting", 3),
        FIELD_REAL(struct rank_stats, start, "seconds to start", 3),
        FIELD_END
    };
    struct rank_stats sum = { 0 };
    size_t n, most = 0, least = 0;
    const struct rank_stats *s = ranks_stats(&n);

    for (size_t i = 0; i < n; i++) {
        sum.messages += s[i].messages;
        sum.bytes += s[i].bytes;
        sum.waiting += s[i].waiting;
        sum.start = s[i].start > sum.start ? s[i].start : sum.start;
        most = s[i].busy > s[most].busy ? i : most;
        least = s[i].busy < s[least].busy ? i : least;
    }
    answer_count(a, "ranks", n);
    if (n > 1) {
        name_rank(a, "busiest rank", &s[most]);
        name_rank(a, "least busy rank", &s[least]);
    }
    answer_real(a, "seconds waiting", sum.waiting, 2);
    answer_count(a, "messages", sum.messages);
    answer_count(a, "bytes sent", sum.bytes);
    answer_real(a, "seconds to start MPI", sum.start, 2);
    return each ? answer_rows(a, "per rank", fields, s, sizeof *s, n, err)
                : 0;
}
