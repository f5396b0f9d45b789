package rag

import (
	"fmt"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"biomcp/rag/analyze"
	"biomcp/store"
)

// showQuery writes a query as s-expressions.
func showQuery(q store.Query) string {
	list := func(name string, parts []store.Query) string {
		s := "(" + name
		for _, p := range parts {
			s += " " + showQuery(p)
		}
		return s + ")"
	}
	switch q := q.(type) {
	case store.Term:
		if q.Weight != 1 {
			return fmt.Sprintf("%s^%.3g", q.Text, q.Weight)
		}
		return q.Text
	case store.Or:
		return list("or", q)
	case store.And:
		return list("and", q)
	case store.Not:
		return "-" + showQuery(q.Query)
	case store.Documents:
		return "docs" + showQuery(q.Query)
	case store.Prefix:
		return q.Text + "*"
	case store.All:
		return "all"
	case store.Phrase:
		var s []string
		for _, slot := range q.Slots {
			s = append(s, fmt.Sprintf("%s@%d", strings.Join(slot.Terms, "/"), slot.At))
		}
		return `"` + strings.Join(s, " ") + `"`
	}
	return fmt.Sprintf("%T", q)
}

func TestParseQueryGivesQueryAndTerms(t *testing.T) {
	for _, c := range []struct{ in, want, terms string }{
		{"heart failure", "(or heart failur)", "heart failur"},
		{"What is the role of aspirin in aspirin trials?", "(or role aspirin^1.69 trial)", "role aspirin aspirin trial"},
		{"IL-6 in asthma", "(or il6 ilvi^0.5 il^0.05 6^0.05 asthma)", "il6 asthma"},
		{"IGF-I", "(or igfi igf^0.5 igf1^0.5)", "igfi igf"},
		{"zebrafish -aura", "(and zebrafish -aura)", "zebrafish"},
		{"-aura zebrafish embryo", "(and -aura (and zebrafish embryo))", "zebrafish embryo"},
		{`stroke -"heart failure" -(mice OR rats) -infl*`, `(and stroke -"heart@0 failur@1" -(or mice rat) -infl*)`, "stroke"},
		{"-omics", "(or omic)", "omic"},
		{"stored at -80 in drug-induced x - y", "(or store 80 druginduc drug^0.5 induc^0.5 inducedx^0.5 x y)", "store 80 druginduc drug induc inducedx x y"},
		{"IGF-1 AND (type 2)", `(and (or igf1 igfi "igf@0 1@1" "igf@0 i@1") type2)`, "igf1 type2"},
		{"interleukin-6", "(or interleukin6 interleukin)", "interleukin6 interleukin"},
		{"beta-blocker", "(or betablock beta^0.5 blocker^0.5)", "betablock beta blocker"},
		{`"heart failure"`, `"heart@0 failur@1"`, "heart failur"},
		{`“quality of life” in cancer`, `(or cancer qualiti life "qualiti@0 life@2")`, "qualiti life cancer"},
		{`"beta-blocker therapy"`, `"beta@0 blocker@1 therapi@2"`, "beta blocker therapi"},
		{`"aspirin" "of the" stroke`, "(or stroke aspirin)", "aspirin stroke"},
		{`"heart failure" "of the" "IL-6"`, `(and "heart@0 failur@1" il6)`, "heart failur il6"},
		{"metformin AND heart failure", "(and metformin (and heart failur))", "metformin heart failur"},
		{"a AND b OR c d", "(or b (and c d))", "b c d"},
		{"aspirin NOT children", "(and aspirin -children)", "aspirin"},
		{"aspirin AND NOT (children OR adults)", "(and aspirin -(or children adult))", "aspirin"},
		{"aspirin NOT NOT children", "(and aspirin children)", "aspirin children"},
		{"NOT children", "(and all -children)", ""},
		{"aspirin NOT (stroke NOT elderly)", "(and aspirin -(and stroke -elder))", "aspirin elder"},
		{"(stroke OR TIA) AND IL-6", "(and (or stroke tia) (or il6 ilvi \"il@0 6@1\" \"il@0 vi@1\"))", "stroke tia il6"},
		{"beta-blocker AND x", `(and (or betablock "beta@0 blocker@1") x)`, "betablock beta blocker x"},
		{"aspirin (ASA) in stroke", "(or aspirin asa stroke)", "aspirin asa stroke"},
		{"TNF(alpha) AND (p53)", `(and (and tnf alpha) p53)`, "tnf alpha p53"},
		{"inflammat*", "(or inflammat* inflamm)", ""},
		{"β-block*", "betablock*", ""},
		{"oedem* AND heart", "(and edem* heart)", "heart"},
		// Whatever does not fit is words, or nothing.
		{"", "(or)", ""},
		{" the of ", "(or)", ""},
		{"AND", "(or and)", "and"},
		{"OR", "(or or)", "or"},
		{"NOT", "(or not)", "not"},
		{"AND OR NOT", "(or and or not)", "and or not"},
		{"aspirin AND", "(or aspirin)", "aspirin"},
		{"OR aspirin", "(or or aspirin)", "or aspirin"},
		{"a1 AND AND b1", "(or a1 and^1.69 b1)", "a1 and and b1"},
		{"aspirin AND the", "aspirin", "aspirin"},
		{`5" needle "open`, "(or 5 needl open)", "5 needl open"},
		{`"" " " ""`, "(or)", ""},
		{"* ** a* *b b*c A*02:01", "(or b^1.69 c a0201)", "b b c a0201"},
		{"((aspirin", "(or aspirin)", "aspirin"},
		{") AND ( aspirin", "aspirin", "aspirin"},
		{"() AND aspirin", "(or and aspirin)", "and aspirin"},
		{"(x1 AND (y1 OR z1", "(and x1 (or y1 z1))", "x1 y1 z1"},
		{"😀 \x00\xff \u0301", "(or)", ""},
		{"and or not", "(or not)", "not"},
	} {
		t.Run(c.in, func(t *testing.T) {
			q := ParseQuery(analyze.New(), c.in)
			required := q.Condition
			if required == nil {
				required = q.Lexical
			}
			if got := showQuery(required); got != c.want || strings.Join(q.Terms, " ") != c.terms {
				t.Errorf("%q:\n got %s, terms %q\nwant %s, terms %q", c.in, got, q.Terms, c.want, c.terms)
			}
		})
	}
}

