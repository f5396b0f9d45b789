package cli

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"biomcp/cli/command"
	"biomcp/entrez/entreztest"
)

type discoverAnswer struct {
	Concepts []struct {
		Label, Type, ID, Match string
		Sources, Commands      []string
	}
	Ambiguous bool
	Found     map[string]*int
	Notices   []string
	Meta      struct {
		Next    []string                        `json:"next_commands"`
		Sources []struct{ Key, Outcome string } `json:"section_sources"`
	} `json:"_meta"`
}

func discoveries(t *testing.T, srv *entreztest.Server, phrase string) (got discoverAnswer, asked []string) {
	t.Helper()
	text, code, asked := exchanges(t, srv, "discover '"+phrase+"' --json")
	validate(t, "discover.response", phrase, text)
	if err := json.Unmarshal([]byte(text), &got); err != nil || code != 0 {
		t.Fatal(code, text)
	}
	slices.Sort(asked)
	return got, asked
}

func TestDiscover(t *testing.T) {
	t.Parallel()
	srv := synthetic(t)
	for phrase, want := range map[string][]string{
		"BRAF":            {"gene NCBIGene:673 symbol NCBI Gene, PubTator3", "variant rs113488022 name braf p.v600e PubTator3"}, // PubTator3 returns the gene of another organism
		"p53":             {"gene NCBIGene:7157 alias NCBI Gene, PubTator3"},
		"marfan syndrome": {"disease MedGen:C0024796 name MedGen, PubTator3"},
		"Ergothioneine":   {"heading MESH:D004880 heading MeSH, PubTator3"},
		"V600E":           {"variant rs113488022 synonym v600e PubTator3"},
		"MLL2":            {"gene NCBIGene:8085 alias NCBI Gene", "gene NCBIGene:9757 alias NCBI Gene"},
		"xqzzyblorp":      nil,
	} {
		t.Run(phrase, func(t *testing.T) {
			got, asked := discoveries(t, srv, phrase)
			var concepts []string
			for _, c := range got.Concepts {
				concepts = append(concepts, strings.Join([]string{c.Type, c.ID, c.Match, strings.Join(c.Sources, ", ")}, " "))
				for _, line := range c.Commands {
					if strings.Contains(line, "get drug") {
						t.Errorf("%s: %s is no command", phrase, line)
					}
				}
			}
			slices.Sort(concepts)
			if !slices.Equal(concepts, want) || got.Ambiguous != (phrase == "MLL2") {
				t.Errorf("%s: %q, want %q", phrase, concepts, want)
			}
			if len(asked) > 7 || len(got.Meta.Next) == 0 || asked[0] != "autocomplete" {
				t.Errorf("%s: %q, next %q", phrase, asked, got.Meta.Next)
			}
		})
	}
}

func TestDiscoverLeavesQuestionsToSuggest(t *testing.T) {
	t.Parallel()
	srv := synthetic(t)
	got, asked := discoveries(t, srv, "Which trials are there for melanoma?")
	if len(asked) > 0 || len(got.Concepts) > 0 || got.Meta.Next[0] != "biomcp suggest 'Which trials are there for melanoma?'" {
		t.Errorf("%q, %+v", asked, got)
	}
}

func TestDiscoverOfWhichASourceFails(t *testing.T) {
	t.Parallel()
	srv := breadth(t)
	if err := srv.Fail(entreztest.Fault{Endpoint: "autocomplete", Kind: entreztest.HTML502, Times: -1}); err != nil {
		t.Fatal(err)
	}
	got, _ := discoveries(t, srv, "BRAF")
	if len(got.Concepts) != 1 || got.Found["pubtator"] != nil || *got.Found["gene"] != 1 || got.Meta.Sources[4].Outcome != "unavailable" ||
		!strings.Contains(got.Notices[0], "PubTator3 did not answer") {
		t.Errorf("%+v", got)
	}
	if err := srv.Fail(entreztest.Fault{Endpoint: "esearch", Kind: entreztest.HTML502, Times: -1}, entreztest.Fault{Endpoint: "rxcui", Kind: entreztest.HTML502, Times: -1}); err != nil {
		t.Fatal(err)
	}
	if text, code, _ := exchanges(t, srv, "discover BRAF --json"); code != 1 || !strings.Contains(text, `"UPSTREAM"`) {
		t.Errorf("exit %d: %s", code, text)
	}
}

func TestWordThatIsNoIDNamesTheSections(t *testing.T) {
	t.Parallel()
	srv := synthetic(t)
	if text, code, _ := exchanges(t, srv, "get gene BRAF colour --json"); code != 0 || !strings.Contains(text, "not found: colour; the sections are articles, ") {
		t.Errorf("exit %d: %s", code, text)
	}
}

func TestDiscoverAnID(t *testing.T) {
	t.Parallel()
	srv := synthetic(t)
	for id, owner := range map[string]string{"NCT99000001": "trial", "rs268": "variant", "32051057": "article"} {
		t.Run(id, func(t *testing.T) {
			text, code, _ := exchanges(t, srv, "discover "+id+" --json")
			if code != 0 || !strings.Contains(text, `"next_commands":["biomcp get `+owner+" "+id+`"`) || !strings.Contains(text, id+" has the form of an id of "+command.WithArticle(owner)) {
				t.Errorf("exit %d: %s", code, text)
			}
		})
	}
}

// A brand is resolved to its substance.
func TestDiscoverABrand(t *testing.T) {
	t.Parallel()
	srv := breadth(t)
	text, code, _ := exchanges(t, srv, "discover Inventa --json")
	if code != 0 || !strings.Contains(text, `"label":"fictinib","type":"drug"`) || !strings.Contains(text, `"match":"brand"`) || !strings.Contains(text, "biomcp get drug fictinib") {
		t.Errorf("exit %d: %s", code, text)
	}
}

// A genomic entity that is not one record leads to the search that finds it, at every door.
func TestNamedEntitiesLeadToTheirSearch(t *testing.T) {
	t.Parallel()
	srv := synthetic(t)
	for phrase, want := range map[string]struct{ says, try string }{
		"EML4-ALK":         {"a fusion of the genes EML4 and ALK", "biomcp search article EML4-ALK"},
		"HTT CAG repeat":   {"a repeat in the gene HTT", "biomcp search article 'HTT CAG repeat'"},
		"22q11.2":          {"a band of a chromosome", "biomcp search gene 22q11.2"},
		"22q11.2 deletion": {"a change of a band", "biomcp search disease '22q11.2 deletion'"},
		"APOE e4":          {"an allele of two positions", "biomcp get variant rs429358 rs7412"},
		"NC_000022.11:g.(?_18900000)_(21500000_?)del": {"a change between two positions",
			"biomcp search variant --region 22:18900000-21500000"},
	} {
		for _, door := range []string{"discover", "get gene", "get disease", "get variant", "search variant", "search gene"} {
			if door == "get gene" && strings.ContainsAny(phrase, " (") { // not a symbol
				continue
			}
			t.Run(door+" "+phrase, func(t *testing.T) {
				text, _, _ := exchanges(t, srv, door+" '"+phrase+"'")
				try := want.try
				switch {
				case strings.HasPrefix(try, "biomcp "+door+" "): // already asked
					return
				case door == "get variant" && phrase == "22q11.2":
					try = "biomcp search variant 22q11.2"
				}
				if !strings.Contains(text, try) {
					t.Errorf("got %s, want %q in it", text, try)
				}
				if !strings.HasPrefix(door, "search") && !strings.Contains(text, want.says) {
					t.Errorf("got %s, want %q in it", text, want.says)
				}
			})
		}
	}
}
