package refparse

import (
	"encoding/csv"
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
	for range maxPreamble {
		line, after, more := strings.Cut(rest, "\n")
		for _, comma := range []rune{',', '\t', ';'} {
			if columns := csvHeader(line, comma); columns != nil {
				f.rows(after, comma, columns)
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

func (f *File) rows(text string, comma rune, columns []string) {
	r := csvReader(text, comma)
	for {
		row, err := r.Read()
		if err != nil {
			return
		}
		b := builder{used: true, first: strings.Join(row, " ")}
		for i, value := range row {
			if i < len(columns) && columns[i] != "citation" {
				b.set(columns[i], value)
			}
		}
		for i, value := range row { // the fields of their own have precedence
			if i < len(columns) && columns[i] == "citation" {
				b.set("citation", value)
			}
		}
		f.add(&b)
	}
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
