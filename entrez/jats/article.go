package jats

import (
	"cmp"
	"strings"
)

// Article is a full text. Strings are "" and slices empty, never nil, where the
// text has nothing of the kind.
type Article struct {
	Type      string   `json:"type"` // research-article, review-article, correction, ...
	Title     string   `json:"title"`
	Authors   []string `json:"authors"` // "Rossi MA", or a group's name
	Journal   string   `json:"journal"`
	Published string   `json:"published"` // the electronic date where there is one: 2012-10-01, 2012-10 or 2012
	PMID      string   `json:"pmid"`
	PMCID     string   `json:"pmcid"` // with the PMC prefix
	DOI       string   `json:"doi"`
	Licence   Licence  `json:"licence"`
	Keywords  []string `json:"keywords"`
	Funding   string   `json:"funding"`
	// DataAvailability is where the data are, if that is said in the front matter, as PLOS does.
	DataAvailability string `json:"data_availability"`

	Related   []Related   `json:"related"`
	Abstracts []Abstract  `json:"abstracts"`
	Body      []Section   `json:"body"` // empty where the publisher does not give the text out
	Back      []Section   `json:"back"` // acknowledgements, appendices, glossary, floating figures, peer reviews
	Footnotes []Note      `json:"footnotes"`
	Refs      []Reference `json:"references"`
}

// Licence is what may be done with the text.
type Licence struct {
	Copyright string `json:"copyright"`
	Text      string `json:"text"`
	URL       string `json:"url"`
}

// Related points to another article: the one that this corrects, retracts or
// comments on. Type is JATS's related-article-type.
type Related struct {
	Type   string `json:"type"`
	IDType string `json:"id_type"` // doi, pmid, pmc
	ID     string `json:"id"`
}

// Abstract is one of an article's abstracts. Type is "" for the abstract proper,
// else JATS's abstract-type: summary, graphical, teaser, ...
type Abstract struct {
	Type     string    `json:"type"`
	Title    string    `json:"title"`
	Language string    `json:"language"` // "" where it is the article's own
	Sections []Section `json:"sections"`
}

// Section is a heading with the text under it. Sections are in reading order:
// the subsections of a section follow it with a greater Level. Text before the
// first heading is in a section without title.
type Section struct {
	Level  int     `json:"level"` // 1 is the top
	ID     string  `json:"id"`
	Label  string  `json:"label"` // 2.1
	Title  string  `json:"title"`
	Blocks []Block `json:"blocks"`
}

// Kind says what a block is, and so which of its fields are filled.
type Kind string

const (
	Paragraph  Kind = "paragraph"  // Text
	List       Kind = "list"       // Items, Ordered
	Table      Kind = "table"      // Label, Title, Text (caption), Grid, Notes; no Grid where the table is a picture
	Figure     Kind = "figure"     // Label, Title, Text (caption), Files (pictures)
	Formula    Kind = "formula"    // Text, TeX, Label; Files where it is a picture
	Box        Kind = "box"        // Label, Title, Blocks
	Quote      Kind = "quote"      // Blocks
	Code       Kind = "code"       // Text, its line breaks kept
	Supplement Kind = "supplement" // Label, Title, Text (caption), Files
	Footnote   Kind = "footnote"   // Label, Text
)

// Block is one piece of a text.
type Block struct {
	Kind    Kind     `json:"kind"`
	ID      string   `json:"id,omitempty"`
	Label   string   `json:"label,omitempty"` // Table 1
	Title   string   `json:"title,omitempty"` // the caption's first sentence, or a box's heading
	Text    string   `json:"text,omitempty"`  // paragraphs of a caption are lines
	TeX     bool     `json:"tex,omitempty"`   // a formula's Text is TeX
	Files   []string `json:"files,omitempty"` // names as the article gives them
	Ordered bool     `json:"ordered,omitempty"`
	Items   []Item   `json:"items,omitempty"`
	Grid    *Grid    `json:"table,omitempty"`
	Notes   []Note   `json:"notes,omitempty"` // under a table
	Blocks  []Block  `json:"blocks,omitempty"`
}

// Item is one entry of a list. Label is the printed number or bullet, or the
// term of a list of definitions.
type Item struct {
	Label  string  `json:"label"`
	Blocks []Block `json:"blocks"`
}

// Grid is a table made rectangular: each row has the same number of cells, and
// a cell that spans several repeats its text in each, so that every row can be
// read by itself. A row of one cell across the whole table (a subheading) has
// its text in the first cell alone.
type Grid struct {
	Header [][]string `json:"header"`
	Rows   [][]string `json:"rows"`
}

// Columns is one name for each column: the texts of the header rows from top to
// bottom, without repetition, joined by " / ".
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

// Note is a footnote: of the article, with JATS's fn-type (coi-statement, con,
// equal, ...), or under a table.
type Note struct {
	ID    string `json:"id"`
	Type  string `json:"type"`
	Label string `json:"label"`
	Text  string `json:"text"`
}

// Reference is one entry of the reference list; Number counts from 1 in the
// order of the list, Label is what the article printed.
type Reference struct {
	Number int    `json:"number"`
	ID     string `json:"id"`
	Label  string `json:"label"`
	Text   string `json:"text"`
	PMID   string `json:"pmid"`
	PMCID  string `json:"pmcid"`
	DOI    string `json:"doi"`
}

// Heading is a line of the outline. Words counts the section with all of its
// subsections, captions and table cells included.
type Heading struct {
	Level int    `json:"level"`
	ID    string `json:"id"`
	Label string `json:"label"`
	Title string `json:"title"`
	Words int    `json:"words"`
}

// Outline is what there is to read, with its size: abstracts, body, back matter
// and the reference list.
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

// Text is the words of a section without its heading and its subsections, a
// block a line and a table row a line, in reading order.
func (s Section) Text() string { return plain(s.Blocks) }

func plain(blocks []Block) string {
	var lines []string
	add := func(texts ...string) {
		for _, t := range texts {
			if t != "" {
				lines = append(lines, t)
			}
		}
	}
	for _, b := range blocks {
		if b.Kind == Formula { // its number is on the right
			add(b.Text, b.Label)
			continue
		}
		add(b.Label, b.Title, b.Text)
		for _, item := range b.Items {
			add(item.Label, plain(item.Blocks))
		}
		if b.Grid != nil {
			for _, row := range append(b.Grid.Header[:len(b.Grid.Header):len(b.Grid.Header)], b.Grid.Rows...) {
				add(strings.Join(row, "\t"))
			}
		}
		add(plain(b.Blocks))
		for _, n := range b.Notes {
			add(strings.TrimSpace(n.Label + " " + n.Text))
		}
	}
	return strings.Join(lines, "\n")
}
