package sets

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"biomcp/store/table"
)

// ReadCPIC reads the tables of CPIC as PostgREST sends them. A row that cannot be read makes the
// whole version invalid, because it would look like a missing recommendation.
func ReadCPIC(files Files, put PutRow, report *Report) error {
	r := cpicReader{files: files, put: put, report: report, genes: map[string]*cpicGene{}}
	for _, t := range []struct {
		table string
		read  func(*cpicRow) (complete bool, err error)
	}{
		{"gene", r.gene}, {"drug", r.drug}, {"guideline_summary_view", r.guideline}, {"pair_view", r.pair},
		{"diplotype", r.diplotype}, {"recommendation_view", r.recommendation}, {"change_log", r.change},
	} {
		if err := r.each(t.table, t.read); err != nil {
			return err
		}
	}
	return r.putGenes()
}

type cpicReader struct {
	files  Files
	put    PutRow
	report *Report
	genes  map[string]*cpicGene
	order  []*cpicGene
}

// cpicGene collects the results and alleles of a gene.
type cpicGene struct {
	CPICGene
	alleles map[string]*CPICAllele
}

// cpicRow is a row of a table. missing names a column that was read and does not exist, and wrong one with another
// type than expected.
type cpicRow struct {
	object
	missing, wrong string
}

func (r *cpicRow) raw(column string) json.RawMessage {
	raw, ok := r.object[column]
	if !ok {
		r.missing = column
	}
	return raw
}

func (r *cpicRow) text(column string) string { return member(r.raw(column)) }

// optional returns the text of a column, or nil if it is empty.
func (r *cpicRow) optional(column string) *string {
	if s := r.text(column); s != "" {
		return &s
	}
	return nil
}

// list returns the texts and numbers in a column, which is a list or null.
func (r *cpicRow) list(column string) []string {
	var items []json.RawMessage
	r.decode(column, &items)
	list := []string{}
	for _, raw := range items {
		if text := member(raw); text != "" {
			list = append(list, text)
		}
	}
	return list
}

// byGene returns the texts and numbers in a column, which is an object or null.
func (r *cpicRow) byGene(column string) map[string]string {
	var o object
	r.decode(column, &o)
	values := map[string]string{}
	for gene, raw := range o {
		values[gene] = member(raw)
	}
	return values
}

func (r *cpicRow) decode(column string, to any) {
	if json.Unmarshal(r.raw(column), to) != nil {
		r.wrong = column
	}
}

// each calls read with every row of a table, which must have rows.
func (r *cpicReader) each(name string, read func(*cpicRow) (complete bool, err error)) error {
	file, rows, skipped := name+".json", 0, r.report.Skipped
	err := eachObject(r.files, file, r.report, func(o object) error {
		row := &cpicRow{object: o}
		rows++
		complete, err := read(row)
		switch {
		case row.missing != "":
			return formatError(file, "it has no column %q", row.missing)
		case row.wrong != "":
			return formatError(file, "row %d has another type of %q", rows, row.wrong)
		case !complete:
			return formatError(file, "row %d has no name or key", rows)
		}
		return err
	})
	switch {
	case err != nil:
		return err
	case r.report.Skipped > skipped:
		return formatError(file, "%s", r.report.Problem)
	case rows == 0:
		return formatError(file, "it has no rows")
	}
	return nil
}

func (r *cpicReader) gene(row *cpicRow) (complete bool, err error) {
	g := &cpicGene{alleles: map[string]*CPICAllele{}, CPICGene: CPICGene{Symbol: row.text("symbol"),
		Method: row.text("lookupmethod"), NCBI: row.text("ncbiid"), HGNC: row.text("hgncid"), Results: []CPICResult{}}}
	r.genes[g.Symbol], r.order = g, append(r.order, g)
	return g.Symbol != "", nil
}

func (r *cpicReader) drug(row *cpicRow) (complete bool, err error) {
	d := CPICDrug{row.text("name"), row.text("rxnormid")}
	if d.Name == "" || row.text("drugid") == "" {
		return false, nil
	}
	return true, r.put(&table.Row{ID: CPICID(CPICDrugKind, d.Name), Kind: CPICDrugKind, Name: d.Name, Body: d})
}

func (r *cpicReader) guideline(row *cpicRow) (complete bool, err error) {
	g := CPICGuideline{row.text("guideline_name"), row.text("guideline_url"), row.list("drugs")}
	out := &table.Row{ID: CPICID(CPICGuidelineKind, g.Name), Kind: CPICGuidelineKind, Name: g.Name, Body: g}
	out.Add(DrugName, g.Drugs...)
	if g.Name == "" {
		return false, nil
	}
	return true, r.put(out)
}

