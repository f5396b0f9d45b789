// Package sets reads the files of the data sets that package table keeps: each has a
// function that turns its files into rows, the type of its records, and the questions
// that it answers.
//
//	err := sets.ReadCVX(sets.Files{"cvx.txt": f, "TRADENAME.txt": g, "mvx.txt": h}, put, &report)
//
// The files come from institutions whose spelling changes: a byte order mark, CRLF,
// Windows-1252 in place of UTF-8, columns in another order or letter case are accepted.
// A row that cannot be read is counted in the [Report]; a file in which they are many, or
// that lacks a column, is refused. Formats are described where they are read.
package sets
