package variant

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"biomcp/entrez"
	"biomcp/entrez/assembly"
	"biomcp/entrez/httpclient"
	"biomcp/entrez/pattern"
	"biomcp/entrez/services"
	"biomcp/entrez/variantname"
	"biomcp/entrez/variation"
)

// maxHits limits the ClinVar records examined per name; maxESearch is the
// most records that one ESearch returns.
const maxHits, maxESearch = 50, 9999

// resolveNames finds the VariationIDs that each name may match. clinVar checks them later
// against the records, because NCBI drops words it does not find. One search covers all
// rs numbers and another all sequence changes. A slow source other than ClinVar does not
// delay the other names.
func (l *lookup) resolveNames(ctx context.Context) {
	var asks []func(context.Context)
	var numbers, changes []*nameQuery
	for _, n := range l.names {
		switch n.Kind {
		case variantname.VariationID:
			n.found = []string{n.ID}
			asks = append(asks, func(context.Context) {}) // the ID is already known
		case variantname.RS:
			numbers = append(numbers, n)
		case variantname.Sequence, variantname.EnsemblHGVS, variantname.Unversioned:
			asks = append(asks, func(ctx context.Context) { n.err = l.canonical(ctx, &n.Name) })
			changes = append(changes, n)
		default:
			asks = append(asks, func(part context.Context) {
				if n.Kind == variantname.GeneChange && l.genes.IsOtherName(part, n.Gene) {
					_ = httpclient.FetchOptional(part, func(part context.Context) { _, n.incompleteErr = l.rename(part, n) })
				}
				l.search(ctx, n)
			})
		}
	}
	if len(numbers) > 0 {
		asks = append(asks, func(context.Context) { l.search(ctx, numbers...) })
	}
	_ = httpclient.FetchAll(ctx, 0, len(asks), func(ctx context.Context, i int) { asks[i](ctx) }) // fetch checks ctx
	proteins := slices.DeleteFunc(slices.Clone(changes), func(n *nameQuery) bool {
		return n.Kind != variantname.ClinVarTerm
	})
	l.search(ctx, slices.DeleteFunc(changes, func(n *nameQuery) bool { return n.Kind == variantname.ClinVarTerm })...)
	for _, n := range proteins { // accessions given without a version
		l.search(ctx, n)
	}
	l.retryAliases(ctx)
}

// retryAliases searches again under the gene's official symbol for changes that ClinVar
// does not have under the given name. If the alias lookup fails, n.incompleteErr records the
// error: without it, we cannot say that ClinVar has no such variant.
func (l *lookup) retryAliases(ctx context.Context) {
	var asks []func(context.Context)
	for _, n := range l.names {
		if n.Kind == variantname.GeneChange && cmp.Or(n.err, n.incompleteErr) == nil && len(n.found) == 0 {
			asks = append(asks, func(part context.Context) {
				var renamed bool
				if renamed, n.incompleteErr = l.rename(part, n); renamed {
					l.search(ctx, n)
				}
			})
		}
	}
	_ = httpclient.FetchOptional(ctx, asks...)
}

// rename replaces the gene of n by the gene that it is an alias of, and reports whether
// it did. It changes nothing unless the alias belongs to exactly one gene.
func (l *lookup) rename(ctx context.Context, n *nameQuery) (bool, error) {
	name, err := l.genes.LookupName(ctx, n.Gene)
	if err != nil || len(name.Genes) != 1 {
		return false, err
	}
	again := variantname.Parse(name.Genes[0].Symbol+" "+cmp.Or(n.Short, n.Change), assembly.GRCh38)
	if again.Kind != variantname.GeneChange {
		return false, nil
	}
	n.alias = &GeneAlias{Word: n.Gene, Name: name}
	again.Word, again.LegacyChange = n.Word, cmp.Or(again.LegacyChange, n.LegacyChange)
	n.Name = again
	return true, nil
}

