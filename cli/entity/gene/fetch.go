package gene

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/cli/entity/eutils"
	"biomcp/cli/result"
	"biomcp/entrez"
	"biomcp/entrez/bulk"
	"biomcp/entrez/datasets"
	"biomcp/entrez/httpclient"
	"biomcp/entrez/ncbi"
	"biomcp/entrez/resolve"
)

// isGeneID reports whether a word is a GeneID.
func isGeneID(word string) bool { return ncbi.UIDForm().MatchString(word) }

// fetch asks NCBI Datasets for symbols and GeneIDs, ESearch for words that may be aliases,
// and ESummary for all genes.
func fetch(
	ctx context.Context, in *command.Input, words []string, sectionNames entity.Sections,
) (*entity.Found[Gene], error) {
	network := in.App.Network()
	taxon := taxonOf(in.String("organism"))
	if taxon == "" {
		return nil, result.Invalid(fmt.Sprintf("--organism %q is not an organism: write human, mouse, rat, "+
			"zebrafish, fly, worm, yeast or a taxid",
			command.Clip(in.String("organism"))),
			in.LineWith("--organism", "mouse")...)
	}
	l := &lookup{
		in: in, taxon: taxon, aliasNames: map[string]eutils.GeneName{}, client: entrez.New(network),
		reports: datasets.New(network), ids: map[string]string{}, errs: map[string]error{},
		docs: map[string]*Gene{}, byID: map[string]*datasets.Gene{},
	}
	if err := l.ask(ctx, words); err != nil {
		return nil, err
	}
	return l.answer(words)
}

// A lookup holds the words of one get command and the genes found for them.
type lookup struct {
	in         *command.Input
	taxon      string                     // taxid of the genes that symbols name
	aliasNames map[string]eutils.GeneName // aliases in the local HGNC table
	client     *entrez.Client
	reports    *datasets.Client
	ids        map[string]string         // GeneIDs by word
	open       []string                  // words without a GeneID yet
	candidates []string                  // GeneIDs that the open words may be aliases of
	byID       map[string]*datasets.Gene // answers of Datasets by GeneID
	docs       map[string]*Gene          // answers of ESummary by GeneID
	unread     *entrez.Docs              // the reply of ESummary, which names genes it cannot send; nil if none came
	sourceErr  error                     // error from Datasets or ESummary
	errs       map[string]error          // errors of the words that could not be looked up
	notices    []string
}

func (l *lookup) ask(ctx context.Context, words []string) error {
	var symbols, numbers, others []string
	for _, w := range words {
		switch {
		case isGeneID(w):
			numbers = append(numbers, w)
			l.ids[w] = w
		case otherID().MatchString(w):
			others = append(others, w)
		case l.isListed(ctx, w):
		case datasets.IsSymbol(w):
			symbols = append(symbols, w)
			if f := strings.ToUpper(resolve.Fold(w)); !strings.EqualFold(f, w) {
				symbols = append(symbols, f)
			}
			l.open = append(l.open, w)
		default:
			l.open = append(l.open, w)
		}
	}
	hits := l.findMentions(ctx, others)
	// The E-utilities have most of a card, so Datasets gets little extra time.
	reporting, cancel := context.WithTimeout(ctx, httpclient.StragglerTimeout*time.Duration(1+len(words)/20))
	defer cancel()
	if len(symbols) > 0 {
		l.addReports(l.reports.BySymbol(reporting, symbols, l.taxon))
		l.symbols()
	}
	if numbers = append(numbers, hits...); len(numbers) > 0 {
		l.addReports(l.reports.ByID(reporting, numbers))
	}
	l.otherIDs(others, hits)
	if errors.Is(ctx.Err(), context.Canceled) {
		return ctx.Err()
	}
	if len(l.open) > 0 {
		if err := l.aliases(ctx); err != nil {
			l.fail(l.open, err)
		}
	}
	return l.summaries(ctx)
}

// isListed reports whether the local HGNC table has word as an alias, which saves a request.
func (l *lookup) isListed(ctx context.Context, word string) bool {
	if l.taxon != datasets.Human || isMouseStyle(word) {
		return false
	}
	name, known := eutils.LookupInTable(ctx, l.in.App, word)
	if known && len(name.Symbols) > 0 {
		l.aliasNames[word] = name
	}
	return len(name.Symbols) > 0
}

// findMentions returns the GeneIDs of records that mention HGNC or Ensembl ids, by one ESearch.
func (l *lookup) findMentions(ctx context.Context, ids []string) []string {
	if len(ids) == 0 {
		return nil
	}
	terms := result.Map(ids, func(id string) string { return `"` + id + `"[All Fields]` })
	found, err := l.search(ctx, terms, "", 2*len(ids))
	if err != nil {
		l.fail(ids, err)
	}
	return found
}

