package intake

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"fmt"
	"html"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"biomcp/entrez/pubmed"
	"biomcp/store"
)

// pubmedRecord is a synthetic PubMed record. Dates are 2006-01-02; the zero value of
// each field is something usual.
type pubmedRecord struct {
	pmid             int
	version          int
	title, abstract  string
	edat, crdt, lr   string
	status, pubTypes string
	mesh             []string
}

func (r pubmedRecord) xml() string {
	var b strings.Builder
	date := func(d string) string {
		p := strings.Split(d, "-")
		return fmt.Sprintf("<Year>%s</Year><Month>%s</Month><Day>%s</Day>", p[0], p[1], p[2])
	}
	edat := cmp.Or(r.edat, "2024-05-11")
	fmt.Fprintf(&b, `<PubmedArticle><MedlineCitation Status="%s" Owner="NLM"><PMID Version="%d">%d</PMID>`, cmp.Or(r.status, "MEDLINE"), max(r.version, 1), r.pmid)
	if r.lr != "none" {
		fmt.Fprintf(&b, "<DateRevised>%s</DateRevised>", date(cmp.Or(r.lr, "2024-06-01")))
	}
	b.WriteString(`<Article PubModel="Print"><Journal><JournalIssue CitedMedium="Internet"><PubDate><Year>2024</Year><Month>May</Month></PubDate></JournalIssue><Title>Synthetic journal</Title></Journal>`)
	fmt.Fprintf(&b, "<ArticleTitle>%s</ArticleTitle>", html.EscapeString(cmp.Or(r.title, fmt.Sprintf("Synthetic title %d", r.pmid))))
	fmt.Fprintf(&b, "<Abstract><AbstractText>%s</AbstractText></Abstract>", html.EscapeString(cmp.Or(r.abstract, fmt.Sprintf("Synthetic abstract of record%d.", r.pmid))))
	fmt.Fprintf(&b, "<PublicationTypeList><PublicationType>%s</PublicationType></PublicationTypeList></Article>", cmp.Or(r.pubTypes, "Journal Article"))
	b.WriteString("<MedlineJournalInfo><MedlineTA>Synth J</MedlineTA></MedlineJournalInfo>")
	if len(r.mesh) > 0 {
		b.WriteString("<MeshHeadingList>")
		for _, m := range r.mesh {
			fmt.Fprintf(&b, `<MeshHeading><DescriptorName UI="D0" MajorTopicYN="N">%s</DescriptorName></MeshHeading>`, m)
		}
		b.WriteString("</MeshHeadingList>")
	}
	fmt.Fprintf(&b, `</MedlineCitation><PubmedData><History><PubMedPubDate PubStatus="entrez">%s</PubMedPubDate><PubMedPubDate PubStatus="pubmed">%s<Hour>6</Hour><Minute>0</Minute></PubMedPubDate></History>`,
		date(cmp.Or(r.crdt, edat)), date(edat))
	fmt.Fprintf(&b, `<PublicationStatus>ppublish</PublicationStatus><ArticleIdList><ArticleId IdType="pubmed">%d</ArticleId></ArticleIdList></PubmedData></PubmedArticle>`, r.pmid)
	return b.String()
}

// set is a PubmedArticleSet of the records, with deletions at its end.
func set(records []pubmedRecord, deleted ...int) string {
	var b strings.Builder
	b.WriteString(`<?xml version="1.0" encoding="utf-8"?>` + "\n<PubmedArticleSet>\n")
	for _, r := range records {
		b.WriteString(r.xml() + "\n")
	}
	if len(deleted) > 0 {
		b.WriteString("<DeleteCitation>")
		for _, pmid := range deleted {
			fmt.Fprintf(&b, `<PMID Version="1">%d</PMID>`, pmid)
		}
		b.WriteString("</DeleteCitation>")
	}
	b.WriteString("</PubmedArticleSet>\n")
	return b.String()
}

// many is n records from a PMID on.
func many(from, n int) []pubmedRecord {
	list := make([]pubmedRecord, n)
	for i := range list {
		list[i].pmid = from + i
	}
	return list
}

func gzipped(text string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = z.Write([]byte(text)) // a bytes.Buffer never fails
	_ = z.Close()
	return b.String()
}

// write puts files into a new folder and returns it.
func write(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

var clock = time.Date(2026, 1, 20, 13, 0, 0, 0, time.UTC)

func openStore(t testing.TB, dir string) *store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), store.Options{Dir: dir, Now: func() time.Time { return clock }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// options returns the options of a test: a new corpus and a fixed clock.
func options(t testing.TB) Options {
	return Options{Store: openStore(t, t.TempDir()), Now: func() time.Time { return clock }}
}

func brokenRecord(pmid string) *pubmed.RecordError {
	return &pubmed.RecordError{PMID: pmid, Reason: "an entity nobody knows"}
}
