package ctgov

import (
	"strings"
	"sync"
)

// meanings are symbols of genes that are also English words, or that the criteria of
// trials use for something else.
var meanings = sync.OnceValue(func() map[string]string {
	return map[string]string{
		"ACE": "ACE inhibitors", "APP": "an app", "AR": "augmented reality", "BID": "bid, twice a day", "CP": "Child-Pugh", "DES": "drug-eluting stents",
		"EGFR": "eGFR, the estimated glomerular filtration rate", "GC": "gemcitabine with cisplatin", "HR": "a hazard ratio or heart rate", "JUN": "June", "MAL": "grand mal",
		"ARC": word, "BAD": word, "CASK": word, "CAT": word, "CHAT": word, "CLOCK": word, "COIL": word, "IMPACT": word, "KIT": word, "MAX": word, "MET": word, "POLE": word,
		"RAN": word, "REST": word, "SET": word, "SHE": word, "SON": word, "TANK": word, "TRIO": word, "WAS": word,
	}
})

const word = "an English word"

// Ambiguous is a notice on a gene's symbol that trials use for something else, "" for
// other symbols. ClinicalTrials.gov does not distinguish letter case, so that no query
// can leave the other meaning out.
func Ambiguous(symbol string) string {
	symbol = strings.ToUpper(symbol)
	other := meanings()[symbol]
	if other == "" {
		return ""
	}
	return symbol + " is also " + other + ", which ClinicalTrials.gov finds as well, in any letter case; a mutation makes the search narrower"
}
