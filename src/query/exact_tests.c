/* exact_tests.c - Fisher's exact test and quantiles of the beta distribution.
 *
 * Counts reach billions, where differences of lgamma() lose six digits.  So a
 * binomial probability is computed from its deviance from the mean and the
 * errors of Stirling's formula, and a hypergeometric probability from three
 * binomial ones.  A tail is its first term times a series of falling ratios.
 */
#include "query/formulas.h"

#include <math.h>

#define ENOUGH 1e-17 /* relative size of terms that do not change a sum */

/* ln n! - ln(sqrt(2 pi n) (n/e)^n) */
static double stirling_error(double n)
{
    double s = n * n;
    int sign;

    if (n == 0)
        return 0;
    if (n < 16)
        return lgamma_r(n + 1, &sign) - (n + 0.5) * log(n) + n -
               0.5 * log(2 * M_PI);
    return (1.0 / 12 - (1.0 / 360 - (1.0 / 1260 - 1.0 / 1680 / s) / s) / s) /
           n;
}

/* x ln(x / mean) - x + mean, without cancellation if x is close to mean: with
 * v = (x - mean) / (x + mean), ln(x / mean) = 2 (v + v^3/3 + v^5/5 ...) */
static double deviance(double x, double mean)
{
    double v = (x - mean) / (x + mean), power = 2 * x * v, sum, before;

    if (x == 0)
        return mean;
    if (fabs(v) > 0.1)
        return x * log(x / mean) - x + mean;
    sum = (x - mean) * v;
    for (int j = 3;; j += 2) {
        before = sum;
        power *= v * v;
        sum += power / j;
        if (sum == before)
            return sum;
    }
}

/* ln of the binomial probability of k successes in n trials with probability p
 * each; q = 1 - p */
static double ln_binomial(double k, double n, double p, double q)
{
    double ln = -deviance(k, n * p) - deviance(n - k, n * q);

    if (k == 0 || k == n)
        return ln;
    return ln + stirling_error(n) - stirling_error(k) -
           stirling_error(n - k) + 0.5 * log(n / (2 * M_PI * k * (n - k)));
}

/* ln of the hypergeometric probability of k marked items */
static double ln_hypergeometric(double k, double fx, double fy, double n)
{
    double p = fy / n, q = (n - fy) / n;

    return ln_binomial(k, fx, p, q) + ln_binomial(fy - k, n - fx, p, q) -
           ln_binomial(fy, n, p, q);
}

double fisher_log10(double a, double fx, double fy, double n)
{
    double rest = n - fx - fy, term = 1, sum = 1;

    if (fx == 0 || fy == 0 || fx == n || fy == n)
        return 0; /* only this table is possible */
    if (a > fx * fy / n) {
        for (double k = a; term > ENOUGH * sum; k++) {
            term *= (fx - k) * (fy - k) / ((k + 1) * (rest + k + 1));
            sum += term;
        }
        return (ln_hypergeometric(a, fx, fy, n) + log(sum)) / M_LN10;
    }
    if (a == 0 || rest + a - 1 < 0)
        return 0;
    for (double k = a - 1; term > ENOUGH * sum; k--) { /* tail below a */
        term *= k * (rest + k) / ((fx - k + 1) * (fy - k + 1));
        sum += term;
    }
    sum *= exp(ln_hypergeometric(a - 1, fx, fy, n));
    return log1p(-sum) / M_LN10;
}

/* ---- the beta distribution ---------------------------------------------- */

/* x^p (1 - x)^q / B(p, q) */
static double beta_weight(double x, double p, double q)
{
    return exp(ln_binomial(p, p + q, x, 1 - x)) * p * q / (p + q);
}

static double not_zero(double x)
{
    return fabs(x) < 1e-300 ? 1e-300 : x;
}

/* P(X < x) for x below or near the mean: a continued fraction, evaluated by
 * Lentz's method. */
static double beta_below(double x, double p, double q)
{
    double c = 1, d = 1 / not_zero(1 - (p + q) * x / (p + 1)), f = d;
    double step = 0;

    for (int m = 1; m < 100000 && fabs(step - 1) >= 1e-15; m++) {
        const double terms[] = {
            m * (q - m) * x / ((p + 2 * m - 1) * (p + 2 * m)),
            -(p + m) * (p + q + m) * x / ((p + 2 * m) * (p + 2 * m + 1)),
        };

        for (int i = 0; i < 2; i++) {
            d = 1 / not_zero(1 + terms[i] * d);
            c = not_zero(1 + terms[i] / c);
            step = c * d;
            f *= step;
        }
    }
    return beta_weight(x, p, q) * f / p;
}

static double beta_chance(double x, double p, double q)
{
    if (x > (p + 1) / (p + q + 2))
        return 1 - beta_below(1 - x, q, p);
    return beta_below(x, p, q);
}

double beta_quantile(double chance, double p, double q)
{
    double low = 0, high = 1, x = p / (p + q);

    for (int i = 0; i < 200; i++) { /* Newton's method, bracketed */
        double off = beta_chance(x, p, q) - chance;
        double slope = beta_weight(x, p, q) / (x * (1 - x));
        double next = x - off / slope;

        if (off > 0)
            high = x;
        else
            low = x;
        if (!(next > low && next < high))
            next = low + (high - low) / 2;
        if (fabs(next - x) <= 1e-14 * x)
            return next;
        x = next;
    }
    return x;
}
