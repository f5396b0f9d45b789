package cli

import (
	"context"
	"fmt"
	"strings"

	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/cli/entity/local"
	"biomcp/cli/result"
	"biomcp/entrez/bulk"
	"biomcp/entrez/gene"
	"biomcp/store/study/symbols"
	"biomcp/store/table"
	"biomcp/store/table/sets"
)

// tableNames holds the concepts that local tables have for a phrase.
type tableNames struct {
	concepts []concept
	sources  []result.SectionSource
	origins  []string // names of the tables that were read, with their dates
	notices  []string // that a table is old

	// answers reports whether the phrase is a name of a gene or a disease, which needs no other source.
	answers bool
}

// namesInTables looks for a phrase in the local tables of genes and headings. A table that is absent or
// cannot be read adds nothing.
func namesInTables(ctx context.Context, in *command.Input, phrase string) (n tableNames) {
	var genes, headings int
	symbol := false
	for _, field := range []struct{ name, kind string }{
		{sets.Symbol, "symbol"}, {sets.PreviousSymbol, "previous symbol"}, {sets.AliasSymbol, "alias"},
	} {
		found := n.read(ctx, in, bulk.HGNC, field.name, gene.Spellings(phrase))
		for _, r := range found {
			if g, err := local.Read[sets.GeneNames](r); err == nil {
				symbol = symbol || field.name == sets.Symbol && !symbols.IsWord(phrase)
				genes++
				n.add(geneInTable(g, field.kind))
			}
		}
	}
	chemical := false
	for _, r := range n.read(ctx, in, bulk.MeSH, sets.Term, []string{phrase}) {
		h, err := local.Read[sets.Heading](r)
		if err != nil {
			continue
		}
		c := headingInTable(h, phrase)
		chemical = chemical || c.Type == "heading" && h.IsChemical()
		if headings++; c.Type == "disease" {
			n.answers = true
		}
		n.add(c)
	}
	hasMeSH := false
	for i := range n.sources {
		count := genes
		if n.sources[i].Key == bulk.MeSH.Name {
			hasMeSH, count = true, headings
		}
		n.sources[i].Outcome = entity.DataOrEmpty(count)
	}
	// Without headings it is unknown whether an alias is rather the name of a disease.
	n.answers = n.answers || symbol || genes > 0 && hasMeSH && !chemical && !symbols.IsWord(phrase)
	return n
}

// read returns the records of a table with a value, and notes the table as a source.
func (n *tableNames) read(
	ctx context.Context, in *command.Input, s *bulk.Set, field string, values []string,
) (all []table.Record) {
	for _, v := range values {
		found, err := local.Find(ctx, in.App, s, table.Query{
			Conditions: []table.Condition{{Fields: []string{field}, Text: v, Exact: true}}, Limit: maxConcepts,
		})
		if err != nil {
			return nil
		}
		all = append(all, found.Records...)
		if last := len(n.sources) - 1; last < 0 || n.sources[last].Key != s.Name {
			n.sources = append(n.sources, result.SectionSource{Key: s.Name, Label: s.Label, Sources: []string{s.Label}})
			n.origins = append(n.origins, local.Origin(s, found.Info))
			if old := local.StaleNotice(in.App, s, found.Info); old != "" {
				n.notices = append(n.notices, in.OwnerNotice(old))
			}
		}
	}
	return all
}

// add appends a concept, unless another field has led to it.
func (n *tableNames) add(c concept) {
	for _, o := range n.concepts {
		if o.ID == c.ID {
			return
		}
	}
	n.concepts = append(n.concepts, c)
}

func geneInTable(g *sets.GeneNames, kind string) concept {
	return concept{
		Label: g.Symbol + ": " + g.Name, Type: "gene", ID: "NCBIGene:" + g.Entrez, Match: kind, exact: true,
		Sources: []string{bulk.HGNC.Label}, keys: []string{"gene " + strings.ToUpper(g.Symbol)},
		lines: []result.Argv{{"get", "gene", g.Symbol}, {"search", "article", "--gene", g.Symbol}},
	}
}

// headingInTable returns a heading as a concept. One of the trees C and F03 is a disease.
func headingInTable(h *sets.Heading, phrase string) concept {
	c := concept{
		Label: h.Name, Type: "heading", ID: "MESH:" + h.UI, Match: "entry term", exact: true,
		Sources: []string{bulk.MeSH.Label}, keys: []string{"MESH:" + h.UI},
		lines: []result.Argv{{"search", "article", "--mesh", h.Name}, {"search", "mesh", h.Name}},
	}
	if table.EqualText(h.Name, phrase) {
		c.Match = "heading"
	}
	for _, tree := range h.TreeNumbers {
		if strings.HasPrefix(tree, "C") || strings.HasPrefix(tree, "F03") {
			c.Type = "disease"
			c.lines = []result.Argv{{"get", "disease", h.Name}, {"search", "article", "--mesh", h.Name}}
		}
	}
	return c
}

// report makes the concepts of the tables the answer of discover. because says why no source is
// in it.
func (n *tableNames) report(in *command.Input, d *discoverReport, because string) *result.Result {
	d.Concepts, d.local = n.concepts, n.answers
	res := &result.Result{Payload: d, Sections: n.sources}
	for _, notice := range n.notices {
		res.Notice(notice)
	}
	res.Notice(fmt.Sprintf("from %s; %s", strings.Join(n.origins, " and "), because))
	d.finish(in, res)
	res.SingleHit = d.onlyRecord()
	return res
}

// termsInTables returns the genes and diseases that local tables have for the terms of `search all`,
// with the commands that read them, and adds where they are from to res.
func termsInTables(ctx context.Context, in *command.Input, terms map[string]string, res *result.Result) (all []concept) {
	for _, kind := range []string{"gene", "disease", "keyword"} {
		if terms[kind] == "" {
			continue
		}
		n := namesInTables(ctx, in, terms[kind])
		before := len(all)
		for _, c := range n.concepts {
			if kind != "keyword" && c.Type != kind {
				continue
			}
			for _, line := range mayRun(in, c.lines) {
				c.Commands = append(c.Commands, line.String())
			}
			all, res.Next = append(all, c), append(res.Next, c.lines[0])
		}
		if len(all) > before {
			res.Notice("what " + command.Clip(terms[kind]) + " names is from " + strings.Join(n.origins, " and "))
		}
	}
	return all
}
