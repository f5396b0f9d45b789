package refparse

import (
	"encoding/csv"
	"fmt"
	"strings"
	"unicode"
)

// csvField returns the common name of a column, or "". It knows the columns of PubMed, Zotero,
// Scopus, Web of Science, Rayyan, Covidence and this program. A name has only lower-case letters.
func csvField(name string) string {
	switch name {
	case "pmid", "pubmedid", "pubmed", "pm":
		return "pmid"
	case "pmcid", "pmc":
		return "pmcid"
	case "doi", "di", "doilink":
		return "doi"
	case "title", "articletitle", "documenttitle", "primarytitle", "ti":
		return "title"
	case "author", "authors", "firstauthor", "au", "authorfullnames":
		return "author"
	case "journal", "journalbook", "sourcetitle", "publicationtitle", "journaltitle", "source", "containertitle",
		"secondarytitle", "so":
		return "journal"
	case "year", "publicationyear", "publishedyear", "pubyear", "pubdate", "date", "publicationdate", "py":
		return "year"
	case "volume", "vol", "vl":
		return "volume"
	case "issue", "is":
		return "issue"
	case "pages", "page", "firstpage", "pagestart", "startpage", "bp":
		return "page"
	case "artno", "articlenumber", "ar":
		return "article number"
	case "url", "urls", "link":
		return "url"
	case "citation":
		return "citation"
	case "accessionnumber":
		return "accession"
	case "database":
		return "database"
	case "extra", "note", "notes":
		return "note"
	}
	return ""
}

// maxPreamble is the maximum number of lines before the header of a table.
const maxPreamble = 20

// readCSV parses a table with a header. isTable is false if no line is a header: it has two known
// columns, of which one is an identifier or a title.
func readCSV(text string) (f File, isTable bool) {
	f.Format = CSV
	rest := text
	for above := range maxPreamble {
		line, after, more := strings.Cut(rest, "\n")
		for _, comma := range []rune{',', '\t', ';'} {
			if columns := csvHeader(line, comma); columns != nil {
				t := table{File: &f, comma: comma, columns: columns}
				t.read(after, above+1)
				return f, true
			}
		}
		f.skip(line)
		if !more {
			break
		}
		rest = after
	}
	return File{}, false
}

// csvHeader returns the fields of the columns of a header, or nil if line is not one.
func csvHeader(line string, comma rune) []string {
	if !strings.ContainsRune(line, comma) {
		return nil
	}
	r := csvReader(line, comma)
	names, err := r.Read()
	if err != nil {
		return nil
	}
	fields, known, named := make([]string, len(names)), 0, false
	for i, name := range names {
		if fields[i] = csvField(letters(name)); fields[i] != "" {
			known++
		}
		switch fields[i] {
		case "pmid", "pmcid", "doi", "title":
			named = true
		}
	}
	if known < 2 || !named {
		return nil
	}
	return fields
}

func csvReader(text string, comma rune) *csv.Reader {
	r := csv.NewReader(strings.NewReader(text))
	r.Comma, r.LazyQuotes, r.FieldsPerRecord = comma, true, -1
	return r
}

// A table adds the rows below its header to a file.
type table struct {
	*File
	comma   rune
	columns []string // common names
}

// maxOpenQuotes is the maximum number of rows of a table that open a quotation mark without closing it.
const maxOpenQuotes = 100

// read parses the rows of text, which above lines precede. A row whose quotation mark is not closed
// would swallow all rows below it: read skips its first line and parses the next ones.
func (t *table) read(text string, above int) {
	for range maxOpenQuotes {
		rest, first, open := t.rows(text, above)
		if !open {
			return
		}
		line, below, _ := strings.Cut(rest, "\n")
		t.skip(fmt.Sprintf("line %d: a quotation mark is not closed: %s", first, line))
		text, above = below, first
	}
	t.skip(fmt.Sprintf("line %d and all below it: quotation marks are not closed", above+1))
}

// rows adds the rows of a text. If the last one has an open quotation mark, it returns the text from the
// line on where that row begins, and the number of this line in the file.
func (t *table) rows(text string, above int) (rest string, first int, open bool) {
	r := csvReader(text, t.comma)
	for {
		start := r.InputOffset()
		row, err := r.Read()
		if err != nil {
			return "", 0, false
		}
		line, _ := r.FieldPos(0)
		first, rest = above+line, strings.TrimLeft(text[start:], "\n") // blank lines are no rows
		last := r.InputOffset() == int64(len(text))
		extra := row[min(len(row), len(t.columns)):]
		switch {
		case last && hasOpenQuote(rest, t.comma):
			return rest, first, true
		case strings.TrimSpace(strings.Join(extra, "")) != "":
			t.skip(fmt.Sprintf("line %d: %d fields, and the header has %d", first, len(row), len(t.columns)))
		case last && !strings.HasSuffix(text, "\n") && len(row) < len(t.columns):
			t.skip(fmt.Sprintf("line %d is cut off: %d fields, and the header has %d", first, len(row), len(t.columns)))
		default:
			t.addRow(row)
		}
	}
}

// hasOpenQuote reports whether the last row of a text has a quotation mark that is not closed: then a row
// after it belongs to it.
func hasOpenQuote(row string, comma rune) bool {
	r := csvReader(row+"\nnext", comma)
	_, err := r.Read()
	if err == nil {
		_, err = r.Read()
	}
	return err != nil
}

func (t *table) addRow(row []string) {
	b := builder{used: true, first: strings.Join(row, " ")}
	for _, isCitation := range []bool{false, true} { // the fields of their own have precedence
		for i, value := range row {
			if i < len(t.columns) && (t.columns[i] == "citation") == isCitation {
				b.set(t.columns[i], withoutApostrophe(value))
			}
		}
	}
	t.add(&b)
}

// withoutApostrophe removes the apostrophe that this program and spreadsheets put before the text of a cell
// that would be a formula.
func withoutApostrophe(cell string) string {
	if sign := strings.TrimLeft(cell, "'"); sign != "" && sign != cell && strings.ContainsRune("=+-@\t\r", rune(sign[0])) {
		return cell[1:]
	}
	return cell
}

// letters returns the letters of a name in lower case.
func letters(name string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsLetter(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, name)
}