// search returns the GeneIDs of live genes that match any of the terms.
func (l *lookup) search(ctx context.Context, terms []string, filter string, limit int) ([]string, error) {
	found, err := l.client.Search(ctx, entrez.SearchParams{
		DB: "gene", Term: "(" + strings.Join(terms, " OR ") + ")" + filter + " AND alive[PROP]", RetMax: limit,
	})
	// ESearch drops a term that no gene has. If it drops all terms, it returns every gene.
	if err != nil || found.NotFound() >= len(terms) {
		return nil, err
	}
	return found.IDs, nil
}

func (l *lookup) fail(words []string, err error) {
	for _, w := range words {
		l.errs[w] = err
	}
}

// otherIDs assigns HGNC and Ensembl ids to the genes that Datasets reports for them. If one
// id and one hit remain, as when Datasets does not answer, they belong together.
func (l *lookup) otherIDs(ids, hits []string) {
	ids, hits = slices.Clone(ids), slices.Clone(hits)
	ids = slices.DeleteFunc(ids, func(id string) bool {
		at := slices.IndexFunc(hits, func(hit string) bool {
			g := l.byID[hit]
			return g != nil && (strings.EqualFold(g.HGNC, id) || slices.Contains(g.Ensembl, strings.ToUpper(id)))
		})
		if at >= 0 {
			l.ids[id] = hits[at]
		}
		return at >= 0
	})
	known := slices.Collect(maps.Values(l.ids))
	hits = slices.DeleteFunc(hits, func(hit string) bool { return slices.Contains(known, hit) })
	switch {
	case len(ids) == 1 && len(hits) == 1:
		l.ids[ids[0]] = hits[0]
	case len(hits) > 0 && l.sourceErr != nil:
		l.fail(ids, l.sourceErr)
	}
}

// addReports stores the answer of Datasets. If Datasets fails, the card lacks some ids.
func (l *lookup) addReports(genes []datasets.Gene, err error) {
	if err != nil {
		l.sourceErr = cmp.Or(l.sourceErr, err)
		return
	}
	for _, g := range genes {
		l.byID[g.ID] = &g
	}
}

// symbols resolves open words that are symbols, ignoring case. It then also ignores
// hyphens: MLH-1 is read as MLH1.
func (l *lookup) symbols() {
	l.open = slices.DeleteFunc(l.open, func(w string) bool {
		for _, same := range []func(string) bool{
			func(s string) bool { return strings.EqualFold(s, w) },
			func(s string) bool { return resolve.Fold(s) == resolve.Fold(w) },
		} {
			for id, g := range l.byID {
				if same(g.Symbol) {
					l.found(w, id, g.Symbol)
					return true
				}
			}
		}
		return false
	})
}

func (l *lookup) found(word, id, symbol string) {
	l.ids[word] = id
	if isMouseStyle(word) && l.taxon == datasets.Human {
		l.notices = append(l.notices, fmt.Sprintf("%s, as genes of mouse and rat are written, is read as the "+
			"human gene %s; --organism mouse reads that of the mouse",
			word, symbol))
		return
	}
	if !strings.EqualFold(word, symbol) {
		l.notices = append(l.notices, word+" is read as the symbol "+symbol)
	}
}

// aliases finds genes that the open words may be names of.
func (l *lookup) aliases(ctx context.Context) (err error) {
	var terms []string
	for _, w := range l.open {
		w = strings.ReplaceAll(w, `"`, "")
		for _, name := range slices.Compact([]string{w, strings.ToUpper(resolve.Fold(w))}) {
			terms = append(terms, `"`+name+`"[PREF]`, `"`+name+`"[GENE]`)
		}
	}
	l.candidates, err = l.search(ctx, terms, " AND "+l.taxon+"[TID]", 20*len(l.open))
	return err
}

// summaries asks ESummary for all genes. If that fails, genes known to Datasets lack only
// their locations.
func (l *lookup) summaries(ctx context.Context) error {
	ids := slices.AppendSeq(slices.Clone(l.candidates), maps.Values(l.ids))
	slices.Sort(ids)
	docs, err := l.client.Docs(ctx, "gene", ids)
	if err != nil {
		if len(l.byID) == 0 || errors.Is(err, context.Canceled) {
			return err
		}
		l.sourceErr = cmp.Or(l.sourceErr, err)
		l.notices = append(l.notices, "places are missing: "+err.Error())
		return nil
	}
	for _, d := range docs.Items {
		l.docs[d.UID] = readSummary(d)
	}
	l.unread = docs
	return nil
}

