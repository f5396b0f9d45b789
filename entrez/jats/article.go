package jats

import (
	"cmp"
	"strings"
)

// An Article is a full text. Absent strings are "", and absent slices are empty but never nil.
type Article struct {
	Type      string   `json:"type"` // research-article, review-article, correction, ...
	Title     string   `json:"title"`
	Authors   []string `json:"authors"` // "Rossi MA", or a group's name
	Journal   string   `json:"journal"`
	Published string   `json:"published"` // the electronic date if known: 2012-10-01, 2012-10 or 2012
	PMID      string   `json:"pmid"`
	PMCID     string   `json:"pmcid"` // with the PMC prefix
	DOI       string   `json:"doi"`
	Licence   Licence  `json:"licence"`
	Keywords  []string `json:"keywords"`
	Funding   string   `json:"funding"`
	// DataAvailability states where the data are, if the front matter does, as in PLOS journals.
	DataAvailability string `json:"data_availability"`

	Related   []RelatedArticle `json:"related"`
	Abstracts []Abstract       `json:"abstracts"`
	Body      []Section        `json:"body"` // empty if the publisher does not share the text
	Back      []Section        `json:"back"` // acknowledgements, appendices, glossary, floating figures, peer reviews
	Footnotes []Note           `json:"footnotes"`
	Refs      []Reference      `json:"references"`
}

// A Licence states the terms of use of the text.
type Licence struct {
	Copyright string `json:"copyright"`
	Text      string `json:"text"`
	URL       string `json:"url"`
}

// A RelatedArticle refers to another article, which this one corrects, retracts or comments on. Type is
// JATS's related-article-type.
type RelatedArticle struct {
	Type   string `json:"type"`
	IDType string `json:"id_type"` // doi, pmid, pmc
	ID     string `json:"id"`
}

// An Abstract is one of an article's abstracts. Type is "" for the main abstract, or else JATS's
// abstract-type: summary, graphical, teaser, ...
type Abstract struct {
	Type     string    `json:"type"`
	Title    string    `json:"title"`
	Language string    `json:"language"` // "" for the article's own language
	Sections []Section `json:"sections"`
}

// A Section is a heading with the text under it. Sections are in reading order: a section's
// subsections follow it with a greater Level. Text before the first heading is in a section without
// a title.
type Section struct {
	Level  int     `json:"level"` // 1 is the top
	ID     string  `json:"id"`
	Label  string  `json:"label"` // 2.1
	Title  string  `json:"title"`
	Blocks []Block `json:"blocks"`
}

// A Kind is the kind of a block. The comments on its values list the fields of [Block] that are
// set.
type Kind string

const (
	Paragraph  Kind = "paragraph"  // Text
	List       Kind = "list"       // Title, Items, Ordered, Terms
	Table      Kind = "table"      // Label, Title, Text (caption), Grid, Notes; no Grid if the table is a picture
	Figure     Kind = "figure"     // Label, Title, Text (caption), Files (pictures)
	Formula    Kind = "formula"    // Text, TeX, Label; Files if it is a picture
	Box        Kind = "box"        // Label, Title, Blocks
	Quote      Kind = "quote"      // Blocks
	Code       Kind = "code"       // Text, with its line breaks
	Supplement Kind = "supplement" // Label, Title, Text (caption), Files
	Footnote   Kind = "footnote"   // Label, Text
)

// A Block is one piece of a text, such as a paragraph or a table.
type Block struct {
	Kind    Kind     `json:"kind"`
	ID      string   `json:"id,omitempty"`
	Label   string   `json:"label,omitempty"` // Table 1
	Title   string   `json:"title,omitempty"` // the caption's first sentence, or a box's heading
	Text    string   `json:"text,omitempty"`  // the paragraphs of a caption are lines
	TeX     bool     `json:"tex,omitempty"`   // Text of the formula is TeX
	Files   []string `json:"files,omitempty"` // file names in the article
	Ordered bool     `json:"ordered,omitempty"`
	Terms   bool     `json:"terms,omitempty"` // the items of the list define the terms in their labels
	Items   []Item   `json:"items,omitempty"`
	Grid    *Grid    `json:"table,omitempty"`
	Notes   []Note   `json:"notes,omitempty"` // notes of a table
	Blocks  []Block  `json:"blocks,omitempty"`
}

