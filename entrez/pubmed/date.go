package pubmed

import (
	"cmp"
	"encoding/json"
	"reflect"
	"strings"
	"sync"

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
		date = record.AppendTwo(append(record.AppendTwo(append(date, 'T'), hour), ':'), minute)
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

// statuses are the fields of Dates by the values that the DTD has for PubStatus, which are
// their names in JSON with hyphens.
var statuses = sync.OnceValue(func() map[string]int {
	fields := map[string]int{}
	for f := range reflect.TypeFor[Dates]().Fields() {
		fields[strings.ReplaceAll(f.Tag.Get("json"), "_", "-")] = f.Index[0]
	}
	delete(fields, "completed") // elements of their own
	delete(fields, "last-revised")
	return fields
})

// Of returns the date of a PubStatus, nil for one that the DTD does not have.
func (d *Dates) Of(status string) *string {
	field, known := statuses()[status]
	if !known {
		return nil
	}
	return reflect.ValueOf(d).Elem().Field(field).Addr().Interface().(*string)
}
