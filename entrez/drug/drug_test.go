package drug_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	"biomcp/entrez/drug"
	"biomcp/entrez/entreztest"
	"biomcp/entrez/resolve"
	"biomcp/entrez/rxnav/rxnavtest"
	"biomcp/entrez/sourcetest"
)

// simulated runs test with simulated sources in a synctest bubble, where rate limits take no time.
func simulated(t *testing.T, test func(t *testing.T, c *drug.Client, srv *entreztest.Server)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		srv := entreztest.New(t, entreztest.NoLimit(), entreztest.WithoutNetwork())
		rxnavtest.AddTo(srv.Server)
		test(t, drug.New(srv.Network(t)), srv)
	})
}

// outcome returns the name and the id of a drug, or the miss.
func outcome(d *drug.Drug, err error) string {
	miss, ok := errors.AsType[*resolve.Miss](err)
	switch {
	case ok && len(miss.Candidates) > 0:
		text := fmt.Sprintf("%s %s of", miss.Kind, miss.NameType)
		for _, c := range miss.Candidates {
			text += " " + c.Symbol
		}
		if miss.Combination {
			text += ", a combination"
		}
		return text
	case ok:
		return miss.Kind.String()
	case err != nil:
		return err.Error()
	}
	return strings.TrimSpace(d.Name + " " + d.RxCUI + d.MeSH)
}

func TestFind(t *testing.T) {
	for word, want := range map[string]string{
		"fictinib":                    "fictinib 9001",
		"FICTINIB":                    "fictinib 9001",
		"fictinib / syntheticillin":   "fictinib / syntheticillin 9022",
		"syntheticillin + fictinib":   "fictinib / syntheticillin 9022",
		"Syntheticillin and fictinib": "fictinib / syntheticillin 9022",
		"fictinib +":                  "not found",
		"inventa":                     "alias of brand of fictinib",
		"fictinib mesylate":           "alias of salt of fictinib",
		"Doublet":                     "alias of brand of fictinib / syntheticillin, a combination",
		"nosuchdrug":                  "not found",
		"":                            "not found",
	} {
		t.Run(word, func(t *testing.T) {
			simulated(t, func(t *testing.T, c *drug.Client, _ *entreztest.Server) {
				if got := outcome(c.Find(t.Context(), word)); got != want {
					t.Errorf("it is %q, want %q", got, want)
				}
			})
		})
	}
}

func TestBrandIsFollowedToItsCombination(t *testing.T) {
	simulated(t, func(t *testing.T, c *drug.Client, _ *entreztest.Server) {
		c.FollowBrands = true
		for word, want := range map[string]string{
			"Doublet": "fictinib / syntheticillin 9022 Doublet",
			"Inventa": "alias of brand of fictinib ", // a brand of one substance
		} {
			d, err := c.Find(t.Context(), word)
			brand := ""
			if d != nil {
				brand = d.Brand
			}
			if got := outcome(d, err) + " " + brand; got != want {
				t.Errorf("%s is %q, want %q", word, got, want)
			}
		}
	})
}

// A product of several substances gives neither its brand nor its route to one of them.
func TestRecord(t *testing.T) {
	simulated(t, func(t *testing.T, c *drug.Client, _ *entreztest.Server) {
		d, err := c.Find(t.Context(), "fictinib")
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct{ name, got, want string }{
			{"brands", fmt.Sprint(d.Brands), "[Inventa Inventa XR]"},
			{"routes", fmt.Sprint(d.Routes), "[Oral]"},
			{"salts", fmt.Sprint(d.Synonyms), "[fictinib mesylate]"},
			{"ingredients", fmt.Sprint(len(d.Ingredients)), "1"},
			{"page", d.URL, drug.RxNormPage + "9001"},
		} {
			if c.got != c.want {
				t.Errorf("%s: %q, want %q", c.name, c.got, c.want)
			}
		}
	})
}

// Only a reply that was read whole says that there is no drug.
func TestFindWithoutASource(t *testing.T) {
	for _, test := range []struct{ endpoint, word string }{
		{"rxcui", "fictinib"}, {"related", "fictinib"}, {"esearch", "nosuchdrug"},
	} {
		t.Run(test.endpoint, func(t *testing.T) {
			simulated(t, func(t *testing.T, c *drug.Client, srv *entreztest.Server) {
				if err := srv.Fail(sourcetest.Fault{Endpoint: test.endpoint, Kind: sourcetest.HTML403, Times: -1}); err != nil {
					t.Fatal(err)
				}
				if got := outcome(c.Find(t.Context(), test.word)); got != "source unavailable" {
					t.Errorf("%s is %q, want a source that is unavailable", test.word, got)
				}
			})
		})
	}
	simulated(t, func(t *testing.T, c *drug.Client, _ *entreztest.Server) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := c.Find(ctx, "fictinib"); !errors.Is(err, context.Canceled) {
			t.Errorf("a cancelled call: %v, want context.Canceled", err)
		}
	})
}

func TestFindInMeSH(t *testing.T) {
	simulated(t, func(t *testing.T, c *drug.Client, srv *entreztest.Server) {
		for _, h := range []entreztest.Heading{
			{UI: "C900003", Terms: []string{"notapprovedib", "NAB 12", "Another name"}},
			{UI: "D900002", Terms: []string{"Invented Disease"}, TreeNumbers: []string{"C04.1"}},
			{UI: "D900004", Terms: []string{"Invented Receptor"}, TreeNumbers: []string{"D08.811.1", "D12.776.5"}},
			{UI: "D900005", Terms: []string{"Inventedmab"}, TreeNumbers: []string{"D12.776.124.486.485.114.1"}},
		} {
			if err := srv.SetHeading(h); err != nil {
				t.Fatal(err)
			}
		}
		for word, want := range map[string]string{
			"notapprovedib":     "notapprovedib C900003",
			"nab-12":            "alias of research_code of notapprovedib",
			"another name":      "alias of synonym of notapprovedib",
			"Invented Disease":  "not found",
			"Invented Receptor": "not found",
			"Inventedmab":       "Inventedmab D900005",
		} {
			if got := outcome(c.Find(t.Context(), word)); got != want {
				t.Errorf("%s is %q, want %q", word, got, want)
			}
		}
	})
}
