package refparse

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"

	"biomcp/entrez/pubmed"
)

// styledText is the text of an element and of all elements in it.
type styledText string

func (s *styledText) UnmarshalXML(d *xml.Decoder, _ xml.StartElement) error {
	var out strings.Builder
	for depth := 0; depth >= 0; {
		token, err := d.Token()
		if err != nil {
			return err
		}
		switch t := token.(type) {
		case xml.StartElement:
			depth++
		case xml.EndElement:
			depth--
		case xml.CharData:
			out.Write(t)
		}
	}
	*s = styledText(out.String())
	return nil
}

// endNoteRecord is a record of EndNote's XML.
type endNoteRecord struct {
	Authors   []styledText `xml:"contributors>authors>author"`
	Title     styledText   `xml:"titles>title"`
	Secondary styledText   `xml:"titles>secondary-title"`
	Journal   styledText   `xml:"periodical>full-title"`
	Short     styledText   `xml:"periodical>abbr-1"`
	Year      styledText   `xml:"dates>year"`
	Volume    styledText   `xml:"volume"`
	Number    styledText   `xml:"number"`
	Pages     styledText   `xml:"pages"`
	Article   styledText   `xml:"custom7"`
	DOI       styledText   `xml:"electronic-resource-num"`
	PMCID     styledText   `xml:"custom2"`
	Accession styledText   `xml:"accession-num"`
	Database  styledText   `xml:"remote-database-name"`
	Provider  styledText   `xml:"remote-database-provider"`
	URLs      []styledText `xml:"urls>related-urls>url"`
	Notes     styledText   `xml:"notes"`
}

func (e endNoteRecord) builder() *builder {
	b := &builder{used: true, first: "record"}
	for _, field := range []struct {
		name  string
		value styledText
	}{
		{"title", e.Title}, {"journal", e.Journal}, {"journal", e.Short}, {"journal", e.Secondary},
		{"year", e.Year}, {"volume", e.Volume}, {"issue", e.Number}, {"page", e.Pages}, {"article number", e.Article},
		{"doi", e.DOI}, {"accession", e.Accession}, {"database", e.Database}, {"database", e.Provider}, {"note", e.Notes},
	} {
		b.set(field.name, string(field.value))
	}
	if strings.HasPrefix(strings.TrimSpace(string(e.PMCID)), "PMC") {
		b.set("pmcid", string(e.PMCID))
	}
	for _, a := range e.Authors[:min(1, len(e.Authors))] {
		b.set("author", string(a))
	}
	for _, u := range e.URLs {
		b.set("url", string(u))
	}
	return b
}

// readXML parses EndNote's or PubMed's XML.
func readXML(text string) (File, error) {
	d := xml.NewDecoder(strings.NewReader(text))
	d.Strict, d.Entity = true, xml.HTMLEntity
	d.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil }
	f, root := File{Format: EndNoteXML}, ""
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) && root != "" {
			return f, nil
		}
		if err != nil {
			return f, &FormatError{Reason: "the XML cannot be read: " + err.Error()}
		}
		start, isStart := token.(xml.StartElement)
		switch {
		case !isStart:
		case root == "" && strings.HasPrefix(start.Name.Local, "Pubmed"):
			return readPubMed(text)
		case root == "" && start.Name.Local != "xml" && start.Name.Local != "records":
			return f, &FormatError{Reason: fmt.Sprintf("<%s> is not EndNote's or PubMed's XML", start.Name.Local)}
		case start.Name.Local == "record":
			var record endNoteRecord
			if err := d.DecodeElement(&record, &start); err != nil {
				return f, &FormatError{Reason: "the XML cannot be read: " + err.Error()}
			}
			f.add(record.builder())
		}
		if isStart && root == "" {
			root = start.Name.Local
		}
	}
}

func readPubMed(text string) (File, error) {
	f := File{Format: PubMedXML}
	for item, err := range pubmed.Scan(strings.NewReader(text)) {
		if err != nil {
			return f, &FormatError{Reason: err.Error()}
		}
		a := item.Article
		if a == nil {
			continue
		}
		b := builder{used: true, first: a.PMID}
		for _, field := range [][2]string{
			{"pmid", a.PMID}, {"pmcid", a.PMCID}, {"doi", a.DOI}, {"title", a.Title}, {"journal", a.Journal.Title},
			{"year", a.PublicationDate.String()}, {"volume", a.Journal.Volume}, {"issue", a.Journal.Issue},
			{"page", a.Journal.Pages},
		} {
			b.set(field[0], field[1])
		}
		if len(a.Authors) > 0 {
			first := a.Authors[0]
			b.r.Author = strings.TrimSpace(first.LastName + " " + first.Initials + first.CollectiveName)
		}
		f.add(&b)
	}
	return f, nil
}
