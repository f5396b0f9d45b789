package disease

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/cli/entity/query"
	"biomcp/cli/entity/spelling"
	"biomcp/cli/result"
	"biomcp/entrez"
	"biomcp/entrez/httpclient"
	"biomcp/entrez/medgen"
	"biomcp/entrez/ncbi"
	"biomcp/entrez/ols"
	"biomcp/entrez/resolve"
)

// maxConcepts is the number of concepts read per word to find the one with that name.
const maxConcepts = 20

// A lookup holds the words of one get command and the concepts found for them.
type lookup struct {
	client    *entrez.Client
	concepts  []*medgen.Concept
	notices   []string
	labels    map[string]string // labels of Disease Ontology ids by word
	labelErrs map[string]error  // errors of Disease Ontology ids by word
	totals    map[string]int    // number of concepts with a word, if more than were read
	unread    entrez.Docs       // names the concepts whose summary is too large
}

// fetch asks ESearch for all words except MedGen uids, and ESummary for the concepts.
// Merged concepts take another ESummary, and an ESearch if MedGen gives their CUI.
func fetch(ctx context.Context, in *command.Input, words []string, _ entity.Sections) (*entity.Found[Disease], error) {
	l := &lookup{
		client: in.App.Entrez(), labels: map[string]string{}, labelErrs: map[string]error{},
		totals: map[string]int{},
	}
	var doids, others []string
	for _, w := range words {
		if _, is := ols.ParseID(w); is {
			doids = append(doids, w)
		} else {
			others = append(others, w)
		}
	}
	if err := l.askAll(ctx, in.App.Network(), doids, others); err != nil {
		return nil, err
	}
	l.addSuccessors(ctx, func(c *medgen.Concept) bool { return wanted(c, words) })
	return l.answer(words)
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
			l.notices = append(l.notices, "the successor of a merged record is missing: "+err.Error())
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
			id, _ := ols.ParseID(doids[i])
			labels[i], errs[i] = ols.Label(part, network, id)
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
		if err := query.CheckTerm(w, "get", "disease", "--help"); err != nil {
			return err
		}
		if other = strings.TrimSpace(strings.NewReplacer(`"`, " ", "*", " ").Replace(other)); other != "" {
			terms, asked = append(terms, `"`+other+`"`), append(asked, w)
		}
	}
	if len(terms) > 0 {
		found, err := l.client.Search(ctx, entrez.SearchParams{
			DB: "medgen", Term: strings.Join(terms, " OR "), RetMax: maxConcepts * len(terms),
		})
		if err != nil {
			return err
		}
		uids = append(uids, found.IDs...)
		if found.Count > len(found.IDs) && len(terms) == 1 {
			l.totals[asked[0]] = found.Count
		}
		if found.Count > len(found.IDs) && len(terms) > 1 { // one common word may have filled all places
			for i, term := range terms {
				found, err := l.client.Search(ctx, entrez.SearchParams{DB: "medgen", Term: term, RetMax: maxConcepts})
				if err != nil {
					return err
				}
				if found.Count > len(found.IDs) {
					l.totals[asked[i]] = found.Count
				}
				for _, id := range found.IDs {
					if !slices.Contains(uids, id) {
						uids = append(uids, id)
					}
				}
			}
		}
	}
	uids = slices.DeleteFunc(uids, func(id string) bool {
		return slices.ContainsFunc(l.concepts, func(c *medgen.Concept) bool { return c.UID == id })
	})
	docs, err := l.client.Docs(ctx, "medgen", uids)
	if err != nil {
		return err
	}
	l.concepts = append(l.concepts, result.Map(docs.Items, medgen.ParseSummary)...)
	l.unread.TooLarge = append(l.unread.TooLarge, docs.TooLarge...)
	l.unread.DB, l.unread.URL = docs.DB, docs.URL
	return nil
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

