package advice

import (
	"context"

	"biomcp/cli/command"
	"biomcp/cli/result"
	"biomcp/entrez/record"
)

// A rule returns the failure for words without a record, with a command to run. It returns nil if it
// has none to suggest.
type rule func(ctx context.Context, m *miss) *result.Failure

// absentRules lists the rules for names without a record, in the order in which they are tried.
var absentRules = []rule{
	idElsewhere,
	sectionInName,
	explained,
	numbers,
	malformed,
	similar,
	nameList,
	search,
}

// invalidRules lists the rules for a word that cannot be an id, in the order in which they are tried.
var invalidRules = []rule{
	idOfOther,
	explainedForm,
	sectionInID,
	prefixed,
	search,
}

// listRules lists the rules for invalid words of a list, in the order in which they are tried.
var listRules = []rule{
	explainedWord,
	explainedTogether,
	searchNames,
	skipInvalid,
	help,
}

// A droppedRule explains a part of the query that the source dropped. It reports whether nothing
// remains to be said about the part.
type droppedRule func(ctx context.Context, b *breadth, d record.DroppedTerm) bool

// droppedRules lists the rules for a dropped part, in the order in which they are tried.
var droppedRules = []droppedRule{
	otherNameDropped,
	filterDropped,
	wordsDropped,
}

// A noHitsRule adds suggestions for a search without hits.
type noHitsRule func(ctx context.Context, n *noHits)

// noHitsRules lists the rules for a search without hits, in the order of their suggestions.
var noHitsRules = []noHitsRule{
	otherSpelling,
	sectionOfRecord,
	wordsAsFilters,
	fewerFilters,
	fewerWords,
	otherSearches,
	elsewhere,
}

// A miss is a command line of get whose words have no record or cannot be ids.
type miss struct {
	*Entity
	in        *command.Input
	words     []string // the words without a record, or the arguments without sections
	invalid   string   // the word that cannot be an id; "" if all may be ids
	valid     []string // the other words of the line and its list, for a list
	sections  []string // the names of sections that the line may have
	requested []string // the sections that the line has
	message   string   // what is wrong, without a suggestion
}

// first returns the failure of the first rule that has one. The last rule of each list has one for all
// words.
func (m *miss) first(ctx context.Context, rules []rule) (f *result.Failure) {
	for _, r := range rules {
		if f = r(ctx, m); f != nil {
			break
		}
	}
	return f
}

// fail returns the failure of the miss with a reason, if there is one, and a line to run.
func (m *miss) fail(reason string, try ...string) *result.Failure {
	message := m.message
	if reason != "" {
		message += "; " + reason
	}
	if m.invalid != "" {
		return result.Invalid(message, try...)
	}
	return result.Missing(message, try...)
}
