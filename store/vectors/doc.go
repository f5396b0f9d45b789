// Package vectors compares unit vectors fast: first by codes of two bits per dimension, then by the
// vectors themselves. It only does arithmetic; package store stores the codes and vectors.
//
//	space := vectors.NewSpace(256)
//	code := space.Encode(x)
//	guess := space.Query(v).Refine(code) // estimate of the dot product of v and x
//
// # Codes
//
// A vector x is rotated by a fixed rotation that spreads its content evenly over the dimensions. Of
// the result x' the code keeps the signs s and, in a second bit, whether a component is large; c is
// the signs times 1 or 3. With q' the rotated query and x of length 1, q·x is estimated coarsely by
// (q'·s)/(x'·s) and finely by (q'·c)/(x'·c). Over rotations the estimates are unbiased, with an
// error that falls with the square root of the dimension (J. Gao and C. Long, RaBitQ, SIGMOD 2024).
// The code keeps (x·x)/(x'·s) and (x·x)/(x'·c) as its scales, which are valid for x of any length.
// The rotated query is rounded to 16 steps, so that q'·s is computed with AND and population count.
//
// The vectors of a model have much in common: those of 100,000 synthetic records surround a mean of
// length 0.74. A code can therefore be relative to an origin, such as the mean of a group. Then q·x
// is q·origin, computed once per origin, plus an estimate of the rest, whose error shrinks with the
// length of the rest (IVFADC, H. Jégou, M. Douze, C. Schmid, IEEE TPAMI 33, 2011, section IV).
//
// # Groups
//
// Group finds the means of groups of codes by k-means. Means finds the group of a code, and the
// groups nearest to a query by Euclidean distance. Dot products would not do: a wide group has a
// short mean, and would sort behind narrow groups that hold nothing near.
//
// The methods of Space and Query whose names contain DecodeBytes, and Dot, use the stored form of
// vectors; see [Space.AppendBytes].
package vectors
