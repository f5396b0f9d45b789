package command

import (
	"slices"
	"strings"
	"sync"
)

// DidYouMean is "; did you mean X?" for the nearest of the words, and nothing
// where none is near.
func DidYouMean(word string, words []string) string {
	if near := Nearest(word, words); near != "" {
		return "; did you mean " + near + "?"
	}
	return ""
}

// WithArticle is a noun with its article: "an article".
func WithArticle(noun string) string {
	if strings.ContainsRune("aeiou", rune(noun[0])) {
		return "an " + noun
	}
	return "a " + noun
}

// meanings are words that people type first, and what is meant by them here: an
// entity, a section, a flag or a value; several are in the order of preference.
var meanings = sync.OnceValue(func() map[string]string {
	return map[string]string{
		"paper": "article", "papers": "article", "pubmed": "article", "publication": "article", "publications": "article", "literature": "article",
		"pmid": "article", "pmcid": "article", "doi": "article",
		"find": "search", "lookup": "get", "show": "get", "read": "get", "fetch": "get", "open": "get RECRUITING",
		"refs": "references", "bibliography": "references", "cites": "citedby", "citing": "citedby", "related": "similar",
		"full": "fulltext", "text": "fulltext", "pdf": "fulltext", "genes": "annotations", "variants": "annotations", "funding": "grants",
		"n": "limit", "max": "limit", "num": "limit", "size": "limit", "top": "limit", "results": "limit", "retmax": "limit", "max-results": "limit",
		"skip": "offset", "start": "offset", "retstart": "offset", "total": "count",
		"since": "date-from", "from": "date-from", "after": "date-from", "mindate": "date-from", "year": "date-from",
		"until": "date-to", "to": "date-to", "before": "date-to", "maxdate": "date-to",
		"type": "pub-type", "publication-type": "pub-type", "rct": "trial", "clinical-trial": "trial", "randomized": "trial",
		"open-access": "free-full-text", "oa": "free-full-text", "free": "free-full-text", "lang": "language",
		"mutation": "variant hgvsp", "variant": "mutation", "alteration": "mutation", "biomarker": "mutation", "snp": "variant", "snv": "variant", "rsid": "variant", "nct": "trial", "symbol": "gene", "protein": "gene",
		"medicine": "drug", "medication": "drug", "compound": "drug", "drug": "intervention", "treatment": "intervention drug drugs", "therapy": "intervention drug drugs", "treatments": "drugs", "therapies": "drugs", "where": "locations", "chemical": "drug", "condition": "disease", "cancer": "condition disease", "disease": "condition", "disorder": "disease", "test": "diagnostic diagnostics", "tests": "diagnostics",
		"country": "location affiliation", "city": "location affiliation", "location": "country affiliation", "place": "location country affiliation", "site": "location", "state": "location", "hospital": "location lab affiliation", "facility": "location lab", "near": "location country", "cvx": "code", "clinsig": "significance", "pathogenicity": "significance",
		"feature": "phenotype phenotypes", "features": "phenotypes", "symptom": "phenotype phenotypes", "symptoms": "phenotypes phenotype", "signs": "phenotypes", "hpo": "phenotype", "regulator": "region", "warning": "label", "warnings": "label", "indication": "label", "indications": "label", "dose": "label", "dosage": "label", "dosing": "label", "contraindications": "label",
		"side-effects": "adverse-events", "reactions": "adverse-events", "approval": "regulatory", "approvals": "regulatory", "approved": "regulatory",
		"active": "ACTIVE_NOT_RECRUITING", "ongoing": "RECRUITING", "enrolling": "RECRUITING", "finished": "COMPLETED", "closed": "COMPLETED", "stopped": "TERMINATED",
		"1a": "PHASE1", "1b": "PHASE1", "2a": "PHASE2", "2b": "PHASE2", "3a": "PHASE3", "3b": "PHASE3", "women": "FEMALE", "woman": "FEMALE", "men": "MALE", "man": "MALE",
		"vus": "uncertain", "ema": "eu regulatory", "stars": "review-stars", "min-stars": "review-stars", "laboratory": "lab", "species": "organism", "taxon": "organism",
		"frequency": "population", "frequencies": "population", "gnomad": "population", "criteria": "eligibility", "inclusion": "eligibility", "exclusion": "eligibility",
		"sites": "locations", "countries": "locations", "endpoints": "outcomes", "endpoint": "outcomes", "mechanism": "classes", "function": "go", "functions": "go",
		"europe": "eu", "european": "eu", "fda": "us regulatory", "usa": "us", "america": "us",
		"newest": "date", "latest": "date", "recent": "date",
	}
})

// Meant is the one of the words that a word means, "" where it means none.
func Meant(word string, words []string) string {
	for m := range strings.FieldsSeq(meanings()[strings.ToLower(word)]) {
		if slices.Contains(words, m) {
			return m
		}
	}
	return ""
}

// Nearest is what is meant by a word that there is not: by its meaning, or else the
// word closest to it: at most two edits away and closer than a third of its length,
// or one that it begins. Empty where none is.
func Nearest(word string, words []string) string {
	word = onceEach(strings.ToLower(word))
	if m := Meant(word, words); m != "" {
		return m
	}
	best, least := "", 3
	for _, w := range words {
		small := strings.ToLower(w)
		if len(word) >= 3 && strings.HasPrefix(small, word) {
			return w
		}
		if d := distance(word, small); d < least && d*3 <= len([]rune(w))+2 {
			best, least = w, d
		}
	}
	return best
}

// onceEach is a word in which a letter that was typed three times or more in a
// row is written once: no name has that.
func onceEach(word string) string {
	var out []rune
	letters := []rune(word)
	for i := 0; i < len(letters); {
		n := 1
		for i+n < len(letters) && letters[i+n] == letters[i] {
			n++
		}
		out = append(out, letters[i])
		if n == 2 {
			out = append(out, letters[i])
		}
		i += n
	}
	return string(out)
}

// distance is the optimal string alignment distance: insertions, deletions,
// substitutions and swaps of neighbours.
func distance(a, b string) int {
	x, y := []rune(a), []rune(b)
	if len(x) > 64 || len(y) > 64 { // no word of ours is that long
		return 64
	}
	d := make([][]int, len(x)+1)
	for i := range d {
		d[i] = make([]int, len(y)+1)
		d[i][0] = i
	}
	for j := range d[0] {
		d[0][j] = j
	}
	for i := 1; i <= len(x); i++ {
		for j := 1; j <= len(y); j++ {
			cost := 1
			if x[i-1] == y[j-1] {
				cost = 0
			}
			d[i][j] = min(d[i-1][j]+1, d[i][j-1]+1, d[i-1][j-1]+cost)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				d[i][j] = min(d[i][j], d[i-2][j-2]+1)
			}
		}
	}
	return d[len(x)][len(y)]
}
