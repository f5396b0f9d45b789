package rag

import (
	"encoding/json"
	"testing"
	"time"

	"biomcp/store"
)

var clock = time.Date(2025, 11, 21, 13, 0, 0, 0, time.UTC)

func TestQualityOfDocuments(t *testing.T) {
	core := store.Journal{MedlineTA: "N Engl J Med"}
	for name, c := range map[string]struct {
		doc  store.Document
		want string
	}{
		"nothing known": {store.Document{},
			`{"design":0,"recency":null,"journal":null,"human":null,"total":0}`},
		"trial in a core journal": {store.Document{PubTypes: []string{"Journal Article", "Randomized Controlled Trial"}, PDat: "2024-05-11", Journal: core, Indexed: true, Human: true},
			`{"design":2,"recency":2,"journal":2,"human":2,"total":8}`},
		"the best there is": {store.Document{PubTypes: []string{"Randomized Controlled Trial", "Meta-Analysis"}, PDat: "2025", Journal: store.Journal{MedlineTA: "n engl j MED "}, Indexed: true, Human: true, Animal: true},
			`{"design":3,"recency":2,"journal":2,"human":2,"total":9}`},
		"retracted": {store.Document{PubTypes: []string{"Meta-Analysis", "Retracted Publication"}, PDat: "2025", Journal: core, Indexed: true, Human: true, Retracted: true},
			`{"design":3,"recency":2,"journal":2,"human":2,"total":0}`},
		"not indexed": {store.Document{PubTypes: []string{"Systematic Review"}, PDat: "2017", Journal: core},
			`{"design":3,"recency":1,"journal":null,"human":null,"total":4}`},
		"mice": {store.Document{PubTypes: []string{"Journal Article"}, PDat: "1999-01", Journal: store.Journal{MedlineTA: "J Biol Chem"}, Indexed: true, Animal: true},
			`{"design":0,"recency":0,"journal":1,"human":1,"total":2}`},
		"cells": {store.Document{PubTypes: []string{"Journal Article"}, Indexed: true},
			`{"design":0,"recency":null,"journal":1,"human":0,"total":1}`},
		"cohort": {store.Document{PubTypes: []string{"Journal Article", "Research Support, Non-U.S. Gov't"}, Indexed: true, Human: true},
			`{"design":1,"recency":null,"journal":1,"human":2,"total":4}`},
		"editorial": {store.Document{PubTypes: []string{"Editorial"}, Indexed: true, Human: true},
			`{"design":0,"recency":null,"journal":1,"human":2,"total":3}`},
		"review of animal work": {store.Document{PubTypes: []string{"Review"}, Indexed: true, Animal: true},
			`{"design":1,"recency":null,"journal":1,"human":1,"total":3}`},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := json.Marshal(Assess(&c.doc, clock))
			if err != nil || string(got) != c.want {
				t.Errorf("got %s (%v)\nwant %s", got, err, c.want)
			}
		})
	}
}

func TestDesignOfPublicationTypes(t *testing.T) {
	for pubType, want := range map[string]int{
		"Meta-Analysis": 3, "Network Meta-Analysis": 3, "Systematic Review": 3, "Practice Guideline": 3,
		"Randomized Controlled Trial": 2, "Controlled Clinical Trial": 2, "Pragmatic Clinical Trial": 2, "Equivalence Trial": 2,
		"Clinical Trial": 1, "Clinical Trial, Phase II": 1, "Observational Study": 1, "Case Reports": 1, "Review": 1,
		"Journal Article": 0, "Letter": 0, "Guideline": 0, "Preprint": 0, "randomized controlled trial": 0,
	} {
		t.Run(pubType, func(t *testing.T) {
			if got := design(&store.Document{PubTypes: []string{pubType}}); got != want {
				t.Errorf("%s: %d, want %d", pubType, got, want)
			}
		})
	}
}

func TestRecencyOfDatesOfAnyPrecision(t *testing.T) {
	for pdat, want := range map[string]int{
		"2020-11-21": 2, "2020-11-20": 1, "2015-11-21": 1, "2015-11-20": 0,
		"2020-11": 2, "2020-10": 1, "2015-11": 1, "2015-10": 0,
		"2020": 2, "2019": 1, "2015": 1, "2014": 0,
		"2026-01-01": 2, "2026": 2,
	} {
		t.Run(pdat, func(t *testing.T) {
			if got := Assess(&store.Document{PDat: pdat}, clock).Recency; got == nil || *got != want {
				t.Errorf("%s: %v, want %d", pdat, got, want)
			}
		})
	}
	for _, pdat := range []string{"", "1998 Dec-1999 Jan", "Spring", "0"} {
		t.Run(pdat, func(t *testing.T) {
			if got := Assess(&store.Document{PDat: pdat}, clock).Recency; got != nil {
				t.Errorf("%q: %d, want none", pdat, *got)
			}
		})
	}
}

func TestCoreJournalsAreMatchedByMedlineTA(t *testing.T) {
	if n := len(coreJournals()); n != 152 {
		t.Errorf("%d journals", n)
	}
	for name, want := range map[string]int{"Lancet": 2, "LANCET": 2, "Lancet and more": 1, "Acad Med": 2, "medline_ta": 1, "": 1} {
		t.Run(name, func(t *testing.T) {
			if got := journal(name); got != want {
				t.Errorf("%q: %d, want %d", name, got, want)
			}
		})
	}
}
