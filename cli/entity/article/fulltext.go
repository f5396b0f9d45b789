package article

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/sourcegraph/conc/pool"

	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/cli/result"
	"biomcp/entrez"
	"biomcp/entrez/httpclient"
	"biomcp/entrez/jats"
)

// fullText is an article's text from PMC, in numbered parts: one for each top-level section.
type fullText struct {
	PMCID   string       `json:"pmcid"`
	Licence jats.Licence `json:"licence"`
	Outline []heading    `json:"outline"`
	Parts   []textPart   `json:"parts"` // the requested parts, or else the abstracts

	abstracts int // number of parts that are abstracts
	more      bool
}

// heading is a line of the outline.
type heading struct {
	Number int    `json:"number"`
	Level  int    `json:"level"`
	Title  string `json:"title"`
	Words  int    `json:"words"`
}

type textPart struct {
	Number   int            `json:"number"`
	Sections []jats.Section `json:"sections"`
	// Language is the tag of a translated abstract's language, such as fr.
	Language   string           `json:"language,omitempty"`
	References []jats.Reference `json:"references,omitempty"`
}

// allParts is the range of all parts or references.
var allParts = entity.Range{From: 1, To: math.MaxInt}

// parseRange parses the value of --part or --refs.
func parseRange(flag, s string) (entity.Range, error) {
	if s == "" {
		return allParts, nil
	}
	r, ok := entity.ParseRange(s)
	if !ok {
		return r, result.Invalid(fmt.Sprintf("--%s %q is not a range such as 3, 2-4 or 5-: numbers count from 1 "+
			"and increase",
			flag, command.Clip(s)),
			"get", "article", "--help")
	}
	return r, nil
}

// parsePart parses --part: numbers of parts, words of a title, or all. For an empty value
// it returns the zero range.
func parsePart(s string) (r entity.Range, title string, err error) {
	switch s = strings.TrimSpace(s); {
	case s == "":
		return r, "", nil
	case s == "all":
		return allParts, "", nil
	case strings.ContainsFunc(s, unicode.IsLetter):
		return allParts, s, nil
	}
	r, err = parseRange("part", s)
	return r, "", err
}

// partsByTitle returns the parts with a section of that title. It prefers exact matches to
// titles that contain it ("methods" in "Materials and Methods"), and ignores case.
func (t *fullText) partsByTitle(title string) ([]textPart, error) {
	want := strings.ToLower(title)
	for _, fits := range []func(have string) bool{
		func(have string) bool { return have == want },
		func(have string) bool { return strings.Contains(have, want) },
	} {
		var parts []textPart
		for _, h := range t.Outline {
			if fits(strings.ToLower(h.Title)) && (len(parts) == 0 || parts[len(parts)-1].Number != h.Number) {
				parts = append(parts, t.Parts[h.Number-1])
			}
		}
		if parts != nil {
			return parts, nil
		}
	}
	var titles []string
	for _, h := range t.Outline {
		if h.Level <= 1 {
			titles = append(titles, h.Title)
		}
	}
	near := command.Nearest(title, titles)
	if near == "" && len(titles) > 0 {
		near = titles[0]
	}
	return nil, result.Invalid(fmt.Sprintf("%s has no part %q; it has: %s", t.PMCID, command.Clip(title),
		strings.Join(titles, "; ")),
		"get", "article", t.PMCID, "fulltext", "--part", near)
}

// maxConcurrentTexts limits concurrent requests for full texts, which can be several MB.
const maxConcurrentTexts = 3

// loadFullText reads the full texts of all articles and keeps the parts that --part names.
func loadFullText(ctx context.Context, in *command.Input, records []*Article) (entity.LoadResult, error) {
	for _, a := range records {
		a.FullText.Requested = true
	}
	want, title, err := parsePart(in.String("part"))
	if err != nil {
		return entity.LoadResult{}, err
	}
	if want == (entity.Range{}) && slices.Contains(in.Args, "all") {
		want = allParts
	}
	return textResult(records, readFullTexts(ctx, in.App.Entrez(), records, want, title))
}

// readFullTexts reads the full texts of the articles in PMC and returns the error of each article.
func readFullTexts(
	ctx context.Context, client *entrez.Client, records []*Article, want entity.Range, title string,
) []error {
	texts := 0
	for _, a := range records {
		if a.PMCID != "" {
			texts++
		}
	}
	step := httpclient.BeginTask(ctx, "full texts", texts)
	errs := make([]error, len(records))
	reading := pool.New().WithMaxGoroutines(maxConcurrentTexts)
	for i, a := range records {
		if a.PMCID == "" {
			continue
		}
		reading.Go(func() {
			defer step()
			text, err := readFullText(ctx, client, a.PMCID)
			if err == nil {
				a.FullText.Value, err = text.take(want, title)
			}
			errs[i] = err
		})
	}
	reading.Wait()
	return errs
}

