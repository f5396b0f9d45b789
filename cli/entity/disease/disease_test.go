package disease_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command/commandtest"
	"biomcp/entrez/entreztest"
)

func TestDiseaseRequests(t *testing.T) {
	t.Parallel()
	srv := commandtest.PubMed(t)
	for line, want := range map[string]string{
		"44287":                                  "esummary",
		"C0024796":                               "esearch esummary",
		"MONDO:0007947":                          "esearch esummary",
		"OMIM:154700":                            "esearch esummary",
		"MESH:D008382":                           "esearch esummary",
		"ORPHA:558":                              "esearch esummary",
		"NCIT:C34807":                            "esearch esummary",
		"marfan syndrome":                        "esearch esummary",
		`"Marfan syndrome" MONDO:0010359 382914`: "esearch esummary",
		"CN900001":                               "esearch esummary esummary", // merged
		"Marfan genes phenotypes":                "esearch esummary",
		"44287 articles":                         "elink esummary esummary",
		"OCRL articles":                          "esearch esummary", // no section of what is no disease
		"OCRL genes phenotypes":                  "esearch esummary",
		"C9999999":                               "esearch",
		"'nothing of this name' genes":           "esearch espell esearch",
		"C0024796 44287 'OMIM:154700' ":          "esearch esummary",
	} {
		t.Run(line, func(t *testing.T) {
			text, _, requests := clitest.Asked(t, srv, "get disease "+line+" --json")
			asked := clitest.Endpoints(requests)
			if strings.Contains(line, "44287 articles") {
				slices.Sort(asked)
			}
			if strings.Join(asked, " ") != want {
				t.Errorf("%s: %q, want %s: %s", line, asked, want, text)
			}
		})
	}
}

func TestDiseaseCard(t *testing.T) {
	t.Parallel()
	srv := commandtest.PubMed(t)
	const validator = "get_disease.response"
	for _, id := range []string{"44287", "C0024796", "c0024796", "MONDO:0007947", "OMIM:154700", "MESH:D008382", "ORPHA:558", "Orphanet_558", "NCIT:C34807", "Marfan syndrome", "MARFAN syndrome", "FBN1-related Marfan syndrome"} {
		t.Run(id, func(t *testing.T) {
			line := "get disease '" + id + "' --json"
			text, code, _ := clitest.Asked(t, srv, line)
			commandtest.Validate(t, validator, line, text)
			if code != 0 || !strings.Contains(text, `"cui":"C0024796","medgen_uid":"44287","name":"Marfan syndrome"`) ||
				!strings.Contains(text, `"xrefs":{"mondo":["MONDO:0007947"],"omim":["OMIM:154700"],"mesh":["MESH:D008382"],"orphanet":["ORPHA:558"],"hpo":[],"ncit":["NCIT:C34807"]}`) {
				t.Errorf("%s: exit %d: %s", id, code, text)
			}
			if strings.Contains(text, "must not be printed") || strings.Contains(text, "Marfan's") {
				t.Errorf("what a licence forbids is printed: %s", text)
			}
		})
	}
	// Ids and sections are as for every entity; of a section only what identifies it.
	text, code, _ := clitest.Asked(t, srv, "get disease C2676676 genes --json")
	commandtest.Validate(t, validator, "genes", text)
	if code != 0 || !strings.Contains(text, `"genes":[{"symbol":"BRCA1","entrez_id":"672","cytoband":"17q21.31"}]`) || strings.Contains(text, "synonyms") {
		t.Errorf("exit %d: %s", code, text)
	}
	text, _, _ = clitest.Asked(t, srv, "get disease C2676676")
	if !strings.Contains(text, "(Definition: MONDO)") || !strings.Contains(text, "Finding") {
		t.Error(text)
	}
	text, _, _ = clitest.Asked(t, srv, "get disease C0024796")
	if !strings.Contains(text, "Definition: by GeneReviews, at https://www.ncbi.nlm.nih.gov/books/NBK1335/") || strings.Count(text, "\n") > 24 {
		t.Error(text)
	}
}