// answer returns the genes in the order of the words. An alias counts as not found, and its
// failure names the symbol.
func (l *lookup) answer(words []string) (*entity.Found[Gene], error) {
	out := &entity.Found[Gene]{}
	for _, w := range words {
		id, known := l.ids[w]
		if !known {
			id = l.symbolID(w)
		}
		if g := l.gene(id); g != nil {
			out.Add(w, g)
			l.sourceErr = cmp.Or(l.sourceErr, l.unreadErr(id))
		} else if why := cmp.Or(l.errs[w], l.unreadErr(l.possibleIDs(w)...)); why != nil {
			out.Failed(w, why)
		} else {
			out.NotFound(w, l.notFoundFailure(w))
		}
	}
	if l.sourceErr != nil && len(out.Records) > 0 {
		out.Notices = append(out.Notices, "a part of the card is missing: "+l.sourceErr.Error())
		out.Problem = l.sourceErr
	}
	if note := unreported(out.Records); l.sourceErr == nil && note != "" {
		out.Notices = append(out.Notices, note)
	}
	for _, g := range out.Records {
		if g.ReplacedBy != "" {
			out.Notices = append(out.Notices, g.ID+" was replaced by "+g.ReplacedBy)
		} else if g.Status == discontinued {
			out.Notices = append(out.Notices, g.ID+" was discontinued")
		}
	}
	out.Notices = append(l.notices, out.Notices...)
	return out, nil
}

// possibleIDs returns the GeneIDs of the genes that a word may name.
func (l *lookup) possibleIDs(word string) []string {
	if id := l.ids[word]; id != "" {
		return []string{id}
	}
	return append([]string{""}, l.candidates...)
}

// unreadErr returns an error if ESummary cannot send the summary of one of the genes.
func (l *lookup) unreadErr(ids ...string) error {
	if l.unread == nil {
		return nil
	}
	return l.unread.Unread(ids...)
}

// unreported returns a notice about live genes that NCBI Datasets has no report of, "" if there are
// none. Datasets sends the same empty reply for an unknown gene and when it is out of order.
func unreported(genes []*Gene) string {
	var symbols []string
	for _, g := range genes {
		if g.report == nil && g.Status == live {
			symbols = append(symbols, g.Symbol)
		}
	}
	if len(symbols) == 0 {
		return ""
	}
	return "a part of the card is missing: NCBI Datasets sent no report of " + command.Abbreviate(symbols) +
		", so its HGNC, Ensembl and UniProt ids are not known"
}

// symbolID returns the GeneID of a symbol that Datasets did not resolve.
func (l *lookup) symbolID(word string) string {
	for _, id := range l.candidates {
		if g := l.docs[id]; l.isOf(g) && strings.EqualFold(g.Symbol, word) {
			return id
		}
	}
	return ""
}

// isOf reports whether a gene belongs to the requested organism. NCBI drops a term that it
// does not find, which may be the organism.
func (l *lookup) isOf(g *Gene) bool {
	return g != nil && (g.Organism.TaxID == l.taxon || g.Organism.TaxID == "" && l.taxon == datasets.Human)
}

// gene merges the answers of both sources; it returns nil if neither has the gene.
func (l *lookup) gene(id string) *Gene {
	g, report := l.docs[id], l.byID[id]
	if g == nil && report == nil {
		return nil
	}
	if g == nil {
		g = &Gene{ID: id, Status: live}
		l.docs[id] = g
	}
	g.add(report)
	return g
}

// isMouseStyle reports whether a symbol is capitalized as in mouse and rat: Trp53.
func isMouseStyle(word string) bool { return mouseForm().MatchString(word) }

// notFoundFailure returns the failure for a word that is not a symbol. For one capitalized like a
// mouse gene it suggests --organism mouse, because the human gene with that alias may not be
// the intended one.
func (l *lookup) notFoundFailure(word string) *result.Failure {
	f := l.alias(word).Failure()
	if l.taxon != datasets.Human || !isMouseStyle(word) {
		return f
	}
	line := result.Argv{"get", "gene", word, "--organism", "mouse"}
	if f == nil {
		return &result.Failure{
			Code:    result.NotFound,
			Message: word + " is not the symbol of a human gene; it is written like one of mouse or rat",
			Try:     line,
		}
	}
	f.Message += "; it is written as genes of mouse and rat are"
	f.Next, f.Try = append([]result.Argv{line}, f.Next...), line
	return f
}

// alias returns the genes that have word as another name, or nil if none does.
func (l *lookup) alias(word string) *entity.Alias {
	a := &entity.Alias{
		Entity: "gene", Word: word, Description: "an alias, not a symbol", Tier: "alias", Sources: []string{source},
	}
	if name, is := l.aliasNames[word]; is {
		a.Description, a.Sources = name.Kind(), []string{bulk.HGNC.Label}
		if len(name.Genes) == 1 {
			a.Description = name.Description()
		}
		for _, g := range name.Genes {
			a.Matches = append(a.Matches, result.Candidate{Symbol: g.Symbol, Name: g.Name, ID: g.Entrez})
		}
	}
	for _, id := range l.candidates {
		if g := l.docs[id]; l.isOf(g) && resolve.ContainsFolded(g.Aliases, word) {
			a.Matches = append(a.Matches, result.Candidate{Symbol: g.Symbol, Name: g.Name, ID: id})
		}
	}
	if len(a.Matches) == 0 {
		return nil
	}
	return a
}

// nearestSymbol calls eutils.SimilarSymbol for the requested organism.
func nearestSymbol(ctx context.Context, in *command.Input, word string) string {
	return eutils.SimilarSymbol(ctx, in.App, word, taxonOf(in.String("organism")))
}
