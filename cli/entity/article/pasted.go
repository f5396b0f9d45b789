package article

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/cli/entity/query"
	"biomcp/cli/result"
	"biomcp/entrez"
	"biomcp/entrez/cite/refparse"
	"biomcp/entrez/httpclient"
	"biomcp/entrez/record"
	"biomcp/rag"
)

const (
	maxReference  = 16 << 10 // bytes of a pasted reference
	maxReferences = 500      // per answer
	minScore      = 0.6      // lowest score that accepts an article
)

// pastedAnswer is the answer of search citation to printed references.
type pastedAnswer struct {
	// Format is the form in which the references were given: lines, or the format of the file.
	Format     refparse.Format    `json:"format"`
	Skipped    int                `json:"skipped"` // lines that belong to no record of the file
	References []*pastedReference `json:"references"`
}

// pastedReference is a printed reference with the article found for it. FoundBy names the
// step that found it: identifier, ecitmatch, title or corpus.
type pastedReference struct {
	Reference refparse.Reference `json:"asked"`
	// Outcome is found, disagrees, ambiguous, not_found, unanswered, too_little to search for, or
	// other_identifier if only the article of its identifier was found, which is another one.
	Outcome    string         `json:"outcome"`
	FoundBy    string         `json:"found_by"` // "" if not found
	Score      *float64       `json:"score"`    // 0 to 1; null without a match
	Match      *citationMatch `json:"match"`
	Candidates []string       `json:"candidates"` // PMIDs if ambiguous
	// IdentifierOf is the article that owns the identifier of the reference, if it is another one.
	IdentifierOf *articleHit `json:"identifier_of"`

	other     *entrez.Summary // article of its identifier, if that does not fit
	differs   string          // text about other, if no article was found
	retracted []string        // candidates that have been retracted
	pending   bool            // the current step looks for it
	tried     bool            // some step has looked for it
	stepErr   error           // error of a step that did not answer
}

func checkReference(text string) error {
	if text == "" {
		return result.Invalid("the reference is empty", citationHelp...)
	}
	if strings.Trim(text, "0123456789,; \n") == "" {
		numbers := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(",; \n", r) })
		return result.Invalid(command.Clip(text)+
			" is a number, not a reference; get article reads an article by its number",
			append([]string{"get", "article"}, numbers...)...)
	}
	return query.CheckText("the reference", text, maxReference, "\n\r\t", citationHelp...)
}

// findPasted finds the articles of pasted references.
func findPasted(ctx context.Context, in *command.Input, q *entity.Query) (*entity.Page[citationMatch], error) {
	if len(q.Filters) > 0 {
		return nil, result.Invalid("search citation takes a printed reference, or its parts as flags, not both",
			citationHelp...)
	}
	if err := entity.RejectFileName(in, "from"); err != nil {
		return nil, err
	}
	file, err := readReferences(in)
	if err != nil {
		return nil, err
	}
	f := finder{
		in: in,
		all: result.Map(file.References, func(r refparse.Reference) *pastedReference {
			return &pastedReference{Reference: r}
		}),
		notices: skippedLines(file),
	}
	switch n := len(f.all); {
	case n == 0:
		return nil, result.Invalid("the input contains no reference", citationHelp...)
	case n > maxReferences:
		return nil, result.Invalid(fmt.Sprintf("%d references are too many for one answer, which has at most "+
			"%d: divide them",
			n, maxReferences),
			citationHelp...)
	}
	network := in.App.Network()
	f.network, f.client = network, entrez.New(network)
	for _, step := range []func(context.Context) error{f.byIdentifier, f.byMatcher, f.byTitle, f.inCorpus} {
		err := step(ctx)
		if errors.Is(err, context.Canceled) {
			return nil, err
		}
		for _, r := range f.all {
			if r.pending && err != nil {
				r.stepErr = err
			}
			r.tried, r.pending = r.tried || r.pending, false
		}
	}
	answer := &pastedAnswer{Format: file.Format, Skipped: len(file.Skipped), References: f.all}
	p := &entity.Page[citationMatch]{
		Retrieved: len(f.all), Records: f.all, Notices: f.notices,
		Payload: func(*entity.Hits[citationMatch]) result.Payload { return answer },
	}
	for _, r := range f.all {
		if err := r.close(); err != nil {
			p.Err, p.State = err, result.Degraded
		}
		if r.Match != nil {
			p.Hits = append(p.Hits, r.Match)
		}
	}
	if entity.FileStyle(in) == "" { // cite names them otherwise
		p.Notices = append(p.Notices, entity.RetractionNotices(answer.retractedPMIDs())...)
	}
	return p, f.cite(ctx, p)
}

// A finder runs the steps that look for references.
type finder struct {
	in      *command.Input
	network *httpclient.Client
	client  *entrez.Client
	all     []*pastedReference
	notices []string
}

// open returns the references not found so far.
func (f *finder) open() []*pastedReference {
	return slices.DeleteFunc(slices.Clone(f.all), func(r *pastedReference) bool { return r.Outcome != "" })
}

