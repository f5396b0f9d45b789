// Package spelling provides the entity that corrects the spelling of a query.
package spelling

import (
	"context"
	"slices"
	"strings"

	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/cli/entity/query"
	"biomcp/cli/result"
	"biomcp/entrez/pattern"
)

// A correction is the answer of `get spelling`.
type correction struct {
	Query     string `json:"query"`
	Corrected string `json:"corrected"`
	Changed   bool   `json:"changed"`
}

// Entity returns the entity of spellings.
func Entity() entity.Entity {
	return entity.Define(entity.Spec[correction]{
		Name: "spelling", Synonyms: []string{"spell", "spellcheck", "spell-check", "espell"}, Plural: "spellings",
		IDs:   entity.IDs{Placeholder: "<query>", Max: 1, Match: func(string) bool { return true }},
		Label: "Spellings", Sources: []string{"PubMed ESpell"},
		Get: command.Command{
			Args:  command.Args{Min: 1, Max: 1, Name: "one query", FreeText: true},
			Short: "Correct the spelling of a query as PubMed would",
			Help: command.Help{
				Output: "The corrected query, if there is a correction.",
			},
			Examples: []command.Example{{Line: `biomcp get spelling "asthmma treatmnt"`,
				Explanation: "the query spelt right"}},
		},
		Fetch: func(ctx context.Context, in *command.Input, queries []string,
			_ entity.Sections) (*entity.Found[correction], error) {
			found := &entity.Found[correction]{}
			client := in.App.Entrez()
			for _, q := range queries {
				if err := query.CheckTerm(strings.TrimSpace(q), "get", "spelling", "--help"); err != nil {
					return nil, err
				}
				corrected, err := client.Spell(ctx, q)
				if err != nil {
					return nil, err
				}
				c := &correction{Query: q, Corrected: corrected, Changed: corrected != "" && corrected != q}
				found.Records = append(found.Records, c)
			}
			return found, nil
		},
		Card: func(c *correction, _ entity.Sections) result.Doc {
			text := c.Corrected
			if !c.Changed {
				text = "nothing to correct"
			}
			return result.Doc{result.Fields{{Name: "Query", Value: c.Query}, {Name: "Corrected", Value: text}}}
		},
		Next: func(c *correction) []result.Argv {
			if !c.Changed {
				return nil
			}
			return []result.Argv{{"search", "article", c.Corrected}}
		},
	})
}

// symbol matches words in the form of a symbol, such as that of a gene, a variant or a code name of
// a drug.
var symbol = pattern.Lazy(`\d|\p{Lu}.*\p{Lu}`)

// Correct returns a better spelling of a query, or "" if PubMed has none. It rejects a spelling that
// replaces a symbol, because dictionaries do not have symbols.
func Correct(ctx context.Context, in *command.Input, query string) string {
	if strings.Contains(query, "[") { // ESpell would correct field tags as words
		return ""
	}
	corrected, err := in.App.Entrez().Spell(ctx, query)
	if err != nil {
		return ""
	}
	kept := strings.Fields(strings.ToLower(corrected))
	for w := range strings.FieldsSeq(query) {
		if symbol().MatchString(w) && !slices.Contains(kept, strings.ToLower(w)) {
			return ""
		}
	}
	return corrected
}
