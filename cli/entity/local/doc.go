// Package local brings data sets onto this machine, `biomcp sync gtr` and the like, and
// answers from them: it pairs the files of package entrez/bulk with the readers of package
// store/table/sets. Entities that a local table answers for ask [Find].
package local
