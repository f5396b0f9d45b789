// Package pages reads the pages of an SQLite file and its write-ahead journal
// without SQLite, so that a damaged file can be checked, and the rows that are left
// in it read: each leaf by itself, whatever leads to it.
//
//	f, err := pages.Open("corpus.db", 8192)
//	defer f.Close()
//	for n := 1; n <= f.Pages(); n++ {
//		for _, row := range f.Rows(n) { … }
//	}
//
// It knows nothing of what the rows mean, writes nothing, and trusts nothing that it
// reads. Formats: https://www.sqlite.org/fileformat2.html
package pages
