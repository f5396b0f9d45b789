// Package vectors compares vectors of length 1 fast: by codes of one bit for
// each dimension first, then by the vectors themselves. It is for arithmetic
// only; where codes and vectors lie is the store's business.
//
//	space := vectors.NewSpace(256)
//	codes, scale := space.Encode(nil, x)
//	out := make([]float32, 1)
//	space.Query(v).Estimate(out, codes, []float32{scale}) // of the dot product of v and x
//
// # Codes
//
// A vector is turned by a fixed rotation that spreads its content evenly over the
// dimensions; the code is the signs of the outcome, s. With x' the turned vector,
// q'·x is estimated by (q'·s)/(x'·s): unbiased over rotations, with an error that
// falls with the square root of the dimension (J. Gao and C. Long, RaBitQ,
// SIGMOD 2024). The store keeps 1/(x'·s) as the scale. The query's turned vector
// is rounded to 16 steps, so that q'·s is counted with AND and population count.
//
// # Halves
//
// Vectors are kept as IEEE 754 half-precision numbers. For components of a vector
// of length 1 that changes a dot product by about 1e-5.
package vectors
