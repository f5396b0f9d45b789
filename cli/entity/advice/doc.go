// Package advice suggests what to type next if a word has no record, or if a source understood a query
// only in part or found nothing.
//
// Each kind of question has one ordered list of rules (rules.go). A rule looks at the words and at the
// reply; the first rule that has a suggestion wins, except for a search without hits, where each rule
// adds its suggestions. A rule knows an entity only as an [Entity] or a [Search]: its names, the form of
// its ids, its filters and the functions that ask its source. No rule runs the line that it suggests,
// and none is about a line that the parser rejects: those belong to package correct.
package advice
