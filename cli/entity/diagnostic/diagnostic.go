// Package diagnostic defines the entity of diagnostic tests: genetic tests of NCBI's Genetic
// Testing Registry (GTR), read live or from its local table, and in vitro diagnostics
// prequalified by WHO, from a local table. Every answer names its route and its date.
package diagnostic

import (
	"context"
	"strings"
	"time"

	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/cli/entity/eutils"
	"biomcp/cli/entity/local"
	"biomcp/cli/result"
	"biomcp/entrez/bulk"
	"biomcp/store/table"
	"biomcp/store/table/sets"
)

// A Test is a diagnostic test.
type Test struct {
	Accession  string           `json:"accession"`
	Name       string           `json:"name"`
	Type       string           `json:"type"`
	Genes      []string         `json:"genes"`
	Conditions []sets.Condition `json:"conditions"`
	Methods    []string         `json:"methods"`
	Lab        string           `json:"lab"`
	Country    string           `json:"country"`
	Source     string           `json:"source"` // GTR or WHO
	Route      string           `json:"route"`  // live or local
	AsOf       string           `json:"as_of"`
	URL        string           `json:"url"`
}

// Values of Test.Route.
const (
	live    = "live"
	inTable = "local"
)

// Values of --source.
const (
	gtr    = "gtr"
	whoIVD = "who-ivd"
)

// joinedFields lists the lists of a test that are one column of a table.
var joinedFields = []string{"conditions name cui"}

// Entity returns the definition of the diagnostic entity.
func Entity() entity.Entity {
	return entity.Define(entity.Spec[Test]{
		Name: "diagnostic", Synonyms: []string{"test", "genetic-test", "gtr", "assay", "ivd"}, Plural: "diagnostics",
		IDs: entity.IDs{
			Placeholder: "<GTR…>...", Max: 20, MatchExclusive: func(w string) bool { return accessionForm().MatchString(w) },
		},
		Label: "Diagnostics", Sources: []string{"GTR", "WHO"}, Search: search(),
		Rows: entity.Rows[Test]{Fields: joinedFields},
		Get: command.Command{
			Short: "Read diagnostic tests",
			Help: command.Help{
				Input: "Accessions of GTR, GTR000500001, or product codes of WHO's list, which sync " +
					"who-ivd downloads.",
				Surprises: "GTR is asked live; if it does not answer, its local table is used (sync gtr). The " +
					"purpose of a test is the laboratory's own statement.",
			},
			Examples: []command.Example{{Line: "biomcp get diagnostic GTR000500001", Explanation: "one test of the registry"}},
		},
		Fetch: fetch, Card: card,
		Next: func(t *Test) (lines []result.Argv) {
			if len(t.Genes) > 0 {
				lines = append(lines, result.Argv{"search", "diagnostic", "--gene", t.Genes[0]})
			}
			return lines
		},
	})
}

func search() *command.Command {
	return entity.Search(entity.SearchSpec[Test]{
		Name: "diagnostic", Placeholder: "[query]",
		Command: command.Command{
			Short: "Find genetic tests (GTR) and WHO's diagnostics",
			Help: command.Help{
				Purpose: "GTR is asked live. Its local table (sync gtr) answers for a method, a laboratory or a " +
					"country, and if GTR does not answer. WHO's list is a local table (sync who-ivd).",
				Input:  "Words of a test's name, or filters alone.",
				Output: "One row a test, with its source; how many each source has, by which route and as of when.",
				Surprises: "Counts differ by route: live, a disease includes its subtypes; in the local table " +
					"its words must be in one condition.",
			},
			Examples: []command.Example{
				{Line: "biomcp search diagnostic --gene BRCA1", Explanation: "tests of a gene"},
				{
					Line:        `biomcp search diagnostic --disease "Lynch syndrome" --country Germany`,
					Explanation: "tests for a disease in one country, from the local table",
				},
			},
			Flags: func(f *command.Flags) { f.Rare("method", "lab", "country", "source") },
		},
		Source: "Diagnostics", Key: "results", Label: "Tests", Pages: entity.Pages{Limit: 20, Max: 100},
		Filters: []entity.Filter{
			{
				Flag: "gene", Synonyms: []string{"symbol"}, Letter: "g",
				Usage: "a gene symbol or alias",
				Term:  entity.QuotedTerm("diagnostic", "gene", "SYMB"), OtherNames: eutils.GeneNames,
			},
			{
				Flag: "disease", Synonyms: []string{"condition"}, Letter: "d",
				Usage: "a disease, or an id of one",
				Term:  entity.QuotedTerm("diagnostic", "disease", "DISNAME"), OtherNames: eutils.ConditionNames,
			},
			{Flag: "method", Single: true, Usage: "words of a method (local table)"},
			{
				Flag: "lab", Synonyms: []string{"laboratory", "hospital", "facility", "manufacturer"}, Single: true,
				Usage: "words of a laboratory, an institution or a manufacturer (local table)",
			},
			{
				Flag: "country", Synonyms: []string{"location", "place"}, Single: true,
				Usage: "the laboratory's country (local table)",
			},
			{Flag: "source", Values: []string{gtr, whoIVD, "all"}, Usage: "source of the tests, by default gtr"},
		},
		Find: find, Alternatives: entity.Alternatives{Spell: eutils.SpellSymbol, OtherSearches: suggestWHO},
		Rows: entity.Rows[Test]{
			Fields:  joinedFields,
			Columns: []string{"Accession", "Name", "Genes", "Conditions", "Laboratory", "Source"},
			Row:     (*Test).row,
		},
		Next: func(t *Test) []result.Argv {
			if t.Accession == "" {
				return nil
			}
			return []result.Argv{{"get", "diagnostic", t.Accession}}
		},
	})
}

