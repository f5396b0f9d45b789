// Package resolve holds what the resolvers of names have in common: the typed error for a word that
// is not the name of one current record, and the comparison of names. The resolvers themselves are
// the packages gene, variant, drug and disease beside it. Each takes a word and a client of package
// httpclient:
//
//	g, err := gene.New(network).Find(ctx, "HER2")
//	if miss, ok := errors.AsType[*resolve.Miss](err); ok && miss.Kind == resolve.Alias {
//		g, err = gene.New(network).Find(ctx, miss.Candidates[0].Symbol)
//	}
package resolve

import (
	"fmt"
	"strings"

	"biomcp/entrez/fault"
)

// A Kind says why a word is not the name of one current record.
type Kind int

// The kinds of misses. Only NotFound and Withdrawn say that there is no record: a reply that could
// not be read whole is Unavailable.
const (
	NotFound    Kind = iota // no source has the word
	Alias                   // the word is another name of exactly one record, the only candidate
	Ambiguous               // the word is another name of several records, the candidates
	Replaced                // the record was merged into or replaced by another, the only candidate
	Withdrawn               // the source withdrew the record and names no successor
	Unavailable             // Err kept a source from answering, so that a record may exist
)

// String returns the kind in words: "alias of".
func (k Kind) String() string {
	return [...]string{"not found", "alias of", "ambiguous between", "replaced by", "withdrawn", "source unavailable"}[k]
}

// A NameType is the kind of name that a word is of its candidates.
type NameType string

// The types of names.
const (
	Synonym      NameType = "synonym"       // another name
	GeneAlias    NameType = "alias"         // an alias, or a previous symbol, of a gene
	GeneSymbol   NameType = "symbol"        // the symbol of a gene, where a disease was wanted
	Brand        NameType = "brand"         // a brand of a drug
	Salt         NameType = "salt"          // a salt of a drug: imatinib mesylate
	ResearchCode NameType = "research_code" // a code of a drug before it had a name: STI571
)

// A Candidate is a record that a word may mean.
type Candidate struct {
	Symbol string `json:"symbol"` // names the record for the resolver, which finds it by this
	Name   string `json:"name"`
	ID     string `json:"id"`
}

// A Miss is the error for a word that is not the name of one current record.
type Miss struct {
	Kind        Kind
	Entity      string // the wanted kind of record: gene, variant, drug or disease
	Word        string
	NameType    NameType    // the type of name that Word is; "" unless Kind is Alias or Ambiguous
	Of          string      // the entity of the candidates, if it is not Entity
	Candidates  []Candidate // the records that Word may mean
	Sources     []string    // labels of the sources that name the candidates
	Combination bool        // the only candidate is a combination of several drugs
	Similar     []string    // names of records that contain Word, if Kind is NotFound
	Unread      int         // the number of records that have the words of Word and were not read; one may be it
	Err         error       // the error of a source; nil unless Kind is Unavailable
}

// Error returns a sentence without the command to run, which is for the caller to add.
func (m *Miss) Error() string {
	what := fmt.Sprintf("%s %q: %s", m.Entity, m.Word, m.Kind)
	if m.Err != nil {
		return what + ": " + m.Err.Error()
	}
	var names []string
	for _, c := range m.Candidates {
		names = append(names, c.Symbol)
	}
	return strings.TrimSpace(what + " " + strings.Join(names, ", "))
}

// Unwrap returns the error of the source, or nil.
func (m *Miss) Unwrap() error { return m.Err }

// Meaning implements [fault.Error]. A source that did not answer gives the code; any other miss is
// NotFound.
func (m *Miss) Meaning() fault.Meaning {
	if m.Kind != Unavailable || m.Err == nil {
		return fault.Meaning{Code: fault.NotFound}
	}
	meaning := fault.Of(m.Err)
	meaning.Message = fmt.Sprintf("%s %q: %s: %s", m.Entity, m.Word, m.Kind, meaning.Message)
	return meaning
}

// AliasOf returns the miss of a word that is another name of the candidates. It is Ambiguous if there
// are several and NotFound if there are none.
func AliasOf(entity, word string, t NameType, source string, candidates ...Candidate) *Miss {
	m := &Miss{Entity: entity, Word: word}
	if len(candidates) > 0 {
		m.Kind, m.NameType, m.Candidates, m.Sources = Alias, t, candidates, []string{source}
	}
	if len(candidates) > 1 {
		m.Kind = Ambiguous
	}
	return m
}