// byIdentifier looks up PMIDs, PMCIDs and DOIs.
func (f *finder) byIdentifier(ctx context.Context) error {
	var ids []*articleID
	of := map[*pastedReference]*articleID{}
	for _, r := range f.all {
		word := cmp.Or(r.Reference.PMID, r.Reference.PMCID, r.Reference.DOI)
		if word == "" || !IsID(word) {
			continue
		}
		if id, err := parseArticleID(word); err == nil {
			ids, of[r], r.pending = append(ids, id), id, true
		}
	}
	notices, err := resolve(ctx, f.network, ids)
	if err != nil {
		return err
	}
	f.notices = append(f.notices, notices...)
	err = f.describe(ctx, "identifier", func(r *pastedReference) []string {
		if id := of[r]; id != nil && id.pmid != "" {
			return []string{id.pmid}
		}
		return nil
	})
	for _, id := range ids {
		err = cmp.Or(err, id.err)
	}
	return err
}

// byMatcher asks ECitMatch for references with a journal.
func (f *finder) byMatcher(ctx context.Context) error {
	var ask []entrez.Citation
	var of []*pastedReference
	for _, r := range f.open() {
		if a := r.Reference; a.Journal != "" && a.Year+a.Volume+a.Page+a.Author != "" {
			r.pending = true
			ask = append(ask, entrez.Citation{
				Journal: a.Journal, Year: a.Year, Volume: a.Volume, FirstPage: a.Page, Author: a.Author,
			})
			of = append(of, r)
		}
	}
	if len(ask) == 0 {
		return nil
	}
	matches, err := f.client.MatchCitations(ctx, ask)
	if err != nil {
		return err
	}
	found := map[*pastedReference][]string{}
	for i, m := range matches {
		found[of[i]] = m.Candidates[:min(maxCandidates, len(m.Candidates))]
		if m.PMID != "" {
			found[of[i]] = []string{m.PMID}
		}
	}
	return f.describe(ctx, "ecitmatch", func(r *pastedReference) []string { return found[r] })
}

// byTitle searches for all words of a title, and then for any third of them, because a
// misspelling affects only one third.
func (f *finder) byTitle(ctx context.Context) error {
	words := map[*pastedReference][]string{}
	for _, r := range f.open() {
		w := slices.DeleteFunc(foldWords(r.Reference.Title), func(w string) bool { return len(w) < 4 })
		words[r], r.pending = w[:min(15, len(w))], len(w) > 1 || len(w) == 1 && r.Reference.Author+r.Reference.Year != ""
	}
	for _, r := range f.open() {
		words := words[r]
		if !r.pending {
			continue
		}
		terms := []string{titleTerm(words)}
		if len(words) == 1 {
			terms[0] += restrictions(r.Reference)
		}
		if third := len(words) / 3; third >= 2 {
			terms = append(terms,
				"("+titleTerm(words[:third])+") OR ("+titleTerm(words[third:2*third])+") OR ("+
					titleTerm(words[2*third:])+")")
		}
		for _, term := range terms {
			found, err := f.client.Search(ctx, entrez.SearchParams{DB: "pubmed", Term: term, RetMax: maxCandidates})
			if err != nil {
				return err
			}
			if len(words) == 1 && found.Count > maxCandidates { // the right one may be beyond the candidates
				r.pending = false
				break
			}
			if err := f.describe(ctx, "title", func(other *pastedReference) []string {
				if other == r {
					return found.IDs
				}
				return nil
			}); err != nil {
				return err
			}
			if r.Outcome != "" {
				break
			}
		}
	}
	return nil
}

func titleTerm(title []string) string { return strings.Join(title, "[Title] AND ") + "[Title]" }

// restrictions returns the part of a search term for the author and the year of a reference whose
// title is a single word.
func restrictions(c refparse.Reference) (term string) {
	if author := strings.Join(foldWords(c.Author), " "); author != "" {
		term += " AND " + author + "[Author]"
	}
	if c.Year != "" {
		term += " AND " + c.Year + "[pdat]"
	}
	return term
}

// inCorpus searches the local corpus, if there is one, for the title.
func (f *finder) inCorpus(ctx context.Context) error {
	open := f.open()
	if len(open) == 0 {
		return nil
	}
	searcher, err := f.in.App.Searcher(ctx, time.Now())
	if err != nil {
		return nil //nolint:nilerr // there is no corpus that can be read: PubMed is asked for all
	}
	for _, r := range open {
		if r.Reference.Title == "" {
			continue
		}
		r.pending = true
		found, err := searcher.Search(ctx, r.Reference.Title, rag.Options{TopK: 5})
		if err != nil {
			return err
		}
		ids := result.Map(found.Results, func(h rag.Result) string { return h.PMID.String() })
		var described []entrez.Summary
		for _, d := range corpusDocuments(ctx, f.in, ids) {
			described = append(described, summaryOf(d))
		}
		r.offer("corpus", described)
	}
	return nil
}

