// Package sets reads the files of the data sets that package table keeps. Read converts the files of a
// data set to rows. The package has a type for the records of each, and the filter fields it
// supports.
//
//	files := sets.Files{"cvx.txt": f, "TRADENAME.txt": g, "mvx.txt": h}
//	err := sets.Read("cvx", bulk.CVX.Layouts(), files, put, &report)
//
// The publishers change the form of their files, so the readers tolerate a byte order mark, CRLF,
// Windows-1252 instead of UTF-8, and columns in another order or case. A row that cannot be read is
// counted in the [Report]. A file with many such rows, or without a required column, is rejected.
// The comments of the functions describe the formats.
package sets
