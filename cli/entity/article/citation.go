package article

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/cli/entity/query"
	"biomcp/cli/result"
	"biomcp/entrez"
	"biomcp/entrez/cite/refparse"
	"biomcp/entrez/record"
)

// citationHits is the answer of search citation to the parts of one reference.
type citationHits struct {
	Reference  refparse.Reference `json:"asked"`
	Outcome    string             `json:"outcome"` // found, ambiguous, not_found or disagrees
	Results    []citationMatch    `json:"results"`
	Candidates []string           `json:"candidates"` // PMIDs if ambiguous
}

// citationMatch is a matching article with the differences between record and reference.
type citationMatch struct {
	articleHit
	Disagrees []string `json:"disagrees"`
}

// Citation returns the definition of the citation entity.
func Citation() entity.Entity {
	part := func(flag, usage string, synonyms ...string) entity.Filter {
		return entity.Filter{
			Flag: flag, Synonyms: synonyms, Usage: usage, Single: true, Term: func(v string) (string, error) {
				if strings.Contains(v, "|") {
					return "", result.Invalid(fmt.Sprintf("--%s cannot contain |", flag), citationHelp...)
				}
				return v, query.CheckTerm(v, citationHelp...)
			},
		}
	}
	return entity.Entity{Name: "citation", Search: entity.Search(entity.SearchSpec[citationMatch]{
		Name: "citation", Synonyms: []string{"reference", "citmatch"}, Placeholder: "[reference]...", AllowEmpty: true,
		Check: checkReference,
		Command: command.Command{
			Separate: isSeparate,
			Short:    "Find the PMID of a printed reference",
			Help: command.Help{
				Input: "References as they are printed, in any style, each in quotes.\n" +
					"A file of references, or a pipe with -: in lines, also wrapped, or BibTeX, RIS, nbib, EndNote (tagged " +
					"or XML), CSL-JSON or CSV.\n" +
					"Two or more parts as flags: journal (title or abbreviation), year, volume, first page, " +
					"first author.",
				Output: "The article, with each difference from the reference: PubMed's matcher accepts a wrong " +
					"year or author.\n" +
					"The step that found it: an identifier in the reference, PubMed's matcher (ecitmatch), the " +
					"words of the title, or the local corpus.\n" +
					"The score is the share of the reference that agrees with the record: title 4 parts of 10, " +
					"author and first page 2, year and volume 1.",
				Surprises: "An ambiguous reference lists its candidates. It reports \"not found\" only if every step " +
					"answered.",
			},
			Flags: func(f *command.Flags) {
				f.String("from", "", "a file of references: one a line, BibTeX, RIS, nbib, EndNote, CSL-JSON or CSV; "+
					"- is standard input")
				f.HostOnly("from")
				f.Group(command.SubjectFlags, "from")
				entity.CitationFiles(f)
				f.Rare("journal", "year", "volume", "page", "author") // a reference has them in its text
			},
			Examples: []command.Example{
				{
					Line:        `biomcp search citation "Benson DA, et al. GenBank. Nucleic Acids Res. 2013;41:D36-42."`,
					Explanation: "the PMID of a pasted reference",
				},
				{
					Line:        `biomcp search citation --journal "Nucleic Acids Res" --year 2013 --volume 41 --page D36 --author "Benson DA"`,
					Explanation: "the PMID of a reference by its parts",
				},
			},
		},
		Source: "PubMed", Sources: []string{"PubMed ECitMatch", "PubMed ESummary"}, Key: "results", Label: "Matches",
		Filters: []entity.Filter{
			part("journal", "journal title or abbreviation"), part("year", "year of publication"),
			part("volume", "volume"),
			part("page", "first page", "first-page"), part("author", `first author, "Smith J"`, "first-author"),
		},
		Find: findCitation,
		Rows: entity.Rows[citationMatch]{Columns: citationColumns, Row: citationRow},
		Next: func(m *citationMatch) []result.Argv { return []result.Argv{{"get", "article", m.PMID}} },
	})}
}

var citationHelp = []string{"search", "citation", "--help"}

