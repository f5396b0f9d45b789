package rag

import (
	"context"

	"biomcp/store/table"
	"biomcp/store/table/sets"
)

// OtherNames is a Thesaurus of the headings and genes in local tables, or of the smaller tables in
// the program if these are absent (sets.OtherNames). tables may be nil.
func OtherNames(ctx context.Context, tables *table.Tables, terms []string) (map[string]Names, error) {
	headings, genes, err := sets.OtherNames(ctx, tables, terms)
	names := map[string]Names{}
	for term, heading := range headings {
		names[term] = Names{Kind: Heading, All: []string{heading}}
	}
	for term, all := range genes {
		names[term] = Names{Kind: Gene, All: all}
	}
	return names, err
}
