package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
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

	// answers reports whether the phrase is certainly the name of a concept, which needs no other source.
	answers bool
}

// A tableVocabulary is a local table with names of concepts.
type tableVocabulary struct {
	set     *bulk.Set
	kinds   []string // kinds of records to read; nil means all
	fields  []tableField
	concept func(r table.Record, match, phrase string) (c concept, err error)
}

// A tableField is a field with names. match says how a name in it matches its concept. The name is
// "" for the ID of a record, which id returns.
type tableField struct {
	name, match string
	id          func(phrase string) string
}

// tableVocabularies returns the tables in the order of concepts.
func tableVocabularies() []tableVocabulary {
	drugID := func(phrase string) string { return sets.CPICID(sets.CPICDrugKind, strings.ToLower(phrase)) }
	return []tableVocabulary{
		{set: bulk.HGNC, concept: geneInTable, fields: []tableField{{name: sets.Symbol, match: matchSymbol},
			{name: sets.PreviousSymbol, match: "previous symbol"}, {name: sets.AliasSymbol, match: "alias"}}},
		{set: bulk.CPIC, concept: drugInTable, fields: []tableField{{match: "name", id: drugID}}},
		{set: bulk.MeSH, concept: headingInTable, fields: []tableField{{name: sets.Term, match: "entry term"}}},
		{set: bulk.HPO, concept: featureInTable, kinds: []string{sets.TermKind},
			fields: []tableField{{name: sets.PhenotypeField, match: "synonym"}}},
	}
}

// matchSymbol is the match of a gene's approved symbol.
const matchSymbol = "symbol"

// namesInTables looks for a phrase in the local tables. A table that is absent or cannot be read adds
// nothing.
func namesInTables(ctx context.Context, in *command.Input, phrase string) (n tableNames) {
	tables, err := in.App.Tables(ctx)
	if err != nil {
		return n
	}
	defer tables.Close()
	for _, v := range tableVocabularies() {
		found := 0
		for _, f := range v.fields {
			for _, r := range n.read(ctx, in, tables, v, f, phrase) {
				if c, err := v.concept(r, f.match, phrase); err == nil {
					found++
					c.exact, c.Sources = true, []string{v.set.Label}
					n.add(c)
				}
			}
		}
		if last := len(n.sources) - 1; last >= 0 && n.sources[last].Key == v.set.Name {
			n.sources[last].Outcome = entity.DataOrEmpty(found)
		}
	}
	has := func(is func(concept) bool) bool { return slices.ContainsFunc(n.concepts, is) }
	ofType := func(t string) bool { return has(func(c concept) bool { return c.Type == t }) }
	word, symbol := symbols.IsWord(phrase), has(func(c concept) bool { return c.Match == matchSymbol })
	// Without headings it is unknown whether an alias or a feature is rather the name of a disease.
	headings := slices.ContainsFunc(n.sources, func(s result.SectionSource) bool { return s.Key == bulk.MeSH.Name })
	known := (ofType("gene") || ofType("phenotype")) && headings && !ofType(chemicalHeading)
	n.answers = ofType("disease") || ofType("drug") || (symbol || known) && !word
	for i, c := range n.concepts {
		if c.Type == chemicalHeading {
			n.concepts[i].Type = "heading"
		}
	}
	return n
}