// describe reads the candidates of the open references and offers them.
func (f *finder) describe(ctx context.Context, step string, candidates func(*pastedReference) []string) error {
	var ids []string
	for _, r := range f.open() {
		ids = append(ids, candidates(r)...)
	}
	if len(ids) == 0 {
		return nil
	}
	sums, err := f.client.Summaries(ctx, ids)
	if err != nil {
		return err
	}
	for _, r := range f.open() {
		mine := candidates(r)
		r.offer(step, slices.DeleteFunc(slices.Clone(sums.Items), func(s entrez.Summary) bool {
			return !slices.Contains(mine, s.UID)
		}))
	}
	return nil
}

// offer accepts the candidate with the highest agreement, if it is high enough. Several
// candidates with the same agreement make the reference ambiguous.
func (r *pastedReference) offer(step string, candidates []entrez.Summary) {
	var best *entrez.Summary
	top := 0.0
	for i := range candidates {
		if score := agreement(r.Reference, candidates[i]); best == nil || score > top {
			best, top = &candidates[i], score
		}
	}
	switch {
	case best == nil:
		return
	case top < minScore && step == "identifier":
		r.other = best
		return
	case top < minScore:
		return
	}
	for _, s := range candidates {
		if agreement(r.Reference, s) == top {
			r.Candidates = append(r.Candidates, s.UID)
			if s.Retracted {
				r.retracted = append(r.retracted, s.UID)
			}
		}
	}
	if r.FoundBy, r.Outcome = step, "ambiguous"; len(r.Candidates) == 1 {
		r.take(*best, top)
	}
}

// take sets the article of a reference.
func (r *pastedReference) take(s entrez.Summary, score float64) {
	r.Match = &citationMatch{articleHit: hitOf(s), Disagrees: disagreements(comparable(r.Reference, s), s)}
	r.Candidates, r.Score, r.Outcome = []string{}, &score, "found"
	if r.other != nil && r.other.UID != s.UID {
		r.Match.Disagrees = append(r.Match.Disagrees, r.noteOther())
	}
	if len(r.Match.Disagrees) > 0 {
		r.Outcome = "disagrees"
	}
}

// noteOther sets the article that owns the identifier of the reference, and returns a text about it.
func (r *pastedReference) noteOther() string {
	r.IdentifierOf = new(hitOf(*r.other))
	return "its identifier belongs to another article, PMID " + r.other.UID + ", " +
		record.Label(r.other.Retracted, r.other.Title)
}

// close sets the outcome of a reference that was not found, and returns the error that may
// be the cause.
func (r *pastedReference) close() error {
	switch {
	case r.Outcome != "":
	case r.stepErr != nil:
		r.Outcome = "unanswered"
		return r.stepErr
	case r.other != nil && isOfArticle(r.Reference, *r.other):
		r.FoundBy = "identifier"
		r.take(*r.other, agreement(r.Reference, *r.other))
	case r.other != nil:
		r.Outcome, r.differs = "other_identifier", r.noteOther()
	case !r.tried:
		r.Outcome = "too_little"
	default:
		r.Outcome = "not_found"
	}
	return nil
}

func (a *pastedAnswer) Doc() result.Doc {
	count := map[string]int{}
	for _, r := range a.References {
		count[r.Outcome]++
	}
	fields := result.Fields{}
	for _, o := range []string{"found", "disagrees", "ambiguous", "not_found", "other_identifier",
		"too_little", "unanswered"} {
		if count[o] > 0 {
			fields = append(fields, result.Field{Name: outcomeText(o), Value: fmt.Sprint(count[o])})
		}
	}
	if n := len(a.retractedPMIDs()); n > 0 {
		fields = append(fields, result.Field{Name: "Retracted", Value: fmt.Sprint(n)})
	}
	return result.Doc{result.Heading{Level: 1, Text: "References"}, fields, a.table()}
}

// outcomeText returns the words for an outcome of a search for a reference.
func outcomeText(outcome string) string {
	switch outcome {
	case "found":
		return "Found"
	case "disagrees":
		return "Found, with differences"
	case "ambiguous":
		return "Ambiguous"
	case "not_found":
		return "Not found"
	case "other_identifier":
		return "Not found, identifier of another article"
	case "too_little":
		return "Too little to search for"
	case "unanswered":
		return "Not answered"
	}
	return ""
}

func (a *pastedAnswer) table() result.Table {
	t := result.Table{
		Columns: result.Columns(">No.", "Reference", "PMID", "Title", "Outcome", "Found by", ">Score", "Differs"),
		Main:    true,
	}
	for i, r := range a.References {
		row := []string{
			fmt.Sprint(i + 1), entity.Truncate(r.Reference.Text, 80), "", "", outcomeText(r.Outcome), r.FoundBy, "",
			r.differs,
		}
		if r.Match != nil {
			row[2], row[3], row[6], row[7] = r.Match.PMID, r.Match.row()[1], fmt.Sprintf("%.2f", *r.Score),
				strings.Join(r.Match.Disagrees, "; ")
		} else if len(r.Candidates) > 0 {
			row[7] = "PMID " + strings.Join(result.Map(r.Candidates, r.label), " or ")
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}
