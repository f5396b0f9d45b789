package entrez

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"biomcp/entrez/httpclient"
	"biomcp/entrez/ncbi"
	"biomcp/entrez/pattern"
)

// Citation holds the known parts of a citation; any of them may be empty.
type Citation struct{ Journal, Year, Volume, FirstPage, Author string }

// CitationMatch is the reply of ECitMatch to a Citation. ECitMatch ignores a wrong year or author
// if the rest identifies one article, so a match must be checked against the record.
type CitationMatch struct {
	PMID       string   // "" unless there is exactly one match
	Candidates []string // the PMIDs of several matches, if NCBI lists them
	Reason     string   // NCBI's reason if there is no match, such as "NOT_FOUND;INVALID_JOURNAL"
}

// matchBatch is the number of citations in one request.
const matchBatch = 100

// MatchCitations returns ECitMatch's match for each citation, in the order of citations.
func (c *Client) MatchCitations(ctx context.Context, citations []Citation) ([]CitationMatch, error) {
	out := make([]CitationMatch, 0, len(citations))
	for batch := range slices.Chunk(citations, matchBatch) {
		var bdata []string
		for i, cit := range batch {
			if cit == (Citation{}) {
				return nil, httpclient.Invalidf("a citation needs at least one of journal, year, volume, page and author")
			}
			fields := []string{cit.Journal, cit.Year, cit.Volume, cit.FirstPage, cit.Author, matchKey(i)}
			for j, f := range fields {
				fields[j] = strings.Join(strings.Fields(httpclient.Clean(strings.ReplaceAll(f, "|", " "))), " ")
			}
			bdata = append(bdata, strings.Join(fields, "|")+"|")
		}
		r := httpclient.NewCall(ecitmatch, "db", "pubmed", "retmode", "xml", "rettype", "xml")
		r.Params.Set("bdata", strings.Join(bdata, "\r"))
		body, err := c.send(ctx, r)
		if err != nil {
			return nil, err
		}
		answers := parseMatches(body)
		switch {
		case len(answers) > 0:
		case len(strings.TrimSpace(string(body))) == 0, httpclient.Reply{Body: body}.Complete(): // nothing, JSON or XML
			return nil, r.UnreadableError(errors.New("it has no line of a citation"))
		default:
			return nil, r.RefusedError(string(body)) // NCBI sent an error sentence instead of lines
		}
		for i := range batch {
			m := answers[matchKey(i)] // NCBI may omit the line of a citation without a match
			if m.PMID == "" && len(m.Candidates) == 0 && m.Reason == "" {
				m.Reason = "NOT_FOUND"
			}
			m.Candidates = ncbi.List(m.Candidates)
			out = append(out, m)
		}
	}
	return out, nil
}

// matchKey returns the key of a line. A key of our own is needed because NCBI changes the user's
// text and may reorder the lines.
func matchKey(i int) string { return fmt.Sprintf("line%d", i) }

var (
	ambiguous = pattern.Lazy(`^AMBIGUOUS[\s(]+([0-9]+(?:\s*,\s*[0-9]+)+)`)
	pmidOnly  = pattern.Lazy(`^[1-9][0-9]*$`)
)

// parseMatches parses ECitMatch's lines, journal|year|volume|page|author|key|answer, by key
// (NBK25499, "ECitMatch"). AMBIGUOUS may be followed by PMIDs or by a remark.
func parseMatches(body []byte) map[string]CitationMatch {
	out := map[string]CitationMatch{}
	lineEnd := func(r rune) bool { return r == '\r' || r == '\n' }
	for line := range strings.FieldsFuncSeq(strings.ToValidUTF8(string(body), ""), lineEnd) {
		parts := strings.Split(line, "|")
		if len(parts) < 7 {
			continue
		}
		key, answer := strings.TrimSpace(parts[5]), strings.TrimSpace(strings.Join(parts[6:], "|"))
		var m CitationMatch
		if pmidOnly().MatchString(answer) {
			m.PMID = answer
		} else {
			m.Reason = httpclient.Plain(answer)
			if found := ambiguous().FindStringSubmatch(answer); found != nil {
				for id := range strings.SplitSeq(found[1], ",") {
					m.Candidates = append(m.Candidates, strings.TrimSpace(id))
				}
			}
		}
		out[key] = m
	}
	return out
}
