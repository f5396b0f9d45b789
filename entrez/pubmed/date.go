package pubmed

import (
	"cmp"
	"encoding/json"

	"biomcp/entrez/record"
)

// String is the date as far as it is known: 2024, 2024-05 or 2024-05-11. Of a
// season or a MedlineDate it is the year; without a year it is empty.
func (p PubDate) String() string { return p.date().String() }

func (p PubDate) date() record.Date { return record.Date{Year: p.Year, Month: p.Month, Day: p.Day} }

// MarshalJSON writes what is not known as null: no calendar has a month 0, and a
// reader must not take it for January. Decoding needs no more, null being zero.
func (p PubDate) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Year        *int    `json:"year"`
		Month       *int    `json:"month"`
		Day         *int    `json:"day"`
		Season      *string `json:"season"`
		MedlineDate *string `json:"medline_date"`
	}{record.Known(p.Year), record.Known(p.Month), record.Known(p.Day), record.Known(p.Season), record.Known(p.MedlineDate)})
}

// appendTwo writes a number below 100 with two digits.
func appendTwo(b []byte, n int) []byte { return append(b, byte('0'+n/10), byte('0'+n%10)) }

// date reads a PubDate, ArticleDate, BeginningDate, EndingDate or
// ContributionDate element.
func (d *decoder) date() PubDate {
	var p PubDate
	for d.child() {
		switch string(d.name) {
		case "Year":
			p.Year = fourDigits(d.raw())
		case "Month":
			p.Month = month(d.raw())
		case "Day":
			p.Day = number(d.raw())
		case "Season":
			p.Season = d.text()
		case "MedlineDate":
			p.MedlineDate = d.text()
		default:
			d.skip()
		}
	}
	p.Year = cmp.Or(p.Year, fourDigits([]byte(p.MedlineDate)))
	on := p.date().OnCalendar()
	p.Month, p.Day = on.Month, on.Day
	return p
}

// stamp reads a DateCompleted, DateRevised or PubMedPubDate element and writes it
// as Dates says.
func (d *decoder) stamp() string {
	var day record.Date
	hour, minute := -1, 0
	for d.child() {
		switch string(d.name) {
		case "Year":
			day.Year = fourDigits(d.raw())
		case "Month":
			day.Month = month(d.raw())
		case "Day":
			day.Day = number(d.raw())
		case "Hour":
			hour = number(d.raw())
		case "Minute":
			minute = number(d.raw())
		default:
			d.skip()
		}
	}
	day = day.OnCalendar()
	date := day.Append(make([]byte, 0, 16))
	if day.Day > 0 && hour >= 0 && hour < 24 && minute < 60 {
		date = appendTwo(append(appendTwo(append(date, 'T'), hour), ':'), minute)
	}
	return string(date)
}

// month is a month from its number or its English name, which may be shortened to
// three letters or go on ("Sept", "Jan-Feb"); 0 where it is neither.
func month(b []byte) int {
	if len(b) < 3 {
		return number(b)
	}
	const names = "janfebmaraprmayjunjulaugsepoctnovdec"
	for m := range 12 {
		name := names[3*m : 3*m+3]
		if b[0]|0x20 == name[0] && b[1]|0x20 == name[1] && b[2]|0x20 == name[2] {
			return m + 1
		}
	}
	return 0
}

// number is a decimal number of up to four digits, 0 where it is not one.
func number(b []byte) int {
	if len(b) > 4 {
		return 0
	}
	n := 0
	for _, c := range b {
		if c < '0' || c > '9' {
			return 0
		}
		n = 10*n + int(c-'0')
	}
	return n
}

// fourDigits is the first four digits in a row, 0 where there are none.
func fourDigits(b []byte) int {
	run := 0
	for i, c := range b {
		if c < '0' || c > '9' {
			run = 0
			continue
		}
		if run++; run == 4 {
			return number(b[i-3 : i+1])
		}
	}
	return 0
}

// statuses are the fields of the values that the DTD has for PubStatus.
var statuses = map[string]func(*Dates) *string{
	"received":     func(d *Dates) *string { return &d.Received },
	"accepted":     func(d *Dates) *string { return &d.Accepted },
	"revised":      func(d *Dates) *string { return &d.Revised },
	"epublish":     func(d *Dates) *string { return &d.Epublish },
	"ppublish":     func(d *Dates) *string { return &d.Ppublish },
	"aheadofprint": func(d *Dates) *string { return &d.AheadOfPrint },
	"retracted":    func(d *Dates) *string { return &d.Retracted },
	"ecollection":  func(d *Dates) *string { return &d.Ecollection },
	"pmc":          func(d *Dates) *string { return &d.PMC },
	"pmcr":         func(d *Dates) *string { return &d.PMCR },
	"pubmed":       func(d *Dates) *string { return &d.Pubmed },
	"pubmedr":      func(d *Dates) *string { return &d.PubmedR },
	"premedline":   func(d *Dates) *string { return &d.Premedline },
	"medline":      func(d *Dates) *string { return &d.Medline },
	"medliner":     func(d *Dates) *string { return &d.MedlineR },
	"entrez":       func(d *Dates) *string { return &d.Entrez },
	"pmc-release":  func(d *Dates) *string { return &d.PMCRelease },
}
