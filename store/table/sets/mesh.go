package sets

import (
	"context"
	"encoding/xml"
	"errors"
	"io"
	"slices"
	"strings"

	"biomcp/store/table"
	"biomcp/store/table/entryterms"
)

// MeSHSet is the name of the data set of headings.
const MeSHSet = "mesh"

// Heading is a MeSH descriptor.
type Heading struct {
	UI          string   `json:"ui"`
	Name        string   `json:"name"`
	EntryTerms  []string `json:"entry_terms"` // terms of its concepts, other than its name
	TreeNumbers []string `json:"tree_numbers"`
	ScopeNote   string   `json:"scope_note"`
	Class       string   `json:"class"` // topical, publication type, check tag or geographic
}

// classes maps the values of the attribute DescriptorClass
// (https://www.nlm.nih.gov/mesh/xml_data_elements.html).
var classes = map[string]string{"1": "topical", "2": "publication type", "3": "check tag", "4": "geographic"}

// Filter fields of headings.
const (
	Term = "term" // the name or an entry term
	Tree = "tree"
)

// descriptor holds the parts of a DescriptorRecord that readMeSH uses.
type descriptor struct {
	Class    string   `xml:"DescriptorClass,attr"`
	UI       string   `xml:"DescriptorUI"`
	Name     string   `xml:"DescriptorName>String"`
	Trees    []string `xml:"TreeNumberList>TreeNumber"`
	Concepts []struct {
		Preferred string   `xml:"PreferredConceptYN,attr"`
		Scope     string   `xml:"ScopeNote"`
		Terms     []string `xml:"TermList>Term>String"`
	} `xml:"ConceptList>Concept"`
}

// readMeSH reads NLM's descriptor file, about 300 MB of XML, one record at a time.
func readMeSH(r *reader) {
	const file, record = "desc.gz", "DescriptorRecord"
	d := xml.NewDecoder(r.open(file))
	root := ""
	for r.err == nil {
		token, err := d.Token()
		start, isStart := token.(xml.StartElement)
		var one descriptor
		if err == nil && isStart && root != "" && start.Name.Local == record {
			err = d.DecodeElement(&one, &start)
		}
		line, _ := d.InputPos()
		switch {
		case errors.Is(err, io.EOF) && root != "":
			return
		case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.As(err, new(*xml.SyntaxError)):
			r.err = formatError(file, "it is not XML, or is cut off or damaged (%s)", err)
		case err != nil:
			r.err = err
		case isStart && root == "":
			if root = start.Name.Local; root != record+"Set" {
				r.err = formatError(file, "it begins with <%.40s>, not with <%sSet>", root, record)
			}
		case isStart && start.Name.Local == record && (text(one.UI) == "" || text(one.Name) == ""):
			r.report.skip("%s, line %d: a heading without a name or an identifier", file, line)
		case isStart && start.Name.Local == record:
			r.report.Read++
			r.putAll(one.row())
		}
	}
}

// row returns the row of a heading.
func (d *descriptor) row() *table.Row {
	h := Heading{UI: text(d.UI), Name: text(d.Name), EntryTerms: []string{},
		TreeNumbers: append([]string{}, d.Trees...), Class: classes[d.Class]}
	for _, c := range d.Concepts {
		if c.Preferred == "Y" {
			h.ScopeNote = text(c.Scope)
		}
		for _, t := range c.Terms {
			if t = text(t); t != "" && t != h.Name && !slices.Contains(h.EntryTerms, t) {
				h.EntryTerms = append(h.EntryTerms, t)
			}
		}
	}
	row := &table.Row{ID: h.UI, Kind: h.Class, Name: h.Name, Body: h, ExtraText: h.ScopeNote}
	row.Add(Term, h.Name)
	row.Add(Term, h.EntryTerms...)
	row.Add(Tree, h.TreeNumbers...)
	return row
}

// IsSubject reports whether h describes the subject of a record. Check tags and publication types
// do not: "man" in a question does not ask for records tagged Humans.
func (h Heading) IsSubject() bool { return h.Class != classes["2"] && h.Class != classes["3"] }

// chemical is the letter of the category of drugs and chemicals, which includes proteins.
const chemical = "D"

func (h Heading) IsChemical() bool {
	return slices.ContainsFunc(h.TreeNumbers, func(tree string) bool { return strings.HasPrefix(tree, chemical) })
}

// headingsOf returns, for each term that is the name or an entry term of just one heading, this
// heading, if it is a subject.
func headingsOf(ctx context.Context, t *table.Tables, terms []string) (map[string]Heading, error) {
	holders, err := t.RecordsByValue(ctx, MeSHSet, Term, terms)
	if err != nil {
		return nil, err
	}
	headings := map[string]Heading{}
	for term, records := range holders {
		h, err := table.Decode[Heading](records[0])
		if err != nil {
			return nil, err
		}
		if len(records) == 1 && h.IsSubject() {
			headings[term] = *h
		}
	}
	return headings, nil
}

// builtInHeadings returns what headingsOf does, from the table in the program.
func builtInHeadings(terms []string) map[string]Heading {
	headings := map[string]Heading{}
	for _, term := range terms {
		if h, ok := entryterms.Find(term); ok {
			headings[term] = Heading{Name: h.Name, TreeNumbers: strings.Split(h.Categories, "")}
		}
	}
	return headings
}