// An Item is one entry of a list. Label is the printed number or bullet, or the term in a list of
// definitions.
type Item struct {
	Label  string  `json:"label"`
	Blocks []Block `json:"blocks"`
}

// ItemLabel returns the label of an item of the list. A defined term ends with a colon.
func (b Block) ItemLabel(item Item) string {
	if !b.Terms || item.Label == "" || len(item.Blocks) == 0 || strings.ContainsAny(item.Label[len(item.Label)-1:], ":=") {
		return item.Label
	}
	return item.Label + ":"
}

// A Grid is a rectangular table: all rows have the same number of cells. The text of a cell that
// spans several rows or columns is repeated in each, so that every row can be read by itself. A
// single cell across the whole table (a subheading) has its text only in the first cell of its row.
type Grid struct {
	Header [][]string `json:"header"`
	Rows   [][]string `json:"rows"`
}

// Columns returns a name for each column: the texts of its header rows from top to bottom, joined
// by " / " without repetition.
func (g *Grid) Columns() []string {
	if len(g.Header) == 0 {
		return []string{}
	}
	names := make([]string, len(g.Header[0]))
	for _, row := range g.Header {
		for i, text := range row {
			switch {
			case text == "" || text == names[i] || strings.HasSuffix(names[i], " / "+text):
			case names[i] == "":
				names[i] = text
			default:
				names[i] += " / " + text
			}
		}
	}
	return names
}

// A Note is a footnote of the article, with JATS's fn-type (coi-statement, con, equal, ...), or a
// note of a table.
type Note struct {
	ID    string `json:"id"`
	Type  string `json:"type"`
	Label string `json:"label"`
	Text  string `json:"text"`
}

// A Heading is a line of the outline. Words counts the words of the section and all of its
// subsections, including captions and table cells.
type Heading struct {
	Level int    `json:"level"`
	ID    string `json:"id"`
	Label string `json:"label"`
	Title string `json:"title"`
	Words int    `json:"words"`
}

// Outline returns the headings of abstracts, body, back matter and reference list, with their
// sizes.
func (a *Article) Outline() []Heading {
	out := []Heading{}
	for _, abstract := range a.Abstracts {
		title := cmp.Or(abstract.Title, "Abstract")
		h := Heading{Level: 1, Title: title}
		for _, s := range abstract.Sections {
			h.Words += s.words()
		}
		out = append(out, h)
	}
	out = append(out, headings(a.Body)...)
	out = append(out, headings(a.Back)...)
	if len(a.Refs) > 0 {
		h := Heading{Level: 1, Title: "References"}
		for _, r := range a.Refs {
			h.Words += len(strings.Fields(r.Text))
		}
		out = append(out, h)
	}
	return out
}

func headings(sections []Section) []Heading {
	out := make([]Heading, len(sections))
	for i, s := range sections {
		out[i] = Heading{Level: s.Level, ID: s.ID, Label: s.Label, Title: s.Title}
		n := s.words()
		out[i].Words = n
		// Add to every section that contains this one.
		for j, level := i-1, s.Level; j >= 0 && level > 1; j-- {
			if out[j].Level < level {
				out[j].Words += n
				level = out[j].Level
			}
		}
	}
	return out
}

func (s Section) words() int { return len(strings.Fields(s.Text())) }

// Text returns the text of a section without its heading and subsections, in reading order. Each
// block and each table row is a line.
func (s Section) Text() string { return blocksText(s.Blocks) }

func blocksText(blocks []Block) string {
	var lines []string
	add := func(texts ...string) {
		for _, t := range texts {
			if t != "" {
				lines = append(lines, t)
			}
		}
	}
	for _, b := range blocks {
		if b.Kind == Formula { // a formula's number is on its right
			add(b.Text, b.Label)
			continue
		}
		add(b.Label, b.Title, b.Text)
		for _, item := range b.Items {
			add(b.ItemLabel(item), blocksText(item.Blocks))
		}
		if b.Grid != nil {
			for _, row := range append(b.Grid.Header[:len(b.Grid.Header):len(b.Grid.Header)], b.Grid.Rows...) {
				add(strings.Join(row, "\t"))
			}
		}
		add(blocksText(b.Blocks))
		for _, n := range b.Notes {
			add(strings.TrimSpace(n.Label + " " + n.Text))
		}
	}
	return strings.Join(lines, "\n")
}
