// Package pgx provides CPIC's pharmacogenetics: the search of gene-drug pairs, the section of pairs of genes and
// drugs, and the recommendations on a drug for genotypes. The local table cpic answers if it exists. Without it,
// CPIC is asked for pairs, and there are no recommendations.
package pgx

import (
	"context"
	"fmt"
	"strings"

	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/cli/result"
	"biomcp/entrez/cpic"
	"biomcp/store/table"
	"biomcp/store/table/sets"
)

// Entity returns the entity of gene-drug pairs.
func Entity() entity.Entity {
	return entity.Entity{Name: "pgx", Search: entity.Search(entity.SearchSpec[cpic.Pair]{
		Name: "pgx", Synonyms: []string{"pharmacogenetics", "pharmacogenomics", "cpic"}, Placeholder: "[gene or drug]",
		Command: command.Command{
			Short: "Find CPIC's gene-drug pairs by level",
			Help: command.Help{
				Purpose: "Pairs of a gene and a drug whose effect may depend on it, with CPIC's level, from A (a test " +
					"should change the prescription) to D.",
				Input:  "A gene symbol or the name of a drug, or filters alone. Both are compared as a whole.",
				Output: "One row per pair, the highest level first.",
				Surprises: "The local table answers if it exists (sync cpic); otherwise CPIC does. A/B is a level of " +
					"its own. Recommendations by genotype: get drug clopidogrel pgx --genotype \"CYP2C19 *2/*17\".",
			},
			Examples: []command.Example{
				{Line: "biomcp search pgx --gene CYP2D6 --level A", Explanation: "drugs for which CYP2D6 should be tested"},
				{Line: "biomcp search pgx clopidogrel", Explanation: "pairs of one drug"},
			},
			Flags: func(f *command.Flags) { f.Rare("gene", "drug", "level") },
		},
		Source: "Pairs", Label: "Pairs", Pages: entity.Pages{Limit: 20, Max: 100},
		Filters: []entity.Filter{
			{Flag: "gene", Synonyms: []string{"symbol"}, Letter: "g", Single: true, Usage: "a gene symbol"},
			{Flag: "drug", Synonyms: []string{"chemical", "medicine"}, Single: true, Usage: "the name of a drug"},
			{Flag: "level", Synonyms: []string{"cpic-level", "evidence-level"}, Single: true,
				Values: []string{"A", "A/B", "B", "B/C", "C", "C/D", "D"}, Usage: "CPIC's level"},
		},
		Find: find, Rows: entity.Rows[cpic.Pair]{Columns: columns, Row: row},
		Next: func(p *cpic.Pair) []result.Argv {
			return []result.Argv{{"get", "drug", p.Drug, "pgx"}, {"get", "gene", p.Gene, "pgx"}}
		},
	})}
}

// find searches the local table, or CPIC if it is absent.
func find(ctx context.Context, in *command.Input, q *entity.Query) (*entity.Page[cpic.Pair], error) {
	query := table.Query{Kinds: []string{sets.CPICPairKind}, Offset: q.Offset, Limit: q.Limit}
	add := func(value string, fields ...string) {
		if value != "" {
			query.Conditions = append(query.Conditions, table.Condition{Fields: fields, Text: value, Exact: true})
		}
	}
	add(q.Text, sets.Gene, sets.DrugName)
	add(q.Value("gene"), sets.Gene)
	add(q.Value("drug"), sets.DrugName)
	add(q.Value("level"), sets.CPICLevel)
	pairs, total, v, err := findPairs(ctx, in, query)
	if table.IsAbsent(err) {
		return findLive(ctx, in, q)
	}
	if err != nil {
		return nil, err
	}
	return newPage(pairs, total, v.String(), v.notices), nil
}

// findLive asks CPIC. The text of a query is a gene or else a drug.
func findLive(ctx context.Context, in *command.Input, q *entity.Query) (*entity.Page[cpic.Pair], error) {
	filter := cpic.Filter{Gene: strings.ToUpper(q.Value("gene")), Drug: q.Value("drug"), Level: q.Value("level")}
	tries := []cpic.Filter{filter}
	if q.Text != "" {
		asGene, asDrug := filter, filter
		asGene.Gene, asDrug.Drug = strings.ToUpper(q.Text), q.Text
		tries = []cpic.Filter{asGene, asDrug}
	}
	var all []cpic.Pair
	for _, f := range tries {
		pairs, err := cpic.Find(ctx, in.App.Network(), f)
		if err != nil {
			return nil, err
		}
		for _, p := range pairs { // a text replaces a filter
			if (filter.Gene == "" || p.Gene == filter.Gene) && (filter.Drug == "" || table.EqualText(p.Drug, filter.Drug)) {
				all = append(all, p)
			}
		}
		if len(all) > 0 {
			break
		}
	}
	return newPage(entity.Window(all, q.Offset, q.Limit), len(all), cpic.Source.Label+" (live)", nil), nil
}

func newPage(pairs []cpic.Pair, total int, source string, notices []string) *entity.Page[cpic.Pair] {
	return &entity.Page[cpic.Pair]{
		Hits: entity.Pointers(pairs), Total: &total, Notices: notices, Effective: fmt.Sprintf("%s: %d", source, total),
		Sections: []result.SectionSource{{Key: "results", Label: "Pairs", Outcome: entity.DataOrEmpty(total),
			Sources: []string{source}}},
	}
}
