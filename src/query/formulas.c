/* formulas.c - the table of measures, and how to find one in it.
 *
 * No formula returns NaN: each defines its value if cells are zero.  Callers
 * guarantee that the table is possible (no cell is negative) and N > 0.
 */
#include "query/formulas.h"

#include <math.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"

#define CONFIDENCE_SIDE 0.025 /* each side of a 95% interval */

static double ratio(double x, double y)
{
    return y > 0 ? x / y : 0;
}

/* x log(x / y), which is 0 for x = 0 */
static double x_log(double x, double y)
{
    return x > 0 ? x * log(x / y) : 0;
}

/* The correction of Haldane and Anscombe: add 0.5 to every cell if a cell that
 * must not be empty is empty. */
static struct cells halves(const struct cells *t, bool one_is_empty)
{
    struct cells h = *t;

    if (!one_is_empty)
        return h;
    h.a += 0.5;
    h.b += 0.5;
    h.c += 0.5;
    h.d += 0.5;
    h.fx += 1;
    h.fy += 1;
    h.n += 2;
    return h;
}

/* fx fy (N - fx) (N - fy), rounded in the same way if x and y are swapped */
static double margins(const struct cells *t)
{
    return t->fx * t->fy * ((t->n - t->fx) * (t->n - t->fy));
}

/* A measure that is one expression in the cells of t. */
#define FORMULA(name, expression)                                            \
    static double of_##name(const struct cells *t)                           \
    {                                                                        \
        return expression;                                                   \
    }

/* ---- counts and shares --------------------------------------------------- */

FORMULA(count, t->a)
FORMULA(support, t->a / t->n)
FORMULA(confidence, ratio(t->a, t->fx))
FORMULA(dice, ratio(2 * t->a, t->fx + t->fy))
FORMULA(logdice, t->a > 0 ? 14 + log2(of_dice(t)) : -INFINITY)
FORMULA(jaccard, ratio(t->a, t->a + t->b + t->c))
FORMULA(cosine, ratio(t->a, sqrt(t->fx * t->fy)))
FORMULA(inclusion, ratio(t->a, fmin(t->fx, t->fy)))
FORMULA(sensitivity, ratio(t->a, fmax(t->fx, t->fy)))
FORMULA(equivalence, ratio(t->a * t->a, t->fx * t->fy))
FORMULA(strength, ratio(t->a, t->fx * t->fy))

/* ---- observed and expected counts ---------------------------------------- */

FORMULA(lift, ratio(t->a, t->e))
FORMULA(pmi, t->a > 0 ? log2(t->a / t->e) - t->shift : -INFINITY)
FORMULA(ppmi, fmax(0, of_pmi(t)))

static double of_npmi(const struct cells *t)
{
    if (t->a <= 0)
        return -1;
    if (t->a >= t->n)
        return 0;
    if (t->b <= 0 && t->c <= 0)
        return 1; /* exactly 1, so that these pairs tie */
    return of_pmi(t) / -log2(t->a / t->n);
}

FORMULA(mi2, of_pmi(t) + (t->a > 0 ? log2(t->a) : 0))
FORMULA(mi3, of_pmi(t) + (t->a > 0 ? 2 * log2(t->a) : 0))
FORMULA(mi_like, ratio(t->a * t->a * t->a, t->fx * t->fy))
FORMULA(local_mi, x_log(t->a, t->e) / M_LN2)
FORMULA(poisson, x_log(t->a, t->e) - t->a)

static double of_t(const struct cells *t)
{
    if (t->a > 0)
        return (t->a - t->e) / sqrt(t->a);
    return t->e > 0 ? -INFINITY : 0;
}

FORMULA(z, ratio(t->a - t->e, sqrt(t->e)))
FORMULA(simple_ll, fmax(0, 2 * (x_log(t->a, t->e) - (t->a - t->e))))
FORMULA(leverage, (t->a - t->e) / t->n)

static double of_google(const struct cells *t)
{
    double far = log(fmax(t->fx, t->fy)) - log(t->a);

    if (t->a <= 0)
        return INFINITY;
    return far > 0 ? far / (log(t->n) - log(fmin(t->fx, t->fy))) : 0;
}

FORMULA(umass, t->fy > 0 ? log((t->a + 1) / t->fy) : 0)

/* ---- all four cells ------------------------------------------------------ */

FORMULA(phi, ratio(t->a * t->n - t->fx * t->fy, sqrt(margins(t))))
FORMULA(phi2, of_phi(t) * of_phi(t))
FORMULA(chi2, t->n * of_phi2(t))

