// Package layout describes the columns of tables. Package bulk declares the layout of each file that it
// downloads, and the readers of data sets find the columns by it.
package layout

import "strings"

// A File describes a file of a data set.
type File struct {
	Name string // "test_version.gz"
	// Columns lists the columns that are read, in lower case, separated by "|". A trailing "?" marks a column that may
	// be missing, and " or " separates the names of one column in several versions of the file. Columns is empty if
	// the file is not a table.
	Columns string
	// NoHeader means that no row names the columns. They are then in the order of the file.
	NoHeader bool
}

// A Column is a column of a table.
type Column struct {
	Names    []string // the names in several versions of the file; the first is the name of the column
	Optional bool
}

// List returns the columns of the file.
func (f File) List() (all []Column) {
	if f.Columns == "" {
		return nil
	}
	for c := range strings.SplitSeq(f.Columns, "|") {
		names, optional := strings.CutSuffix(c, "?")
		all = append(all, Column{strings.Split(names, " or "), optional})
	}
	return all
}