// The passages found are those with a word that is asked for, in documents that meet the condition.
func TestOperatorsCombineDocuments(t *testing.T) {
	for in, want := range map[string]string{
		"zebrafish aura":                  "(or zebrafish aura)",
		`"heart failure"`:                 `"heart@0 failur@1"`,
		"zebrafish AND aura":              "(and (or zebrafish aura) docs(and zebrafish aura))",
		"zebrafish NOT aura":              "(and zebrafish docs(and zebrafish -aura))",
		"NOT aura":                        "(and all docs(and all -aura))",
		"zebrafish AND (NOT aura)":        "(and zebrafish docs(and zebrafish (and all -aura)))",
		"a1 AND b1 OR c1":                 "(or (and (or a1 b1) docs(and a1 b1)) c1)",
		"(a1 OR b1 NOT c1) AND d1":        "(and (or a1 (and b1 docs(and b1 -c1)) d1) docs(and (or a1 (and b1 -c1)) d1))",
		`"heart failure" "chest pain"`:    `(and (or "heart@0 failur@1" "chest@0 pain@1") docs(and "heart@0 failur@1" "chest@0 pain@1"))`,
		`"heart failure" in mice OR rats`: `(or (and (or "heart@0 failur@1" mice) docs(and "heart@0 failur@1" mice)) rat)`,
	} {
		t.Run(in, func(t *testing.T) {
			if got := showQuery(ParseQuery(analyze.New(), in).Lexical); got != want {
				t.Errorf("got %s, want %s", got, want)
			}
		})
	}
}

func TestQueryTextHasNoOperatorsOrExcludedParts(t *testing.T) {
	for in, want := range map[string]string{
		"What is IL-6 (a cytokine)?":                       "What is IL-6 a cytokine ?",
		`"heart failure" AND metformin NOT (mice OR rats)`: "heart failure metformin",
	} {
		t.Run(in, func(t *testing.T) {
			q := ParseQuery(analyze.New(), in)
			if q.Text != want {
				t.Errorf("%q: got %q", in, q.Text)
			}
			if q.Strict != strings.Contains(in, "AND") || q.Cut {
				t.Errorf("%q: strict %v, cut %v", in, q.Strict, q.Cut)
			}
		})
	}
	if !ParseQuery(analyze.New(), `("heart failure")`).Strict {
		t.Error("a phrase in parentheses is not required")
	}
}

