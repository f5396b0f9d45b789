package article

import (
	"context"
	"fmt"
	"regexp"
	"strings"

	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/cli/result"
	"biomcp/entrez"
	"biomcp/entrez/record"
)

// citationHits is the answer of `search citation`.
type citationHits struct {
	Asked      printed         `json:"asked"`
	Outcome    string          `json:"outcome"` // found, ambiguous, not_found, disagrees
	Results    []citationMatch `json:"results"`
	Candidates []string        `json:"candidates"` // PMIDs, where it is ambiguous
}

// printed is what a reference says.
type printed struct {
	Journal string `json:"journal"`
	Year    string `json:"year"`
	Volume  string `json:"volume"`
	Page    string `json:"page"`
	Author  string `json:"author"`
}

// citationMatch is a match with what the record says where the citation says
// something else.
type citationMatch struct {
	articleHit
	Disagrees []string `json:"disagrees"`
}

func (citationHits) Kind() string { return "citation.match" }

// Citation is printed references.
func Citation() entity.Entity {
	return entity.Entity{Name: "citation", Search: &command.Command{
		Use:   "citation",
		Short: "Find the PMID of a printed reference",
		Help: command.Help{
			Input:     "What the reference says: two or more of journal, year, volume, first page and first author.",
			Output:    "The article, checked against what was asked: PubMed's matcher forgives a wrong year or author, this command says so.",
			Surprises: "The journal may be a title or an abbreviation. An ambiguous reference lists its candidates.",
		},
		Examples: []command.Example{{Line: `biomcp search citation --journal "Nucleic Acids Res" --year 2013 --volume 41 --page D36 --author "Benson DA"`, Does: "the PMID of a reference"}},
		Effect:   command.Reads,
		Flags: func(f *command.Flags) {
			f.String("journal", "", "journal title or abbreviation")
			f.String("year", "", "year of publication")
			f.String("volume", "", "volume")
			f.String("page", "", "first page")
			f.String("author", "", `first author, "Smith J"`)
		},
		Run: runCitation,
	}}
}

var yearForm = regexp.MustCompile(`^\d{4}$`)

func runCitation(ctx context.Context, in *command.Input) (*result.Result, error) {
	help := []string{"search", "citation", "--help"}
	given := 0
	value := func(name string) (string, error) {
		v := strings.TrimSpace(in.String(name))
		if v == "" {
			return "", nil
		}
		given++
		if strings.Contains(v, "|") {
			return "", result.Invalid(fmt.Sprintf("--%s cannot hold |", name), help...)
		}
		return v, entity.CheckTerm(v, help...)
	}
	var asked printed
	for _, f := range []struct {
		name string
		to   *string
	}{{"journal", &asked.Journal}, {"year", &asked.Year}, {"volume", &asked.Volume}, {"page", &asked.Page}, {"author", &asked.Author}} {
		v, err := value(f.name)
		if err != nil {
			return nil, err
		}
		*f.to = v
	}
	if given < 2 {
		return nil, result.Invalid("search citation needs at least two of --journal, --year, --volume, --page, --author", help...)
	}
	if asked.Year != "" && !yearForm.MatchString(asked.Year) {
		return nil, result.Invalid(fmt.Sprintf("--year %q is not a year", command.Clip(asked.Year)), help...)
	}
	client, err := in.App.Entrez()
	if err != nil {
		return nil, err
	}
	matches, err := client.MatchCitations(ctx, []entrez.Citation{{Journal: asked.Journal, Year: asked.Year, Volume: asked.Volume, FirstPage: asked.Page, Author: asked.Author}})
	if err != nil {
		return nil, err
	}
	hits := citationHits{Asked: asked, Outcome: "not_found", Results: []citationMatch{}, Candidates: []string{}}
	res := &result.Result{}
	var candidates []string
	if len(matches) == 1 {
		if candidates = matches[0].Candidates; matches[0].PMID != "" {
			hits.Outcome, candidates = "found", []string{matches[0].PMID}
		} else if len(candidates) > 0 {
			hits.Outcome, hits.Candidates = "ambiguous", candidates
		}
	}
	if len(candidates) > 0 {
		sums, err := client.Summaries(ctx, "pubmed", candidates[:min(20, len(candidates))])
		if err != nil {
			return nil, err
		}
		for _, s := range sums.Items {
			m := citationMatch{articleHit: hitOf(s), Disagrees: disagreements(asked, s)}
			if hits.Outcome == "found" && len(m.Disagrees) > 0 {
				hits.Outcome = "disagrees"
				res.Notice("PubMed's matcher found PMID " + s.UID + ", but " + strings.Join(m.Disagrees, "; "))
			}
			hits.Results = append(hits.Results, m)
			res.Next = append(res.Next, result.Argv{"get", "article", s.UID})
		}
	}
	res.Next = res.Next[:min(1, len(res.Next))]
	res.Payload = hits
	res.Sections = []result.SectionSource{{Key: "results", Label: "Matches", Outcome: entity.DataOrEmpty(len(hits.Results)), Sources: []string{"PubMed ECitMatch", "PubMed ESummary"}}}
	return res, nil
}

