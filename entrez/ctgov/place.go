package ctgov

import (
	"slices"
	"strings"
	"sync"
)

// Place returns an expression for studies with a site in a place, or "" if text has no words. The
// place is the name of a country, state, city or facility, or several names of one site separated
// by commas, as in "Vienna, Austria". The operator SEARCH requires one site to match all of them,
// so that a study with sites in Vienna, Virginia, and in Graz, Austria, is not found. Each name is
// a phrase. The abbreviation of a state or country also matches the full name if it follows a
// comma, or if it ends the text in capitals. The abbreviation of a country also does if it is the
// whole text.
func Place(text string) string {
	var parts, words []string
	fields := strings.Fields(text)
	for i := len(fields) - 1; i > 0 && country(fields[i])+states()[fields[i]] != ""; i-- {
		fields = slices.Insert(fields, i, ",") // Boston MA
	}
	for p := range strings.SplitSeq(strings.Join(fields, " "), ",") {
		if quoted := phrase(p); quoted != "" {
			parts, words = append(parts, quoted), append(words, strings.ToUpper(strings.TrimSpace(p)))
		}
	}
	for i, p := range parts {
		area, name := "LocationCountry", country(words[i])
		if name == "" && i > 0 {
			area, name = "LocationState", states()[words[i]]
		}
		if len(parts) > 1 {
			parts[i] = InAreas(p, "LocationFacility", "LocationCity", "LocationState", "LocationCountry")
		}
		if name != "" {
			parts[i] = "(" + parts[i] + " OR " + InAreas(phrase(name), area) + ")"
		}
	}
	if len(parts) < 2 {
		return strings.Join(parts, "")
	}
	return "SEARCH[Location](" + strings.Join(parts, " AND ") + ")"
}

// country returns ClinicalTrials.gov's name of a country by its abbreviation, or "" if unknown.
func country(word string) string {
	switch strings.ReplaceAll(word, ".", "") {
	case "US", "USA":
		return "United States"
	case "UK":
		return "United Kingdom"
	}
	return ""
}

// stateNames lists the codes and names that states maps, separated by semicolons.
const stateNames = "AL Alabama;AK Alaska;AZ Arizona;AR Arkansas;CA California;CO Colorado;CT Connecticut;" +
	"DE Delaware;DC District of Columbia;FL Florida;GA Georgia;HI Hawaii;ID Idaho;IL Illinois;" +
	"IN Indiana;IA Iowa;KS Kansas;KY Kentucky;LA Louisiana;ME Maine;MD Maryland;MA Massachusetts;" +
	"MI Michigan;MN Minnesota;MS Mississippi;MO Missouri;MT Montana;NE Nebraska;NV Nevada;" +
	"NH New Hampshire;NJ New Jersey;NM New Mexico;NY New York;NC North Carolina;ND North Dakota;" +
	"OH Ohio;OK Oklahoma;OR Oregon;PA Pennsylvania;PR Puerto Rico;RI Rhode Island;SC South Carolina;" +
	"SD South Dakota;TN Tennessee;TX Texas;UT Utah;VT Vermont;VA Virginia;WA Washington;" +
	"WV West Virginia;WI Wisconsin;WY Wyoming;AB Alberta;BC British Columbia;MB Manitoba;" +
	"NB New Brunswick;NL Newfoundland and Labrador;NS Nova Scotia;NT Northwest Territories;" +
	"NU Nunavut;ON Ontario;PE Prince Edward Island;QC Quebec;SK Saskatchewan;YT Yukon"

// states maps two-letter codes to the states of the USA and its other postal areas (USPS,
// Publication 28, appendix B), and to the provinces and territories of Canada (Canada Post,
// Addressing Guidelines).
var states = sync.OnceValue(func() map[string]string {
	names := map[string]string{}
	for state := range strings.SplitSeq(stateNames, ";") {
		names[state[:2]] = state[3:]
	}
	return names
})
