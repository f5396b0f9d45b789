package advice

import (
	"errors"
	"fmt"
	"slices"

	"biomcp/cli/command"
	"biomcp/cli/result"
)

// An Alias is a synonym of one or more records, or a name in another entity. Failure turns it into
// an answer with exit status 1 that suggests the command to run. For a gene or a drug, an agent
// gets this answer as JSON in every format.
type Alias struct {
	Entity string // the entity of the get command: "gene"
	Word   string
	// Description describes the word, for the end of a sentence: "an alias, not a symbol".
	Description string
	// Tier names the kind of match: "alias", "brand", "research_code".
	Tier string
	// Matches are the records that have this name. Get is suggested for each Symbol.
	Matches     []result.Candidate
	MatchEntity string // the entity of the matches, if not Entity
	Sources     []string
}

// Failure returns the answer as a failure, or nil if a is nil.
func (a *Alias) Failure() *result.Failure {
	if a == nil {
		return nil
	}
	to := a.Entity
	if a.MatchEntity != "" {
		to = a.MatchEntity
	}
	meta := &result.AliasResolution{Kind: "ambiguous", Entity: a.Entity, Query: a.Word, MatchTier: a.Tier, CanonicalEntity: a.MatchEntity,
		Sources: a.Sources}
	f := &result.Failure{Code: result.NotFound, Message: fmt.Sprintf("%s is %s", command.Clip(a.Word), a.Description),
		Meta: result.Meta{Alias: meta}}
	var symbols []string
	for _, m := range a.Matches {
		f.Next = append(f.Next, result.Argv{"get", to, m.Symbol})
		symbols = append(symbols, m.Symbol)
	}
	if f.Try = f.Next[0]; len(a.Matches) == 1 {
		meta.Kind, meta.Canonical, meta.CanonicalID = "canonical", a.Matches[0].Symbol, a.Matches[0].ID
		return f
	}
	meta.Candidates = a.Matches
	f.Message += fmt.Sprintf(" of %d: %s", len(a.Matches), command.Abbreviate(symbols))
	return f
}

// KeepSections adds the requested sections to the commands that err suggests, if err is the failure of
// an alias of the entity that the line reads. It returns err.
func KeepSections(in *command.Input, sections []string, err error) error {
	f, ok := errors.AsType[*result.Failure](err)
	if len(sections) == 0 || !ok || f.Meta.Alias == nil || f.Meta.Alias.CanonicalEntity != "" {
		return err
	}
	with := func(line result.Argv) result.Argv { return in.Line(append(slices.Clone(line[2:]), sections...)) }
	f.Try = with(f.Try)
	for i := range f.Next {
		f.Next[i] = with(f.Next[i])
	}
	return err
}
