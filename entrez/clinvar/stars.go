package clinvar

import "strings"

// MostStars are those of a practice guideline.
const MostStars = 4

// statuses are the review statuses with stars, as NCBI writes them.
var statuses = map[string]int{
	"practice guideline":                                   4,
	"reviewed by expert panel":                             3,
	"criteria provided, multiple submitters, no conflicts": 2,
	"criteria provided, multiple submitters":               2, // of a clinical impact
	"criteria provided, conflicting classifications":       1,
	"criteria provided, conflicting interpretations":       1, // its name until 2023
	"criteria provided, single submitter":                  1,
}

// Stars are how well a classification was reviewed, 0 to 4.
func Stars(reviewStatus string) int {
	return statuses[strings.ToLower(strings.TrimSpace(reviewStatus))]
}

// Statuses are the review statuses that have some stars.
func Statuses(stars int) (names []string) {
	for _, name := range []string{
		"practice guideline", "reviewed by expert panel", "criteria provided, multiple submitters, no conflicts",
		"criteria provided, multiple submitters", "criteria provided, conflicting classifications", "criteria provided, single submitter",
	} {
		if statuses[name] == stars {
			names = append(names, name)
		}
	}
	return names
}
