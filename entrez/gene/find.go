package gene

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"biomcp/entrez"
	"biomcp/entrez/datasets"
	"biomcp/entrez/httpclient"
	"biomcp/entrez/resolve"
)

// A Client finds genes. It may be used by several goroutines once its fields are set.
type Client struct {
	Taxon string    // taxid of the organism whose genes symbols name; "" means human
	Table NameTable // names of human genes on this machine; nil means none

	network *httpclient.Client
}

// New returns a client for human genes that sends its requests through network.
func New(network *httpclient.Client) *Client { return &Client{network: network} }

// taxon returns the taxid of the genes that symbols name.
func (c *Client) taxon() string { return cmp.Or(c.Taxon, datasets.Human) }

// A Result is the gene for a word, or the reason why there is none.
type Result struct {
	Word string
	Gene *Gene         // nil unless it was found; a replaced or withdrawn record that was read comes with its Miss
	Miss *resolve.Miss // nil if Gene is a current record
	// Symbol is the symbol that Word was read as, which may be written otherwise. It is "" if Word is an
	// id, and if NCBI Datasets did not find the symbol.
	Symbol string
	Listed *Name // the entry of the table for an alias; nil if the table was not asked or does not have it
}

// An Answer holds the results for several words.
type Answer struct {
	Results      []Result // in the order of the words
	LocationsErr error    // the error that kept NCBI Gene from sending the locations and other names, or nil
	PartErr      error    // the error that may have left members of a found gene empty, or nil
}

// Find returns the gene that word names. The error is a [*resolve.Miss] unless ctx was cancelled. A gene
// that was replaced or withdrawn, if it was read, is returned together with the miss that says so.
func (c *Client) Find(ctx context.Context, word string) (*Gene, error) {
	answer, err := c.FindAll(ctx, word)
	switch {
	case errors.Is(err, context.Canceled):
		return nil, err
	case err != nil:
		return nil, &resolve.Miss{Kind: resolve.Unavailable, Entity: "gene", Word: word, Sources: []string{Source}, Err: err}
	}
	if r := answer.Results[0]; r.Miss != nil {
		return r.Gene, r.Miss
	}
	return answer.Results[0].Gene, nil
}

// FindAll finds at most [Max] words with few requests: NCBI Datasets for symbols and GeneIDs, ESearch for
// words that may be aliases, and ESummary for all genes. Words of one gene share its record. It
// returns an error only if it found out nothing.
func (c *Client) FindAll(ctx context.Context, words ...string) (*Answer, error) {
	l := &lookup{
		Client: c, aliasNames: map[string]Name{}, symbolOf: map[string]string{}, client: entrez.New(c.network),
		reports: datasets.New(c.network), ids: map[string]string{}, errs: map[string]error{},
		docs: map[string]*Gene{}, byID: map[string]*datasets.Gene{},
	}
	if err := l.ask(ctx, words); err != nil {
		return nil, err
	}
	return l.answer(words), nil
}

// A lookup holds the words of one FindAll and the genes found for them.
type lookup struct {
	*Client
	aliasNames map[string]Name   // aliases in the table
	symbolOf   map[string]string // symbols that NCBI Datasets found, by word
	client     *entrez.Client
	reports    *datasets.Client
	ids        map[string]string         // GeneIDs by word
	open       []string                  // words without a GeneID yet
	candidates []string                  // GeneIDs that the open words may be aliases of
	byID       map[string]*datasets.Gene // answers of Datasets by GeneID
	docs       map[string]*Gene          // answers of ESummary by GeneID
	unread     *entrez.Docs              // the reply of ESummary, which names genes it cannot send; nil if none came
	docsErr    error                     // error from ESummary
	sourceErr  error                     // error from Datasets or ESummary
	errs       map[string]error          // errors of the words that could not be looked up
}

