package entity

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"biomcp/cli/command"
	"biomcp/cli/result"
)

// Alias is a word that is no name of the entity it was asked of, but another name
// of one of its records, of several, or a name in another entity. It is answered with
// what to ask and exit status 1; of a gene or a drug, an agent gets JSON in every format.
type Alias struct {
	Entity string // that was asked: "gene"
	Word   string
	// What the word is, for the end of a sentence: "an alias, not a symbol".
	What string
	// Tier is how the word matched: "alias", "brand", "research_code".
	Tier string
	// Matches are the records that have this name. Symbol is what is asked for.
	Matches []result.Candidate
	Of      string // the entity of the matches, where that is another one
	Sources []string
}

// Failure returns the answer as a failure, nil for a nil alias.
func (a *Alias) Failure() *result.Failure {
	if a == nil {
		return nil
	}
	to := a.Entity
	if a.Of != "" {
		to = a.Of
	}
	meta := &result.AliasResolution{Kind: "ambiguous", Entity: a.Entity, Query: a.Word, MatchTier: a.Tier, Of: a.Of, Sources: a.Sources}
	f := &result.Failure{Code: result.NotFound, Message: fmt.Sprintf("%s is %s", command.Clip(a.Word), a.What), Meta: result.Meta{Alias: meta}}
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
	f.Message += fmt.Sprintf(" of %d: %s", len(a.Matches), Some(symbols))
	return f
}

// keeping is an error whose lines ask for the sections that were asked for, where it is
// that of an alias of this entity.
func (s *SpecOf[R]) keeping(in *command.Input, asked Asked, err error) error {
	f, ok := errors.AsType[*result.Failure](err)
	if len(asked) == 0 || !ok || f.Meta.Alias == nil || f.Meta.Alias.Of != "" {
		return err
	}
	with := func(line result.Argv) result.Argv { return in.Line(append(slices.Clone(line[2:]), asked...)) }
	f.Try = with(f.Try)
	for i := range f.Next {
		f.Next[i] = with(f.Next[i])
	}
	return err
}

// Fold is a name without what is written differently in it: letter case, hyphens and
// blanks.
func Fold(name string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(" -\u2010\u2011\u2012\u2013_", r) {
			return -1
		}
		return r
	}, strings.ToLower(name))
}

// Folded reports whether a name is among others when all are folded.
func Folded(names []string, name string) bool {
	return slices.ContainsFunc(names, func(n string) bool { return Fold(n) == Fold(name) })
}
