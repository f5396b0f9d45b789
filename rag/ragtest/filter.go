package ragtest

import (
	"slices"
	"strconv"
	"strings"

	"biomcp/store"
)

// passes reports whether a document passes a filter, as defined in package store.
func passes(d *store.Document, f store.Filter) bool {
	same := func(a, b string) bool { return plain(a) == plain(b) && plain(a) != "" }
	oneOf := func(have []string, want ...string) bool {
		return slices.ContainsFunc(want, func(w string) bool {
			return slices.ContainsFunc(have, func(h string) bool { return same(h, w) })
		})
	}
	date, j := day(d.PDat, "01"), d.Journal
	journal := []string{j.Title, j.ISOAbbreviation, j.MedlineTA, j.NLMID, j.ISSN}
	switch {
	case f.PMIDs != nil && !slices.Contains(f.PMIDs, d.PMID),
		f.From != "" && (date == 0 || date < day(f.From, "01")),
		f.To != "" && (date == 0 || date > day(f.To, "99")),
		len(f.Journals) > 0 && !oneOf(journal, f.Journals...),
		len(f.PubTypes) > 0 && !oneOf(d.PubTypes, f.PubTypes...), oneOf(d.PubTypes, f.NotTypes...),
		f.HasPMC && d.PMCID == "", f.ExcludeRetracted && d.Retracted, f.Humans && !d.Human, f.Animals && !d.Animal:
		return false
	}
	var headings []string
	for _, h := range d.Mesh {
		headings = append(headings, h.Descriptor, h.UI)
	}
	return !slices.ContainsFunc(f.Mesh, func(m string) bool { return !oneOf(headings, m) })
}

func plain(name string) string {
	return strings.Join(strings.Fields(strings.ReplaceAll(strings.ToLower(name), ".", " ")), " ")
}

// day returns a date as yyyymmdd, or zero if there is no date. missing replaces absent parts.
func day(date, missing string) int {
	parts := strings.Split(date, "-")
	for len(parts) < 3 {
		parts = append(parts, missing)
	}
	n, err := strconv.Atoi(strings.Join(parts, ""))
	if err != nil || date == "" {
		return 0
	}
	return n
}
