package variant

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/cli/entity/eutils"
	"biomcp/cli/entity/local"
	"biomcp/cli/result"
	"biomcp/entrez/assembly"
	"biomcp/entrez/variantname"
	"biomcp/store/clinvartable"
	"biomcp/store/study/symbols"
)

// A tableQuery is a search of the local table, with notices about how it was read.
type tableQuery struct {
	clinvartable.Query
	notices []string
	unread  string // why the table cannot be searched, or ""
	aliases bool   // whether symbols are replaced by the approved ones
	renamed bool   // whether one was
}

// searchTable answers a search from the local table of ClinVar. It returns nil if the table is absent or cannot be
// searched for the query; notices then say why.
func searchTable(
	ctx context.Context, in *command.Input, q *entity.Query,
) (page *entity.Page[Variant], notices []string, err error) {
	t, unread := openTable(in)
	if t == nil {
		if unread != "" {
			notices = []string{unread}
		}
		return nil, notices, nil
	}
	defer func() { err = errors.Join(err, t.Close()) }()
	query := readTableQuery(in, q, false)
	if query.unread != "" && q.Value(reclassifiedSince) != "" {
		why := "--" + reclassifiedSince + " compares releases of the local table, and " + query.unread
		return nil, nil, result.Invalid(why, searchHelp...)
	}
	if query.unread != "" {
		return nil, []string{"ClinVar was asked, not its local table: " + query.unread}, nil
	}
	var changes reclassifications
	var notes []string
	if date := q.Value(reclassifiedSince); date != "" {
		if changes, notes, err = readReclassified(t, date); err != nil {
			return nil, nil, err
		}
		query.IDs = map[int]bool{}
		for id := range changes {
			query.IDs[id] = true
		}
	}
	found, err := t.Search(ctx, query.Query)
	if err == nil && found.Total == 0 {
		if again := readTableQuery(in, q, true); again.renamed {
			again.IDs = query.IDs
			query = again
			found, err = t.Search(ctx, query.Query)
		}
	}
	if err != nil {
		return nil, nil, err
	}
	if found.Total == 0 && changes == nil {
		if why := query.maybeElsewhere(q); why != "" {
			why = "the local table of ClinVar, release " + t.Release + ", has " + why + ", so ClinVar was asked"
			return nil, []string{why}, nil
		}
	}
	page = &entity.Page[Variant]{Total: &found.Total, Sources: []string{local.ClinVarSource(t)}}
	if changes != nil {
		page.Columns = append(hitColumns(), "Reclassified")
	}
	for _, v := range found.Variants {
		hit := &Variant{Variant: fromTable(v, t.Release)}
		hit.Reclassified = changes[v.VariationID]
		page.Hits = append(page.Hits, hit)
	}
	page.Notices = slices.Concat(notes, query.notices, tableNotices(in, t, "haplotypes, genotypes or submissions"))
	return page, nil, nil
}

// maybeElsewhere says what a search without hits did not find in the table, if ClinVar may know it by another name.
func (t *tableQuery) maybeElsewhere(q *entity.Query) string {
	switch {
	case q.Text != "":
		return "the words in no gene, change or condition"
	case len(t.Keys) > 0:
		return "no such variant, but no names on other transcripts or proteins, or merged rs numbers"
	}
	return ""
}

// usesTable reports whether a search is answered from the local table.
func usesTable(in *command.Input) bool {
	t, _ := openTable(in)
	return t != nil && t.Close() == nil
}

// conditionNames returns the names of a condition's id. The local table has the ids themselves.
func conditionNames(ctx context.Context, in *command.Input, value string) (entity.OtherNames, error) {
	if usesTable(in) && !isDOID(value) {
		return entity.OtherNames{}, nil
	}
	return eutils.ConditionNames(ctx, in, value)
}

func isDOID(value string) bool { return strings.HasPrefix(strings.ToUpper(value), "DOID:") }

