package store

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"biomcp/entrez/record"
)

func sentence(text string) []Token {
	var tokens []Token
	for i, w := range strings.Fields(text) {
		tokens = append(tokens, Token{Term: w, Pos: uint32(i)})
	}
	return tokens
}

func TestQueryOperators(t *testing.T) {
	s := openTest(t, t.TempDir(), Options{})
	texts := map[record.PMID]string{
		1: "heart attack in old mice",
		2: "attack of the heart",
		3: "heart failure heart attack heart attack",
		4: "old hearts fail",
		5: "nothing",
	}
	for pmid, text := range texts { // five segments
		commitTest(t, s, "q", &Document{PMID: pmid, Chunks: []Chunk{{ID: "w0", Tokens: sentence(text)}}})
	}
	heart, attack, old := Term{Text: "heart"}, Term{Text: "attack"}, Term{Text: "old"}
	phrase := func(words ...string) Phrase {
		var p Phrase
		for i, w := range words {
			p.Slots = append(p.Slots, Slot{Terms: strings.Split(w, "|"), At: uint32(i)})
		}
		return p
	}
	for _, c := range []struct {
		query Query
		want  string
	}{
		{heart, "[3 2 1]"},
		{Or{heart, old}, "[1 4 3 2]"},
		{Or{Term{Text: "heart", Weight: 0.01}, Term{Text: "old", Weight: 5}}, "[4 1 3 2]"},
		{And{heart, old}, "[1]"},
		{And{heart, Not{Query: old}}, "[3 2]"},
		{Not{Query: heart}, "[4 5]"},
		{And{Not{Query: heart}, Not{Query: old}}, "[5]"},
		{Or{old, Not{Query: Or{heart, old}}}, "[4 1 5]"},
		{phrase("heart", "attack"), "[3 1]"},
		{phrase("heart", "attack|failure"), "[3 1]"},
		{phrase("attack", "heart"), "[3]"},
		{phrase("old", "heart"), "[]"},
		{Phrase{Slots: []Slot{{Terms: []string{"attack"}}, {Terms: []string{"heart"}, At: 3}}}, "[2]"},
		{And{phrase("heart", "attack"), old}, "[1]"},
		{And{attack, Not{Query: phrase("heart", "attack")}}, "[2]"},
		{Prefix{Text: "heart"}, "[3 4 2 1]"},
		{And{Prefix{Text: "fail"}, Not{Query: Prefix{Text: "hearts"}}}, "[3]"},
		{Prefix{Text: "zzz"}, "[]"},
		{Term{Text: "zzz"}, "[]"},
		{Term{}, "[]"},
		{Prefix{}, "[]"},
		{Phrase{}, "[]"},
		{Or{}, "[]"},
		{And{}, "[1 2 3 4 5]"},
		{All{}, "[1 2 3 4 5]"},
		{Term{Text: "\x01pnothing"}, "[]"},
	} {
		t.Run(fmt.Sprintf("%.60s", c.want), func(t *testing.T) {
			hits, err := s.Search(t.Context(), c.query, Filter{}, 10)
			if err != nil {
				t.Fatal(err)
			}
			pmids := []record.PMID{}
			for _, h := range hits {
				pmids = append(pmids, h.PMID)
			}
			if fmt.Sprint(pmids) != c.want {
				t.Errorf("%+v: %v, want %s", c.query, pmids, c.want)
			}
		})
	}
	df, err := s.DocFreq(t.Context(), "heart", "old", "zzz", "")
	if err != nil || fmt.Sprint(df) != "[3 2 0 0]" {
		t.Errorf("document frequencies %v %v", df, err)
	}
	for _, f := range []Filter{{From: "20"}, {To: "2020-13"}, {From: "2020-01-32"}, {To: "last year"}} {
		if _, err := s.Search(t.Context(), heart, f, 1); !IsKind(err, Invalid) {
			t.Errorf("%+v: %v", f, err)
		}
	}
	if hits, err := s.Search(t.Context(), heart, Filter{}, 0); err != nil || hits == nil || len(hits) != 0 {
		t.Errorf("k 0: %v %v", hits, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Search(ctx, heart, Filter{}, 1); err != context.Canceled {
		t.Errorf("cancelled: %v", err)
	}
}

func TestPutRefusesWhatCannotBeIndexed(t *testing.T) {
	s := openTest(t, t.TempDir(), Options{})
	for name, c := range map[string]Chunk{
		"id":       {ID: "p0"},
		"term":     {ID: "s0", Tokens: []Token{{}}},
		"property": {ID: "s0", Tokens: []Token{{Term: "\x01pReview"}}},
		"long":     {ID: "s0", Tokens: make([]Token, 70000)},
	} {
		t.Run(fmt.Sprintf("%.60s", name), func(t *testing.T) {
			if err := s.Begin("q").Put(&Document{PMID: 1, Chunks: []Chunk{c}}); !IsKind(err, Invalid) {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
	long := strings.Repeat("x", 1000)
	commitTest(t, s, "q", &Document{PMID: 1, Chunks: []Chunk{{ID: "s0", Tokens: []Token{{Term: long}}}}})
	if hits, err := s.Search(t.Context(), Term{Text: long}, Filter{}, 1); err != nil || len(hits) != 1 {
		t.Errorf("an over-long term is cut alike when stored and when sought: %v %v", hits, err)
	}
}
