package refparse

import (
	"strings"
	"testing"
)

// A list copied from a PDF wraps its references. The same list with a reference in each line gives the same
// references. Lines that may stand for themselves are never joined.
func TestWrappedReferencesAreJoined(t *testing.T) {
	one, two := "Muster CC, Beispiel LE, Other A. Fungi of a made-up wood and of its trees. J Synth Nutr. 2018 Feb;75(2):79-89.",
		"Beispiel, L. E., & Muster, C. C. (2019). A second look at the wood. J Synth Nutr, 76(1), 1-9. https://doi.org/10.9999/y"
	early := "Other A, Muster CC. A third look at the wood. J Synth Nutr. Published online Feb 3, 2018. doi:10.9999/z"
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"one per line":         {one + "\n" + two, []string{one, two}},
		"wrapped":              {wrap(one) + "\n" + wrap(two), []string{one, two}},
		"wrapped, numbers":     {"1. " + wrap(one) + "\n2. " + wrap(two), []string{"1. " + one, "2. " + two}},
		"brackets":             {"[8] " + wrap(one) + "\n[9] " + wrap(two) + "\n", []string{"[8] " + one, "[9] " + two}},
		"empty lines":          {wrap(one) + "\n\n" + wrap(two), []string{one, two}},
		"a page break":         {"1. " + strings.Replace(wrap(one), "\n", "\n\n", 1) + "\n2. " + two, []string{"1. " + one, "2. " + two}},
		"a hanging indent":     {strings.ReplaceAll(wrap(one), "\n", "\n    ") + "\n" + two, []string{one, two}},
		"names on two lines":   {strings.Replace(one, "LE, ", "LE,\n", 1) + "\n" + two, []string{one, two}},
		"page on two lines":    {"1. " + strings.Replace(one, "79-", "79-\n", 1) + "\n2. " + two, []string{"1. " + strings.Replace(one, "79-", "79- ", 1), "2. " + two}},
		"journal on two lines": {strings.Replace(one, "J Synth Nutr", "Proc Synth\nSci U S A", 1) + "\n\n" + two, []string{strings.Replace(one, "J Synth Nutr", "Proc Synth Sci U S A", 1), two}},
		"early":                {wrap(one) + "\n" + wrap(early) + "\n" + wrap(two), []string{one, early, two}},
		"a heading":            {"References\n" + wrap(one), []string{"References", one}},
		"titles":               {"Fungi of a made-up wood\nA second look at the wood\nOn trees in general", []string{"Fungi of a made-up wood", "A second look at the wood", "On trees in general"}},
		"a title before":       {"Fungi of a made-up wood\n" + one, []string{"Fungi of a made-up wood", one}},
		"identifiers":          {"90100001\n10.9999/y\nPMC99900001", []string{"90100001", "10.9999/y", "PMC99900001"}},
		"short references":     {"J Synth Nutr 2018;75:79\nJ Wood 2019;1:2", []string{"J Synth Nutr 2018;75:79", "J Wood 2019;1:2"}},
		"authors and titles":   {"Muster CC. Fungi of a wood\nBeispiel LE. Trees of a wood. J Synth Nutr. 2018;75:79.", []string{"Muster CC. Fungi of a wood", "Beispiel LE. Trees of a wood. J Synth Nutr. 2018;75:79."}},
		"identifiers after":    {wrap(one) + "\n10.9999/a\n10.9999/b\nPMC99900001", []string{one + " 10.9999/a", "10.9999/b", "PMC99900001"}},
		"its identifiers":      {wrap(one) + "\ndoi: 10.9999/a\nPMID: 90100001\n" + wrap(two), []string{one + " doi: 10.9999/a PMID: 90100001", two}},
		"a title after":        {wrap(one) + "\nFungi of another wood", []string{one, "Fungi of another wood"}},
		"a number after":       {wrap(one) + " PMID: 90100001\n90100002", []string{one + " PMID: 90100001", "90100002"}},
		"a remark after":       {wrap(one) + "\nEpub 2017 Dec 3.\n" + two, []string{one + " Epub 2017 Dec 3.", two}},
		"after a list":         {"1. " + wrap(one) + "\n2. " + two + "\n" + one + "\n\nSome other words here", []string{"1. " + one, "2. " + two, one, "Some other words here"}},
		"numbered titles":      {"1. Fungi of a made-up wood\n2. A second look", []string{"1. Fungi of a made-up wood", "2. A second look"}},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, r := range Split(c.text) {
				got = append(got, r.Text)
			}
			if strings.Join(got, "\n") != strings.Join(c.want, "\n") {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(c.want, "\n"))
			}
		})
	}
}

// wrap breaks a text into lines of about 40 bytes.
func wrap(text string) string {
	out, width := "", 0
	for word := range strings.FieldsSeq(text) {
		switch {
		case width == 0:
		case width > 40:
			out, width = out+"\n", 0
		default:
			out += " "
		}
		out += word
		width += len(word) + 1
	}
	return out
}
