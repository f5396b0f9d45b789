package pubmed

import (
	"cmp"
	"encoding/json"
	"reflect"
	"strings"
	"sync"

	"biomcp/entrez/record"
)

// String returns the known parts of the date: 2024, 2024-05 or 2024-05-11. For a season or a
// MedlineDate it returns the year. Without a year it returns "".
func (p PubDate) String() string { return p.date().String() }

func (p PubDate) date() record.Date { return record.Date{Year: p.Year, Month: p.Month, Day: p.Day} }

// MarshalJSON writes unknown parts as null, since a reader might take a month 0 for January.
// Decoding needs no counterpart, because null decodes to zero.
func (p PubDate) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Year        *int    `json:"year"`
		Month       *int    `json:"month"`
		Day         *int    `json:"day"`
		Season      *string `json:"season"`
		MedlineDate *string `json:"medline_date"`
	}{
		record.NilIfZero(p.Year), record.NilIfZero(p.Month), record.NilIfZero(p.Day),
		record.NilIfZero(p.Season), record.NilIfZero(p.MedlineDate),
	})
}

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
	valid := p.date().OnCalendar()
	p.Month, p.Day = valid.Month, valid.Day
	return p
}

// stamp reads a DateCompleted, DateRevised or PubMedPubDate element and returns it in the form of
// [Dates].
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
		date = record.AppendTwo(append(record.AppendTwo(append(date, 'T'), hour), ':'), minute)
	}
	return string(date)
}

// month parses the number or the English name of a month, and returns 0 if b is neither. It does
// not check the range of a number. Only the first three letters of a name count, so that "Sept" and
// "Jan-Feb" are accepted.
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

// number parses a decimal number of up to four digits, and returns 0 if b is not one.
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

// fourDigits returns the first four digits in a row as a number, or 0 if there are none.
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

// statuses maps the values of PubStatus in the DTD to the fields of Dates. They are the names in
// JSON, with hyphens for underscores.
var statuses = sync.OnceValue(func() map[string]int {
	fields := map[string]int{}
	for f := range reflect.TypeFor[Dates]().Fields() {
		fields[strings.ReplaceAll(f.Tag.Get("json"), "_", "-")] = f.Index[0]
	}
	delete(fields, "completed") // from other elements, not from PubStatus
	delete(fields, "last-revised")
	return fields
})

// Status returns a pointer to the date of a PubStatus, or nil if the DTD does not have it.
func (d *Dates) Status(status string) *string {
	field, ok := statuses()[status]
	if !ok {
		return nil
	}
	return reflect.ValueOf(d).Elem().Field(field).Addr().Interface().(*string)
}
