package sets

import (
	"cmp"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"biomcp/store/table"
)

// readCPIC reads the tables of CPIC as PostgREST sends them. A row that cannot be read makes the
// whole version invalid, because it would look like a missing recommendation.
func readCPIC(files *reader) {
	r := &cpicReader{files, map[string]*cpicGene{}, nil}
	readTable(files, "gene.json", r.gene)
	readTable(files, "drug.json", r.drug)
	readTable(files, "guideline_summary_view.json", r.guideline)
	readTable(files, "pair_view.json", r.pair)
	readTable(files, "diplotype.json", r.diplotype)
	readTable(files, "recommendation_view.json", r.recommendation)
	readTable(files, "change_log.json", r.change)
	r.putGenes()
}

type cpicReader struct {
	*reader
	genes map[string]*cpicGene
	order []*cpicGene
}

// cpicGene collects the results and alleles of a gene.
type cpicGene struct {
	CPICGene
	alleles map[string]*CPICAllele
}

// A cpicRow is a row of a table. wrong names a column that has another type than expected.
type cpicRow struct {
	object
	wrong string
}

func (r *cpicRow) text(column string) string { return member(r.object[column]) }

// optional returns the text of a column, or nil if it is empty.
func (r *cpicRow) optional(column string) *string {
	if s := r.text(column); s != "" {
		return &s
	}
	return nil
}

// list returns the texts and numbers in a column, which is a list or null.
func (r *cpicRow) list(column string) []string {
	value := r.object[column]
	if value.Type != gjson.Null && !value.IsArray() {
		r.wrong = column
	}
	return members(value)
}

// byGene returns the texts and numbers in a column, which is an object or null.
func (r *cpicRow) byGene(column string) map[string]string {
	value, texts := r.object[column], map[string]string{}
	if value.Type != gjson.Null && !value.IsObject() {
		r.wrong = column
	}
	for gene, v := range value.Map() {
		texts[gene] = member(v)
	}
	return texts
}

// errNoKey is returned for a row without a name or key.
const errNoKey = skippedRow("it has no name or key")

// readTable calls f with every row of a table, which must have rows. It sets the fields of T with the tag column.
func readTable[T any](r *reader, file string, f func(*cpicRow, *T) error) {
	rows, skipped, columns := 0, r.report.Skipped, []string{}
	for _, c := range r.layout(file).List() {
		columns = append(columns, c.Names[0])
	}
	tagged := taggedFields[T](func(column string) bool { return slices.Contains(columns, column) })
	readObjects(r, file, func(o object) error {
		rows++
		for _, c := range columns {
			if !o[c].Exists() {
				return formatError(file, "it has no column %q", c)
			}
		}
		row, v := &cpicRow{object: o}, new(T)
		fill(v, tagged, row.text)
		err := f(row, v)
		switch {
		case row.wrong != "":
			return formatError(file, "row %d has another type of %q", rows, row.wrong)
		case errors.Is(err, errNoKey):
			return formatError(file, "row %d has no name or key", rows)
		}
		return err
	})
	switch {
	case r.err != nil:
	case r.report.Skipped > skipped:
		r.err = formatError(file, "%s", r.report.Problem)
	case rows == 0:
		r.err = formatError(file, "it has no rows")
	}
}

func (r *cpicReader) gene(_ *cpicRow, v *CPICGene) error {
	if v.Symbol == "" {
		return errNoKey
	}
	v.Results = []CPICResult{}
	g := &cpicGene{*v, map[string]*CPICAllele{}}
	r.genes[g.Symbol], r.order = g, append(r.order, g)
	return nil
}

func (r *cpicReader) drug(row *cpicRow, d *CPICDrug) error {
	if d.Name == "" || row.text("drugid") == "" {
		return errNoKey
	}
	return r.put(&table.Row{ID: CPICID(CPICDrugKind, d.Name), Kind: CPICDrugKind, Name: d.Name, Body: *d})
}

func (r *cpicReader) guideline(row *cpicRow, g *CPICGuideline) error {
	if g.Name == "" {
		return errNoKey
	}
	g.Drugs = row.list("drugs")
	out := &table.Row{ID: CPICID(CPICGuidelineKind, g.Name), Kind: CPICGuidelineKind, Name: g.Name, Body: *g}
	out.Add(DrugName, g.Drugs...)
	return r.put(out)
}