// read returns the records of a table with a phrase in a field, and notes the table as a source.
func (n *tableNames) read(
	ctx context.Context, in *command.Input, tables *table.Tables, v tableVocabulary, f tableField, phrase string,
) (all []table.Record) {
	values := []string{phrase}
	if v.set == bulk.HGNC {
		values = gene.Spellings(phrase)
	}
	for _, value := range values {
		var found *table.Found
		var err error
		if f.id != nil {
			found, err = tables.Get(ctx, v.set.Name, f.id(value))
		} else {
			found, err = tables.Find(ctx, v.set.Name, table.Query{Kinds: v.kinds, Limit: maxConcepts,
				Conditions: []table.Condition{{Fields: []string{f.name}, Text: value, Exact: true}}})
		}
		if err != nil {
			return nil
		}
		all = append(all, found.Records...)
		if last := len(n.sources) - 1; last < 0 || n.sources[last].Key != v.set.Name {
			n.sources = append(n.sources, result.SectionSource{Key: v.set.Name, Label: v.set.Label,
				Sources: []string{v.set.Label}})
			n.origins = append(n.origins, local.Origin(v.set, found.Info))
			if old := local.StaleNotice(in.App, v.set, found.Info); old != "" {
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

func geneInTable(r table.Record, match, _ string) (c concept, err error) {
	g, err := local.Read[sets.GeneNames](r)
	if err != nil {
		return c, err
	}
	return concept{
		Label: g.Symbol + ": " + g.Name, Type: "gene", ID: "NCBIGene:" + g.Entrez, Match: match,
		keys:  []string{"gene " + strings.ToUpper(g.Symbol)},
		lines: []result.Argv{{"get", "gene", g.Symbol}, {"search", "article", "--gene", g.Symbol}},
	}, nil
}

func drugInTable(r table.Record, match, _ string) (c concept, err error) {
	d, err := local.Read[sets.CPICDrug](r)
	if err != nil {
		return c, err
	}
	return concept{
		Label: d.Name, Type: "drug", ID: "RxNorm:" + d.RxCUI, Match: match, keys: []string{"drug " + d.Name},
		lines: []result.Argv{{"get", "drug", d.Name}, {"search", "article", "--drug", d.Name}},
	}, nil
}

func featureInTable(r table.Record, match, phrase string) (c concept, err error) {
	p, err := local.Read[sets.Phenotype](r)
	if err != nil {
		return c, err
	}
	if table.EqualText(p.Name, phrase) {
		match = "name"
	}
	return concept{
		Label: p.Name, Type: "phenotype", ID: p.ID, Match: match, keys: []string{p.ID},
		lines: []result.Argv{{"search", "disease", "--features", p.Name}, {"search", "article", p.Name}},
	}, nil
}

// chemicalHeading is the type of a heading that is a chemical, which may be a drug, until the names
// of all tables are known.
const chemicalHeading = "chemical"

// headingInTable returns a heading as a concept. One of the trees C and F03 is a disease.
func headingInTable(r table.Record, match, phrase string) (c concept, err error) {
	h, err := local.Read[sets.Heading](r)
	if err != nil {
		return c, err
	}
	c = concept{
		Label: h.Name, Type: "heading", ID: "MESH:" + h.UI, Match: match, keys: []string{"MESH:" + h.UI},
		lines: []result.Argv{{"search", "article", "--mesh", h.Name}, {"search", "mesh", h.Name}},
	}
	if table.EqualText(h.Name, phrase) {
		c.Match = "heading"
	}
	if h.IsChemical() {
		c.Type = chemicalHeading
	}
	for _, tree := range h.TreeNumbers {
		if strings.HasPrefix(tree, "C") || strings.HasPrefix(tree, "F03") {
			c.Type = "disease"
			c.lines = []result.Argv{{"get", "disease", h.Name}, {"search", "article", "--mesh", h.Name}}
		}
	}
	return c, nil
}

// report makes the concepts of the tables the answer of discover. because says why no source is
// in it.
func (n *tableNames) report(in *command.Input, d *discoverReport, because string) *result.Result {
	d.Concepts, d.local = n.concepts, n.answers
	res := &result.Result{Payload: d, Sections: n.sources}
	for _, notice := range n.notices {
		res.Notice(notice)
	}
	res.Notice(fmt.Sprintf("from %s; %s", strings.Join(n.origins, ", "), because))
	d.finish(in, res)
	res.SingleHit = d.onlyRecord()
	return res
}

// termsInTables returns the genes, diseases and drugs that local tables have for the terms of `search all`,
// with the commands that read them, and adds where they are from to res.
func termsInTables(
	ctx context.Context, in *command.Input, terms map[string]string, res *result.Result,
) (all []concept) {
	for _, kind := range []string{"gene", "disease", "drug", "keyword"} {
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
			c.word = terms[kind]
			all, res.Next = append(all, c), append(res.Next, c.lines[0])
		}
		if len(all) > before {
			res.Notice("the records that " + command.Clip(terms[kind]) + " names come from " + strings.Join(n.origins, ", "))
		}
	}
	return all
}

// answerFromNames answers a search for one gene or disease, without filters, by the concepts that local tables have with
// exactly that name, and leaves the total of the search unknown. It does nothing if there are none.
func (s *entityHits) answerFromNames(names []concept, terms map[string]string, limit int) {
	word := terms[s.Entity]
	if word == "" {
		word = terms["keyword"]
	}
	isPlain := slices.Equal(s.line, command.Line([]string{"search", s.Entity}, []string{word}, nil))
	if s.Entity != "gene" && s.Entity != "disease" || !isPlain {
		return
	}
	type hit struct {
		Symbol string `json:"symbol,omitempty"`
		Entrez string `json:"entrez_id,omitempty"`
		Name   string `json:"name"`
		ID     string `json:"id"`
	}
	results, found := []json.RawMessage{}, 0
	rows := result.Table{Columns: result.Columns("Id", "Name", "Match")}
	for _, c := range names {
		if c.Type != s.Entity || c.word != word {
			continue
		}
		for _, source := range c.Sources {
			if !slices.Contains(s.tables, source) {
				s.tables = append(s.tables, source)
			}
		}
		if found++; found > limit {
			continue
		}
		h := hit{Name: c.Label, ID: c.ID}
		if s.Entity == "gene" {
			h.Symbol, h.Name, _ = strings.Cut(c.Label, ": ")
			_, h.Entrez, _ = strings.Cut(c.ID, ":")
		}
		body, err := result.JSON(h)
		if err != nil {
			return
		}
		results, rows.Rows = append(results, body), append(rows.Rows, []string{c.ID, c.Label, c.Match})
	}
	if found == 0 {
		return
	}
	s.Outcome, s.Results, s.rows = result.Data, &results, &rows
	s.notes = append(s.notes, fmt.Sprintf("%s: a %s with exactly this name in local tables, and no source was asked, "+
		"so the total is unknown; %s asks for all", s.Entity, s.Entity, s.line))
}
