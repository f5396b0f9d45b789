// Package query defines what a search asks for: the text, its filters with their flags, and a range
// of days.
//
// A [Filter] defines the flags of one filter and reads their values from a command line. The result is
// a [Query] with each [AppliedFilter] as typed and as the source receives it. Package entity runs the
// search; package advice explains a query that a source did not understand.
package query