// maxCandidates is the maximum number of described candidates of an ambiguous reference.
const maxCandidates = 20

func findCitation(ctx context.Context, in *command.Input, q *entity.Query) (*entity.Page[citationMatch], error) {
	if q.Text != "" || in.Given("from") {
		return findPasted(ctx, in, q)
	}
	asked := refparse.Reference{
		Journal: q.Value("journal"), Year: q.Value("year"), Volume: q.Value("volume"), Page: q.Value("page"),
		Author: q.Value("author"),
	}
	if len(q.Filters) < 2 {
		return nil, result.Invalid("search citation needs at least two of --journal, --year, --volume, "+
			"--page, --author",
			citationHelp...)
	}
	if d, ok := record.ParseDate(asked.Year); asked.Year != "" && (!ok || d.Month != 0) {
		return nil, result.Invalid(fmt.Sprintf("--year %q is not a year", command.Clip(asked.Year)), citationHelp...)
	}
	client := in.App.Entrez()
	matches, err := client.MatchCitations(ctx, []entrez.Citation{{
		Journal: asked.Journal, Year: asked.Year, Volume: asked.Volume, FirstPage: asked.Page,
		Author: asked.Author,
	}})
	if err != nil {
		return nil, err
	}
	answer := &citationHits{Reference: asked, Outcome: "not_found"}
	p := &entity.Page[citationMatch]{Payload: func(*entity.Hits[citationMatch]) result.Payload { return answer }}
	var candidates []string
	if len(matches) == 1 {
		if candidates = matches[0].Candidates; matches[0].PMID != "" {
			answer.Outcome, candidates = "found", []string{matches[0].PMID}
		} else if len(candidates) > 0 {
			answer.Outcome, answer.Candidates = "ambiguous", candidates
		}
	}
	if len(candidates) == 0 {
		return p, nil
	}
	sums, err := client.Summaries(ctx, candidates[:min(maxCandidates, len(candidates))])
	if err != nil {
		return nil, err
	}
	for _, s := range sums.Items {
		m := citationMatch{articleHit: hitOf(s), Disagrees: disagreements(asked, s)}
		if answer.Outcome == "found" && len(m.Disagrees) > 0 {
			answer.Outcome = "disagrees"
			p.Notices = append(p.Notices, "PubMed's matcher found PMID "+s.UID+", but "+strings.Join(m.Disagrees, "; "))
		}
		answer.Results = append(answer.Results, m)
	}
	p.Hits = entity.Pointers(answer.Results)
	style := entity.FileStyle(in)
	if style == "" {
		p.Notices = append(p.Notices, entity.RetractionNotices(retractedMatches(p.Hits))...)
	} else {
		pmids := result.Map(answer.Results, func(m citationMatch) string { return m.PMID })
		var notices []string
		p.Records, notices, err = citeRecords(ctx, client, pmids, style)
		p.Notices = append(p.Notices, notices...)
	}
	return p, err
}

// retractedMatches returns the PMIDs of retracted articles, each once.
func retractedMatches(matches []*citationMatch) (pmids []string) {
	for _, m := range matches {
		if m.isRetracted() && !slices.Contains(pmids, m.PMID) {
			pmids = append(pmids, m.PMID)
		}
	}
	return pmids
}