func TestMergedAndSuppressedDiseases(t *testing.T) {
	t.Parallel()
	srv := commandtest.PubMed(t)
	for _, id := range []string{"CN900001", "90400001"} {
		t.Run(id, func(t *testing.T) {
			text, code, _ := clitest.Asked(t, srv, "get disease "+id+" --json")
			if code != 0 || !strings.Contains(text, "CN900001 was merged into C0024796") || !strings.Contains(text, `"medgen_uid":"44287"`) {
				t.Errorf("exit %d: %s", code, text)
			}
		})
	}
	if text, code, _ := clitest.Asked(t, srv, "search disease CN900001"); code != 0 || !strings.Contains(text, "CN900001 was merged into C0024796") {
		t.Errorf("exit %d: %s", code, text)
	}
	// The successor by its CUI, and one that is not there.
	for merged, want := range map[string]string{"C1845167": "was merged into C1845167", "C9999999": "Synthetic again merged"} {
		t.Run(merged, func(t *testing.T) {
			srv.SetEntry("medgen", entreztest.Entry{UID: "90400009", Summary: map[string]any{"conceptid": "CN900009", "title": "Synthetic again merged", "merged": merged}})
			if text, code, _ := clitest.Asked(t, srv, "get disease 90400009 --json"); code != 0 || !strings.Contains(text, want) {
				t.Errorf("exit %d: %s", code, text)
			}
		})
	}
	if text, code, _ := clitest.Asked(t, srv, "get disease CN900002 --json"); code != 0 || !strings.Contains(text, "MedGen suppresses CN900002") {
		t.Errorf("exit %d: %s", code, text)
	}
}

func TestWordThatIsNoDisease(t *testing.T) {
	t.Parallel()
	srv := commandtest.PubMed(t)
	for line, want := range map[string][]string{
		// OCRL is a synonym of Lowe syndrome too.
		"OCRL":       {"OCRL is a gene, not a disease", `"try":"biomcp get gene OCRL"`, `"canonical_entity":"gene"`, `"canonical_id":"4952"`, `"requested_entity":"disease"`, `"biomcp search disease --gene OCRL"`},
		"fbn1 genes": {"fbn1 is a gene, not a disease", `"try":"biomcp get gene FBN1"`},
		"SDX":        {`"kind":"ambiguous"`, "SDX is a name of 2: CN900003, CN900004", `"biomcp get disease CN900004"`},
		"Dent":       {"no disease is called Dent; names with it: Dent disease type 2", `"try":"biomcp search disease Dent"`},
		"xqzzyblorp": {`"code":"NOT_FOUND"`},
	} {
		t.Run(line, func(t *testing.T) {
			text, code, _ := clitest.Asked(t, srv, "get disease "+line+" --json")
			for _, w := range want {
				if code != 1 || !strings.Contains(text, w) {
					t.Errorf("%s: exit %d, want %s: %s", line, code, w, text)
				}
			}
		})
	}
	// One of several that is none is a notice.
	if text, code, _ := clitest.Asked(t, srv, "get disease C0024796 OCRL --json"); code != 0 || !strings.Contains(text, `"not_found":["OCRL"]`) || !strings.Contains(text, "OCRL is a gene, not a disease: biomcp get gene OCRL") {
		t.Errorf("exit %d: %s", code, text)
	}
}

func TestSearchDisease(t *testing.T) {
	t.Parallel()
	srv := commandtest.PubMed(t)
	const validator = "search_disease.response"
	for flags, want := range map[string]string{
		`marfan`:                            `(marfan)`,
		`-g OCRL`:                           `"OCRL"[gene]`,
		`--phenotype HP:0001166,hp:0001083`: `"HP:0001166"[clinical features] AND "hp:0001083"[clinical features]`,
		`--phenotype "short stature"`:       `"short stature"[clinical features]`,
		`syndrome -g OCRL -g FBN1`:          `(syndrome) AND "OCRL"[gene] AND "FBN1"[gene]`,
		`--gene BRCA1 --phenotype "x y"`:    `"BRCA1"[gene] AND "x y"[clinical features]`,
	} {
		t.Run(flags, func(t *testing.T) {
			text, code, requests := clitest.Asked(t, srv, "search disease "+flags+" --json")
			asked := clitest.Endpoints(requests)
			sent := srv.Requests()[0].Params.Get("term")
			if code != 0 || len(asked) < 1 || len(asked) > 3 || sent != want {
				t.Errorf("%s: exit %d, %q, %q", flags, code, asked, sent)
			}
			commandtest.Validate(t, validator, flags, text)
			client := commandtest.NCBI(t, srv).Entrez()
			if unknown, _, err := client.UnknownTags(t.Context(), "medgen", want); err != nil || len(unknown) > 0 {
				t.Errorf("%s: %q are no fields of medgen: %v", flags, unknown, err)
			}
		})
	}
	// A Finding is found, too.
	text, _, _ := clitest.Asked(t, srv, "search disease -g BRCA1")
	if !strings.Contains(text, "| C2676676 |") || !strings.Contains(text, "| Finding |") {
		t.Error(text)
	}
	for line, want := range map[string]string{
		`--gene 'x"[y] OR "'`:     "--gene cannot hold",
		"":                        "needs a query or a filter",
		"marfan[SYMBOL] --strict": "has no field of this name",
	} {
		t.Run(line, func(t *testing.T) {
			if text, code, _ := clitest.Asked(t, srv, "search disease "+line); code == 0 || !strings.Contains(text, want) {
				t.Errorf("%s: exit %d: %s", line, code, text)
			}
		})
	}
	srv.ExpectTags()
}