static double of_chi2_yates(const struct cells *t)
{
    double off = fabs(t->a * t->n - t->fx * t->fy) - t->n / 2;

    return off > 0 ? ratio(t->n * off * off, margins(t)) : 0;
}

static double g2(const struct cells *t)
{
    double nx = t->n - t->fx, ny = t->n - t->fy;

    return fmax(0, 2 * (x_log(t->a, t->e) + x_log(t->d, nx * ny / t->n) +
                        (x_log(t->b, t->fx * ny / t->n) +
                         x_log(t->c, nx * t->fy / t->n))));
}

FORMULA(llr, t->a < t->e ? -g2(t) : g2(t))
FORMULA(average_mi, g2(t) / (2 * t->n * M_LN2))

static double of_fisher(const struct cells *t)
{
    return 0 - fisher_log10(t->a, fmax(t->fx, t->fy), fmin(t->fx, t->fy), t->n);
}

static double of_odds_ratio(const struct cells *t)
{
    struct cells h = halves(t, t->a <= 0 || t->b <= 0 || t->c <= 0 ||
                                   t->d <= 0);

    return h.a * h.d / (h.b * h.c);
}

FORMULA(log_odds, log(of_odds_ratio(t)))
FORMULA(yule_q, ratio(t->a * t->d - t->b * t->c, t->a * t->d + t->b * t->c))

/* ---- y given x, and y given not x ---------------------------------------- */

static double of_delta_p(const struct cells *t)
{
    if (t->fx <= 0 || t->fx >= t->n)
        return 0;
    return t->a / t->fx - t->c / (t->n - t->fx);
}

FORMULA(liddell, ratio(t->a * t->n - t->fx * t->fy, t->fy * (t->n - t->fy)))

static double of_relative_risk(const struct cells *t)
{
    struct cells h = halves(t, t->a <= 0 || t->c <= 0);

    return h.a / h.fx / (h.c / (h.n - h.fx));
}

FORMULA(log_ratio, log2(of_relative_risk(t)))

/* The bound of the confidence interval that is nearer to 0, or 0 if the
 * interval contains 0. */
static double of_log_ratio_c(const struct cells *t)
{
    double odds = (t->n - t->fx) / t->fx, q;

    if (t->a > t->e) {
        q = beta_quantile(CONFIDENCE_SIDE, t->a, t->c + 1);
        return fmax(0, log2(odds * q / (1 - q)));
    }
    if (t->a < t->e) {
        q = beta_quantile(1 - CONFIDENCE_SIDE, t->a + 1, t->c);
        return fmin(0, log2(odds * q / (1 - q)));
    }
    return 0;
}

/* An upper bound: the log ratio itself, which is farther from 0. */
static double most_log_ratio_c(const struct cells *t)
{
    if (t->a <= t->e)
        return 0;
    return t->c > 0 ? log2((t->n - t->fx) * t->a / (t->fx * t->c))
                    : INFINITY;
}

static double of_difference(const struct cells *t)
{
    double p = ratio(t->a, t->fx), q = ratio(t->c, t->n - t->fx);

    if (t->fx >= t->n)
        return 0; /* nothing to compare with */
    return ratio(p - q, p + q);
}

FORMULA(percent, 100 * (of_relative_risk(t) - 1))

static double of_conviction(const struct cells *t)
{
    if (t->fy >= t->n)
        return 1; /* y is in every document, with x and without */
    return t->b > 0 ? t->fx * (t->n - t->fy) / (t->n * t->b) : INFINITY;
}

static double of_jlh(const struct cells *t)
{
    double p = ratio(t->a, t->fx), all = t->fy / t->n;

    return p > all ? (p - all) * p / all : 0;
}

/* ---- the table ----------------------------------------------------------- */

