package disease

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"biomcp/entrez"
	"biomcp/entrez/httpclient"
	"biomcp/entrez/medgen"
	"biomcp/entrez/ncbi"
	"biomcp/entrez/resolve"
	"biomcp/entrez/services"
)

// A Client finds diseases. It is safe for concurrent use.
type Client struct {
	network *httpclient.Client
	ncbi    *entrez.Client
}

// New returns a client that sends its requests through network.
func New(network *httpclient.Client) *Client {
	return &Client{network: network, ncbi: entrez.New(network)}
}

// A Result is the disease for a word, or the reason why there is none.
type Result struct {
	Word    string
	Disease *Disease      // nil if it was not found
	Miss    *resolve.Miss // nil if Disease was found
	// Merged lists the concepts that MedGen merged into Disease, first the one that Word names.
	Merged []Merge
	// ReadAs is the name of the disease if Word is another of its names, or an id of the Disease Ontology,
	// whose label was looked for; otherwise "".
	ReadAs string
}

// A Merge says that MedGen merged a concept into another. Both are CUIs.
type Merge struct{ From, Into string }

// An Answer holds the results for several words.
type Answer struct {
	Results      []Result // in the order of the words
	SuccessorErr error    // the error that kept MedGen from sending the successor of a merged concept, or nil
	UnreadErr    error    // not nil if MedGen cannot send a concept that may have one of the names
}

// Find returns the disease that word names. The error is a [*resolve.Miss] unless ctx was cancelled.
func (c *Client) Find(ctx context.Context, word string) (*Disease, error) {
	answer, err := c.FindAll(ctx, word)
	switch {
	case errors.Is(err, context.Canceled):
		return nil, err
	case err != nil:
		return nil, unavailable(word, err)
	}
	if r := answer.Results[0]; r.Miss != nil {
		return nil, r.Miss
	}
	return answer.Results[0].Disease, nil
}

func unavailable(word string, err error) *resolve.Miss {
	return &resolve.Miss{Kind: resolve.Unavailable, Entity: "disease", Word: word, Sources: []string{Source}, Err: err}
}

// FindAll finds at most [Max] words: ESearch for all except MedGen uids, and ESummary for the concepts.
// Merged concepts take another ESummary, and an ESearch if MedGen gives their CUI. Words of one
// disease share its record. FindAll returns an error only if MedGen did not answer.
func (c *Client) FindAll(ctx context.Context, words ...string) (*Answer, error) {
	l := &lookup{
		client: c.ncbi, labels: map[string]string{}, labelErrs: map[string]error{},
		totals: map[string]int{},
	}
	var doids, others []string
	for _, w := range words {
		if _, is := services.ParseDOID(w); is {
			doids = append(doids, w)
		} else {
			others = append(others, w)
		}
	}
	if err := l.askAll(ctx, c.network, doids, others); err != nil {
		return nil, err
	}
	l.addSuccessors(ctx, func(c *medgen.Concept) bool { return wanted(c, words) })
	return l.answer(words), nil
}

// Successors returns the concept that each of concepts was merged into, by the uid or CUI in its Merged,
// if wanted returns true for it. A successor that MedGen does not have is absent.
func (c *Client) Successors(
	ctx context.Context, concepts []*medgen.Concept, wanted func(c *medgen.Concept) bool,
) (map[string]*medgen.Concept, error) {
	l := &lookup{client: c.ncbi, concepts: concepts, totals: map[string]int{}}
	l.addSuccessors(ctx, wanted)
	into := map[string]*medgen.Concept{}
	for _, c := range concepts {
		if successor := l.byID(c.Merged); c.Merged != "" && successor != nil {
			into[c.Merged] = successor
		}
	}
	return into, l.successorErr
}

// A lookup holds the words of one FindAll and the concepts found for them.
type lookup struct {
	client       *entrez.Client
	concepts     []*medgen.Concept
	labels       map[string]string // labels of Disease Ontology ids by word
	labelErrs    map[string]error  // errors of Disease Ontology ids by word
	totals       map[string]int    // number of concepts with a word, if more than were read
	unread       entrez.Docs       // names the concepts whose summary is too large
	successorErr error             // error from looking for the successor of a merged concept
}

