package entreztest

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/url"
	"slices"

	"biomcp/entrez/sourcetest"
)

const setProlog = `<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE PubmedArticleSet PUBLIC "-//NLM//DTD PubMedArticle, 1st January 2025//EN" "https://dtd.nlm.nih.gov/ncbi/pubmed/out/pubmed_250101.dtd">
<PubmedArticleSet>
`

// Publish replaces the files of the file server with all records, as the baseline of a year (26 is
// 2026) in files of perFile records. An update file without records follows, as on a day without
// changes.
func (s *Server) Publish(year, perFile int) error {
	if year < 10 || year > 99 || perFile < 1 {
		return errors.New(`give "year" (26) and "per_file"`)
	}
	s.corpus.mu.RLock()
	defer s.corpus.mu.RUnlock()
	s.Files.Remove("baseline", "")
	s.Files.Remove("updatefiles", "")
	n := 0
	put := func(folder string, records [][]byte) {
		n++
		set := slices.Concat([]byte(setProlog), bytes.Join(records, []byte("\n")), []byte("\n</PubmedArticleSet>\n"))
		s.Files.Put(folder, fmt.Sprintf("pubmed%dn%04d.xml.gz", year, n), compress(set))
	}
	var records [][]byte
	for _, pmid := range slices.Sorted(maps.Keys(s.corpus.byPMID)) {
		if records = append(records, s.corpus.get(pmid).raw); len(records) == perFile {
			put("baseline", records)
			records = nil
		}
	}
	if len(records) > 0 || n == 0 {
		put("baseline", records)
	}
	put("updatefiles", nil)
	return nil
}

func compress(text []byte) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = z.Write(text) // writing to a bytes.Buffer does not fail
	_ = z.Close()
	return b.Bytes()
}

// filesControls adds the routes for the file server.
func (s *Server) filesControls() {
	type publication struct {
		Year    int `json:"year"`
		PerFile int `json:"per_file"`
	}
	s.Handle("POST publish", sourcetest.JSONControl(func(in publication) error { return s.Publish(in.Year, in.PerFile) }))
	s.Handle("POST file", func(body io.Reader, q url.Values) (any, error) {
		text, err := io.ReadAll(body)
		if err == nil {
			s.Files.Put(q.Get("folder"), q.Get("name"), compress(text))
		}
		return nil, err
	})
	s.Handle("POST md5", func(_ io.Reader, q url.Values) (any, error) {
		s.Files.SetMD5(q.Get("folder"), q.Get("name"), q.Get("sum"))
		return nil, nil
	})
}