func (r *cpicReader) pair(row *cpicRow, p *CPICPair) error {
	if p.Gene == "" || p.Drug == "" {
		return errNoKey
	}
	p.Provisional, p.PMIDs = row.object["provisional"].Raw == "true", row.list("pmids")
	p.Testing, p.Guideline = row.optional("pgxtesting"), row.optional("guidelinename")
	p.GuidelineURL = row.optional("guidelineurl")
	out := &table.Row{ID: CPICID(CPICPairKind, row.text("pairid")), Kind: CPICPairKind, Name: p.Drug, Body: *p}
	out.Add(Gene, p.Gene)
	out.Add(DrugName, p.Drug)
	out.Add(CPICLevel, p.Level)
	return r.put(out)
}

func (r *cpicReader) diplotype(row *cpicRow, found *CPICResult) error {
	symbol, name := row.text("genesymbol"), row.text("diplotype")
	g := r.genes[symbol]
	if g == nil || name == "" {
		return errNoKey
	}
	found.ActivityScore = score(found.ActivityScore)
	// CPIC's view takes the key from the score or the phenotype, and leaves it null if that is null.
	found.Lookup = cmp.Or(row.byGene("lookupkey")[symbol], found.ActivityScore, found.Phenotype)
	found.Phenotype = cmp.Or(found.Phenotype, "no phenotype in CPIC's table")
	i := slices.Index(g.Results, *found)
	if i < 0 {
		i, g.Results = len(g.Results), append(g.Results, *found)
	}
	first, second := SplitDiplotype(name)
	g.allele(first).Partners[second] = i
	if second != "" {
		g.allele(second).Partners[first] = i
	}
	return nil
}

// score returns an activity score, or "" if the gene has none.
func score(text string) string {
	if strings.EqualFold(text, "n/a") {
		return ""
	}
	return text
}

func (g *cpicGene) allele(name string) *CPICAllele {
	a := g.alleles[name]
	if a == nil {
		a = &CPICAllele{map[string]int{}}
		g.alleles[name] = a
	}
	return a
}

// recommendation also adds to the genes the results without a diplotype, such as "*57:01 positive".
func (r *cpicReader) recommendation(row *cpicRow, v *CPICRecommendation) error {
	id := row.text("recommendationid")
	if id == "" || v.Drug == "" {
		return errNoKey
	}
	v.Key, v.Phenotypes = row.byGene("lookupkey"), row.byGene("phenotypes")
	v.ActivityScores, v.Implications = row.byGene("activityscore"), row.byGene("implications")
	for gene, lookup := range v.Key {
		g := r.genes[gene]
		if g == nil || lookup == CPICNoResult ||
			slices.ContainsFunc(g.Results, func(c CPICResult) bool { return c.Lookup == lookup }) {
			continue
		}
		found := CPICResult{cmp.Or(v.Phenotypes[gene], lookup), score(v.ActivityScores[gene]), lookup}
		g.Results = append(g.Results, found)
	}
	out := &table.Row{ID: CPICID(CPICAdviceKind, id), Kind: CPICAdviceKind, Name: v.Drug, Body: *v}
	out.Add(DrugName, v.Drug)
	return r.put(out)
}

func (r *cpicReader) change(_ *cpicRow, c *CPICChange) error {
	if c.Date = isoDate(c.Date); c.Date == "" {
		return errNoKey
	}
	return r.put(&table.Row{ID: CPICChangeKind, Kind: CPICChangeKind, Name: c.Date, Body: *c})
}

// putGenes puts the genes and their alleles, which all tables have contributed to.
func (r *cpicReader) putGenes() {
	for _, g := range r.order {
		g.Alleles = append([]string{}, slices.Sorted(maps.Keys(g.alleles))...)
		r.putAll(&table.Row{ID: CPICID(CPICGeneKind, g.Symbol), Kind: CPICGeneKind, Name: g.Symbol, Body: g.CPICGene})
		for _, name := range g.Alleles {
			r.putAll(&table.Row{ID: CPICID(CPICAlleleKind, g.Symbol, name), Kind: CPICAlleleKind,
				Name: g.Symbol + " " + name, Body: g.alleles[name]})
		}
	}
}