#define DIRECTED .about.directed = true
#define LOWER .about.lower = true
#define M(id, words, sum, span, none, fn)                                 \
    { .about.name = id, .about.title = words, .about.formula = sum,       \
      .about.range = span, .about.zero = none, .of = fn

const struct measure measures[] = {
    M("count", "number of documents with both", "a", "0 to N", "0", of_count) },
    M("support", "share of documents with both", "a / N", "0 to 1", "0",
      of_support) },
    M("confidence", "share of x's documents that contain y", "a / fx",
      "0 to 1", "0", of_confidence), DIRECTED },
    M("lift", "ratio of observed to expected", "a / E", "0 to N", "0",
      of_lift) },
    M("pmi", "pointwise mutual information", "log2(a / E)", "-inf to log2 N",
      "a = 0: -inf", of_pmi), .context = true },
    M("ppmi", "positive PMI", "max(0, log2(a / E))", "0 to log2 N", "0",
      of_ppmi), .context = true },
    M("npmi", "normalised PMI", "log2(a / E) / -log2(a / N)", "-1 to 1",
      "a = 0: -1; a = N: 0", of_npmi) },
    M("mi2", "PMI, favouring frequent pairs", "log2(a^2 / E)",
      "-inf to 2 log2 N", "a = 0: -inf", of_mi2) },
    M("mi3", "PMI, favouring frequent pairs more", "log2(a^3 / E)",
      "-inf to 3 log2 N", "a = 0: -inf", of_mi3) },
    M("mi-like", "MI-like score", "a^3 / (fx fy)", "0 to N", "0",
      of_mi_like) },
    M("local-mi", "PMI weighted by the count", "a log2(a / E)",
      "at most N log2(e) / e", "a = 0: 0", of_local_mi) },
    M("poisson", "Poisson-Stirling score", "a (ln(a / E) - 1)", "at most N",
      "a = 0: 0", of_poisson), .peak_elsewhere = true,
      .rare_peaks = true },
    M("t", "t-score", "(a - E) / sqrt(a)", "-inf to sqrt N", "a = 0: -inf",
      of_t) },
    M("z", "z-score", "(a - E) / sqrt(E)", "-sqrt N to N", "E = 0: 0", of_z) },
    M("chi2", "Pearson's chi-square", "N (ad - bc)^2 / (fx fy (N-fx)(N-fy))",
      "0 to N", "empty margin: 0", of_chi2), .shape = SHAPE_VALLEY,
      .rare_peaks = true },
    M("chi2-yates", "chi-square with Yates's correction",
      "N max(0, |ad - bc| - N/2)^2 / (fx fy (N-fx)(N-fy))", "0 to N",
      "empty margin: 0", of_chi2_yates), .shape = SHAPE_VALLEY,
      .peak_elsewhere = true, .rare_peaks = true },
    M("phi", "phi coefficient", "(ad - bc) / sqrt(fx fy (N-fx)(N-fy))",
      "-1 to 1", "empty margin: 0", of_phi) },
    M("phi2", "phi squared", "chi2 / N", "0 to 1", "empty margin: 0", of_phi2),
      .shape = SHAPE_VALLEY, .rare_peaks = true },
    M("llr", "log-likelihood ratio G2, signed",
      "2 sum O ln(O / E), negative if a < E", "-2N ln 2 to 2N ln 2",
      "0 ln 0 = 0", of_llr) },
    M("simple-ll", "simple log-likelihood", "2 (a ln(a / E) - (a - E))",
      "0 to 2N", "a = 0: 2E", of_simple_ll), .shape = SHAPE_VALLEY,
      .peak_elsewhere = true, .rare_peaks = true },
    M("average-mi", "average mutual information, in bits",
      "1/N sum O log2(O / E)", "0 to 1", "0 log 0 = 0", of_average_mi),
      .shape = SHAPE_VALLEY, .rare_peaks = true },
    M("fisher", "Fisher's exact test: -log10 of p",
      "-log10 P(A >= a)", "0 to inf", "a = 0: 0", of_fisher) },
    M("dice", "Dice coefficient", "2a / (fx + fy)", "0 to 1", "0", of_dice) },
    M("logdice", "logDice", "14 + log2(2a / (fx + fy))", "-inf to 14",
      "a = 0: -inf", of_logdice) },
    M("jaccard", "Jaccard index", "a / (a + b + c)", "0 to 1", "0",
      of_jaccard) },
    M("cosine", "Salton's cosine, Ochiai coefficient", "a / sqrt(fx fy)",
      "0 to 1", "0", of_cosine) },
    M("inclusion", "inclusion index, Simpson or overlap coefficient",
      "a / min(fx, fy)", "0 to 1", "0", of_inclusion) },
    M("min-sensitivity", "minimum sensitivity", "a / max(fx, fy)", "0 to 1",
      "0", of_sensitivity) },
    M("equivalence", "equivalence index", "a^2 / (fx fy)", "0 to 1", "0",
      of_equivalence) },
    M("association", "association strength: lift / N", "a / (fx fy)", "0 to 1",
      "0", of_strength) },
    M("odds-ratio", "odds ratio", "ad / (bc)", "0 to inf",
      "a cell is 0: add 0.5 to all four", of_odds_ratio) },
    M("log-odds", "logarithm of the odds ratio", "ln(ad / (bc))",
      "-inf to inf", "a cell is 0: add 0.5 to all four", of_log_odds) },
    M("yule-q", "Yule's Q", "(ad - bc) / (ad + bc)", "-1 to 1",
      "ad = bc = 0: 0", of_yule_q) },
    M("delta-p", "delta P of y given x", "a / fx - c / (N-fx)", "-1 to 1",
      "fx = N: 0", of_delta_p), DIRECTED },
    M("liddell", "Liddell's difference", "(ad - bc) / (fy (N-fy))", "-1 to 1",
      "fy = N: 0", of_liddell), DIRECTED },
    M("relative-risk", "relative risk", "(a / fx) / (c / (N-fx))", "0 to inf",
      "a or c is 0: add 0.5 to all four", of_relative_risk), DIRECTED },
    M("log-ratio", "log ratio", "log2((a / fx) / (c / (N-fx)))", "-inf to inf",
      "a or c is 0: add 0.5 to all four", of_log_ratio), DIRECTED },
    M("log-ratio-c", "conservative log ratio",
      "bound of log-ratio's 95% interval nearer to 0", "-inf to inf",
      "defined by the interval", of_log_ratio_c), DIRECTED,
      .at_most = most_log_ratio_c },
    M("difference", "difference coefficient",
      "(p - q) / (p + q), p = a / fx, q = c / (N-fx)", "-1 to 1",
      "p = q = 0: 0; fx = N: 0", of_difference), DIRECTED },
    M("percent-diff", "%DIFF", "100 (p - q) / q, p and q as above",
      "-100 to inf", "a or c is 0: add 0.5 to all four", of_percent),
      DIRECTED },
    M("leverage", "leverage", "a / N - fx fy / N^2", "-0.25 to 0.25", "none",
      of_leverage) },
    M("conviction", "conviction", "fx (N-fy) / (N b)", "0 to inf",
      "b = 0: inf; fy = N: 1", of_conviction), DIRECTED,
      .no_weight = "it may be infinite" },
    M("jlh", "JLH score", "(a / fx - fy / N) (a / fx) / (fy / N)", "0 to N",
      "a <= E: 0", of_jlh), DIRECTED },
    M("google-distance", "normalised Google distance",
      "(log max(fx, fy) - log a) / (log N - log min(fx, fy))", "0 to inf",
      "a = 0: inf; same documents: 0", of_google), LOWER,
      .no_weight = "0 is its strongest value" },
    M("umass", "UMass coherence", "ln((a + 1) / fy)", "-ln N to ln 2", "none",
      of_umass), DIRECTED, .rare_peaks = true,
      .no_weight = "0 is one of its strongest values" },
};

