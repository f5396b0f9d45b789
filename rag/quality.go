package rag

import (
	_ "embed"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"biomcp/entrez/record"
	"biomcp/store"
)

// MaxQuality is the highest Total.
const MaxQuality = 9

// Quality grades the evidence of a document. An unknown part is nil and adds nothing to Total.
type Quality struct {
	// Design is 3 for a synthesis or guideline, 2 for a controlled trial, 1 for another human study
	// or a review, and 0 for anything else.
	Design  *int `json:"design"`
	Recency *int `json:"recency"` // 2 up to five years old, 1 up to ten, 0 older; nil without a date
	Journal *int `json:"journal"` // 2 core journal, 1 other; nil if the record is not indexed
	Human   *int `json:"human"`   // 2 humans, 1 animals only, 0 neither; nil if the record is not indexed
	Total   int  `json:"total"`   // sum of the parts, 0 to MaxQuality; 0 for a retracted document
}

// Assess returns the quality of a document as of now.
func Assess(d *store.Document, now time.Time) Quality {
	date, _ := record.ParseDate(d.PDat)
	return QualityOf(Facts(d), date.First().Number(), now)
}

// titleAlone is the bit of Facts for a document without an abstract.
const titleAlone = 1 << 10

// Facts returns the properties of a document from which QualityOf computes its quality. They
// are stored in store.Document.Facts:
//
//	bits 0–1 design, 2–3 journal, 4–5 human, 6 indexed, 7 retracted,
//	8–9 precision of the date: none, year, month, day; 10 no abstract
func Facts(d *store.Document) uint32 {
	date, _ := record.ParseDate(d.PDat)
	f := uint32(design(d)) | uint32(min(date.Year, 1)+min(date.Month, 1)+min(date.Day, 1))<<8
	if d.Indexed {
		f |= 1<<6 | uint32(journal(d.Journal.MedlineTA))<<2 | uint32(human(d))<<4
	}
	if d.Retracted {
		f |= 1 << 7
	}
	if strings.TrimSpace(d.Abstract) == "" {
		f |= titleAlone
	}
	return f
}

// QualityOf returns the quality for the facts of a document and its publication date as
// yyyymmdd. If only the year or the month is known, only these are compared: 2020 is five years
// before any day of 2025.
func QualityOf(facts uint32, date int, now time.Time) Quality {
	part := func(n uint32) *int { v := int(n & 3); return &v }
	q := Quality{Design: part(facts), Recency: recency(date, int(facts>>8&3), now.UTC())}
	if facts&(1<<6) != 0 {
		q.Journal, q.Human = part(facts>>2), part(facts>>4)
	}
	if facts&(1<<7) != 0 {
		return q
	}
	for _, p := range []*int{q.Design, q.Recency, q.Journal, q.Human} {
		if p != nil {
			q.Total += *p
		}
	}
	return q
}

func recency(date, precision int, now time.Time) *int {
	y, m, d := date/10000, date/100%100, date%100
	within := func(years int) bool {
		switch precision {
		case 1:
			return now.Year()-y <= years
		case 2:
			return (now.Year()-y)*12+int(now.Month())-m <= 12*years
		}
		last := time.Date(y+years, time.Month(m), d, 0, 0, 0, 0, time.UTC)
		return !now.Truncate(24 * time.Hour).After(last)
	}
	score := 0
	switch {
	case precision == 0 || date == 0:
		return nil
	case within(5):
		score = 2
	case within(10):
		score = 1
	}
	return &score
}

// Publication types grouped by study design, with NLM's names
// (https://www.nlm.nih.gov/mesh/pubtypes.html, 2025).
var (
	syntheses = []string{"Meta-Analysis", "Network Meta-Analysis", "Systematic Review", "Practice Guideline"}

	controlledTrials = []string{"Randomized Controlled Trial", "Controlled Clinical Trial", "Pragmatic Clinical Trial",
		"Equivalence Trial", "Randomized Controlled Trial, Veterinary"}

	// otherStudies are reviews, and types that NLM uses only for studies of humans.
	otherStudies = []string{"Review", "Scoping Review", "Clinical Trial", "Clinical Trial, Phase I",
		"Clinical Trial, Phase II", "Clinical Trial, Phase III", "Clinical Trial, Phase IV",
		"Adaptive Clinical Trial", "Clinical Study",
		"Observational Study", "Case Reports", "Twin Study", "Multicenter Study"}

	// noStudies are types that are not studies, even if they are about humans.
	noStudies = []string{"Address", "Autobiography", "Bibliography", "Biography", "Clinical Trial Protocol",
		"Collected Work", "Comment", "Congress", "Consensus Development Conference",
		"Consensus Development Conference, NIH", "Consensus Statement", "Corrected and Republished Article",
		"Dictionary", "Directory", "Duplicate Publication", "Editorial", "Expression of Concern",
		"Festschrift", "Government Publication", "Guideline", "Historical Article", "Interactive Tutorial", "Interview",
		"Introductory Journal Article", "Lecture", "Legal Case", "Legislation", "Letter", "News", "Newspaper Article",
		"Overall", "Patient Education Handout", "Periodical Index", "Personal Narrative", "Portrait", "Published Erratum",
		"Retraction Notice", "Retraction of Publication", "Video-Audio Media", "Webcast"}
)

func design(d *store.Document) int {
	is := func(types []string) bool {
		return slices.ContainsFunc(d.PubTypes, func(t string) bool { return slices.Contains(types, t) })
	}
	switch {
	case is(syntheses):
		return 3
	case is(controlledTrials):
		return 2
	case is(otherStudies), d.Human && !is(noStudies):
		return 1
	}
	return 0
}

func human(d *store.Document) int {
	switch {
	case d.Human:
		return 2
	case d.Animal:
		return 1
	}
	return 0
}

//go:embed core-journals.tsv
var coreJournalsFile string

// coreJournals maps the lower-case names of the list to the names.
var coreJournals = sync.OnceValue(func() map[string]string {
	set := make(map[string]string)
	for line := range strings.Lines(coreJournalsFile) {
		name, basis, ok := strings.Cut(strings.TrimSpace(line), "\t")
		if ok && basis != "basis" && !strings.HasPrefix(line, "#") {
			set[strings.ToLower(name)] = name
		}
	}
	return set
})

// CoreJournals returns the NLM abbreviations of the journals with the highest score.
func CoreJournals() []string { return slices.Sorted(maps.Values(coreJournals())) }

// journal returns the score of the journal with this MedlineTA.
func journal(medlineTA string) int {
	if coreJournals()[strings.ToLower(strings.TrimSpace(medlineTA))] != "" {
		return 2
	}
	return 1
}