func TestQueriesMatchTextsAsExpected(t *testing.T) {
	text := "Quality of life after beta-blockers in type 2 diabetes: no inflammation, IL6 or TNFα."
	a := analyze.New()
	tokens, _ := a.Tokens(nil, text, 3)
	bag := NewBag(tokens)
	for query, want := range map[string]bool{
		`"quality of life"`:                       true,
		`"quality life"`:                          false,
		`"life quality"`:                          false,
		`"type 2 diabetes"`:                       true,
		`"type-2 diabetes" AND NOT insulin`:       true,
		"betablocker AND IL-6":                    true,
		"beta blocker AND IL 6":                   true,
		"TNF-alpha AND metformin":                 false,
		"TNF-alpha OR metformin":                  true,
		"inflammat* AND diab*":                    true,
		"inflammat* NOT diab*":                    false,
		"NOT (insulin OR metformin)":              true,
		"insulin":                                 false,
		"":                                        false,
		`"of the"`:                                false,
		`"beta blocker" AND "in type 2" AND qu*`:  true,
		"(quality AND insulin) OR (life AND il6)": true,
	} {
		t.Run(query, func(t *testing.T) {
			q := ParseQuery(a, query)
			if got := bag.Matches(q.Lexical); got != want {
				t.Errorf("%q matches: %v; %s", query, got, showQuery(q.Lexical))
			}
		})
	}
}

func TestLongQueriesAreCut(t *testing.T) {
	if testing.Short() {
		t.Skip("parses megabytes, in one goroutine")
	}
	for name, in := range map[string]string{
		"words":       words(20_000, " "),
		"ands":        words(20_000, " AND "),
		"nots":        words(20_000, " NOT "),
		"phrases":     `"` + words(20_000, `" "`) + `"`,
		"open":        strings.Repeat("(", 1<<20),
		"nested":      strings.Repeat("(a1 OR ", 100_000) + "b1" + strings.Repeat(")", 100_000),
		"nested nots": strings.Repeat("NOT (x1 AND ", 1<<20) + "y1" + strings.Repeat(")", 1<<20),
		"parentheses": strings.Repeat("(", 1<<20) + "x1 AND y1" + strings.Repeat(")", 1<<20),
		"not not not": strings.Repeat("NOT ", 200_000) + "x1",
		"stars":       words(20_000, "* "),
		"no blank":    strings.Repeat("x", 1<<20),
		"quotes":      strings.Repeat(`"`, 1<<20),
	} {
		t.Run(fmt.Sprintf("%.60s", name), func(t *testing.T) {
			q := ParseQuery(analyze.New(), in)
			if n := leaves(q.Lexical); n > 40*MaxQueryTerms {
				t.Errorf("%s: %d leaves", name, n)
			}
			if many := strings.Count(in, "w1") > 0 || strings.HasPrefix(name, "nested"); q.Cut != many {
				t.Errorf("%s: cut %v", name, q.Cut)
			}
		})
	}
}

func words(n int, between string) string {
	var s []string
	for i := range n {
		s = append(s, fmt.Sprintf("w%d", i))
	}
	return strings.Join(s, between)
}

func leaves(q store.Query) int {
	n := 0
	switch q := q.(type) {
	case store.Or:
		for _, p := range q {
			n += leaves(p)
		}
	case store.And:
		for _, p := range q {
			n += leaves(p)
		}
	case store.Not:
		n = leaves(q.Query)
	case store.Documents:
		n = leaves(q.Query)
	default:
		n = 1
	}
	return n
}

func FuzzParseQuery(f *testing.F) {
	for _, s := range []string{`"a b" AND (c* OR NOT d)`, `((")) AND* NOT OR "`, "IL-6 NOT β-block* «x»", "\xff(\x00)*", `("beta for")`, `(("beta blockers`} {
		f.Add(s, "beta-blockers for IL-6")
	}
	f.Fuzz(func(t *testing.T, query, text string) {
		a := analyze.New()
		q := ParseQuery(a, query)
		if q.Lexical == nil {
			t.Fatal("no query")
		}
		for _, term := range q.Terms {
			if term == "" || !utf8.ValidString(term) {
				t.Fatalf("term %q", term)
			}
		}
		tokens, _ := a.Tokens(nil, text, 0)
		matched := NewBag(tokens).Matches(q.Lexical)
		// A query of words alone finds a text that has one of them.
		if again := ParseQuery(a, query); showQuery(again.Lexical) != showQuery(q.Lexical) {
			t.Fatal("not the same twice")
		}
		if q.Strict || strings.Contains(query, "*") {
			return
		}
		// A name with a number, such as IL-6, also finds the name and the number apart.
		hasParts := strings.ContainsFunc(query, unicode.IsNumber)
		if byTerms := NewBag(tokens).Matches(anyOf(q.Terms)); byTerms && !matched || matched && !byTerms && !hasParts {
			t.Fatalf("%s does not match as its terms %q do", showQuery(q.Lexical), q.Terms)
		}
	})
}

func anyOf(terms []string) (or store.Or) {
	for _, t := range terms {
		or = append(or, store.Term{Text: t})
	}
	return or
}