// readTableQuery converts a query to one of the table. With aliases, it replaces other names of genes by their symbols.
func readTableQuery(in *command.Input, q *entity.Query, aliases bool) *tableQuery {
	t := &tableQuery{aliases: aliases, Query: clinvartable.Query{Offset: q.Offset, Limit: q.Limit}}
	for _, f := range q.Filters {
		values := strings.Split(f.Value, ",")
		switch f.Flag {
		case "gene":
			t.gene(f.Value)
		case "hgvsp":
			long, _, _ := variantname.Protein(f.Value)
			t.Keys = append(t.Keys, []string{long})
		case "hgvsc":
			t.Keys = append(t.Keys, []string{f.Value, "c." + f.Value, variantname.Coding(f.Value)})
		case "rs":
			t.Keys = append(t.Keys, []string{strings.ToLower(f.Value)})
		case "significance":
			t.Filters = append(t.Filters, clinvartable.Filter{Fields: []clinvartable.Field{clinvartable.GermlineField},
				Match: func(class string) bool {
					return slices.ContainsFunc(values, func(v string) bool { return isClass(class, strings.TrimSpace(v)) })
				}})
		case "review-stars":
			stars, _ := strconv.Atoi(f.Value) // the flag's values are digits
			if countsGermlineStars(q) {
				t.GermlineStars = stars
				t.notices = append(t.notices, germlineStarsNotice)
			} else {
				t.MinStars = stars
			}
		case "consequence":
			t.consequence(values)
		case "condition":
			if isDOID(f.Value) {
				t.unread = "it has no ids of the Disease Ontology"
			}
			t.Filters = append(t.Filters, local.ConditionFilter(f.Value))
			t.notices = append(t.notices, "--condition was compared with ClinVar's names and ids of conditions, not with their "+
				"synonyms; of a variant with very many conditions, the table has their number alone")
		case "region":
			t.region(in, f.Value)
		}
	}
	t.text(q.Text)
	return t
}

// gene keeps the variants of a gene.
func (t *tableQuery) gene(name string) {
	t.Filters = append(t.Filters, local.GeneFilter(t.symbol(name)))
}

// symbol returns the symbol of a gene to search for.
func (t *tableQuery) symbol(name string) string {
	if !t.aliases {
		return name
	}
	g, ok := symbols.Find(name)
	if !ok || strings.EqualFold(g.Symbol, name) {
		return name
	}
	t.renamed = true
	t.notices = append(t.notices, name+" is another name of "+g.Symbol+": searched for the gene "+g.Symbol)
	return g.Symbol
}

func (t *tableQuery) consequence(values []string) {
	var wanted clinvartable.Consequence
	for _, e := range local.Effects {
		if slices.ContainsFunc(values, func(v string) bool { return strings.TrimSpace(v) == e.Value }) {
			wanted |= e.Effect
		}
	}
	t.Consequences = append(t.Consequences, wanted)
	t.notices = append(t.notices, "--consequence is reckoned from the names of the variants (Ter, fs, =, +1); "+
		"a variant whose name does not show its effect is left out")
}

func (t *tableQuery) region(in *command.Input, value string) {
	on := in.String("assembly")
	chromosome, first, last, _ := assembly.Region(value)
	t.Region = &clinvartable.Region{Assembly: on, Chromosome: chromosome, First: first, Last: last}
	t.notices = append(t.notices, "--region is a place on "+on+"; --assembly "+assembly.Other(on)+
		" reads it on the other; the answer has all variants that overlap it, including larger ones")
}

// text keeps the variants that have every word as their gene, change or number, or in a condition.
func (t *tableQuery) text(text string) {
	if strings.ContainsAny(text, `[]"()*:`) || slices.ContainsFunc(strings.Fields(text), func(w string) bool {
		return w == "AND" || w == "OR" || w == "NOT"
	}) {
		t.unread = "it does not know NCBI's syntax"
		return
	}
	for word := range strings.FieldsSeq(text) {
		long, _, isProtein := variantname.Protein(word)
		switch coding := variantname.Coding(word); {
		case isProtein:
			t.Keys = append(t.Keys, []string{long})
		case coding != "" && strings.HasPrefix(word, "c."):
			t.Keys = append(t.Keys, []string{coding, word})
		case variantname.Parse(word, assembly.GRCh38).Kind == variantname.RS:
			t.Keys = append(t.Keys, []string{strings.ToLower(word)})
		default:
			isGene, isCondition := local.GeneFilter(t.symbol(word)), local.ConditionFilter(word)
			t.Filters = append(t.Filters, clinvartable.Filter{
				Fields: slices.Concat(isGene.Fields, isCondition.Fields),
				Match:  func(text string) bool { return isGene.Match(text) || isCondition.Match(text) },
			})
		}
	}
}

// isClass reports whether a class of the table has a value of --significance. Its parts are separated by "/" and "; ";
// "Pathogenic, low penetrance" is one part.
func isClass(class, value string) bool {
	names := properties[value]
	if names == nil {
		names = []string{strings.ReplaceAll(value, "-", " ")}
	}
	for part := range strings.SplitSeq(strings.ReplaceAll(strings.ToLower(class), "; ", "/"), "/") {
		switch part = strings.ReplaceAll(part, ",", ""); {
		case slices.Contains(names, part), value == "uncertain" && part == "uncertain significance",
			value == "conflicting" && strings.HasPrefix(part, "conflicting "):
			return true
		}
	}
	return false
}
