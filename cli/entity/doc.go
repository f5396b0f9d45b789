// Package entity is what can be searched and got, one file each.
//
// An entity is one value, made by [Define] from a typed [Spec]: from it come
// its search and get commands, their flags and help, its sections, the command
// reference and the messages about what there is. To add one, write a file with
// a Spec and add its line to [All].
//
// It asks package entrez and shapes answers; it neither parses replies nor
// formats output.
package entity
