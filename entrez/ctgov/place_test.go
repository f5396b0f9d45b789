package ctgov_test

import (
	"testing"

	"biomcp/entrez/ctgov"
	"biomcp/entrez/ctgov/ctgovtest"
)

// A site is found by the postal abbreviation of its state, but a city is not found by that of a
// state with the same name. The sites are fictitious.
func TestAPlaceIsFoundByItsAbbreviation(t *testing.T) {
	study := func(city, state, country string) ctgovtest.Study {
		return ctgovtest.Study{"protocolSection": map[string]any{"contactsLocationsModule": map[string]any{"locations": []any{
			map[string]any{"facility": "Musterspital", "city": city, "state": state, "country": country},
		}}}}
	}
	boston, kansas := study("Boston", "Massachusetts", "United States"), study("Kansas City", "Missouri", "United States")
	for text, c := range map[string]struct {
		study ctgovtest.Study
		found bool
	}{
		"Boston, MA":           {boston, true},
		"boston,ma":            {boston, true},
		"Boston, MA, USA":      {boston, true},
		"Boston MA":            {boston, true},
		"Boston MA USA":        {boston, true},
		"Boston TX":            {boston, false},
		"Kansas City MO":       {kansas, true},
		"London UK":            {study("London", "", "United Kingdom"), true},
		"Eli Lilly and Co":     {study("Eli Lilly and Co", "", "United States"), true},
		"Musterspital, Boston": {boston, true},
		"USA":                  {boston, true},
		"MA":                   {boston, false},
		"Boston, TX":           {boston, false},
		"Kansas City, MO":      {kansas, true},
		"Kansas City, KS":      {kansas, false},
		"Toronto, ON":          {study("Toronto", "Ontario", "Canada"), true},
		"London, UK":           {study("London", "", "United Kingdom"), true},
	} {
		read, err := ctgovtest.Parse(ctgov.Place(text))
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if got := read.Matches(c.study, []string{"LocationFacility", "LocationCity", "LocationState", "LocationCountry"}); got != c.found {
			t.Errorf("%s: %v: %s", text, got, ctgov.Place(text))
		}
	}
}
