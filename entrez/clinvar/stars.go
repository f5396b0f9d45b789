package clinvar

import "strings"

// Stars are how well a classification was reviewed, 0 to 4.
func Stars(reviewStatus string) int {
	switch strings.ToLower(strings.TrimSpace(reviewStatus)) {
	case "practice guideline":
		return 4
	case "reviewed by expert panel":
		return 3
	case "criteria provided, multiple submitters, no conflicts", "criteria provided, multiple submitters": // the latter of a clinical impact
		return 2
	case "criteria provided, conflicting classifications", "criteria provided, conflicting interpretations", "criteria provided, single submitter":
		return 1
	}
	return 0
}
