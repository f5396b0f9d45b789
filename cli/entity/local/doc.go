// Package local stores data sets on this machine, by `biomcp sync gtr` and similar commands, and
// searches them. It connects the files of package entrez/bulk with the parsers of package
// store/table/sets. Entities over a local table call [Find].
package local
