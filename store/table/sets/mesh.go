package sets

import (
	"context"
	"encoding/xml"
	"errors"
	"fmt"
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

// descriptor holds the parts of a DescriptorRecord that ReadMeSH uses.
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

// ReadMeSH reads NLM's descriptor file, about 300 MB of XML, one record at a time.
func ReadMeSH(files Files, put PutRow, report *Report) error {
	const file = "desc.gz"
	if files[file] == nil {
		return formatError(file, "it is missing")
	}
	d := xml.NewDecoder(files[file])
	root := ""
	for {
		token, err := d.Token()
		switch {
		case errors.Is(err, io.EOF) && root != "":
			return nil
		case errors.Is(err, io.EOF) || errors.As(err, new(*xml.SyntaxError)):
			return formatError(file, "it is not XML, or is cut off (%s)", err)
		case err != nil:
			return fmt.Errorf("%s: %w", file, err)
		}
		start, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		if root == "" {
			if root = start.Name.Local; root != "DescriptorRecordSet" {
				return formatError(file, "it begins with <%.40s>, not with <DescriptorRecordSet>", root)
			}
			continue
		}
		if start.Name.Local != "DescriptorRecord" {
			continue
		}
		var r descriptor
		err = d.DecodeElement(&r, &start)
		switch {
		case errors.As(err, new(*xml.SyntaxError)) || errors.Is(err, io.ErrUnexpectedEOF):
			return formatError(file, "it is cut off or damaged (%s)", err)
		case err != nil:
			return fmt.Errorf("%s: %w", file, err)
		}
		h := Heading{UI: text(r.UI), Name: text(r.Name), EntryTerms: []string{},
			TreeNumbers: append([]string{}, r.Trees...), Class: classes[r.Class]}
		if h.UI == "" || h.Name == "" {
			report.skip("%s: a heading without a name or an identifier", file)
			continue
		}
		for _, c := range r.Concepts {
			if c.Preferred == "Y" {
				h.ScopeNote = text(c.Scope)
			}
			for _, t := range c.Terms {
				if t = text(t); t != "" && t != h.Name && !slices.Contains(h.EntryTerms, t) {
					h.EntryTerms = append(h.EntryTerms, t)
				}
			}
		}
		report.Read++
		row := &table.Row{ID: h.UI, Kind: h.Class, Name: h.Name, Body: h, ExtraText: h.ScopeNote}
		row.Add(Term, h.Name)
		row.Add(Term, h.EntryTerms...)
		row.Add(Tree, h.TreeNumbers...)
		if err := put(row); err != nil {
			return err
		}
	}
}

// IsSubject reports whether h describes the subject of a record. Check tags and publication types
// do not: "man" in a question does not ask for records tagged Humans.
func (h Heading) IsSubject() bool { return h.Class != classes["2"] && h.Class != classes["3"] }

// chemical is the letter of the category of drugs and chemicals, which includes proteins.
const chemical = "D"

func (h Heading) IsChemical() bool {
	return slices.ContainsFunc(h.TreeNumbers, func(tree string) bool { return strings.HasPrefix(tree, chemical) })
}

// ByEntryTerm returns, for each term that is an entry term of just one heading and not its name,
// the name of that heading. It ignores headings that are not subjects. The error is a
// *table.AbsentError if the MeSH set is not on this machine.
func ByEntryTerm(ctx context.Context, t *table.Tables, terms []string) (map[string]string, error) {
	headings, err := headingsOf(ctx, t, terms)
	names := map[string]string{}
	for term, h := range headings {
		if !table.EqualText(h.Name, term) {
			names[term] = h.Name
		}
	}
	return names, err
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
