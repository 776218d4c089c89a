/* SPDX-License-Identifier: MIT */
#ifndef BASE_PORTABLE_MATH_H
#define BASE_PORTABLE_MATH_H

/*
 * Logarithm and exponential made of the operations that IEEE 754 rounds correctly, so that a
 * simulation takes the same decisions with every C library and compiler (the libraries differ in
 * the last digits). Within 2e-15 of the true value, relatively.
 */

/* Of a finite x above 0. */
double portable_log(double x);

/* Of |x| up to 700. */
double portable_exp(double x);

/* Of any x: beyond those, of the nearest of them; not a number counts as large. */
double portable_exp_bounded(double x);

/* x above 0, to the power y. */
double portable_pow(double x, double y);

#endif
