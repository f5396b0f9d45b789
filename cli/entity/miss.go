package entity

import (
	"biomcp/cli/result"
	"biomcp/entrez/resolve"
)

// AliasFailure returns the failure of a word that is another name of records, with the command that
// reads each. description says what the word is, for the end of a sentence: "an alias, not a symbol".
// AliasFailure returns nil for a miss of another kind.
func AliasFailure(m *resolve.Miss, description string) *result.Failure {
	if m == nil || len(m.Candidates) == 0 || m.Kind != resolve.Alias && m.Kind != resolve.Ambiguous {
		return nil
	}
	return (&Alias{
		Entity: m.Entity, Word: m.Word, Description: description, Tier: string(m.NameType),
		Matches: m.Candidates, MatchEntity: m.Of, Sources: m.Sources,
	}).Failure()
}
