package refparse

import (
	"regexp"
	"strings"

	"biomcp/entrez/pattern"
)

// risField returns the common name of a tag of RIS
// (https://en.wikipedia.org/wiki/RIS_(file_format)), or "".
func risField(tag string) string {
	switch tag {
	case "AU", "A1":
		return "author"
	case "TI", "T1", "CT":
		return "title"
	case "JO", "JF", "JA", "J1", "J2", "T2":
		return "journal"
	case "SO":
		return "source"
	case "PY", "Y1", "DA":
		return "year"
	case "VL":
		return "volume"
	case "IS":
		return "issue"
	case "SP":
		return "page"
	case "C7":
		return "article number"
	case "DO", "DI":
		return "doi"
	case "C2":
		return "pmcid"
	case "PM", "PMID":
		return "pmid"
	case "AN":
		return "accession"
	case "DB", "DP":
		return "database"
	case "UR", "L1", "L2", "L3", "LK", "M3":
		return "url"
	case "N1":
		return "note"
	}
	return ""
}

var (
	risLine     = pattern.Lazy(`^([A-Z][A-Z0-9]|PMID) {1,2}-(?: (.*))?$`)
	risLineWide = pattern.Lazy(`^([A-Z][A-Z0-9]) {2}-(?: (.*))?$`)
	ovidNumber  = pattern.Lazy(`^\s*\d+\.\s*$`)
)

// readRIS parses RIS. ER ends a record, and its line has no value. A record may have tags before TY.
// Between records, lines without a tag are skipped; inside, they continue the value before them.
func readRIS(lines []string) File {
	f := File{Format: RIS}
	line := risLine()
	for _, l := range lines { // tags with two spaces tell them from a wrapped line such as "IL - 6"
		if strings.HasPrefix(l, "TY  - ") {
			line = risLineWide()
			break
		}
	}
	var b builder
	open, hasType, ovid := false, false, false
	name, value := "", ""
	flush := func() {
		b.setRIS(name, value, ovid)
		name, value = "", ""
	}
	end := func() {
		flush()
		f.add(&b)
		b, open, hasType = builder{}, false, false
	}
	for _, l := range lines {
		m := line.FindStringSubmatch(strings.TrimRight(l, " \t"))
		isEnd := m != nil && m[1] == "ER" && strings.TrimSpace(m[2]) == ""
		switch {
		case strings.TrimSpace(l) == "":
		case m == nil && !open:
			ovid = ovidNumber().MatchString(l)
			f.skip(l)
		case isEnd && !open:
		case isEnd:
			end()
			ovid = false
		case m == nil, m[1] == "ER":
			value += " " + strings.TrimSpace(l)
		default:
			if m[1] == "TY" && hasType { // the end of the record before is missing
				end()
			}
			flush()
			if !open {
				open, b.used, b.first = true, true, l
			}
			hasType = hasType || m[1] == "TY"
			name, value = m[1], m[2]
		}
	}
	if open {
		end()
	}
	return f
}

// setRIS sets the field of a tag. Ovid, which numbers its records, writes the PMID into ID.
// Cochrane writes it into C3, and Scopus into C2, where others have the PMCID.
func (b *builder) setRIS(tag, value string, ovid bool) {
	switch {
	case tag == "ID" && ovid:
		b.set("accession", value)
	case tag == "C2" && strings.Trim(value, "0123456789 ") == "":
		if strings.Contains(b.database, "Scopus") {
			b.set("pmid", value)
		}
	case tag == "C3":
		if m := cochraneID().FindStringSubmatch(value); m != nil {
			b.set("pmid", m[1])
		}
	case tag == "SN" || tag == "": // the ISSN
	default:
		b.set(risField(tag), value)
	}
}

