package entreztest

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// Delete removes records from all later replies, as when PubMed withdraws a citation. It returns
// the PMIDs of the records that it removed.
func (s *Server) Delete(pmids ...string) []string {
	s.corpus.mu.Lock()
	defer s.corpus.mu.Unlock()
	gone := []string{}
	for _, pmid := range pmids {
		if r := s.corpus.getID(pmid); r != nil && s.corpus.remove(r.pmid) {
			gone = append(gone, pmid)
		}
	}
	return gone
}

// A Revision lists the new values for Revise. An empty field is not changed.
type Revision struct {
	Title    string `json:"title"`
	Abstract string `json:"abstract"` // replaces the abstract by one section without a label
}

// Revise changes a journal article, and sets its DateRevised to the server's day.
func (s *Server) Revise(pmid string, change Revision) error {
	return s.edit(pmid, func(raw []byte) ([]byte, error) {
		var err error
		if change.Title != "" {
			raw, err = replaceElement(raw, "ArticleTitle", "<ArticleTitle>"+esc(change.Title)+"</ArticleTitle>")
		}
		if err == nil && change.Abstract != "" {
			text := "<Abstract><AbstractText>" + esc(change.Abstract) + "</AbstractText></Abstract>"
			if bytes.Contains(raw, []byte("<Abstract>")) {
				raw, err = replaceElement(raw, "Abstract", text)
			} else {
				raw, err = insertBefore(raw, text, "<AuthorList", "<Language>")
			}
		}
		return raw, err
	})
}

// Retract marks a journal article as retracted, as NLM does: with the publication type "Retracted
// Publication", a RetractionIn that refers to the notice, and a new DateRevised. noticePMID may be
// "", and the server need not have that record.
func (s *Server) Retract(pmid, noticePMID string) error {
	return s.edit(pmid, func(raw []byte) ([]byte, error) {
		if bytes.Contains(raw, []byte(">Retracted Publication<")) {
			return raw, nil // only DateRevised changes
		}
		const retracted = `<PublicationType UI="D016441">Retracted Publication</PublicationType>`
		raw, err := insertBefore(raw, retracted, "</PublicationTypeList>")
		if err != nil {
			return nil, err
		}
		notice := `<CommentsCorrections RefType="RetractionIn"><RefSource>Retraction notice. ` +
			s.Now().Format("2006 Jan 2") + `</RefSource>`
		if noticePMID != "" {
			notice += `<PMID Version="1">` + esc(noticePMID) + `</PMID>`
		}
		notice += `</CommentsCorrections>`
		if bytes.Contains(raw, []byte("<CommentsCorrectionsList>")) {
			return insertBefore(raw, notice, "</CommentsCorrectionsList>")
		}
		// The elements that may follow the list in a MedlineCitation, by the DTD.
		return insertBefore(raw, "<CommentsCorrectionsList>"+notice+"</CommentsCorrectionsList>",
			"<GeneSymbolList>", "<MeshHeadingList>", "<NumberOfReferences>", "<PersonalNameSubjectList>", "<OtherID",
			"<OtherAbstract", "<KeywordList", "<CoiStatement>", "<SpaceFlightMission>", "<InvestigatorList",
			"<GeneralNote", "</MedlineCitation>")
	})
}

func (s *Server) edit(pmid string, change func([]byte) ([]byte, error)) error {
	today := s.Now()
	s.corpus.mu.Lock()
	defer s.corpus.mu.Unlock()
	r := s.corpus.getID(pmid)
	if r == nil {
		return notHeld(pmid)
	}
	if r.isBook {
		return fmt.Errorf("PMID %s is a book; only journal articles can be changed, add its new XML instead", pmid)
	}
	raw, err := change(bytes.Clone(r.raw))
	if err != nil {
		return fmt.Errorf("PMID %s: %w", pmid, err)
	}
	date := today.Format("<DateRevised><Year>2006</Year><Month>01</Month><Day>02</Day></DateRevised>")
	if bytes.Contains(raw, []byte("<DateRevised>")) {
		raw, err = replaceElement(raw, "DateRevised", date)
	} else {
		raw, err = insertBefore(raw, date, "<Article ")
	}
	if err != nil {
		return fmt.Errorf("PMID %s: %w", pmid, err)
	}
	if err := xml.Unmarshal(raw, new(struct{})); err != nil {
		return fmt.Errorf("PMID %s: the change would break its XML: %w", pmid, err)
	}
	return scan(bytes.NewReader(raw), s.corpus.add, func(string) {})
}

var errNoPlace = errors.New("the record has no place for the change")

// replaceElement replaces the first element of that name.
func replaceElement(raw []byte, name, replacement string) ([]byte, error) {
	match := regexp.MustCompile(`(?s)<` + name + `(?:\s[^>]*)?>.*?</` + name + `>`).FindIndex(raw)
	if match == nil {
		return nil, fmt.Errorf("%s: %w", name, errNoPlace)
	}
	return bytes.Join([][]byte{raw[:match[0]], []byte(replacement), raw[match[1]:]}, nil), nil
}

// insertBefore inserts text before the mark that comes first in the record.
func insertBefore(raw []byte, text string, marks ...string) ([]byte, error) {
	first := -1
	for _, m := range marks {
		if i := bytes.Index(raw, []byte(m)); i >= 0 && (first < 0 || i < first) {
			first = i
		}
	}
	if first < 0 {
		return nil, fmt.Errorf("%s: %w", strings.Join(marks, ", "), errNoPlace)
	}
	return bytes.Join([][]byte{raw[:first], []byte(text), raw[first:]}, nil), nil
}