// disagreements lists the differences between the record and the reference.
func disagreements(c refparse.Reference, s entrez.Summary) []string {
	out := []string{}
	if c.Title != "" && titleOverlap(c.Title, s) < sameTitle {
		out = append(out, "its title is "+cmp.Or(s.Title, "not given"))
	}
	dates := []string{pubDate(s), isoDate(s.EPubDate)}
	if s.BookTitle != "" { // a chapter is also cited by the date of its book
		dates = append(dates, s.SortDate)
	}
	if c.Year != "" && !slices.ContainsFunc(dates, func(d string) bool { return strings.HasPrefix(d, c.Year) }) {
		out = append(out, fmt.Sprintf("it appeared %s, not %s", s.PubDate, c.Year))
	}
	if c.Journal != "" && s.Journal+s.Source != "" && !nameOneJournal(c.Journal, s.Journal, s.Source) {
		out = append(out, "its journal is "+cmp.Or(s.Source, s.Journal))
	}
	if c.Volume != "" && s.Volume != c.Volume {
		out = append(out, fmt.Sprintf("its volume is %s, not %s", cmp.Or(s.Volume, "not given"), c.Volume))
	}
	if first, _, _ := strings.Cut(s.Pages, "-"); c.Page != "" && !strings.EqualFold(first, c.Page) {
		out = append(out, fmt.Sprintf("its first page is %s, not %s", cmp.Or(first, "not given"), c.Page))
	}
	if c.Author != "" && !hasAuthor(s.Authors, c.Author) {
		out = append(out, fmt.Sprintf("%s is not among its authors", c.Author))
	}
	return out
}

// nameOneJournal reports whether a reference's journal may be the one that has the names: they share
// a word, which may be abbreviated to three letters, or the reference has the initials of a name. So
// it is false only for a clearly different journal.
func nameOneJournal(want string, names ...string) bool {
	wanted := journalWords(want)
	for _, name := range names {
		words := journalWords(name)
		initials := ""
		for _, w := range words {
			initials += string([]rune(w)[:1])
		}
		for _, w := range wanted {
			abbreviates := func(other string) bool {
				return min(len(w), len(other)) >= 3 && (strings.HasPrefix(w, other) || strings.HasPrefix(other, w))
			}
			if slices.ContainsFunc(words, abbreviates) || len(wanted) == 1 && strings.HasPrefix(initials, w) {
				return true
			}
		}
	}
	return len(wanted) == 0
}

// journalWords returns the words that tell journals apart.
func journalWords(name string) []string {
	return slices.DeleteFunc(foldWords(name), func(w string) bool {
		return w == "" || slices.Contains([]string{"the", "of", "and", "for", "in", "de", "la"}, w)
	})
}

// hasAuthor compares family names, ignoring case and accents.
func hasAuthor(authors []string, want string) bool {
	family := func(name string) string {
		words := strings.Fields(strings.ReplaceAll(name, ",", " "))
		for len(words) > 2 && isGeneration(words[len(words)-1]) {
			words = words[:len(words)-1]
		}
		if n := len(words); n > 1 && words[n-1] == strings.ToUpper(words[n-1]) {
			words = words[:n-1] // drop the initials
		}
		return strings.Join(foldWords(strings.Join(words, " ")), " ")
	}
	return slices.ContainsFunc(authors, func(a string) bool { return family(a) == family(want) })
}

// isGeneration reports whether the last word of a name is a suffix, such as Jr or 3rd.
func isGeneration(word string) bool {
	switch strings.ToLower(strings.Trim(word, ".")) {
	case "jr", "sr", "2nd", "3rd", "4th", "5th", "6th", "ii", "iii", "iv", "md", "phd":
		return true
	}
	return false
}

func (h *citationHits) Doc() result.Doc {
	words := map[string]string{
		"found": "One article matches.", "disagrees": "One article was found, but it differs from the reference.",
		"ambiguous": "Several articles match; add more parts of the reference.", "not_found": "No article matches.",
	}
	doc := result.Doc{result.Heading{Level: 1, Text: "Reference"}, result.Fields{
		{Name: "Journal", Value: h.Reference.Journal}, {Name: "Year", Value: h.Reference.Year},
		{Name: "Volume", Value: h.Reference.Volume},
		{Name: "Page", Value: h.Reference.Page}, {Name: "Author", Value: h.Reference.Author},
	}, result.Para{Text: words[h.Outcome]}}
	if len(h.Results) == 0 {
		return doc
	}
	return append(doc, result.Table{
		Columns: result.Columns(citationColumns...), Main: true,
		Rows: result.Map(entity.Pointers(h.Results), citationRow),
	})
}

var citationColumns = []string{"PMID", "Title", "Authors", "Journal", "Differs"}

func citationRow(m *citationMatch) []string { return append(m.row(), strings.Join(m.Disagrees, "; ")) }
