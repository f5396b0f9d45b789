package article_test

import (
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command/commandtest"
	"biomcp/cli/entity/article"
	"biomcp/entrez/entreztest"
)

// URLs as publishers write them: https://onlinelibrary.wiley.com/doi/full/10.1002/...,
// https://journals.plos.org/plosone/article?id=10.1371/..., https://www.biorxiv.org/content/10.1101/...v1.full.pdf
func TestDOIOfAnAddressOrASentence(t *testing.T) {
	t.Parallel()
	dois := []string{"10.5555/journal.one.17", "10.1101/2020.01.02.345678", "10.1002/(SICI)1097-0258(1998)17:24<2815::AID-1>3.0.CO;2-8", "10.5555/of/10.1234/full"}
	srv := commandtest.GeneratedNCBI(t, len(dois), func(i int, m *entreztest.SyntheticRecord) { m.PMCID, m.DOI = "", dois[i] })
	var cases []clitest.Case
	for typed, i := range map[string]int{
		"https://publisher.test/doi/full/10.5555/journal.one.17?needAccess=true":        0,
		"https://www.publisher.test/article/10.5555/journal.one.17":                     0,
		"http://journals.test/one/article?id=10.5555/journal.one.17&type=printable":     0,
		"publisher.test/articles/10.5555/journal.one.17/full":                           0,
		"https://publisher.test/doi/epdf/10.5555%2Fjournal.one.17":                      0,
		"https://publisher.test/doi/10.5555/journal.one.17#sec1":                        0,
		"10.5555/journal.one.17.":                                                       0,
		"doi: 10.5555/journal.one.17.":                                                  0,
		"https://doi.org/10.5555/journal.one.17.":                                       0,
		"https://www.preprints.test/content/10.1101/2020.01.02.345678v1":                1,
		"https://preprints.test/content/10.1101/2020.01.02.345678v2.full.pdf+html":      1,
		"https://doi.org/10.1002/(SICI)1097-0258(1998)17:24%3C2815::AID-1%3E3.0.CO;2-8": 2,
		"10.5555/of/10.1234/full":                                                       3,
	} {
		if !article.IsID(typed) {
			t.Errorf("%s is no id", typed)
		}
		cases = append(cases, clitest.Case{Line: "get ids --json '" + typed + "'", Text: `"doi":"` + dois[i] + `"`, Sent: "ids=" + dois[i] + "\n"})
	}
	clitest.RunCases(t, srv, cases)
	for _, other := range []string{"https://clinicaltrials.gov/study/NCT04280705", "https://publisher.test/10.12/x", "publisher.test"} {
		t.Run(other, func(t *testing.T) {
			if article.IsID(other) {
				t.Error("it is taken for an id")
			}
		})
	}
}