// addSuccessors adds the successors of merged concepts that are wanted.
func (l *lookup) addSuccessors(ctx context.Context, wanted func(c *medgen.Concept) bool) {
	for range 3 { // a concept may have been merged several times
		var successors []string
		for _, c := range l.concepts {
			if c.Merged != "" && l.byID(c.Merged) == nil && !slices.Contains(successors, c.Merged) && wanted(c) {
				successors = append(successors, c.Merged)
			}
		}
		if len(successors) == 0 {
			break
		}
		known := len(l.unread.TooLarge)
		err := l.ask(ctx, successors)
		if unread := l.unread.TooLarge[known:]; err == nil && len(unread) > 0 {
			err = l.unread.Unread(unread...)
		}
		if err != nil {
			l.successorErr = err
			break
		}
	}
}

// askAll asks for queries, and concurrently for the labels of Disease Ontology ids, which it
// then asks for as names.
func (l *lookup) askAll(ctx context.Context, network *httpclient.Client, doids, queries []string) (err error) {
	labels, errs := make([]string, len(doids)), make([]error, len(doids))
	gone := httpclient.FetchAll(ctx, 0, len(doids)+min(1, len(queries)), func(part context.Context, i int) {
		if i < len(doids) {
			id, _ := services.ParseDOID(doids[i])
			labels[i], errs[i] = services.DiseaseLabel(part, network, id)
		} else {
			err = l.ask(ctx, queries)
		}
	})
	if gone != nil || err != nil {
		return cmp.Or(gone, err)
	}
	for i, w := range doids {
		if l.labels[w] = labels[i]; errs[i] != nil {
			l.labelErrs[w] = errs[i]
		}
	}
	return l.ask(ctx, doids)
}

func wanted(c *medgen.Concept, words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return c.HasID(canonical(w)) || hasName(c, w) })
}

// canonical returns an id in MedGen's form, and any other word unchanged.
func canonical(word string) string {
	if id, _, ok := medgen.ParseID(word); ok {
		return id
	}
	return word
}

// ask adds the concepts that may match words.
func (l *lookup) ask(ctx context.Context, words []string) error {
	var uids, terms, asked []string
	for _, w := range words {
		_, other, ok := medgen.ParseID(w)
		if label, is := l.labels[w]; is {
			w, ok, other = label, true, label
		}
		switch {
		case w == "":
			continue
		case ncbi.UIDForm().MatchString(w):
			uids = append(uids, w)
			continue
		case !ok:
			other = w
		}
		if other = strings.TrimSpace(strings.NewReplacer(`"`, " ", "*", " ").Replace(other)); other != "" {
			terms, asked = append(terms, `"`+other+`"`), append(asked, w)
		}
	}
	found, err := l.search(ctx, terms, asked)
	if err != nil {
		return err
	}
	uids = append(uids, found...)
	uids = slices.DeleteFunc(uids, func(id string) bool {
		return slices.ContainsFunc(l.concepts, func(c *medgen.Concept) bool { return c.UID == id })
	})
	docs, err := l.client.Docs(ctx, "medgen", uids)
	if err != nil {
		return err
	}
	for _, d := range docs.Items {
		l.concepts = append(slices.Clip(l.concepts), medgen.ParseSummary(d))
	}
	l.unread.TooLarge = append(l.unread.TooLarge, docs.TooLarge...)
	l.unread.DB, l.unread.URL = docs.DB, docs.URL
	return nil
}

// search returns the uids of concepts with any of the terms, and counts those of each word that has more
// than are read. terms[i] is the query for asked[i].
func (l *lookup) search(ctx context.Context, terms, asked []string) ([]string, error) {
	if len(terms) == 0 {
		return nil, nil
	}
	find := func(term string, limit int) (*entrez.SearchResult, error) {
		return l.client.Search(ctx, entrez.SearchParams{DB: "medgen", Term: term, RetMax: limit})
	}
	all, err := find(strings.Join(terms, " OR "), MaxConcepts*len(terms))
	if err != nil {
		return nil, err
	}
	uids := all.IDs
	switch {
	case all.Count <= len(all.IDs):
		return uids, nil
	case len(terms) == 1:
		l.totals[asked[0]] = all.Count
		return uids, nil
	}
	for i, term := range terms { // one common word may have filled all places
		some, err := find(term, MaxConcepts)
		if err != nil {
			return nil, err
		}
		if some.Count > len(some.IDs) {
			l.totals[asked[i]] = some.Count
		}
		for _, id := range some.IDs {
			if !slices.Contains(uids, id) {
				uids = append(uids, id)
			}
		}
	}
	return uids, nil
}

