/* tails.h - probabilities that need more than a formula. */
#ifndef COOC_TAILS_H
#define COOC_TAILS_H

/* log10 of Fisher's exact test: the chance to draw a or more marked ones if
 * fx are drawn from n of which fy are marked. */
double fisher_log10(double a, double fx, double fy, double n);

/* The x below which a beta(p, q) variable lies with the given chance. */
double beta_quantile(double chance, double p, double q);

#endif