// answer returns the diseases in the order of the words.
func (l *lookup) answer(words []string) (*entity.Found[Disease], error) {
	out := &entity.Found[Disease]{}
	shown := map[string]*Disease{}
	for _, w := range words {
		if err := l.labelErrs[w]; err != nil {
			out.Failed(w, err)
			continue
		}
		c, other := l.find(cmp.Or(l.labels[w], w))
		if err := l.unreadErr(w); c == nil && err != nil {
			out.Failed(w, err)
			continue
		}
		if c == nil {
			if n := l.totals[w]; n > 0 {
				other = cmp.Or(other, missing(w, "no disease is called "+command.Clip(w)))
				other.Message += fmt.Sprintf("; only the first %d of %d concepts of MedGen with these words were read",
					maxConcepts, n)
			}
			out.NotFound(w, other)
			continue
		}
		for range 3 {
			if successor := l.byID(c.Merged); c.Merged != "" && successor != nil {
				l.notices = append(l.notices, c.CUI+" was merged into "+successor.CUI)
				c = successor
			}
		}
		if d := shown[c.UID]; d != nil {
			out.Add(w, d)
			continue
		}
		d := newDisease(c)
		shown[c.UID] = d
		out.Add(w, d)
		out.Notices = append(out.Notices, d.notices...)
		if (!isID(w) || l.labels[w] != "") && !strings.EqualFold(resolve.Fold(w), resolve.Fold(c.Name)) {
			l.notices = append(l.notices, command.Clip(w)+" is read as "+c.Name)
		}
	}
	if err := l.unread.Unread(); err != nil && out.Problem == nil {
		out.Problem, l.notices = err, append(l.notices, "a concept with these names may be missing: "+err.Error())
	}
	out.Notices = append(l.notices, out.Notices...)
	return out, nil
}

// find returns the concept with word as its id, its name or, last, a synonym. If word is a
// gene or has several concepts, or none, the failure says so; it may be nil.
func (l *lookup) find(word string) (*medgen.Concept, *result.Failure) {
	if isID(word) {
		return l.byID(canonical(word)), nil
	}
	for _, c := range l.concepts {
		if resolve.Fold(c.Name) == resolve.Fold(word) {
			return c, nil
		}
	}
	for _, c := range l.concepts {
		for _, g := range c.Genes {
			if strings.EqualFold(g.Symbol, word) {
				return nil, gene(word, g)
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

// gene returns a failure that word is a gene, with a search for its diseases.
func gene(word string, g medgen.Gene) *result.Failure {
	a := entity.Alias{
		Entity: "disease", Word: word, Description: "a gene, not a disease", Tier: "symbol", MatchEntity: "gene",
		Sources: []string{source},
		Matches: []result.Candidate{{Symbol: g.Symbol, ID: g.ID}},
	}
	f := a.Failure()
	f.Next = append(f.Next, result.Argv{"search", "disease", "--gene", g.Symbol})
	return f
}

// ambiguous returns a failure that names the concepts in same, if more than one, or else
// concepts whose names contain word; nil if there are not any.
func (l *lookup) ambiguous(word string, matches []*medgen.Concept) *result.Failure {
	if len(matches) > 1 {
		a := entity.Alias{Entity: "disease", Word: word, Description: "a name", Tier: "synonym", Sources: []string{source}}
		a.Matches = result.Map(matches, func(c *medgen.Concept) result.Candidate {
			return result.Candidate{Symbol: c.CUI, Name: c.Name, ID: c.UID}
		})
		return a.Failure()
	}
	var like []string
	for _, c := range l.concepts {
		if strings.Contains(strings.ToLower(strings.Join(append(c.Synonyms, c.Name), "\n")), strings.ToLower(word)) {
			like = append(like, c.Name)
		}
	}
	if len(like) == 0 {
		return nil
	}
	return missing(word, "no disease is called "+command.Clip(word)+"; names with it: "+command.Abbreviate(like))
}

func missing(word, message string) *result.Failure {
	f := result.Missing(message, "search", "disease", word)
	f.Details = map[string]any{"not_found": []string{word}}
	return f
}

// correctedName returns name in a corrected spelling if a disease has that name.
func correctedName(ctx context.Context, in *command.Input, name string) string {
	better := spelling.Correct(ctx, in, name)
	if better == "" {
		return ""
	}
	if found, err := fetch(ctx, in, []string{better}, nil); err != nil || len(found.Records) == 0 {
		return ""
	}
	return better
}
