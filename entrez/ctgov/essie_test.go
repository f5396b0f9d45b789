package ctgov_test

import (
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"biomcp/entrez/ctgov"
	"biomcp/entrez/ctgov/ctgovtest"
)

func TestWords(t *testing.T) {
	for text, want := range map[string]string{
		"melanoma":                         "melanoma",
		"head and neck cancer":             "head and neck cancer",
		"ALL":                              `\ALL`,
		"acute lymphoblastic leukemia ALL": `acute lymphoblastic leukemia \ALL`,
		"heart OR lung AND NOT liver":      `heart \OR lung AND \NOT liver`,
		"lung cancer AND (":                "lung cancer",
		"AND lung AND AND liver AND":       "lung AND liver",
		`a AND "b c" AND d`:                `a AND "b c" AND d`,
		"lung cancer (NSCLC)":              "lung cancer NSCLC",
		"del(5q) syndrome":                 `"del(5q)" AND syndrome`,
		"1,25-dihydroxyvitamin D":          `"1,25-dihydroxyvitamin" AND D`,
		"cancer, metastatic":               "cancer metastatic",
		`"brain metastases" melanoma`:      `"brain metastases" AND melanoma`,
		`5" scar`:                          "5 scar",
		`a\b`:                              `"a b"`,
		"AREA[Phase]PHASE2":                `"AREA[Phase]PHASE2"`,
		"RANGE[MIN, MAX]":                  `"RANGE[MIN" AND \MAX`,
		"MISSING\n":                        `\MISSING`,
		"( ) \" ,":                         "",
		"":                                 "",
	} {
		t.Run(text, func(t *testing.T) {
			if got := ctgov.Words(text); got != want {
				t.Errorf("%s: %s, want %s", text, got, want)
			}
		})
	}
	if got := ctgov.InAreas(ctgov.All(`EGFR L858R)`), "BriefTitle", "Keyword"); got != `(AREA[BriefTitle]("EGFR" AND "L858R)") OR AREA[Keyword]("EGFR" AND "L858R)"))` {
		t.Error(got)
	}
	if got := ctgov.And("", "a OR b", "c") + ctgov.And("", "d") + ctgov.And(); got != "(a OR b) AND (c)d" {
		t.Error(got)
	}
}

func TestWhatIsChangedInAText(t *testing.T) {
	for text, want := range map[string]ctgov.Changes{
		"lung cancer AND (":           {Dropped: []string{"(", "AND"}},
		"AND lung AND AND liver":      {Dropped: []string{"AND", "AND"}},
		"lung AND liver, ALL (AML)":   {},
		"(heart OR lung) NOT del(5q)": {Literal: []string{"OR", "NOT"}, Phrases: []string{"del(5q)"}},
		`5" scar - x`:                 {Dropped: []string{`"`, "-"}},
	} {
		t.Run(text, func(t *testing.T) {
			if _, got := ctgov.ParseWords(text); !reflect.DeepEqual(got, want) {
				t.Errorf("%s: %q, want %q", text, got, want)
			}
		})
	}
}

var term = regexp.MustCompile(`^("[^"\\]*"|(\\[A-Z]+|[^\s()\[\]{}"\\,]+)( (\\[A-Z]+|[^\s()\[\]{}"\\,]+))*)$`)

// For any input, the expression consists of terms joined by AND.
func FuzzWordsNeverChangeTheStructure(f *testing.F) {
	for _, text := range []string{"ALL", "a OR b", `AREA[Phase]PHASE2`, `x") OR AREA[NCTId](NCT0`, `\"`, "NOT", `"`, "é(β", "a\x00b", `"AND" OR "OR"`, "MIN,MAX]", "\\OR", "AND AND", "EXPANSION[None]x", "\"a AND  OR\x00OR\""} {
		f.Add(text)
	}
	phrases := regexp.MustCompile(`"[^"]*"`)
	operator := regexp.MustCompile(`^(ALL|AND|OR|NOT|AREA|RANGE|MISSING|MIN|MAX|SEARCH|EXPANSION|COVERAGE|CONTEXT|TILT)$`)
	f.Fuzz(func(t *testing.T, text string) {
		for _, e := range []string{ctgov.Words(text), ctgov.All(text)} {
			if e == "" {
				continue
			}
			for _, part := range strings.Split(phrases.ReplaceAllString(e, `"phrase"`), " AND ") {
				if !term.MatchString(part) {
					t.Errorf("%q: %q is no term of %s", text, part, e)
				}
				if part != `"phrase"` && slices.ContainsFunc(strings.Fields(part), operator.MatchString) {
					t.Errorf("%q: an operator in %s", text, e)
				}
			}
			read, err := ctgovtest.Parse(ctgov.InAreas(e, "Condition"))
			if err != nil {
				t.Fatalf("%q: %s: %v", text, e, err)
			}
			for _, op := range read.Operators {
				if op != "AND" && op != "AREA" {
					t.Errorf("%q: %s in %s", text, op, e)
				}
			}
		}
		place := ctgov.Place(text)
		if place == "" {
			return
		}
		read, err := ctgovtest.Parse(place)
		if err != nil {
			t.Fatalf("%q: %s: %v", text, place, err)
		}
		for _, op := range read.Operators {
			if !slices.Contains([]string{"SEARCH", "AREA", "AND", "OR"}, op) {
				t.Errorf("%q: %s in %s", text, op, place)
			}
		}
	})
}