// disagreements is what the record says otherwise than the citation.
func disagreements(c printed, s entrez.Summary) []string {
	out := []string{}
	if c.Year != "" && !strings.HasPrefix(s.PubDate, c.Year) && !strings.HasPrefix(s.EPubDate, c.Year) {
		out = append(out, fmt.Sprintf("it appeared %s, not %s", s.PubDate, c.Year))
	}
	if c.Volume != "" && s.Volume != c.Volume {
		out = append(out, fmt.Sprintf("its volume is %s, not %s", orNone(s.Volume), c.Volume))
	}
	if first, _, _ := strings.Cut(s.Pages, "-"); c.Page != "" && !strings.EqualFold(first, c.Page) {
		out = append(out, fmt.Sprintf("its first page is %s, not %s", orNone(first), c.Page))
	}
	if c.Author != "" && !hasAuthor(s.Authors, c.Author) {
		out = append(out, fmt.Sprintf("%s is not among its authors", c.Author))
	}
	return out
}

func orNone(s string) string {
	if s == "" {
		return "not given"
	}
	return s
}

// hasAuthor compares family names, without case.
func hasAuthor(authors []string, want string) bool {
	family := func(name string) string {
		words := strings.Fields(strings.ReplaceAll(name, ",", " "))
		if n := len(words); n > 1 && words[n-1] == strings.ToUpper(words[n-1]) {
			words = words[:n-1] // initials
		}
		return strings.ToLower(strings.Join(words, " "))
	}
	for _, a := range authors {
		if family(a) == family(want) {
			return true
		}
	}
	return false
}

// Doc says what was found, or that nothing was.
func (h citationHits) Doc() result.Doc {
	words := map[string]string{
		"found": "One article matches.", "disagrees": "One article was found, but it differs from the reference.",
		"ambiguous": "Several articles match; add what the reference says.", "not_found": "No article matches.",
	}
	doc := result.Doc{result.Heading{Level: 1, Text: "Reference"}, result.Fields{
		{Name: "Journal", Value: h.Asked.Journal}, {Name: "Year", Value: h.Asked.Year}, {Name: "Volume", Value: h.Asked.Volume},
		{Name: "Page", Value: h.Asked.Page}, {Name: "Author", Value: h.Asked.Author},
	}, result.Para{Text: words[h.Outcome]}}
	if len(h.Results) == 0 {
		return doc
	}
	t := result.Table{Columns: result.Columns("PMID", "Title", "Authors", "Journal", "Differs"), Main: true}
	for _, r := range h.Results {
		t.Rows = append(t.Rows, []string{r.PMID, record.Label(r.Retracted, r.Title), entity.EtAl(r.Authors, 3), r.Source, strings.Join(r.Disagrees, "; ")})
	}
	return append(doc, t)
}
