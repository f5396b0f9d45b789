package diagnostic

import (
	"context"

	"biomcp/cli/entity"
	"biomcp/cli/entity/local"
	"biomcp/entrez/bulk"
	"biomcp/store/table"
	"biomcp/store/table/sets"
)

// Wanted is the same question to GTR live and to its local table. Of a record that GTR
// cannot be asked about it is a notice alone, which otherwise says more about the tests.
type Wanted struct {
	Term   string
	Where  table.Where
	Notice string
}

// OfGene asks for the tests of a gene.
func OfGene(symbol string) Wanted {
	return Wanted{Term: `"` + symbol + `"[SYMB]`, Where: table.Where{Fields: []string{sets.Gene}, Text: symbol, Exact: true}}
}

// Section is the genetic tests of GTR for a record of another entity: two requests. Where
// GTR does not answer, its local table does, if there is one.
func Section[R any](id func(*R) string, wanted func(*R) Wanted) entity.Section[R] {
	return entity.Linked[R, Test]{
		Name: "diagnostics", Also: []string{"test", "tests", "genetic-tests"}, Label: "Diagnostics", Short: "genetic tests for it", Source: "GTR", Counted: true,
		Columns: []string{"Accession", "Name", "Genes", "Conditions", "Laboratory"},
		Row:     func(t *Test) []string { return t.row()[:5] },
		Find: entity.Asking(func(ctx context.Context, ask *entity.Ask, r *R) (*entity.Answer[Test], error) {
			w, out := wanted(r), &entity.Answer[Test]{}
			if w.Term == "" {
				return nil, entity.Inapplicable(w.Notice)
			}
			if w.Notice != "" {
				out.Notices = append(out.Notices, w.Notice)
			}
			p := &entity.Page[Test]{}
			tests, err := findLive(ctx, ask.App, w.Term, ask.Offset, ask.Limit, p)
			counted := []string{p.Effective}
			switch {
			case err == nil && len(p.Dropped) > 0: // GTR does not know the word, and may have searched without it
				out.Total = new(0)
				return out, nil
			case err == nil:
				out.Rows, out.Total, out.Notices = tests, p.Total, append(out.Notices, p.Notices...)
			case !unanswered(err):
				return nil, err
			default:
				a, absent := local.Many(ctx, ask.App, ask.Offset, ask.Limit, local.Part[Test]{Set: bulk.GTR, Query: table.Query{Where: []table.Where{w.Where}}, Hit: ofGTR})
				if absent != nil || a.Asked == 0 {
					return nil, err
				}
				out.Rows, out.Total, counted = a.Hits, a.Total, a.Counts
				out.Notices = append(append(out.Notices, err.Error()+"; the local table is used"), a.Notices...)
				out.Sources = []string{bulk.GTR.Label + " (local table)"}
			}
			for _, c := range counted {
				out.Notices = append(out.Notices, "tests of "+id(r)+": "+c)
			}
			return out, nil
		}),
	}.Section()
}
