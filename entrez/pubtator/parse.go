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

// Document holds the annotations of one article in the order of its text.
type Document struct {
	PMID        string
	Annotations []Annotation
}

// Annotation is a phrase that PubTator marked in a text, once or several times. Identifier,
// Database, Accession and Name are "" if PubTator could not identify it.
type Annotation struct {
	Text       string // as written in the article
	Type       string // Gene, Disease, Chemical, Variant, Species, CellLine, ...
	Identifier string // 672, MESH:D009369, 9606, rs113488022, CVCL_0023
	Database   string // ncbi_gene, ncbi_mesh, ncbi_taxonomy, litvar, cellosaurus
	Accession  string // @GENE_BRCA1, for PubTator's own search
	Name       string // name in the database: BRCA1
	Mentions   int
}

// FormatError reports that data is not a BioC-JSON export.
type FormatError struct{ Reason string }

func (e *FormatError) Error() string { return "PubTator annotations: " + e.Reason }

// Parse parses a BioC-JSON export in any form that the service has used: {"PubTator3":
// [documents]}, a BioC collection {"documents": [...]}, a bare list, one document, or one document
// per line. An empty export gives an empty list. The error is a *FormatError.
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

// documents returns the documents of an export, in whichever form it is.
func documents(o ncbi.Object) ([]ncbi.Object, error) {
	for _, path := range []string{"@this", "PubTator3", "documents"} {
		if o.Get(path).IsArray() {
			return o.Each(path), nil
		}
	}
	if detail := text(o, "detail"); detail != "" { // the service's own error message
		return nil, fmt.Errorf("the service says %q", detail)
	}
	return []ncbi.Object{o}, nil
}

// exportParts lists the parts of an export that are read.
const exportParts = "PubTator3.{id,pmid} PubTator3.passages.infons.article-id_pmid " +
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
			e := a.Member("infons")
			out.Annotations = append(out.Annotations, Annotation{
				Text: text(a, "text"), Type: text(e, "type"), Database: text(e, "database"),
				Accession: text(e, "accession"), Name: text(e, "name"),
				// A variant's identifier has the form
				// "tmVar:p|SUB|V|600|E;HGVS:p.V600E;...;RS#:113488022;...". Databases use the rs
				// number.
				Identifier: cmp.Or(text(e, "rsid"), text(e, "identifier")),
				Mentions:   max(1, len(objects(a, "locations"))),
			})
		}
	}
	return out
}

// PubTator fills a field with a string, a number, null, a list or an object. So every field is read
// by text, number or objects, which accept any of these.

// text returns the string or number at a path. It joins those in a list with ";". It returns "" for
// null, an object and "-".
func text(o ncbi.Object, path string) string {
	words := slices.DeleteFunc(o.Texts(path), func(w string) bool { return w == "-" || w == "None" })
	return strings.Join(words, ";")
}

// number returns the number at a path, even if it is written as a string. It returns 0 for anything
// else.
func number(o ncbi.Object, path string) int {
	n, err := strconv.ParseFloat(o.Text(path), 64)
	if err != nil || !(n >= 0 && n <= 1<<30) { // written so that NaN fails
		return 0
	}
	return int(n)
}

// objects returns the objects in the list at a path and skips other members.
func objects(o ncbi.Object, path string) []ncbi.Object {
	return slices.DeleteFunc(o.Each(path), func(m ncbi.Object) bool { return !m.IsObject() })
}
