package pubtator

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"biomcp/entrez/ncbi"
)

// Document is one article with its annotations, in the order of its text.
type Document struct {
	PMID        string
	Annotations []Annotation
}

// Annotation is what is marked in a text, once or several times. Identifier, Database,
// Accession and Name are "" where PubTator could not say what it is.
type Annotation struct {
	Text       string // as the text has it
	Type       string // Gene, Disease, Chemical, Variant, Species, CellLine, ...
	Identifier string // 672, MESH:D009369, 9606, rs113488022, CVCL_0023
	Database   string // ncbi_gene, ncbi_mesh, ncbi_taxonomy, litvar, cellosaurus
	Accession  string // @GENE_BRCA1, which PubTator's own search takes
	Name       string // the database's name: BRCA1
	Mentions   int
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

// readOfExport is what is read of an export.
const readOfExport = "PubTator3.{id,pmid} PubTator3.passages.infons.article-id_pmid " +
	"PubTator3.passages.annotations.{text,locations} " +
	"PubTator3.passages.annotations.infons.{type,identifier,database,accession,name,rsid}"

func document(d ncbi.Object) Document {
	out := Document{PMID: text(d, "pmid"), Annotations: []Annotation{}}
	if id := text(d, "id"); out.PMID == "" && strings.Trim(id, "0123456789") == "" {
		out.PMID = id
	}
	for _, p := range objects(d, "passages") {
		out.PMID = cmp.Or(out.PMID, text(p, "infons.article-id_pmid"))
		for _, a := range objects(p, "annotations") {
			e := a.At("infons")
			out.Annotations = append(out.Annotations, Annotation{
				Text: text(a, "text"), Type: text(e, "type"), Database: text(e, "database"),
				Accession: text(e, "accession"), Name: text(e, "name"),
				// A variant's identifier reads "tmVar:p|SUB|V|600|E;HGVS:p.V600E;...;RS#:113488022;...";
				// its rs number is what the databases know it by.
				Identifier: cmp.Or(text(e, "rsid"), text(e, "identifier")),
				Mentions:   max(1, len(objects(a, "locations"))),
			})
		}
	}
	return out
}

// PubTator fills the same field with a string, a number, null, a list or an object, so
// every field is read by text, whole or objects, which refuse nothing.

// text is a string or a number; those in a list are joined by ";". Null, an object and "-"
// are "".
func text(o ncbi.Object, path string) string {
	words := slices.DeleteFunc(o.Texts(path), func(w string) bool { return w == "-" || w == "None" })
	return strings.Join(words, ";")
}

// whole is a number, also one written as a string; anything else is 0.
func whole(o ncbi.Object, path string) int {
	n, err := strconv.ParseFloat(o.Text(path), 64)
	if err != nil || !(n >= 0 && n <= 1<<30) { // not n < 0: NaN parses too
		return 0
	}
	return int(n)
}

// objects are the objects of a list, without members of another shape.
func objects(o ncbi.Object, path string) []ncbi.Object {
	return slices.DeleteFunc(o.Each(path), func(m ncbi.Object) bool { return !m.IsObject() })
}