func (l *lookup) ask(ctx context.Context, words []string) error {
	var symbols, numbers, others []string
	for _, w := range words {
		switch {
		case strings.TrimSpace(w) == "":
		case IsID(w):
			numbers = append(numbers, w)
			l.ids[w] = w
		case IsRegistryID(w):
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
		l.addReports(l.reports.BySymbol(reporting, symbols, l.taxon()))
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

// isListed reports whether the table has word as an alias, which saves a request.
func (l *lookup) isListed(ctx context.Context, word string) bool {
	if l.taxon() != datasets.Human || IsMouseStyle(word) {
		return false
	}
	name, known := l.listed(ctx, word)
	if known && len(name.Genes) > 0 {
		l.aliasNames[word] = name
	}
	return len(name.Genes) > 0
}

// findMentions returns the GeneIDs of records that mention HGNC or Ensembl ids, by one ESearch.
func (l *lookup) findMentions(ctx context.Context, ids []string) []string {
	if len(ids) == 0 {
		return nil
	}
	var terms []string
	for _, id := range ids {
		terms = append(terms, `"`+id+`"[All Fields]`)
	}
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
					l.ids[w], l.symbolOf[w] = id, g.Symbol
					return true
				}
			}
		}
		return false
	})
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
	l.candidates, err = l.search(ctx, terms, " AND "+l.taxon()+"[TID]", 20*len(l.open))
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
		l.docsErr = err
		return nil
	}
	for _, d := range docs.Items {
		l.docs[d.UID] = ParseSummary(d)
	}
	l.unread = docs
	return nil
}

// answer returns the results in the order of the words.
func (l *lookup) answer(words []string) *Answer {
	out := &Answer{LocationsErr: l.docsErr}
	for _, w := range words {
		out.Results = append(out.Results, l.result(w))
	}
	out.PartErr = l.sourceErr
	return out
}

// result returns the gene or the miss of a word.
func (l *lookup) result(word string) Result {
	id, known := l.ids[word]
	if !known {
		id = l.symbolID(word)
	}
	r := Result{Word: word, Symbol: l.symbolOf[word]}
	if r.Gene = l.gene(id); r.Gene != nil {
		l.sourceErr = cmp.Or(l.sourceErr, l.unreadErr(id))
		r.Miss = gone(word, r.Gene)
		return r
	}
	if r.Miss = l.merged(word, id); r.Miss != nil {
		return r
	}
	if err := cmp.Or(l.errs[word], l.unreadErr(l.possibleIDs(word)...)); err != nil {
		r.Miss = &resolve.Miss{Kind: resolve.Unavailable, Entity: "gene", Word: word, Sources: []string{Source}, Err: err}
		return r
	}
	if name, listed := l.aliasNames[word]; listed {
		r.Listed = &name
	}
	r.Miss = l.alias(word, r.Listed)
	return r
}

// gone returns the miss of a record that was replaced or withdrawn, nil for a current one.
func gone(word string, g *Gene) *resolve.Miss {
	switch {
	case g.ReplacedBy != "":
		return replacedBy(word, resolve.Candidate{Symbol: g.ReplacedBy, ID: g.ReplacedBy})
	case g.Status == Discontinued:
		return &resolve.Miss{Kind: resolve.Withdrawn, Entity: "gene", Word: word, Sources: []string{Source}}
	}
	return nil
}

// merged returns the miss of a GeneID in whose place Datasets reports the gene it was merged into. It
// returns nil if Datasets does not.
func (l *lookup) merged(word, id string) *resolve.Miss {
	for _, g := range l.byID {
		if id != "" && slices.Contains(g.Query, id) {
			return replacedBy(word, resolve.Candidate{Symbol: g.Symbol, Name: g.Name, ID: g.ID})
		}
	}
	return nil
}

func replacedBy(word string, successor resolve.Candidate) *resolve.Miss {
	return &resolve.Miss{Kind: resolve.Replaced, Entity: "gene", Word: word, Sources: []string{Source},
		Candidates: []resolve.Candidate{successor}}
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
	return g != nil && (g.Organism.TaxID == l.taxon() || g.Organism.TaxID == "" && l.taxon() == datasets.Human)
}

// gene merges the answers of both sources; it returns nil if neither has the gene.
func (l *lookup) gene(id string) *Gene {
	g, report := l.docs[id], l.byID[id]
	if g == nil && report == nil {
		return nil
	}
	if g == nil {
		g = &Gene{ID: id, Status: Live}
		l.docs[id] = g
	}
	g.add(report)
	return g
}

// alias returns the miss of a word that is not a symbol, with the genes that have it as another name.
func (l *lookup) alias(word string, listed *Name) *resolve.Miss {
	var genes []resolve.Candidate
	label := Source
	if listed != nil {
		genes, label = listed.Genes, cmp.Or(listed.Source, Source)
	}
	for _, id := range l.candidates {
		if g := l.docs[id]; l.isOf(g) && resolve.ContainsFolded(g.Aliases, word) {
			genes = append(slices.Clip(genes), resolve.Candidate{Symbol: g.Symbol, Name: g.Name, ID: id})
		}
	}
	return resolve.AliasOf("gene", word, resolve.GeneAlias, label, genes...)
}
