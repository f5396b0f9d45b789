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
// the turned query, q·x is estimated coarsely by (q'·s)/(x'·s) and finely by
// (q'·c)/(x'·c): unbiased over rotations, with an error that falls with the square
// root of the dimension (J. Gao and C. Long, RaBitQ, SIGMOD 2024). The code keeps
// 1/(x'·s) and 1/(x'·c) as its scales. The query's turned vector is rounded to 16
// steps, so that q'·s is counted with AND and population count.
//
// # Groups
//
// Group finds the means of groups of codes by k-means, and Means says which group a
// code belongs to and which groups are nearest to a query: those with the least
// Euclidean distance. A wide group has a short mean, so that dot products would put
// it behind narrow ones that hold nothing near.
//
// # Halves
//
// Vectors are kept as IEEE 754 half-precision numbers. For components of a vector
// of length 1 that changes a dot product by about 1e-5.
package vectors