// textResult reports which articles have no full text and which could not be read, given the error of each.
func textResult(records []*Article, errs []error) (entity.LoadResult, error) {
	got := entity.LoadResult{InapplicableText: map[string]string{}}
	var outside, closed []string // not in PMC; reasons why there is no text
	for i, a := range records {
		switch err := errs[i]; {
		case a.PMCID == "":
			outside, got.Inapplicable = append(outside, a.PMID), append(got.Inapplicable, a.PMID)
			got.InapplicableText[a.PMID] = "Not in PMC."
		case err == nil:
		case httpclient.IsKind(err, httpclient.NotFound):
			closed, got.Inapplicable = append(closed, err.Error()), append(got.Inapplicable, a.PMID)
			got.InapplicableText[a.PMID] = err.Error() + "."
		default:
			got.MissingIDs, got.Problem = append(got.MissingIDs, a.PMID), cmp.Or(got.Problem, err)
		}
	}
	if len(outside) == 1 {
		got.Notices = append(got.Notices,
			"article "+outside[0]+" is not in PubMed Central, so it has no full text there")
	} else if len(outside) > 1 {
		got.Notices = append(got.Notices,
			"articles "+command.Abbreviate(outside)+" are not in PubMed Central, so they have no full text there")
	}
	if len(closed) > 0 {
		got.Notices = append(got.Notices, "no full text: "+command.Abbreviate(closed))
	}
	if len(got.MissingIDs) == len(records) {
		return got, got.Problem
	}
	return got, nil
}

func readFullText(ctx context.Context, client *entrez.Client, pmcid string) (*fullText, error) {
	body, err := client.FullText(ctx, pmcid)
	if err != nil {
		return nil, err
	}
	art, err := jats.Parse(bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	if len(art.Body)+len(art.Back) == 0 { // the publisher withholds the text
		return nil, &httpclient.Error{
			Kind: httpclient.NotFound, Service: "PubMed Central", Op: "efetch",
			Message: "PubMed Central has only the front matter of " + pmcid +
				", not the text: its pages were scanned, or it is an abstract",
		}
	}
	return newFullText(pmcid, art), nil
}

// take keeps the requested parts, by number or, if title is not empty, by title. The outline
// stays whole. If no part is requested and the text has several, it keeps the abstracts.
func (t *fullText) take(r entity.Range, title string) (*fullText, error) {
	if r.From == 0 {
		if t.more = len(t.Parts) > t.abstracts+1; t.more {
			t.Parts = t.Parts[:t.abstracts]
		}
		return t, nil
	}
	if title != "" {
		var err error
		if t.Parts, err = t.partsByTitle(title); err != nil {
			return nil, err
		}
	}
	if r.From > len(t.Parts) {
		return nil, result.Invalid(fmt.Sprintf("--part %d: the text has %d parts", r.From, len(t.Parts)), "get",
			"article", t.PMCID, "fulltext", "--part", "1-")
	}
	t.Parts = inRange(r, t.Parts)
	return t, nil
}

// inRange returns the elements in the range; the result is never nil.
func inRange[T any](r entity.Range, all []T) []T {
	to := min(r.To, len(all))
	return append([]T{}, all[min(r.From-1, to):to]...)
}

func (t *fullText) Doc() result.Doc {
	outline := result.Table{Columns: result.Columns(">Part", "Section", ">Words")}
	before := 0
	for _, o := range t.Outline {
		number := ""
		if o.Number != before {
			number, before = strconv.Itoa(o.Number), o.Number
		}
		outline.Rows = append(outline.Rows, []string{
			number, strings.Repeat("– ", o.Level-1) + o.Title, strconv.Itoa(o.Words),
		})
	}
	doc := result.Doc{result.Fields{{Name: "Source", Value: t.PMCID + ", PubMed Central"}}}
	if licence := strings.TrimSpace(t.Licence.Text + " " + t.Licence.URL); licence != "" {
		doc = append(doc, result.Passage{Block: result.Fields{{Name: "Licence", Value: licence}}})
	}
	doc = append(doc, result.Heading{Level: 3, Text: "Outline"}, outline)
	if t.more {
		doc = append(doc, result.Para{Text: "--part reads more of it, by number or title: 3, 2-4, methods, or all."})
	}
	for _, p := range t.Parts {
		for _, s := range p.Sections {
			var text result.Doc
			if title := sectionTitle(s); s.Title != "" || s.Label != "" {
				text = append(text, result.Heading{Level: min(s.Level+2, 6), Text: title})
			}
			doc = append(doc, append(text, blocks(s.Blocks)...).Passages()...)
		}
		doc = append(doc, result.ItemEnd{})
	}
	return doc
}