// search looks for names in ClinVar with one search.
func (l *lookup) search(ctx context.Context, names ...*nameQuery) {
	var terms []string
	var asked []*nameQuery
	needed := 0 // how many dropped words or phrases make the search too broad
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
	hits, err := l.client.Search(ctx, entrez.SearchParams{
		DB: "clinvar", Term: term, RetMax: min(maxHits*len(terms), maxESearch),
	})
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
		if slices.ContainsFunc(hits.PhrasesNotFound, unknown) { // without the gene, the hits belong to any gene
			continue
		}
		if n.found = hits.IDs; hits.Count > len(hits.IDs) {
			n.incompleteErr = fmt.Errorf("ClinVar has %d records that may be it, and only the first %d were read",
				hits.Count, len(hits.IDs))
		}
	}
}

// term returns the ClinVar query for a name, or "" if ClinVar cannot have it.
// NCBI drops phrases that it does not find: if it drops as many as alternatives, the
// search has become too broad. Zero means that the search cannot become broader.
func (l *lookup) term(n variantname.Name) (term string, alternatives int) {
	switch n.Kind {
	case variantname.RS:
		number := n.ID
		if s := l.snp(n.ID); s != nil {
			number = s.Number
		}
		return "rs" + number + "[VRID]", 0
	case variantname.ClinVarTerm:
		switch {
		case strings.HasPrefix(n.Change, "p."):
			return `"` + n.Accession + ":" + n.Change + `"`, 1
		case n.Accession != "":
			return `"` + n.Accession + `" AND ` + Phrases(n.Change, ""), 1
		}
		return `"` + n.Word + `"`, 1
	case variantname.GeneChange:
		term = n.Gene + `[gene] AND ` + Phrases(n.Change, "")
		if n.Short == "" {
			return term, 1
		}
		return n.Gene + "[gene] AND ((" + Phrases(n.Change, "") + ") OR (" + Phrases(n.Short, "") + "))", 2
	case variantname.Sequence:
		// A sequence that is not a chromosome may be known to dbSNP alone.
		if _, chromosome := assembly.Lookup(n.SPDI.Sequence); chromosome != "" {
			return `"` + n.SPDI.String() + `"[CSPDI]`, 0
		}
	}
	return "", 0
}

// Phrases returns the query for a change, with tag appended to each phrase. It searches
// for bracketed parts separately, because NCBI reads a word in brackets as a field tag.
func Phrases(change, tag string) string {
	var out []string
	for _, part := range bracket().Split(change, -1) {
		if part = strings.Trim(part, "_"); strings.ContainsAny(part, "0123456789") {
			out = append(out, `"`+part+`"`+tag)
		}
	}
	return strings.Join(out, " AND ")
}

var bracket = pattern.Lazy(`[][;()?]+`)

// canonical replaces the SPDI of a name by the canonical one on GRCh38. An SPDI that
// replaces one base of GRCh38 already is canonical.
func (l *lookup) canonical(ctx context.Context, n *variantname.Name) (err error) {
	switch n.Kind {
	case variantname.Unversioned:
		accession, change, _ := strings.Cut(n.HGVS, ":")
		if accession, err = l.reports.NewestVersion(ctx, accession); err != nil {
			return err
		}
		if n.Kind, n.HGVS, n.VersionedAccession = variantname.Sequence, accession+":"+change, accession; n.Change != "" {
			n.Kind, n.Accession = variantname.ClinVarTerm, accession
			return nil
		}
	case variantname.EnsemblHGVS:
		if n.SPDI, err = services.SPDI(ctx, l.network, n.HGVS); err != nil {
			return err
		}
		n.Kind = variantname.Sequence
	}
	if n.SPDI.Sequence == "" {
		if n.SPDI, err = variation.FromHGVS(ctx, l.network, n.HGVS); err != nil {
			return err
		}
	}
	on, _ := assembly.Lookup(n.SPDI.Sequence)
	if on != assembly.GRCh38 || !n.SPDI.OneBase() {
		n.SPDI, err = variation.Canonical(ctx, l.network, n.SPDI)
	}
	return err
}
