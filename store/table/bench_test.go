package table_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"biomcp/store/table"
)

// BenchmarkFind_64k searches a table of the size of GTR's, 64,000 tests with about ten genes and
// conditions each, with a filter, with words, and with both.
func BenchmarkFind_64k(b *testing.B) {
	tables, err := table.Open(b.Context(), b.TempDir(), false)
	if err != nil {
		b.Fatal(err)
	}
	defer tables.Close()
	random := rand.New(rand.NewPCG(1, 2))
	rows := make([]*table.Row, 64_000)
	for i := range rows {
		rows[i] = row(fmt.Sprintf("GTR%09d", i), fmt.Sprintf("Sequencing panel %d", i%900))
		for range 10 {
			n := random.IntN(15_000)
			rows[i].Values = append(rows[i].Values, table.Value{Field: "gene", Text: fmt.Sprintf("GENE%d", random.IntN(8000))},
				table.Value{Field: "condition", Text: fmt.Sprintf("Condition %d of kind %d", n, n%40)})
		}
	}
	b.Run("replace", func(b *testing.B) {
		for b.Loop() {
			if _, err := replace(b.Context(), tables, "gtr", rows...); err != nil {
				b.Fatal(err)
			}
		}
	})
	gene := table.Condition{Fields: []string{"gene"}, Text: "gene77", Exact: true}
	condition := table.Condition{Fields: []string{"condition"}, Text: "condition kind 7"}
	for name, q := range map[string]table.Query{
		"gene": {Conditions: []table.Condition{gene}}, "condition": {Conditions: []table.Condition{condition}}, "words": {Text: "sequencing panel 77"}, "all": {Text: "panel", Conditions: []table.Condition{gene, condition}},
	} {
		b.Run(name, func(b *testing.B) {
			q.Limit = 20
			for b.Loop() {
				if _, err := tables.Find(b.Context(), "gtr", q); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
