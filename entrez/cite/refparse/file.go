package refparse

import (
	"fmt"
	"strings"

	"biomcp/entrez/pattern"
)

// A Format is the form of a file of references.
type Format string

const (
	Lines      Format = "lines"       // no format of a file: printed references, or identifiers, in lines
	BibTeX     Format = "BibTeX"      // also biblatex
	RIS        Format = "RIS"         //
	NBIB       Format = "nbib"        // PubMed's and MEDLINE's tagged format
	EndNote    Format = "EndNote"     // EndNote's tagged format (.enw) and Refer
	EndNoteXML Format = "EndNote XML" //
	PubMedXML  Format = "PubMed XML"  //
	JSON       Format = "CSL-JSON"    // also the JSON answers and lines of this program
	CSV        Format = "CSV"         // also with tabs or semicolons
)

// A File is a parsed file of references.
type File struct {
	Format     Format
	References []Reference
	// Skipped holds the lines that belong to no record, such as headings between them, the text of
	// records without any known field, and what is wrong with the rows of a table that cannot be read.
	Skipped []string
}

// A FormatError reports a file whose form is known but that cannot be read, or that is not a file of references.
type FormatError struct{ Reason string }

func (e *FormatError) Error() string { return "references: " + e.Reason }

// Read parses a file of references. It finds the form of the file in all of its lines, so that a
// preamble does not matter. It returns a *FormatError for XML that is not of a known form, and for
// JSON that is cut short.
func Read(text string) (File, error) {
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\ufeff", "").Replace(text)
	lines := strings.Split(text, "\n")
	trimmed := strings.TrimSpace(text)
	switch {
	case xmlStart().MatchString(trimmed):
		return readXML(trimmed)
	case strings.HasPrefix(trimmed, "[") || strings.HasPrefix(trimmed, "{"):
		if f, isJSON, err := readJSON(trimmed); isJSON || err != nil {
			return f, err
		}
	}
	switch f := taggedFormat(text, lines); f {
	case BibTeX:
		return readBibTeX(text), nil
	case RIS:
		return readRIS(lines), nil
	case NBIB:
		return readNBIB(lines), nil
	case EndNote:
		return readEndNote(lines), nil
	}
	if f, isCSV := readCSV(text); isCSV {
		return f, nil
	}
	return readLines(lines), nil
}

// IDs returns the identifier of each record of a file: the PMID, or else the PMCID or the DOI.
// Without counts the records without an identifier. In a file of [Lines] a short number may be a PMID,
// which only the caller can know.
func (f File) IDs() (ids []string, without int) {
	for _, r := range f.References {
		switch {
		case r.PMID != "":
			ids = append(ids, r.PMID)
		case r.PMCID != "":
			ids = append(ids, r.PMCID)
		case r.DOI != "":
			ids = append(ids, r.DOI)
		default:
			without++
		}
	}
	return ids, without
}

// Split returns the references of a text, as [Read] does, or nothing if Read fails.
func Split(text string) []Reference {
	f, err := Read(text)
	if err != nil || f.References == nil {
		return []Reference{}
	}
	return f.References
}

var (
	xmlStart     = pattern.Lazy(`^<(?:\?xml\b|!DOCTYPE\b|!--|(?:xml|records|html|Pubmed\w*|pmc-articleset|article)\b)`)
	risStart     = pattern.Lazy(`^TY {1,2}- ?\S`)
	nbibStart    = pattern.Lazy(`^PMID {0,2}- ?\d`)
	endNoteStart = pattern.Lazy(`^%0 \S`)
)

// taggedFormat returns the format of BibTeX entries or tagged records that occurs most often in a
// text, or Lines if there are none.
func taggedFormat(text string, lines []string) Format {
	count := map[Format]int{BibTeX: len(bibtexStart().FindAllStringIndex(text, -1))}
	for _, l := range lines {
		for _, f := range []struct {
			format Format
			starts bool
		}{{RIS, risStart().MatchString(l)}, {NBIB, nbibStart().MatchString(l)}, {EndNote, endNoteStart().MatchString(l)}} {
			if f.starts {
				count[f.format]++
			}
		}
	}
	best := Lines
	for _, f := range []Format{BibTeX, RIS, NBIB, EndNote} {
		if count[f] > count[best] {
			best = f
		}
	}
	return best
}

// readLines parses one reference per line, or several if they are clearly separated. A reference may be
// wrapped over several lines. A number alone is a PMID, unless it is so short that it may be a year or a page.
func readLines(lines []string) File {
	f := File{Format: Lines}
	for _, l := range unwrap(lines) {
		for _, part := range splitLine(l) {
			if strings.TrimSpace(part) == "" {
				continue
			}
			r := Parse(part)
			if number := onlyNumber(r.Text); len(number) > len("2018") {
				r = Reference{Text: r.Text, PMID: number}
			}
			f.References = append(f.References, r)
		}
	}
	return f
}

// onlyNumber returns the number of at most eight digits that a reference consists of, or "". Punctuation, and
// the number of the reference in its list, do not count.
func onlyNumber(text string) string {
	text = strings.Trim(normalize(text), " .,;:()[]\"'-•#")
	if len(text) > len("12345678") || strings.Trim(text, "0123456789") != "" {
		return ""
	}
	return strings.TrimLeft(text, "0")
}

// skip notes a line that belongs to no record.
func (f *File) skip(line string) {
	if line = strings.Join(strings.Fields(line), " "); line != "" {
		f.Skipped = append(f.Skipped, line)
	}
}

// add adds the record of a builder, or notes that it has no known field.
func (f *File) add(b *builder) {
	if r := b.reference(); r.Text != "" {
		f.References = append(f.References, r)
	} else if b.used {
		f.skip(fmt.Sprintf("a record without fields: %s", b.first))
	}
}