func TestMedGenThatFails(t *testing.T) {
	t.Parallel()
	for _, endpoint := range []string{"esearch", "esummary"} {
		t.Run(endpoint, func(t *testing.T) {
			for _, kind := range []entreztest.Kind{entreztest.Limit429, entreztest.HTML502, entreztest.Cut} {
				srv := commandtest.PubMed(t)
				if err := srv.Fail(entreztest.Fault{Endpoint: endpoint, Kind: kind, Times: -1}); err != nil {
					t.Fatal(err)
				}
				for _, line := range []string{"get disease C0024796 --json", "search disease marfan --json"} {
					if text, code, _ := clitest.Asked(t, srv, line); code != 1 || !strings.Contains(text, `"code":"`) || strings.Contains(text, `"NOT_FOUND"`) {
						t.Errorf("%s with %s of %s: exit %d: %s", line, kind, endpoint, code, text)
					}
				}
			}
		})
	}
	srv := commandtest.PubMed(t)
	srv.SetEntry("medgen", entreztest.Entry{UID: "44287"}) // found, but ESummary does not know it
	if text, code, _ := clitest.Asked(t, srv, "get disease 44287 --json"); code != 1 || !strings.Contains(text, "NOT_FOUND") {
		t.Errorf("exit %d: %s", code, text)
	}
	if text, code, _ := clitest.Asked(t, srv, "get disease 9944 44287 --json"); code != 0 || !strings.Contains(text, fmt.Sprintf(`"not_found":[%q]`, "44287")) {
		t.Errorf("exit %d: %s", code, text)
	}
}

func TestDiseaseArticles(t *testing.T) {
	t.Parallel()
	srv := commandtest.PubMed(t)
	text, code, _ := clitest.Asked(t, srv, "get disease 44287 articles --json")
	if code != 0 || !strings.Contains(text, `"articles":[{"pmid":"90100001"`) || !strings.Contains(text, `"articles_total":2`) || !strings.Contains(text, `"from":["MedGen"]`) {
		t.Errorf("exit %d: %s", code, text)
	}
	if err := srv.Fail(entreztest.Fault{Endpoint: "elink", Kind: entreztest.HTML502, Times: -1}); err != nil {
		t.Fatal(err)
	}
	text, code, _ = clitest.Asked(t, srv, "get disease 44287 articles genes --json")
	if code != 0 || !strings.Contains(text, `"articles":null`) || !strings.Contains(text, `"unavailable"`) || !strings.Contains(text, `"symbol":"FBN1"`) {
		t.Errorf("exit %d: %s", code, text)
	}
}

// A concept is named by its UMLS id, and by a bare one of MeSH.
func TestDiseaseByIDsOfOthers(t *testing.T) {
	t.Parallel()
	srv := commandtest.EverySource(t)
	for _, id := range []string{"OMIM:154700", "UMLS:C0024796", "umls:c0024796", "MESH:D008382", "D008382", "ORPHA:558", "MONDO:0007947"} {
		t.Run(id, func(t *testing.T) {
			if text, code, _ := clitest.Asked(t, srv, "get disease "+id+" --json"); code != 0 || !strings.Contains(text, `"cui":"C0024796"`) {
				t.Errorf("%s: exit %d: %.400s", id, code, text)
			}
		})
	}
}
