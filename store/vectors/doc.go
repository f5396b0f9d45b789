// Package vectors compares vectors of length 1 fast: by codes of two bits for each
// dimension first, then by the vectors themselves. It is for arithmetic only;
// where codes and vectors lie is the store's business.
//
//	space := vectors.NewSpace(256)
//	code := space.Encode(x)
//	guess := space.Query(v).Refine(code) // of the dot product of v and x
//
// # Codes
//
// A vector is turned by a fixed rotation that spreads its content evenly over the
// dimensions; of the outcome x' the code keeps the signs s, and in a second bit
// whether a component is large, which makes c, the signs times 1 or 3. With q'
// the turned query and x of length 1, q·x is estimated coarsely by (q'·s)/(x'·s) and
// finely by (q'·c)/(x'·c): unbiased over rotations, with an error that falls with the
// square root of the dimension (J. Gao and C. Long, RaBitQ, SIGMOD 2024). The code keeps
// (x·x)/(x'·s) and (x·x)/(x'·c) as its scales, which serve an x of any length. The query's
// turned vector is rounded to 16 steps, so that q'·s is counted with AND and population
// count.
//
// The vectors of a model have much in common: 100,000 made-up records have vectors around
// a mean of length 0.74. A code can be of what is left of a vector without an origin, such
// as the mean of its group; q·x is then q·origin, computed once for all vectors of the
// origin, and an estimate of the rest, whose error is as much smaller as the rest is
// shorter (IVFADC, H. Jégou, M. Douze, C. Schmid, IEEE TPAMI 33, 2011, section IV).
//
// # Groups
//
// Group finds the means of groups of codes by k-means, and Means says which group a
// code belongs to and which groups are nearest to a query: those with the least
// Euclidean distance. A wide group has a short mean, so that dot products would put
// it behind narrow ones that hold nothing near.
//
// # Bytes
//
// A vector is stored turned, each component as a whole number from -127 to 127 in one
// byte, the greatest magnitude as 127, after a scale (float32, little-endian) that makes
// of them a vector of length 1. As the rotation spreads the content evenly, one scale does
// for all components (A. Suresh, F. Yu, S. Kumar, H. McMahan, Distributed mean estimation
// with limited communication, ICML 2017, section 3).
//
// The greatest component of a vector of d dimensions that are alike is 2.97/√d for
// 256 of them, and a step s is 1/127 of it. Rounding errs by s/√12 in each component (W.
// Bennett, Spectra of quantized signals, Bell System Technical Journal 27, 1948), which
// changes a dot product with a vector of length 1 by as much: by 4.3e-4 (root mean
// square) at 256 dimensions, 2.7e-4 at 768. A vector of one component alone, in a
// dimension a little above a power of two, is spread badly: at 257 it is 2e-3.
//
// Dot is the product with what is stored, exact but for the arithmetic of 32 bits. To
// turn that back and store it again gives the same bytes, as the arithmetic errs by
// much less than half of a step.
package vectors
