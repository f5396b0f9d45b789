package resolve_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"biomcp/entrez/fault"
	"biomcp/entrez/resolve"
)

func ExampleMiss() {
	var err error = resolve.AliasOf("gene", "HER2", resolve.GeneAlias, "NCBI Gene", resolve.Candidate{Symbol: "ERBB2", ID: "2064"})
	if miss, ok := errors.AsType[*resolve.Miss](err); ok && miss.Kind == resolve.Alias {
		fmt.Println(miss.Candidates[0].Symbol, "of", miss.Sources)
	}
	fmt.Println(err)
	// Output:
	// ERBB2 of [NCBI Gene]
	// gene "HER2": alias of ERBB2
}

func TestMisses(t *testing.T) {
	one, two := resolve.Candidate{Symbol: "CDKN2A"}, resolve.Candidate{Symbol: "CDKN1A"}
	down := &resolve.Miss{Kind: resolve.Unavailable, Entity: "gene", Word: "x", Err: context.DeadlineExceeded}
	for name, c := range map[string]struct {
		miss *resolve.Miss
		kind resolve.Kind
		code fault.Code
		text string
	}{
		"of none":     {resolve.AliasOf("gene", "p0", resolve.GeneAlias, "s"), resolve.NotFound, fault.NotFound, `gene "p0": not found`},
		"of one":      {resolve.AliasOf("gene", "p16", resolve.GeneAlias, "s", one), resolve.Alias, fault.NotFound, `gene "p16": alias of CDKN2A`},
		"of two":      {resolve.AliasOf("gene", "p", resolve.GeneAlias, "s", one, two), resolve.Ambiguous, fault.NotFound, `gene "p": ambiguous between CDKN2A, CDKN1A`},
		"unavailable": {down, resolve.Unavailable, fault.Upstream, `gene "x": source unavailable: `},
	} {
		t.Run(name, func(t *testing.T) {
			m := fault.Of(fmt.Errorf("outer: %w", c.miss))
			if c.miss.Kind != c.kind {
				t.Errorf("the kind is %q, want %q", c.miss.Kind, c.kind)
			}
			if m.Code != c.code {
				t.Errorf("the code is %s, want %s", m.Code, c.code)
			}
			if !strings.HasPrefix(m.Message, c.text) {
				t.Errorf("the message is %q, want %q", m.Message, c.text)
			}
		})
	}
	if !errors.Is(down, context.DeadlineExceeded) {
		t.Error("the error of the source is lost")
	}
}

func TestFoldedNames(t *testing.T) {
	for _, c := range []struct {
		name string
		want bool
	}{{"pdl 1", true}, {"PD\u2011L1", true}, {"b7_h1", true}, {"PD-L2", false}} {
		if got := resolve.ContainsFolded([]string{"PD-L1", "B7H1"}, c.name); got != c.want {
			t.Errorf("%q: %v, want %v", c.name, got, c.want)
		}
	}
}
