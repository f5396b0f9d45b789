package oql

import (
	"strings"
	"testing"
)

// A value that no sample has is noted, for = and != alike, and no other is.
func TestAbsentValues(t *testing.T) {
	s := &table{n: 3, attributes: map[string][]string{"SEX": {"Female", "male", ""}, "AGE": {"60", ">89", ""}}}
	for text, want := range map[string]string{
		"SEX=Mle":      "no sample has SEX=Mle; the values are Female, male",
		"SEX!=Mle":     "no sample has SEX=Mle: SEX!=Mle selects all samples that have a value; the values are Female, male",
		"!(SEX!=Mle)":  "no sample has SEX=Mle: SEX!=Mle selects all samples that have a value; the values are Female, male",
		`SEX!="a & b"`: `no sample has SEX="a & b": SEX!="a & b" selects all samples that have a value; the values are Female, male`,
		"AGE!=61":      "no sample has AGE=61: AGE!=61 selects all samples that have a value; the values are 60, >89",
		"AGE=61":       "no sample has AGE=61; the values are 60, >89",
		"SEX!=MALE":    "",
		"SEX=female":   "",
		"AGE!=60.0":    "",
		"AGE=95":       "", // the bound may be 95
		"AGE!=95":      "",
		"AGE>100":      "",
	} {
		x, err := ParseExpr(text)
		if err != nil {
			t.Fatal(err)
		}
		e := NewEvaluator(s)
		if _, err := e.Eval(x); err != nil || strings.Join(e.Notes, "|") != want {
			t.Errorf("%s: want the note %q, got %q, %v", text, want, e.Notes, err)
		}
	}
}

// A protein change that no sample has is noted, for = and != alike.
func TestAbsentChanges(t *testing.T) {
	s := &table{n: 2, mutations: map[string]*Mutations{"BRAF": {
		Profiled: []bool{true, true}, List: []MutationEvent{{Sample: 0, Class: "MISSENSE", Change: "V600E", From: 600, To: 600}},
	}}}
	for text, want := range map[string]string{
		"BRAF: V600K":            "no sample has the mutation V600K of BRAF",
		"BRAF: MUT != V600K":     "no sample has the mutation V600K of BRAF",
		"BRAF: MUT != K601":      "no sample has the mutation K601 of BRAF",
		"BRAF: MUT != V600E":     "",
		"BRAF: MUT != V600":      "",
		"BRAF: MUT = V600":       "",
		"BRAF: MUT != TRUNC MUT": "",
	} {
		x, err := ParseExpr(text)
		if err != nil {
			t.Fatal(err)
		}
		e := NewEvaluator(s)
		if _, err := e.Eval(x); err != nil || strings.Join(e.Notes, "|") != want {
			t.Errorf("%s: want the note %q, got %q, %v", text, want, e.Notes, err)
		}
	}
}