const unsigned n_measures = sizeof measures / sizeof *measures;

/* ---- find a measure ------------------------------------------------------ */

const struct cooc_measure *cooc_measure_get(unsigned i)
{
    return i < n_measures ? &measures[i].about : NULL;
}

static const struct measure *by_name(const char *name)
{
    for (unsigned i = 0; i < n_measures; i++)
        if (!strcmp(measures[i].about.name, name))
            return &measures[i];
    return NULL;
}

/* Set the error for an unknown measure, with the names of all measures. */
static int unknown(const char *name, struct cooc_err *err)
{
    struct buf list = { 0 };
    int rc = 0;

    for (unsigned i = 0; i < n_measures && rc == 0; i++)
        rc = buf_printf(&list, NULL, "%s%s", i ? ", " : "",
                        measures[i].about.name);
    rc = err_set(err, COOC_EINVAL,
                 "unknown measure '%.40s'; the measures are %.*s", name,
                 (int)list.len, list.data ? list.data : "");
    buf_release(&list);
    return rc;
}

int cooc_measure_find(const char *name, const struct cooc_measure **m,
                      struct cooc_err *err)
{
    const struct measure *found = by_name(name);

    *m = found ? &found->about : NULL;
    return found ? 0 : unknown(name, err);
}

const struct measure *measure_named(const struct cooc_measure *m)
{
    if (!m)
        return &measures[0];
    for (unsigned i = 0; i < n_measures; i++)
        if (m == &measures[i].about)
            return &measures[i];
    return m->name ? by_name(m->name) : NULL;
}
