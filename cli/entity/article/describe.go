package article

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/cli/entity/eutils"
	"biomcp/cli/result"
	"biomcp/entrez"
	"biomcp/entrez/pubmed"
	"biomcp/entrez/record"
)

// describe fills in hits from ESummary and returns the URL it asked. If ESummary fails,
// the hits keep their PMIDs.
func describe(ctx context.Context, client *entrez.Client, p *entity.Page[articleHit], hits []*articleHit) (url string) {
	source := result.SectionSource{
		Key: "results", Label: "Descriptions", Outcome: result.Data, Sources: []string{"PubMed ESummary"},
	}
	defer func() { p.Sections = append(p.Sections, source) }()
	ids := result.Map(hits, func(h *articleHit) string { return h.PMID })
	sums, err := client.Summaries(ctx, ids)
	switch {
	case err != nil && (sums == nil || len(sums.Items) == 0):
		source.Outcome = result.Unavailable
		p.Notices = append(p.Notices, "titles are missing: "+err.Error())
		return ""
	case err != nil:
		source.Outcome = result.Degraded
		p.Notices = append(p.Notices, fmt.Sprintf("%d of %d titles are missing: %s", len(ids)-len(sums.Items), len(ids), err))
	}
	of := map[string]entrez.Summary{}
	for _, s := range sums.Items {
		of[s.UID] = s
	}
	for i, id := range ids {
		if s, ok := of[id]; ok {
			*hits[i] = hitOf(s)
		}
	}
	if len(sums.Missing) > 0 {
		source.Outcome = result.Degraded
		p.Notices = append(p.Notices, "NCBI gave no description of "+command.Abbreviate(sums.Missing))
	}
	return sums.URL
}

// addRecords adds the abstracts and MeSH headings of hits.
func addRecords(
	ctx context.Context, in *command.Input, client *entrez.Client, p *entity.Page[articleHit],
	hits []*articleHit,
) {
	source := result.SectionSource{
		Key: "abstracts", Label: "Abstracts", Outcome: result.Data, Sources: []string{"PubMed"},
	}
	if !in.Bool("abstracts") {
		source.Key, source.Label = "mesh_terms", "MeSH headings"
	}
	defer func() { p.Sections = append(p.Sections, source) }()
	missing := strings.ReplaceAll(source.Key, "_", " ") + " are missing: "
	at := map[string]*articleHit{}
	var ids []string
	for _, h := range hits {
		ids = append(ids, h.PMID)
		at[h.PMID] = h
		h.Abstract.Requested, h.MeshTerms.Requested = in.Bool("abstracts"), in.Bool("mesh-terms")
	}
	got, err := client.Fetch(ctx, ids)
	if err != nil {
		source.Outcome = result.Unavailable
		p.Notices = append(p.Notices, missing+err.Error())
		return
	}
	if len(got.Unread) > 0 {
		source.Outcome = result.Degraded
		p.Notices = append(p.Notices, missing+command.Abbreviate(got.Unread)+": "+got.Problem.Error())
	}
	for _, a := range got.Articles {
		h := at[a.PMID]
		h.read, h.ISOAbbreviation, h.Abstract.Value, h.MeshTerms.Value = true, a.Journal.ISOAbbreviation,
			record.NilIfZero(pubmed.JoinSections(a.AnyAbstract())), result.Map(a.Mesh, pubmed.Mesh.String)
	}
	gone := slices.DeleteFunc(ids, func(id string) bool { return at[id].read || slices.Contains(got.Unread, id) })
	if len(gone) > 0 {
		source.Outcome = result.Degraded
		p.Notices = append(p.Notices, missing+command.Abbreviate(gone)+": PubMed sent no readable record")
	}
}

func hitOf(s entrez.Summary) articleHit {
	return articleHit{
		PMID: s.UID, Title: s.Title, Authors: s.Authors, Source: sourceLine(s), Journal: s.Journal, Abbrev: s.Source,
		Year: yearOf(s), PubDate: pubDate(s), EPubDate: isoDate(s.EPubDate),
		Volume: s.Volume, Issue: s.Issue, Pages: s.Pages, Language: s.Languages, DOI: s.DOI, PMCID: s.PMCID,
		PubTypes: s.PubTypes, Marks: eutils.MarksFrom(s),
		CitedBy: s.CitedInPMC, FreeFullText: s.PMCID != "", described: true,
	}
}

// yearOf returns the year of publication, or nil if unknown.
func yearOf(s entrez.Summary) *int {
	year, _, _ := strings.Cut(pubDate(s), "-")
	n, err := strconv.Atoi(year)
	if err != nil {
		return nil
	}
	return &n
}

// sourceLine returns a source such as "J Test. 2024 Mar 15;10(2):100-10".
func sourceLine(s entrez.Summary) string {
	return record.SourceLine(cmp.Or(s.Source, s.BookTitle), s.PubDate, s.Volume, s.Issue, s.Pages)
}

// pubDate returns the date of publication, with the precision of its text. If the text has no year,
// it returns the year by which PubMed sorts.
func pubDate(s entrez.Summary) string {
	year, _, _ := strings.Cut(s.SortDate, "/")
	return cmp.Or(isoDate(s.PubDate), isoDate(year))
}

// isoDate converts NCBI's "2016 Mar 1" to 2016-03-01, with the precision given. Of a range such as
// "1998 Dec-1999 Jan" it returns the first date. It also reads other orders ("20 Dec 2010",
// "Summer 2017", "[1952]"), and returns "" if s has no year.
func isoDate(s string) string {
	words := strings.FieldsFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	var d record.Date
	for _, word := range words {
		n, err := strconv.Atoi(word)
		month := monthNumber(word)
		switch {
		case err == nil && len(word) == 4 && d.Year != 0: // the end of a range
			return d.OnCalendar().String()
		case err == nil && len(word) == 4:
			d.Year = n
		case err == nil && len(word) <= 2 && d.Day == 0:
			d.Day = n
		case month != 0 && d.Month == 0:
			d.Month = month
		}
	}
	return d.OnCalendar().String()
}

// monthNumber returns the number of a month from its name or the beginning of it, or 0.
func monthNumber(word string) int {
	for m := time.January; m <= time.December && len(word) >= 3; m++ {
		if name := m.String(); len(word) <= len(name) && strings.EqualFold(name[:len(word)], word) {
			return int(m)
		}
	}
	return 0
}
