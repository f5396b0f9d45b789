package disease_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	"biomcp/entrez/disease"
	"biomcp/entrez/entreztest"
	"biomcp/entrez/medgen"
	"biomcp/entrez/resolve"
	"biomcp/entrez/services/servicestest"
	"biomcp/entrez/sourcetest"
)

// simulated runs test with a simulated MedGen in a synctest bubble, where rate limits take no time.
func simulated(t *testing.T, test func(t *testing.T, c *disease.Client, srv *entreztest.Server)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		srv := entreztest.New(t, entreztest.NoLimit(), entreztest.WithoutNetwork())
		servicestest.AddTo(srv.Server)
		test(t, disease.New(srv.Network(t)), srv)
	})
}

// outcome returns the name of a disease, or the kind and the candidates of the miss.
func outcome(d *disease.Disease, err error) string {
	var text []string
	if d != nil {
		text = append(text, d.Name)
	}
	if miss, ok := errors.AsType[*resolve.Miss](err); ok {
		text = append(text, miss.Kind.String())
		for _, c := range miss.Candidates {
			text = append(text, strings.TrimSpace(miss.Of+" "+c.Symbol))
		}
		if miss.Unread > 0 {
			text = append(text, fmt.Sprint(miss.Unread, " unread"))
		}
		if len(miss.Similar) > 0 {
			text = append(text, "similar "+strings.Join(miss.Similar, ", "))
		}
	} else if err != nil {
		text = append(text, err.Error())
	}
	return strings.Join(text, "; ")
}

func TestFind(t *testing.T) {
	for word, want := range map[string]string{
		"Marfan syndrome":              "Marfan syndrome",
		"MFS":                          "Marfan syndrome",
		"44287":                        "Marfan syndrome",
		"C0024796":                     "Marfan syndrome",
		"OMIM:154700":                  "Marfan syndrome",
		"MONDO:0007947":                "Marfan syndrome",
		"D008382":                      "Marfan syndrome",
		"DOID:14323":                   "Marfan syndrome",
		"90400001":                     "Marfan syndrome", // merged into it
		"Marfan syndrome, old":         "not found; similar Synthetic old name of Marfan syndrome",
		"Lynch syndrome":               "Lynch syndrome",
		"SDX":                          "ambiguous between; CN900003; CN900004",
		"FBN1":                         "alias of; gene FBN1",
		"Marfan":                       "not found; similar Marfan syndrome, Synthetic old name of Marfan syndrome",
		"no such disease":              "not found",
		"C9999999":                     "not found",
		"DOID:99999999":                "not found",
		"*":                            "not found",
		"":                             "not found",
		"Synthetic suppressed concept": "Synthetic suppressed concept",
	} {
		t.Run(word, func(t *testing.T) {
			simulated(t, func(t *testing.T, c *disease.Client, _ *entreztest.Server) {
				if got := outcome(c.Find(t.Context(), word)); got != want {
					t.Errorf("it is %q, want %q", got, want)
				}
			})
		})
	}
}

// Only a reply that was read whole says that there is no disease.
func TestFindWithoutASource(t *testing.T) {
	for _, test := range []struct{ endpoint, word, want string }{
		{"esearch", "Marfan syndrome", "source unavailable"},
		{"esummary", "44287", "source unavailable"},
		{"ols-search", "DOID:14323", "source unavailable"},
		{"esearch", "44287", "Marfan syndrome"},
	} {
		t.Run(test.endpoint+" "+test.word, func(t *testing.T) {
			simulated(t, func(t *testing.T, c *disease.Client, srv *entreztest.Server) {
				if err := srv.Fail(sourcetest.Fault{Endpoint: test.endpoint, Kind: sourcetest.HTML403, Times: -1}); err != nil {
					t.Fatal(err)
				}
				if got := outcome(c.Find(t.Context(), test.word)); got != test.want {
					t.Errorf("it is %q, want %q", got, test.want)
				}
			})
		})
	}
	simulated(t, func(t *testing.T, c *disease.Client, _ *entreztest.Server) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := c.Find(ctx, "Marfan syndrome"); !errors.Is(err, context.Canceled) {
			t.Errorf("a cancelled call: %v, want context.Canceled", err)
		}
	})
}

