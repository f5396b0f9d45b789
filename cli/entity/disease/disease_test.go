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
		"OCRL articles":                          "esearch esummary", // no section is requested for a word that is not a disease
		"OCRL genes phenotypes":                  "esearch esummary",
		"C9999999":                               "esearch",
		"'nothing of this name' genes":           "esearch espell esearch",
		"C0024796 44287 'OMIM:154700' ":          "esearch esummary",
	} {
		t.Run(line, func(t *testing.T) {
			text, _, requests := clitest.AskUncached(t, srv, "get disease "+line+" --json")
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
			text, code, _ := clitest.AskUncached(t, srv, line)
			commandtest.Validate(t, validator, line, text)
			clitest.WantExit(t, code, 0, text)
			clitest.WantText(t, text,
				`"cui":"C0024796","medgen_uid":"44287","name":"Marfan syndrome"`,
				`"xrefs":{"mondo":["MONDO:0007947"],"omim":["OMIM:154700"],"mesh":["MESH:D008382"],"orphanet":["ORPHA:558"],"hpo":[],"ncit":["NCIT:C34807"]}`)
			clitest.WantNoText(t, text, "must not be printed", "Marfan's")
		})
	}
	// Ids and sections work as for every entity; with a section only the identifiers are added.
	text, code, _ := clitest.AskUncached(t, srv, "get disease C2676676 genes --json")
	commandtest.Validate(t, validator, "genes", text)
	clitest.WantExit(t, code, 0, text)
	clitest.WantText(t, text, `"genes":[{"symbol":"BRCA1","entrez_id":"672","cytoband":"17q21.31"}]`)
	clitest.WantNoText(t, text, "synonyms")
	text, _, _ = clitest.AskUncached(t, srv, "get disease C2676676")
	clitest.WantText(t, text, "(Definition: MONDO)", "Finding")
	text, _, _ = clitest.AskUncached(t, srv, "get disease C0024796")
	clitest.WantText(t, text, "Definition: by GeneReviews, at https://www.ncbi.nlm.nih.gov/books/NBK1335/")
	if strings.Count(text, "\n") > 24 {
		t.Errorf("strings.Count(text, \"\\n\") = %v, want <= 24: %s", strings.Count(text, "\n"), text)
	}
}

func TestMergedAndSuppressedDiseases(t *testing.T) {
	t.Parallel()
	srv := commandtest.PubMed(t)
	for _, id := range []string{"CN900001", "90400001"} {
		t.Run(id, func(t *testing.T) {
			text, code, _ := clitest.AskUncached(t, srv, "get disease "+id+" --json")
			clitest.WantExit(t, code, 0, text)
			clitest.WantText(t, text, "CN900001 was merged into C0024796", `"medgen_uid":"44287"`)
		})
	}
	text, code, _ := clitest.AskUncached(t, srv, "search disease CN900001")
	clitest.WantExit(t, code, 0, text)
	clitest.WantText(t, text, "CN900001 was merged into C0024796")
	// A successor given by CUI, and one that does not exist.
	for merged, want := range map[string]string{"C1845167": "was merged into C1845167", "C9999999": "Synthetic again merged"} {
		t.Run(merged, func(t *testing.T) {
			srv.SetEntry("medgen", entreztest.Entry{UID: "90400009", Summary: map[string]any{"conceptid": "CN900009", "title": "Synthetic again merged", "merged": merged}})
			text, code, _ := clitest.AskUncached(t, srv, "get disease 90400009 --json")
			clitest.WantExit(t, code, 0, text)
			clitest.WantText(t, text, want)
		})
	}
	text, code, _ = clitest.AskUncached(t, srv, "get disease CN900002 --json")
	clitest.WantExit(t, code, 0, text)
	clitest.WantText(t, text, "MedGen suppresses CN900002")
}