func (r *cpicReader) pair(row *cpicRow) (complete bool, err error) {
	p := CPICPair{
		Gene: row.text("genesymbol"), Drug: row.text("drugname"), Level: row.text("cpiclevel"),
		Provisional: string(row.raw("provisional")) == "true", Testing: row.optional("pgxtesting"),
		Guideline: row.optional("guidelinename"), GuidelineURL: row.optional("guidelineurl"), PMIDs: row.list("pmids"),
	}
	out := &table.Row{ID: CPICID(CPICPairKind, row.text("pairid")), Kind: CPICPairKind, Name: p.Drug, Body: p}
	out.Add(Gene, p.Gene)
	out.Add(DrugName, p.Drug)
	out.Add(CPICLevel, p.Level)
	if p.Gene == "" || p.Drug == "" {
		return false, nil
	}
	return true, r.put(out)
}

func (r *cpicReader) diplotype(row *cpicRow) (complete bool, err error) {
	symbol, name := row.text("genesymbol"), row.text("diplotype")
	found := CPICResult{row.text("generesult"), score(row.text("totalactivityscore")), row.byGene("lookupkey")[symbol]}
	g := r.genes[symbol]
	if g == nil || name == "" {
		return false, nil
	}
	// CPIC's view takes the key from the score or the phenotype, and leaves it null if that is null.
	found.Lookup = cmp.Or(found.Lookup, found.ActivityScore, found.Phenotype)
	found.Phenotype = cmp.Or(found.Phenotype, "no phenotype in CPIC's table")
	i := slices.Index(g.Results, found)
	if i < 0 {
		i, g.Results = len(g.Results), append(g.Results, found)
	}
	first, second := SplitDiplotype(name)
	g.allele(first).Partners[second] = i
	if second != "" {
		g.allele(second).Partners[first] = i
	}
	return true, nil
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
func (r *cpicReader) recommendation(row *cpicRow) (complete bool, err error) {
	v := CPICRecommendation{
		Drug: row.text("drugname"), Guideline: row.text("guidelinename"), GuidelineURL: row.text("guidelineurl"),
		Key: row.byGene("lookupkey"), Phenotypes: row.byGene("phenotypes"), ActivityScores: row.byGene("activityscore"),
		Implications: row.byGene("implications"), Text: row.text("drugrecommendation"),
		Classification: row.text("classification"), Population: row.text("population"), Comments: row.text("comments"),
	}
	for gene, lookup := range v.Key {
		g := r.genes[gene]
		if g == nil || lookup == CPICNoResult ||
			slices.ContainsFunc(g.Results, func(c CPICResult) bool { return c.Lookup == lookup }) {
			continue
		}
		found := CPICResult{v.Phenotypes[gene], score(v.ActivityScores[gene]), lookup}
		if found.Phenotype == "" {
			found.Phenotype = lookup
		}
		g.Results = append(g.Results, found)
	}
	id := row.text("recommendationid")
	if id == "" || v.Drug == "" {
		return false, nil
	}
	out := &table.Row{ID: CPICID(CPICAdviceKind, id), Kind: CPICAdviceKind, Name: v.Drug, Body: v}
	out.Add(DrugName, v.Drug)
	return true, r.put(out)
}

func (r *cpicReader) change(row *cpicRow) (complete bool, err error) {
	c := CPICChange{isoDate(row.text("date"))}
	if c.Date == "" {
		return false, nil
	}
	return true, r.put(&table.Row{ID: CPICChangeKind, Kind: CPICChangeKind, Name: c.Date, Body: c})
}

// putGenes puts the genes and their alleles, which all tables have contributed to.
func (r *cpicReader) putGenes() error {
	for _, g := range r.order {
		g.Alleles = append([]string{}, slices.Sorted(maps.Keys(g.alleles))...)
		row := &table.Row{ID: CPICID(CPICGeneKind, g.Symbol), Kind: CPICGeneKind, Name: g.Symbol, Body: g.CPICGene}
		if err := r.put(row); err != nil {
			return err
		}
		for _, name := range g.Alleles {
			row := &table.Row{ID: CPICID(CPICAlleleKind, g.Symbol, name), Kind: CPICAlleleKind, Name: g.Symbol + " " + name,
				Body: g.alleles[name]}
			if err := r.put(row); err != nil {
				return err
			}
		}
	}
	return nil
}