// unreadErr returns an error if a concept that a word may name has a summary that is too large. The
// reply of a search does not say which of the words a concept has.
func (l *lookup) unreadErr(word string) error {
	if ncbi.UIDForm().MatchString(word) {
		return l.unread.Unread(word)
	}
	return l.unread.Unread()
}

func (l *lookup) byID(id string) *medgen.Concept {
	if i := slices.IndexFunc(l.concepts, func(c *medgen.Concept) bool { return c.HasID(id) }); i >= 0 {
		return l.concepts[i]
	}
	return nil
}

// answer returns the results in the order of the words.
func (l *lookup) answer(words []string) *Answer {
	out := &Answer{SuccessorErr: l.successorErr, UnreadErr: l.unread.Unread()}
	shared := map[string]*Disease{} // by uid
	for _, w := range words {
		out.Results = append(out.Results, l.result(w, shared))
	}
	return out
}

// result returns the disease or the miss of a word.
func (l *lookup) result(word string, shared map[string]*Disease) Result {
	r := Result{Word: word}
	if err := l.labelErrs[word]; err != nil {
		r.Miss = unavailable(word, err)
		return r
	}
	c, miss := l.find(cmp.Or(l.labels[word], word))
	if err := l.unreadErr(word); c == nil && err != nil {
		r.Miss = unavailable(word, err)
		return r
	}
	if c == nil {
		miss.Unread = max(0, l.totals[word]-MaxConcepts)
		r.Miss = miss
		return r
	}
	for range 3 {
		if successor := l.byID(c.Merged); c.Merged != "" && successor != nil {
			r.Merged = append(r.Merged, Merge{c.CUI, successor.CUI})
			c = successor
		}
	}
	if shared[c.UID] == nil {
		shared[c.UID] = FromConcept(c)
	}
	r.Disease = shared[c.UID]
	if (!IsID(word) || l.labels[word] != "") && resolve.Fold(word) != resolve.Fold(c.Name) {
		r.ReadAs = c.Name
	}
	return r
}

// find returns the concept with word as its id, its name or, last, a synonym. If word is a
// gene or has several concepts, or none, the miss says so.
func (l *lookup) find(word string) (*medgen.Concept, *resolve.Miss) {
	if IsID(word) {
		return l.byID(canonical(word)), &resolve.Miss{Entity: "disease", Word: word}
	}
	for _, c := range l.concepts {
		if resolve.Fold(c.Name) == resolve.Fold(word) {
			return c, nil
		}
	}
	for _, c := range l.concepts {
		for _, g := range c.Genes {
			if strings.EqualFold(g.Symbol, word) {
				m := resolve.AliasOf("disease", word, resolve.GeneSymbol, Source, resolve.Candidate{Symbol: g.Symbol, ID: g.ID})
				m.Of = "gene"
				return nil, m
			}
		}
	}
	var same []*medgen.Concept
	for _, c := range l.concepts {
		if hasName(c, word) && c.Merged == "" {
			same = append(same, c)
		}
	}
	if len(same) == 1 {
		return same[0], nil
	}
	return nil, l.ambiguous(word, same)
}

func hasName(c *medgen.Concept, word string) bool {
	return resolve.ContainsFolded(append(c.Synonyms, c.Name), word)
}

// ambiguous returns the miss of a word that is the name of several concepts, or of none. It then
// names the concepts whose names contain word.
func (l *lookup) ambiguous(word string, matches []*medgen.Concept) *resolve.Miss {
	var candidates []resolve.Candidate
	for _, c := range matches {
		candidates = append(candidates, resolve.Candidate{Symbol: c.CUI, Name: c.Name, ID: c.UID})
	}
	m := resolve.AliasOf("disease", word, resolve.Synonym, Source, candidates...)
	for _, c := range l.concepts {
		names := strings.ToLower(strings.Join(append(c.Synonyms, c.Name), "\n"))
		if m.Kind == resolve.NotFound && strings.Contains(names, strings.ToLower(word)) {
			m.Similar = append(m.Similar, c.Name)
		}
	}
	return m
}