func TestWordThatIsNoDisease(t *testing.T) {
	t.Parallel()
	srv := commandtest.PubMed(t)
	for line, want := range map[string][]string{
		// OCRL is also a synonym of Lowe syndrome.
		"OCRL":       {"OCRL is a gene, not a disease", `"try":"biomcp get gene OCRL"`, `"canonical_entity":"gene"`, `"canonical_id":"4952"`, `"requested_entity":"disease"`, `"biomcp search disease --gene OCRL"`},
		"fbn1 genes": {"fbn1 is a gene, not a disease", `"try":"biomcp get gene FBN1"`},
		"SDX":        {`"kind":"ambiguous"`, "SDX is a name of 2: CN900003, CN900004", `"biomcp get disease CN900004"`},
		"Dent":       {"no disease is called Dent; names with it: Dent disease type 2", `"try":"biomcp search disease Dent"`},
		"xqzzyblorp": {`"code":"NOT_FOUND"`},
	} {
		t.Run(line, func(t *testing.T) {
			text, code, _ := clitest.AskUncached(t, srv, "get disease "+line+" --json")
			for _, w := range want {
				clitest.WantExit(t, code, 1, text)
				clitest.WantText(t, text, w)
			}
		})
	}
	// One invalid word of several becomes a notice.
	text, code, _ := clitest.AskUncached(t, srv, "get disease C0024796 OCRL --json")
	clitest.WantExit(t, code, 0, text)
	clitest.WantText(t, text,
		`"not_found":["OCRL"]`,
		"OCRL is a gene, not a disease: biomcp get gene OCRL")
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
			text, code, requests := clitest.AskUncached(t, srv, "search disease "+flags+" --json")
			asked := clitest.Endpoints(requests)
			sent := srv.Requests()[0].Params.Get("term")
			clitest.WantExit(t, code, 0, text)
			if len(asked) < 1 {
				t.Errorf("len(asked) = %v, want >= 1: %q", len(asked), sent)
			}
			if len(asked) > 3 {
				t.Errorf("len(asked) = %v, want <= 3: %q", len(asked), sent)
			}
			if sent != want {
				t.Errorf("sent = %v, want %v", sent, want)
			}
			commandtest.Validate(t, validator, flags, text)
			client := commandtest.NCBI(t, srv).Entrez()
			unknown, _, err := client.UnknownTags(t.Context(), "medgen", want)
			if err != nil {
				t.Errorf("error: %v", err)
			}
			if len(unknown) > 0 {
				t.Errorf("unknown = %v, want none", unknown)
			}
		})
	}
	// The search also returns concepts of type Finding.
	text, _, _ := clitest.AskUncached(t, srv, "search disease -g BRCA1")
	clitest.WantText(t, text, "| C2676676 |", "| Finding |")
	for line, want := range map[string]string{
		`--gene 'x"[y] OR "'`:     "--gene cannot hold",
		"":                        "needs a query or a filter",
		"marfan[SYMBOL] --strict": "has no field of this name",
	} {
		t.Run(line, func(t *testing.T) {
			text, code, _ := clitest.AskUncached(t, srv, "search disease "+line)
			if code == 0 {
				t.Errorf("exit 0, want a failure: %s", text)
			}
			clitest.WantText(t, text, want)
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
					text, code, _ := clitest.AskUncached(t, srv, line)
					clitest.WantExit(t, code, 1, text)
					clitest.WantText(t, text, `"code":"`)
					clitest.WantNoText(t, text, `"NOT_FOUND"`)
				}
			}
		})
	}
	srv := commandtest.PubMed(t)
	srv.SetEntry("medgen", entreztest.Entry{UID: "44287"}) // ESearch finds it, but ESummary does not know it
	text, code, _ := clitest.AskUncached(t, srv, "get disease 44287 --json")
	clitest.WantExit(t, code, 1, text)
	clitest.WantText(t, text, "NOT_FOUND")
	text, code, _ = clitest.AskUncached(t, srv, "get disease 9944 44287 --json")
	clitest.WantExit(t, code, 0, text)
	clitest.WantText(t, text, fmt.Sprintf(`"not_found":[%q]`, "44287"))
}

func TestDiseaseArticles(t *testing.T) {
	t.Parallel()
	srv := commandtest.PubMed(t)
	text, code, _ := clitest.AskUncached(t, srv, "get disease 44287 articles --json")
	clitest.WantExit(t, code, 0, text)
	clitest.WantText(t, text,
		`"articles":[{"pmid":"90100001"`,
		`"articles_total":2`,
		`"from":["MedGen"]`)
	if err := srv.Fail(entreztest.Fault{Endpoint: "elink", Kind: entreztest.HTML502, Times: -1}); err != nil {
		t.Fatal(err)
	}
	text, code, _ = clitest.AskUncached(t, srv, "get disease 44287 articles genes --json")
	clitest.WantExit(t, code, 0, text)
	clitest.WantText(t, text, `"articles":null`, `"unavailable"`, `"symbol":"FBN1"`)
}

// A concept is found by its UMLS id, and by a MeSH id without prefix.
func TestDiseaseByIDsOfOthers(t *testing.T) {
	t.Parallel()
	srv := commandtest.EverySource(t)
	for _, id := range []string{"OMIM:154700", "UMLS:C0024796", "umls:c0024796", "MESH:D008382", "D008382", "ORPHA:558", "MONDO:0007947"} {
		t.Run(id, func(t *testing.T) {
			text, code, _ := clitest.AskUncached(t, srv, "get disease "+id+" --json")
			clitest.WantExit(t, code, 0, text)
			clitest.WantText(t, text, `"cui":"C0024796"`)
		})
	}
}
