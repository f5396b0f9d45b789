package entreztest

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"unicode"
	"unicode/utf8"

	"biomcp/entrez/pubmed"
)

// The parts of PubTator3's BioC-JSON export (captures pubtator/export_*.json).
type (
	bioDocument struct {
		ID          string         `json:"_id"`
		Number      string         `json:"id"`
		Infons      struct{}       `json:"infons"`
		Passages    []bioPassage   `json:"passages"`
		Relations   []struct{}     `json:"relations"`
		PMID        int            `json:"pmid"`
		PMCID       *string        `json:"pmcid"`
		Meta        struct{}       `json:"meta"`
		Date        string         `json:"date"`
		Journal     string         `json:"journal"`
		Authors     []string       `json:"authors"`
		RelationsUI []relationName `json:"relations_display"`
	}

	relationName struct {
		Name string `json:"name"`
	}

	bioPassage struct {
		Infons      map[string]string `json:"infons"`
		Offset      int               `json:"offset"`
		Text        string            `json:"text"`
		Sentences   []struct{}        `json:"sentences"`
		Annotations []bioAnnotation   `json:"annotations"`
		Relations   []struct{}        `json:"relations"`
	}

	bioAnnotation struct {
		ID        string        `json:"id"`
		Infons    bioConcept    `json:"infons"`
		Text      string        `json:"text"`
		Locations []bioLocation `json:"locations"`
	}

	bioLocation struct {
		Offset int `json:"offset"`
		Length int `json:"length"`
	}

	// bioConcept is a concept. Normalized IDs are numbers for species, and text for MeSH.
	bioConcept struct {
		Identifier   string  `json:"identifier"`
		Type         string  `json:"type"`
		Valid        bool    `json:"valid"`
		Normalized   []any   `json:"normalized"`
		Database     string  `json:"database"`
		NormalizedID any     `json:"normalized_id"`
		Biotype      string  `json:"biotype"`
		Name         string  `json:"name"`
		Accession    *string `json:"accession"`
	}
)

// AddPubTator adds an export (BioC-JSON, one or more documents) to serve instead of derived
// annotations, and returns its PMIDs.
func (s *Server) AddPubTator(data []byte) (pmids []string, err error) {
	var doc struct {
		PubTator3 []json.RawMessage `json:"PubTator3"`
	}
	if err := json.Unmarshal(data, &doc); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, raw := range doc.PubTator3 {
		var id struct {
			PMID int `json:"pmid"`
		}
		if err := json.Unmarshal(raw, &id); err != nil {
			return pmids, err
		}
		if id.PMID == 0 {
			return pmids, errors.New("a document without a pmid")
		}
		pmid := fmt.Sprint(id.PMID)
		s.pubtator[pmid] = raw
		pmids = append(pmids, pmid)
	}
	return pmids, nil
}

// exportBioC answers publications/export/biocjson?pmids=. It skips unknown records.
func (s *Server) exportBioC(c *call) reply {
	ids := strings.FieldsFunc(c.get("pmids"), func(r rune) bool { return r == ',' || r == ' ' })
	if len(ids) == 0 || len(ids) > 100 {
		return jsonReply(http.StatusBadRequest, struct {
			Detail string `json:"detail"`
		}{"pmids: give one to 100 identifiers"})
	}
	if c.Fault != nil {
		ids = c.Fault.OnIDs(ids)
	}
	docs := []any{}
	for _, id := range ids {
		s.mu.Lock()
		export := s.pubtator[id]
		s.mu.Unlock()
		if export != nil {
			docs = append(docs, json.RawMessage(export))
		} else if a := s.Article(id); a != nil {
			docs = append(docs, annotate(a))
		}
	}
	return jsonReply(http.StatusOK, struct {
		PubTator3 []any `json:"PubTator3"`
	}{docs})
}

