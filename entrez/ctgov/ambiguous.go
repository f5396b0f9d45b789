package ctgov

import (
	"strings"
	"sync"
)

// meanings lists gene symbols that are also English words, or that have another meaning in the
// criteria of trials.
var meanings = sync.OnceValue(func() map[string]string {
	return map[string]string{
		"ACE": "ACE inhibitors", "APP": "an app", "AR": "augmented reality", "BID": "bid, twice a day",
		"CP": "Child-Pugh", "DES": "drug-eluting stents",
		"EGFR": "eGFR, the estimated glomerular filtration rate", "GC": "gemcitabine with cisplatin",
		"HR": "a hazard ratio or heart rate", "JUN": "June", "MAL": "grand mal",
		"ARC": word, "BAD": word, "CASK": word, "CAT": word, "CHAT": word, "CLOCK": word, "COIL": word,
		"IMPACT": word, "KIT": word, "MAX": word, "MET": word, "POLE": word,
		"RAN": word, "REST": word, "SET": word, "SHE": word, "SON": word, "TANK": word, "TRIO": word, "WAS": word,
	}
})

const word = "an English word"

// AmbiguityNotice returns a notice if a gene symbol has another meaning in trials, or "" otherwise.
// ClinicalTrials.gov ignores letter case, so no query can exclude the other meaning.
func AmbiguityNotice(symbol string) string {
	symbol = strings.ToUpper(symbol)
	meaning := meanings()[symbol]
	if meaning == "" {
		return ""
	}
	return symbol + " is also " + meaning + ", which ClinicalTrials.gov finds as well, in any letter case; a " +
		"mutation makes the search narrower"
}
