package article

import "testing"

// Addresses in the shapes that publishers have: https://onlinelibrary.wiley.com/doi/full/10.1002/...,
// https://journals.plos.org/plosone/article?id=10.1371/..., https://www.biorxiv.org/content/10.1101/...v1.full.pdf
func TestDOIOfAnAddressOrASentence(t *testing.T) {
	t.Parallel()
	for typed, want := range map[string]string{
		"https://publisher.test/doi/full/10.5555/journal.one.17?needAccess=true":        "10.5555/journal.one.17",
		"https://www.publisher.test/article/10.5555/journal.one.17":                     "10.5555/journal.one.17",
		"http://journals.test/one/article?id=10.5555/journal.one.17&type=printable":     "10.5555/journal.one.17",
		"publisher.test/articles/10.5555/journal.one.17/full":                           "10.5555/journal.one.17",
		"https://publisher.test/doi/epdf/10.5555%2Fjournal.one.17":                      "10.5555/journal.one.17",
		"https://publisher.test/doi/10.5555/journal.one.17#sec1":                        "10.5555/journal.one.17",
		"https://www.preprints.test/content/10.1101/2020.01.02.345678v1":                "10.1101/2020.01.02.345678",
		"https://preprints.test/content/10.1101/2020.01.02.345678v2.full.pdf+html":      "10.1101/2020.01.02.345678",
		"https://doi.org/10.1002/(SICI)1097-0258(1998)17:24%3C2815::AID-1%3E3.0.CO;2-8": "10.1002/(SICI)1097-0258(1998)17:24<2815::AID-1>3.0.CO;2-8",
		"10.5555/journal.one.17.":                 "10.5555/journal.one.17",
		"doi: 10.5555/journal.one.17.":            "10.5555/journal.one.17",
		"https://doi.org/10.5555/journal.one.17.": "10.5555/journal.one.17",
		"10.5555/of/10.1234/full":                 "10.5555/of/10.1234/full",
	} {
		t.Run(typed, func(t *testing.T) {
			if !IsID(typed) {
				t.Fatal("it is no id")
			}
			if id, err := parseArticleID(typed); err != nil || id.doi != want {
				t.Errorf("%v: %+v, want %s", err, id, want)
			}
		})
	}
	for _, other := range []string{"https://clinicaltrials.gov/study/NCT04280705", "https://publisher.test/10.12/x", "publisher.test"} {
		t.Run(other, func(t *testing.T) {
			if IsID(other) {
				t.Error("it is taken for an id")
			}
		})
	}
}
