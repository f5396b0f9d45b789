// Package sets reads the files of the data sets that package table keeps. Each data set has a
// function that converts its files to rows, a type for its records, and the filter fields it
// supports.
//
//	err := sets.ReadCVX(sets.Files{"cvx.txt": f, "TRADENAME.txt": g, "mvx.txt": h}, put, &report)
//
// The publishers change the form of their files, so the readers tolerate a byte order mark, CRLF,
// Windows-1252 instead of UTF-8, and columns in another order or case. A row that cannot be read is
// counted in the [Report]. A file with many such rows, or without a required column, is rejected.
// The comments of the functions describe the formats.
package sets
