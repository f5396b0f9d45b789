package variant

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"biomcp/cli/entity"
	"biomcp/cli/entity/eutils"
	"biomcp/entrez"
	"biomcp/entrez/assembly"
	"biomcp/entrez/ensembl"
	"biomcp/entrez/pattern"
	"biomcp/entrez/variantname"
	"biomcp/entrez/variation"
)

// mostHits is in how many records of ClinVar one name is looked for.
const mostHits, mostOfESearch = 50, 9999

// resolve finds the VariationIDs that each name may mean. What they are is checked
// when they are described, since NCBI drops words that it does not find. Numbers of
// dbSNP are one search, and so are changes of a sequence. No source but ClinVar holds up other names.
func (l *lookup) resolve(ctx context.Context) {
	var asks []func(context.Context)
	var numbers, changes []*wanted
	for _, n := range l.names {
		switch n.Kind {
		case variantname.VariationID:
			n.found = []string{n.ID}
			asks = append(asks, func(context.Context) {}) // it has come
		case variantname.RS:
			numbers = append(numbers, n)
		case variantname.Sequence, variantname.Recoded, variantname.Unversioned:
			asks = append(asks, func(ctx context.Context) { n.err = l.canonical(ctx, &n.Name) })
			changes = append(changes, n)
		default:
			asks = append(asks, func(part context.Context) {
				if n.Kind == variantname.OfGene && eutils.IsOther(part, l.in.App, n.Gene) {
					_ = entity.Beside(part, func(part context.Context) { _, n.more = l.rename(part, n) })
				}
				l.search(ctx, n)
			})
		}
	}
	if len(numbers) > 0 {
		asks = append(asks, func(context.Context) { l.search(ctx, numbers...) })
	}
	_ = entity.Together(ctx, 0, len(asks), func(ctx context.Context, i int) { asks[i](ctx) }) // fetch sees that ctx ended
	proteins := slices.DeleteFunc(slices.Clone(changes), func(n *wanted) bool { return n.Kind != variantname.Searched })
	l.search(ctx, slices.DeleteFunc(changes, func(n *wanted) bool { return n.Kind == variantname.Searched })...)
	for _, n := range proteins { // of a version that was not given
		l.search(ctx, n)
	}
	l.byAlias(ctx)
}

// byAlias looks again for changes of genes that ClinVar does not have under the name given.
// That it has none is not known where nobody says whether the name is an alias.
func (l *lookup) byAlias(ctx context.Context) {
	var asks []func(context.Context)
	for _, n := range l.names {
		if n.Kind == variantname.OfGene && cmp.Or(n.err, n.more) == nil && len(n.found) == 0 {
			asks = append(asks, func(part context.Context) {
				var renamed bool
				if renamed, n.more = l.rename(part, n); renamed {
					l.search(ctx, n)
				}
			})
		}
	}
	_ = entity.Beside(ctx, asks...)
}

// rename gives a change the gene of which its gene's name is an alias, where this is one.
func (l *lookup) rename(ctx context.Context, n *wanted) (bool, error) {
	name, err := eutils.NameOf(ctx, l.in, n.Gene)
	if err != nil || len(name.Symbols) != 1 {
		return false, err
	}
	again := variantname.Read(name.Symbols[0]+" "+cmp.Or(n.Short, n.Change), assembly.GRCh38)
	if again.Kind != variantname.OfGene {
		return false, nil
	}
	n.renamed = n.Gene + " is " + name.Kind() + " of the gene " + again.Gene
	again.Word, again.Familiar = n.Word, cmp.Or(again.Familiar, n.Familiar)
	n.Name = again
	return true, nil
}

