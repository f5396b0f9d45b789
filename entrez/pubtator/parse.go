package pubtator

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"biomcp/entrez/ncbi"
)

// Document is one article with its annotations.
type Document struct {
	PMID      string     `json:"pmid"`
	PMCID     string     `json:"pmcid"` // with the PMC prefix, "" for an abstract
	Passages  []Passage  `json:"passages"`
	Relations []Relation `json:"relations"`
}

// Passage is a title, an abstract, or a paragraph of a full text. Offset counts
// Unicode characters from the start of the document.
type Passage struct {
	Type        string       `json:"type"`    // title, abstract, paragraph, title_1, fig_caption, ref, ...
	Section     string       `json:"section"` // TITLE, ABSTRACT, INTRO, METHODS, ..., "" in an abstract's export
	Text        string       `json:"text"`
	Offset      int          `json:"offset"`
	Annotations []Annotation `json:"annotations"`
}

// Annotation is one mention. Identifier, Database, Accession and Name are ""
// where PubTator could not say what the mention is.
type Annotation struct {
	Text       string     `json:"text"`       // as the passage has it
	Type       string     `json:"type"`       // Gene, Disease, Chemical, Variant, Species, CellLine, ...
	Identifier string     `json:"identifier"` // 672, MESH:D009369, 9606, rs113488022, CVCL_0023
	Database   string     `json:"database"`   // ncbi_gene, ncbi_mesh, ncbi_taxonomy, litvar, cellosaurus
	Accession  string     `json:"accession"`  // @GENE_BRCA1, which PubTator's own search takes
	Name       string     `json:"name"`       // the database's name: BRCA1
	Locations  []Location `json:"locations"`
}

// Location is where a mention is, in Unicode characters from the start of
// the document (not of the passage).
type Location struct {
	Offset int `json:"offset"`
	Length int `json:"length"`
}

// Relation is what PubTator read between two entities of the article. Score is
// PubTator's own confidence from 0 to 1, 0 where it gave none.
type Relation struct {
	Type  string     `json:"type"` // Association, Positive_Correlation, Negative_Correlation, Treatment, ...
	Score float64    `json:"score"`
	First Annotation `json:"first"`
	Other Annotation `json:"other"`
}

// FormatError says why bytes are not a BioC-JSON export.
type FormatError struct{ Reason string }

func (e *FormatError) Error() string { return "PubTator annotations: " + e.Reason }

// Parse reads a BioC-JSON export in any shape that the service has used:
// {"PubTator3": [documents]}, a BioC collection {"documents": [...]}, a bare
// list, one document, or one document a line. An export of nothing is an empty
// list. The error is a *FormatError.
func Parse(data []byte) ([]Document, error) {
	docs := []Document{}
	lines := json.NewDecoder(bytes.NewReader(data))
	for {
		var raw json.RawMessage
		if err := lines.Decode(&raw); errors.Is(err, io.EOF) {
			return docs, nil
		} else if err != nil {
			return nil, &FormatError{Reason: err.Error()}
		}
		found, err := documents(ncbi.Parse(raw))
		if err != nil {
			return nil, &FormatError{Reason: err.Error()}
		}
		for _, d := range found {
			if !d.Get("passages").Exists() { // not even a title
				return nil, &FormatError{Reason: "a document without passages"}
			}
			docs = append(docs, document(d))
		}
	}
}

func documents(o ncbi.Object) ([]ncbi.Object, error) {
	for _, path := range []string{"@this", "PubTator3", "documents"} {
		if o.Get(path).IsArray() {
			return o.Each(path), nil
		}
	}
	if detail := text(o, "detail"); detail != "" { // the service's own refusal
		return nil, fmt.Errorf("the service says %q", detail)
	}
	return []ncbi.Object{o}, nil
}