func (t *Test) row() []string {
	return []string{t.Accession, t.Name, entity.EtAl(t.Genes, 5), entity.EtAl(names(t.Conditions), 3), t.Lab, t.Source}
}

func names(conditions []sets.Condition) []string {
	return result.Map(conditions, func(c sets.Condition) string { return c.Name })
}

func card(t *Test, _ entity.Sections) result.Doc {
	doc := result.Doc{
		result.Heading{Level: 1, Text: t.Name},
		result.Fields{
			{Name: "Accession", Value: t.Accession}, {Name: "Type", Value: t.Type},
			{Name: "Laboratory", Value: t.Lab}, {Name: "Country", Value: t.Country},
			{Name: "Genes", Value: strings.Join(t.Genes, ", ")},
			{Name: "Methods", Value: strings.Join(t.Methods, "; ")},
			{Name: "Source", Value: t.Source + ", " + t.Route + ", as of " + t.AsOf}, {Name: "URL", Value: t.URL},
		},
	}
	if len(t.Conditions) > 0 {
		doc = append(doc, result.Heading{Level: 2, Text: "Conditions"}, result.Table{
			Columns: result.Columns("Condition", "MedGen"),
			Rows: result.Map(t.Conditions, func(c sets.Condition) []string {
				return []string{c.Name, c.CUI}
			}),
		})
	}
	return doc
}

// gtrTest converts a row of GTR's local table.
var gtrTest = local.HitOf(func(v *sets.Test, info table.Info) Test {
	return Test{
		Accession: v.Accession, Name: v.Name, Type: v.Type, Genes: v.Genes, Conditions: v.Conditions,
		Methods: v.Methods, Lab: v.Lab, Country: v.Country,
		Source: "GTR", Route: inTable, AsOf: local.AsOf(info), URL: address(v.Accession),
	}
})

// whoTest converts a row of WHO's list.
var whoTest = local.HitOf(func(v *sets.Assay, info table.Info) Test {
	t := Test{
		Accession: v.Code, Name: v.Name, Type: "in vitro diagnostic", Lab: v.Manufacturer,
		Source: "WHO", Route: inTable, AsOf: local.AsOf(info),
		URL: "https://extranet.who.int/prequal/vitro-diagnostics/prequalified/in-vitro-diagnostics",
	}
	if v.Target != "" {
		t.Conditions = append(t.Conditions, sets.Condition{Name: v.Target})
	}
	if v.Format != "" {
		t.Methods = append(t.Methods, v.Format)
	}
	return t
})

func address(accession string) string {
	return "https://www.ncbi.nlm.nih.gov/gtr/tests/" + accession + "/"
}

func now(app *command.App) string { return app.Now().UTC().Format(time.DateOnly) }

// Query is a query for the tests of a record, for GTR live and for its local table. Notice
// adds a remark on the tests; if Term is empty, it explains why GTR cannot be asked.
type Query struct {
	Term        string
	TableFilter table.Condition
	Notice      string
}

// GeneQuery returns the query for the tests of a gene.
func GeneQuery(symbol string) Query {
	return Query{
		Term:        `"` + symbol + `"[SYMB]`,
		TableFilter: table.Condition{Fields: []string{sets.Gene}, Text: symbol, Exact: true},
	}
}

// Section returns the section of genetic tests for a record of another entity. It makes two
// requests to GTR. If GTR does not answer, it reads the local table, if there is one.
func Section[R any](id func(*R) string, wanted func(*R) Query) entity.Section[R] {
	return entity.RelatedSection[R, Test]{
		Name: "diagnostics", Synonyms: []string{"test", "tests", "genetic-tests"}, Label: "Diagnostics",
		Short: "genetic tests for it", Source: "GTR", Counted: true,
		Columns: []string{"Accession", "Name", "Genes", "Conditions", "Laboratory"},
		Row:     func(t *Test) []string { return t.row()[:5] },
		Find: entity.FromService(func(ctx context.Context, ask *entity.LinkRequest, r *R) (*entity.Answer[Test], error) {
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
			case err == nil && len(p.Dropped) > 0: // GTR does not know the word and may have dropped it
				out.Total = new(0)
				return out, nil
			case err == nil:
				out.Rows, out.Total, out.Notices = tests, p.Total, append(out.Notices, p.Notices...)
			case !isOutage(err):
				return nil, err
			default:
				a, absent := local.FindInSets(ctx, ask.Input, ask.Offset, ask.Limit, local.Part[Test]{
					Set: bulk.GTR, Query: table.Query{Conditions: []table.Condition{w.TableFilter}}, Hit: gtrTest,
				})
				if absent != nil || a.Asked == 0 {
					return nil, err
				}
				out.Rows, out.Total, out.Local, counted = a.Hits, a.Total, true, a.Counts
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