// search looks for names in ClinVar with one search.
func (l *lookup) search(ctx context.Context, names ...*wanted) {
	var terms []string
	var asked []*wanted
	needed := 0 // how many words or phrases ClinVar may drop before it finds too much
	for _, n := range names {
		term, alternatives := l.term(n.Name)
		if term != "" && n.err == nil {
			terms, asked, needed = append(terms, term), append(asked, n), alternatives
		}
	}
	if len(terms) == 0 {
		return
	}
	term := terms[0]
	if len(terms) > 1 {
		term = "(" + strings.Join(terms, ") OR (") + ")"
	}
	hits, err := l.client.Search(ctx, entrez.SearchParams{DB: "clinvar", Term: term, RetMax: min(mostHits*len(terms), mostOfESearch)})
	switch {
	case err != nil:
		for _, n := range asked {
			n.err = err
		}
		return
	case needed > 0 && hits.NotFound() >= needed:
		return
	}
	for _, n := range asked {
		unknown := func(phrase string) bool { return n.Gene != "" && strings.TrimSuffix(phrase, "[gene]") == n.Gene }
		if slices.ContainsFunc(hits.PhrasesNotFound, unknown) { // the hits are of any gene
			continue
		}
		if n.found = hits.IDs; hits.Count > len(hits.IDs) {
			n.more = fmt.Errorf("ClinVar has %d records that may be it, of which the first %d were looked at", hits.Count, len(hits.IDs))
		}
	}
}

// term is what ClinVar is searched for, "" if it cannot have a name, and of how many
// words or phrases it must find one for the search not to be broader; 0: it never is.
func (l *lookup) term(n variantname.Name) (term string, alternatives int) {
	switch n.Kind {
	case variantname.RS:
		number := n.ID
		if s := l.snp(n.ID); s != nil {
			number = s.Number
		}
		return "rs" + number + "[VRID]", 0
	case variantname.Searched:
		switch {
		case strings.HasPrefix(n.Change, "p."):
			return `"` + n.Accession + ":" + n.Change + `"`, 1
		case n.Accession != "":
			return `"` + n.Accession + `" AND ` + phrases(n.Change, ""), 1
		}
		return `"` + n.Word + `"`, 1
	case variantname.OfGene:
		term = n.Gene + `[gene] AND ` + phrases(n.Change, "")
		if n.Short == "" {
			return term, 1
		}
		return n.Gene + "[gene] AND ((" + phrases(n.Change, "") + ") OR (" + phrases(n.Short, "") + "))", 2
	case variantname.Sequence:
		// On no chromosome: dbSNP alone may know it.
		if _, chromosome := assembly.Of(n.SPDI.Sequence); chromosome != "" {
			return `"` + n.SPDI.String() + `"[CSPDI]`, 0
		}
	}
	return "", 0
}

// phrases are what a change is searched for by, with a tag or "": what is between its
// brackets apart, since NCBI takes a word in brackets for a field.
func phrases(change, tag string) string {
	var out []string
	for _, part := range bracket().Split(change, -1) {
		if part = strings.Trim(part, "_"); strings.ContainsAny(part, "0123456789") {
			out = append(out, `"`+part+`"`+tag)
		}
	}
	return strings.Join(out, " AND ")
}

var bracket = pattern.Lazy(`[][;()?]+`)

// canonical makes the SPDI of a name the canonical one, on GRCh38. That of one base
// there is.
func (l *lookup) canonical(ctx context.Context, n *variantname.Name) (err error) {
	switch n.Kind {
	case variantname.Unversioned:
		accession, change, _ := strings.Cut(n.HGVS, ":")
		if accession, err = l.reports.Newest(ctx, accession); err != nil {
			return err
		}
		if n.Kind, n.HGVS, n.Newest = variantname.Sequence, accession+":"+change, accession; n.Change != "" {
			n.Kind, n.Accession = variantname.Searched, accession
			return nil
		}
	case variantname.Recoded:
		if n.SPDI, err = ensembl.SPDI(ctx, l.network, n.HGVS); err != nil {
			return err
		}
		n.Kind = variantname.Sequence
	}
	if n.SPDI.Sequence == "" {
		if n.SPDI, err = variation.OfHGVS(ctx, l.network, n.HGVS); err != nil {
			return err
		}
	}
	on, _ := assembly.Of(n.SPDI.Sequence)
	if on != assembly.GRCh38 || !n.SPDI.OneBase() {
		n.SPDI, err = variation.Canonical(ctx, l.network, n.SPDI)
	}
	return err
}