func TestResults(t *testing.T) {
	simulated(t, func(t *testing.T, c *disease.Client, _ *entreztest.Server) {
		answer, err := c.FindAll(t.Context(), "MFS", "90400001", "DOID:14323", "CN900002")
		if err != nil {
			t.Fatal(err)
		}
		r := answer.Results
		if r[0].Disease != r[1].Disease {
			t.Error("two words of one disease have two records")
		}
		for _, c := range []struct{ name, got, want string }{
			{"a synonym is read as", r[0].ReadAs, "Marfan syndrome"},
			{"merges", fmt.Sprint(r[1].Merged), "[{CN900001 C0024796}]"},
			{"a label is read as", r[2].ReadAs, "Marfan syndrome"},
			{"ids", fmt.Sprint(r[0].Disease.XRefs.OMIM, r[0].Disease.XRefs.HPO), "[OMIM:154700] []"},
			{"suppressed", fmt.Sprint(r[3].Disease.Suppressed), "true"},
		} {
			if c.got != c.want {
				t.Errorf("%s: %q, want %q", c.name, c.got, c.want)
			}
		}
	})
}

// A word that more concepts have than are read may be the name of one that was not read.
func TestUnreadConcepts(t *testing.T) {
	simulated(t, func(t *testing.T, c *disease.Client, srv *entreztest.Server) {
		for i := range 2*disease.MaxConcepts + 3 {
			srv.SetEntry("medgen", entreztest.Entry{
				UID:     fmt.Sprint(90500000 + i),
				Summary: map[string]any{"conceptid": fmt.Sprintf("CN95%04d", i), "title": fmt.Sprint("other ", i), "conceptmeta": "<Names></Names>"},
				Terms:   map[string][]string{"WORD": {"frequent word"}},
			})
		}
		answer, err := c.FindAll(t.Context(), "frequent word", "Marfan syndrome")
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range []string{fmt.Sprintf("not found; %d unread", disease.MaxConcepts+3), "Marfan syndrome"} {
			r := answer.Results[i]
			var missed error
			if r.Miss != nil {
				missed = r.Miss
			}
			if got := outcome(r.Disease, missed); got != want {
				t.Errorf("%s is %q, want %q", r.Word, got, want)
			}
		}
	})
}

func TestSuccessors(t *testing.T) {
	simulated(t, func(t *testing.T, c *disease.Client, srv *entreztest.Server) {
		old := []*medgen.Concept{{UID: "1", CUI: "CN000001", Merged: "44287"}, {UID: "2", CUI: "CN000002", Merged: "C0024796"}}
		isUID := func(c *medgen.Concept) bool { return c.Merged == "44287" }
		into, err := c.Successors(t.Context(), old[:1], isUID)
		if err != nil || into["44287"] == nil || into["44287"].CUI != "C0024796" {
			t.Errorf("the successors are %v, %v, want C0024796", into, err)
		}
		if into, err := c.Successors(t.Context(), old[1:], isUID); err != nil || len(into) > 0 {
			t.Errorf("the successors of an unwanted concept are %v, %v, want none", into, err)
		}
		if err := srv.Fail(sourcetest.Fault{Endpoint: "esummary", Kind: sourcetest.HTML403, Times: -1}); err != nil {
			t.Fatal(err)
		}
		if _, err := c.Successors(t.Context(), old[:1], isUID); err == nil {
			t.Error("a successor that cannot be read is no error")
		}
	})
}

func TestIDs(t *testing.T) {
	for _, c := range []struct {
		word   string
		is, of bool
	}{{"C0024796", true, true}, {"44287", true, false}, {"OMIM:154700", true, false}, {"MONDO:0007947", true, true}, {"DOID:14323", true, true}, {"Marfan", false, false}} {
		if got := disease.IsID(c.word); got != c.is {
			t.Errorf("%s is an id: %v, want %v", c.word, got, c.is)
		}
		if got := disease.IsOwnID(c.word); got != c.of {
			t.Errorf("%s is an id of a disease alone: %v, want %v", c.word, got, c.of)
		}
	}
}