// nbibField returns the common name of a tag of MEDLINE's format
// (https://www.nlm.nih.gov/bsd/mms/medlineelements.html), or "".
func nbibField(tag string) string {
	switch tag {
	case "AU":
		return "author"
	case "FAU":
		return "full author"
	case "CN":
		return "group"
	case "TI", "BTI":
		return "title"
	case "TA", "JT":
		return "journal"
	case "DP":
		return "year"
	case "CTDT":
		return "year of a chapter"
	case "TT":
		return "original title"
	case "VI":
		return "volume"
	case "IP":
		return "issue"
	case "PG":
		return "page"
	case "SO":
		return "citation"
	case "PMC":
		return "pmcid"
	case "PMID":
		return "pmid"
	}
	return ""
}

var nbibLine = pattern.Lazy(`^([A-Z][A-Z0-9]{1,3}) {0,2}-(?: ?(.*))?$`)

// readNBIB parses PubMed's format, in which PMID begins a record and indented lines continue a
// value. IS is the ISSN.
func readNBIB(lines []string) File {
	return readTagged(lines, tagged{
		format: NBIB, line: nbibLine(), first: "PMID",
		continues: func(l string) bool { return strings.HasPrefix(l, "  ") || strings.HasPrefix(l, "\t") },
		set: func(b *builder, tag, value string) {
			if tag != "LID" && tag != "AID" {
				b.set(nbibField(tag), value)
			} else if id, ok := strings.CutSuffix(value, "[doi]"); ok {
				b.set("doi", id)
			} else if id, ok := strings.CutSuffix(value, " [pii]"); ok && tag == "LID" {
				b.set("article number", id)
			}
		},
	})
}

// endNoteField returns the common name of a tag of EndNote's format, or "".
func endNoteField(tag string) string {
	switch tag {
	case "%A":
		return "author"
	case "%T":
		return "title"
	case "%J", "%B":
		return "journal"
	case "%D":
		return "year"
	case "%V":
		return "volume"
	case "%N":
		return "issue"
	case "%P":
		return "page"
	case "%R":
		return "doi"
	case "%M":
		return "accession"
	case "%W", "%~":
		return "database"
	case "%U":
		return "url"
	case "%2":
		return "pmcid"
	case "%Z":
		return "note"
	}
	return ""
}

var endNoteLine = pattern.Lazy(`^(%\S) ?(.*)$`)

func readEndNote(lines []string) File {
	return readTagged(lines, tagged{
		format: EndNote, line: endNoteLine(), first: "%0",
		continues: func(string) bool { return true },
		set: func(b *builder, tag, value string) {
			if tag != "%2" || strings.HasPrefix(value, "PMC") {
				b.set(endNoteField(tag), value)
			}
		},
	})
}

// tagged describes a format whose records begin with a tag and end at an empty line.
type tagged struct {
	format    Format
	line      *regexp.Regexp         // a line with a tag, and its value
	first     string                 // tag that begins a record
	continues func(line string) bool // whether a line without a tag may continue a value
	set       func(b *builder, tag, value string)
}

// readTagged parses such a format. Lines outside records are skipped, except tags that follow an
// empty line inside a record.
func readTagged(lines []string, in tagged) File {
	f := File{Format: in.format}
	var b builder
	open, blank := false, false
	name, value := "", ""
	flush := func() {
		in.set(&b, name, value)
		name, value = "", ""
	}
	for _, l := range lines {
		m := in.line.FindStringSubmatch(strings.TrimRight(l, " \t"))
		switch {
		case strings.TrimSpace(l) == "":
			blank = true
			continue
		case m == nil && open && !blank && in.continues(l):
			value += " " + strings.TrimSpace(l)
		case m == nil, !open && m[1] != in.first:
			f.skip(l)
		default:
			flush()
			if m[1] == in.first {
				if open {
					f.add(&b)
				}
				b, open = builder{used: true, first: l}, true
			}
			name, value = m[1], m[2]
		}
		blank = blank && m == nil
	}
	if flush(); open {
		f.add(&b)
	}
	return f
}