// annotate derives the annotations of a record from its indexing.
func annotate(a *pubmed.Article) bioDocument {
	doc := bioDocument{
		ID: a.PMID + "|None", Number: a.PMID, Relations: []struct{}{}, PMID: int(atoi32(a.PMID)),
		Journal: a.Journal.Abbreviation, Authors: []string{}, RelationsUI: []relationName{},
	}
	for _, p := range a.Authors {
		doc.Authors = append(doc.Authors, p.Name())
	}
	if d := firstDay(a.PublicationDate); d != 0 {
		doc.Date = strings.ReplaceAll(d.String(), "/", "-") + "T00:00:00Z"
	}
	title := map[string]string{
		"type": "title", "journal": sourceLine(a), "year": fmt.Sprint(a.PublicationDate.Year),
		"authors": strings.Join(doc.Authors, ", "),
	}
	if a.PMCID != "" {
		title["article-id_pmc"] = a.PMCID
	}
	concepts := conceptsOf(a)
	count := 0
	add := func(infons map[string]string, offset int, text string) {
		p := bioPassage{Infons: infons, Offset: offset, Text: text, Sentences: []struct{}{},
			Annotations: []bioAnnotation{}, Relations: []struct{}{}}
		for _, concept := range concepts {
			for _, m := range mentions(text, concept.word) {
				count++
				p.Annotations = append(p.Annotations, bioAnnotation{
					ID: fmt.Sprint(count), Infons: concept.bioConcept, Text: m.text,
					Locations: []bioLocation{{offset + m.start, utf8.RuneCountInString(m.text)}},
				})
			}
		}
		doc.Passages = append(doc.Passages, p)
	}
	add(title, 0, a.Title)
	abstract := strings.ReplaceAll(a.Abstract, "\n", " ")
	add(map[string]string{"type": "abstract"}, utf8.RuneCountInString(a.Title)+1, abstract)
	return doc
}

type concept struct {
	bioConcept
	word string
}

// diseaseQualifiers lists the qualifiers that MeSH allows almost only with diseases. They mark a
// heading as a disease.
var diseaseQualifiers = map[string]bool{
	"diagnosis": true, "drug therapy": true, "epidemiology": true, "mortality": true, "etiology": true,
	"complications": true, "therapy": true, "prevention & control": true, "surgery": true, "virology": true,
	"radiotherapy": true, "pathology": true, "congenital": true, "rehabilitation": true, "psychology": true,
}

var species = map[string]struct {
	taxon int
	words []string
}{
	"Humans": {9606, []string{"human", "humans", "patient", "patients", "women", "men", "children"}},
	"Mice":   {10090, []string{"mouse", "mice", "murine"}},
	"Rats":   {10116, []string{"rat", "rats"}},
}

func conceptsOf(a *pubmed.Article) []concept {
	var out []concept
	mesh := func(kind, ui, name string) {
		accession := "@" + strings.ToUpper(kind) + "_" + strings.ReplaceAll(name, " ", "_")
		out = append(out, concept{bioConcept{
			Identifier: "MESH:" + ui, Type: kind, Valid: true, Normalized: []any{ui}, Database: "ncbi_mesh",
			NormalizedID: ui, Biotype: strings.ToLower(kind), Name: name, Accession: &accession,
		}, name})
	}
	for _, g := range a.GeneSymbols {
		accession := "@GENE_" + g
		out = append(out, concept{bioConcept{
			Identifier: g, Type: "Gene", Valid: true, Normalized: []any{g}, Database: "ncbi_gene",
			NormalizedID: g, Biotype: "gene", Name: g, Accession: &accession,
		}, g})
	}
	for _, c := range a.Chemicals {
		mesh("Chemical", c.UI, c.Name)
	}
	for _, m := range a.Mesh {
		for _, q := range m.Qualifiers {
			if diseaseQualifiers[q.Name] {
				mesh("Disease", m.UI, m.Descriptor)
				break
			}
		}
		if sp, ok := species[m.Descriptor]; ok {
			for _, word := range sp.words {
				id := fmt.Sprint(sp.taxon)
				out = append(out, concept{bioConcept{
					Identifier: id, Type: "Species", Valid: true, Normalized: []any{sp.taxon}, Database: "ncbi_taxonomy",
					NormalizedID: sp.taxon, Biotype: "species", Name: id,
				}, word})
			}
		}
	}
	for _, s := range a.SupplMesh {
		if s.Type == "Disease" {
			mesh("Disease", s.UI, s.Name)
		}
	}
	return out
}

type mention struct {
	start int // in characters
	text  string
}

// mentions returns the places where text contains a term as whole words, ignoring case.
func mentions(text, term string) []mention {
	in, want := []rune(text), []rune(strings.ToLower(term))
	if len(want) == 0 {
		return nil
	}
	letter := func(i int) bool {
		return i >= 0 && i < len(in) && (unicode.IsLetter(in[i]) || unicode.IsDigit(in[i]))
	}
	var out []mention
	for i := 0; i+len(want) <= len(in); i++ {
		if letter(i-1) || letter(i+len(want)) {
			continue
		}
		same := true
		for j, r := range want {
			if unicode.ToLower(in[i+j]) != r {
				same = false
				break
			}
		}
		if same {
			out = append(out, mention{i, string(in[i : i+len(want)])})
		}
	}
	return out
}
