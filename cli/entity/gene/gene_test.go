package gene_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command/commandtest"
	"biomcp/entrez"
	"biomcp/entrez/entreztest"
	"biomcp/entrez/sourcetest"
)

type geneAnswer struct {
	Genes []map[string]any
	Error struct {
		Code, Message string
		Details       map[string]any
	}
	NotFound []string `json:"not_found"`
	Notices  []string
	Meta     struct {
		Alias *struct {
			Kind, Query, Canonical string
			CanonicalID            string `json:"canonical_id"`
			Candidates             []struct{ Symbol, ID string }
		} `json:"alias_resolution"`
		Next    []string                        `json:"next_commands"`
		Sources []struct{ Key, Outcome string } `json:"section_sources"`
	} `json:"_meta"`
}

func geneJSON(t *testing.T, text string) (got geneAnswer) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &got); err != nil {
		t.Fatal(err, text)
	}
	return got
}

func TestGeneRequests(t *testing.T) {
	t.Parallel()
	srv := commandtest.EverySource(t)
	for line, want := range map[string]int{
		"BRAF": 2, "braf": 2, "673": 2, "BRAF TP53 KMT2D": 2, "MLH-1": 2, "RAD1": 2, // RAD1 is also an alias
		"P53": 3, "MLL2": 3, "PD-L1": 3, "NOSUCHGENE": 3,
		"HGNC:1097": 3, "ENSG00000157764": 3,
		"P53 articles variants": 3, // sections of an alias are not requested
	} {
		t.Run(line, func(t *testing.T) {
			text, _, requests := clitest.AskUncached(t, srv, "get gene "+line+" --json")
			if len(requests) != want {
				t.Errorf("%s: %q, want %d requests: %s", line, clitest.Endpoints(requests), want, text)
			}
		})
	}
	text, code, requests := clitest.AskUncached(t, srv, "get gene BRAF all --json")
	if len(requests) > 17 {
		t.Errorf("%d requests, want at most 17: %q: %s", len(requests), clitest.Endpoints(requests), text)
	}
	clitest.WantExit(t, code, 0, text)
	seen, hosts := map[string]bool{}, map[string]bool{}
	for _, r := range requests {
		hosts[strings.Split(r.Path, "/")[1]] = true
		key := r.Path + "?" + r.Params.Encode()
		if seen[key] {
			t.Errorf("asked twice: %s", key)
		}
		seen[key] = true
	}
	if len(hosts) > 7 {
		t.Errorf("all asks %d hosts: %v", len(hosts), hosts)
	}
}

func TestGeneCard(t *testing.T) {
	t.Parallel()
	srv := commandtest.EverySource(t)
	text, code, _ := clitest.AskUncached(t, srv, "get gene BRAF TP53 TPM4 CRLF2 22059 --json")
	got := geneJSON(t, text)
	clitest.WantExit(t, code, 0, text)
	if len(got.Genes) != 5 {
		t.Fatalf("len(Genes) = %v, want 5", len(got.Genes))
	}
	place := func(i int, key string) string {
		p, _ := got.Genes[i][key].(map[string]any)
		return fmt.Sprintf("%v %v:%.0f-%.0f %v", p["assembly"], p["chromosome"], p["start"], p["end"], p["strand"])
	}
	for i, want := range []string{"GRCh38 7:140719327-140924929 -", "GRCh38 17:7668421-7687490 -", "GRCh38 19:16067507-16103005 +", "GRCh38 X:1187549-1212723 -", "GCF_000001635.27 11:69471185-69482699 +"} {
		t.Run(want, func(t *testing.T) {
			if got := place(i, "location"); got != want {
				t.Errorf("%s, want %s", got, want)
			}
		})
	}
	if p := place(0, "location_grch37"); p != "GRCh37 7:140419127-140624564 -" {
		t.Error(p)
	}
	if got.Genes[4]["location_grch37"] != nil {
		t.Errorf("Genes[4][location_grch37] = %v, want nil: %v", got.Genes[4]["location_grch37"], got.Genes)
	}
	if len(got.Genes[3]["other_locations"].([]any)) != 1 {
		t.Errorf("len(Genes[3][other_locations]) = %v, want 1: %v", len(got.Genes[3]["other_locations"].([]any)), got.Genes)
	}
	b := got.Genes[0]
	if b["hgnc_id"] != "HGNC:1097" {
		t.Errorf("b[hgnc_id] = %q, want %q: %v", b["hgnc_id"], "HGNC:1097", b)
	}
	if b["type"] != "protein-coding" {
		t.Errorf("b[type] = %q, want %q: %v", b["type"], "protein-coding", b)
	}
	if b["status"] != "live" {
		t.Errorf("b[status] = %q, want %q: %v", b["status"], "live", b)
	}
	if b["replaced_by"] != nil {
		t.Errorf("b[replaced_by] = %v, want nil: %v", b["replaced_by"], b)
	}
	if strings.Contains(text, "90300002") {
		t.Errorf("the record that was merged into BRAF is in the answer: %s", text)
	}
	if b["entrez_id"] != "673" {
		t.Errorf("b[entrez_id] = %q, want %q: %v", b["entrez_id"], "673", b)
	}
	if fmt.Sprint(b["ensembl_ids"], b["uniprot_ids"], b["omim_ids"]) != "[ENSG00000157764] [P15056] [164757]" {
		t.Errorf("fmt.Sprint(b[ensembl_ids], b[uniprot_ids], b[omim_ids]) = %q, want %q: %v", fmt.Sprint(b["ensembl_ids"], b["uniprot_ids"], b["omim_ids"]), "[ENSG00000157764] [P15056] [164757]", b)
	}
	text, _, _ = clitest.AskUncached(t, srv, "get gene BRAF")
	if n := strings.Count(text, "\n"); n > 40 {
		t.Errorf("the card has %d lines:\n%s", n, text)
	}
}

func TestGeneAliasIsAnsweredWithTheSymbol(t *testing.T) {
	t.Parallel()
	srv := commandtest.EverySource(t)
	text, code, _ := clitest.AskUncached(t, srv, "get gene P53") // an agent gets JSON even without --json
	got := geneJSON(t, text)
	a := got.Meta.Alias
	clitest.WantExit(t, code, 1, text)
	if a == nil {
		t.Fatalf("a = nil: %s", text)
	}
	if a.Kind != "canonical" {
		t.Errorf("a.Kind = %q, want %q: %s", a.Kind, "canonical", text)
	}
	if a.Canonical != "TP53" {
		t.Errorf("a.Canonical = %q, want %q: %s", a.Canonical, "TP53", text)
	}
	if a.CanonicalID != "7157" {
		t.Errorf("a.CanonicalID = %q, want %q: %s", a.CanonicalID, "7157", text)
	}
	if got.Error.Message != "P53 is an alias, not a symbol" {
		t.Errorf("Error.Message = %q, want %q: %s", got.Error.Message, "P53 is an alias, not a symbol", text)
	}
	if got.Error.Details["try"] != "biomcp get gene TP53" {
		t.Errorf("Error.Details[try] = %q, want %q: %s", got.Error.Details["try"], "biomcp get gene TP53", text)
	}
	if got.Meta.Next[0] != "biomcp get gene TP53" {
		t.Errorf("Meta.Next[0] = %q, want %q: %s", got.Meta.Next[0], "biomcp get gene TP53", text)
	}
	for word, want := range map[string]string{"PD-L1": "CD274", "pdl1": "CD274", "PDL-1": "CD274", "HER-2": "ERBB2", "FEB11": "CPA6", "HER-2/neu": "ERBB2"} {
		t.Run(word, func(t *testing.T) {
			text, code, _ := clitest.AskUncached(t, srv, "get gene "+word+" --json")
			got := geneJSON(t, text)
			clitest.WantExit(t, code, 1, text)
			if got.Meta.Alias == nil {
				t.Fatalf("Meta.Alias = nil: %s", text)
			}
			if got.Meta.Alias.Canonical != want {
				t.Errorf("Meta.Alias.Canonical = %v, want %v: %s", got.Meta.Alias.Canonical, want, text)
			}
		})
	}
	text, code, _ = clitest.AskUncached(t, srv, "get gene mll2 --json")
	got = geneJSON(t, text)
	clitest.WantExit(t, code, 1, text)
	if got.Meta.Alias.Kind != "ambiguous" {
		t.Errorf("Meta.Alias.Kind = %q, want %q: %s", got.Meta.Alias.Kind, "ambiguous", text)
	}
	if len(got.Meta.Alias.Candidates) != 2 {
		t.Errorf("len(Meta.Alias.Candidates) = %v, want 2: %s", len(got.Meta.Alias.Candidates), text)
	}
	if len(got.Meta.Next) != 2 {
		t.Errorf("len(Meta.Next) = %v, want 2: %s", len(got.Meta.Next), text)
	}
	text, code, _ = clitest.AskUncached(t, srv, "get gene BRAF P53 NOSUCHGENE --json")
	got = geneJSON(t, text)
	clitest.WantExit(t, code, 0, text)
	if len(got.Genes) != 1 {
		t.Fatalf("len(Genes) = %v, want 1: %s", len(got.Genes), text)
	}
	if fmt.Sprint(got.NotFound) != "[P53 NOSUCHGENE]" {
		t.Errorf("NotFound = %q, want %q: %s", fmt.Sprint(got.NotFound), "[P53 NOSUCHGENE]", text)
	}
	if !strings.Contains(fmt.Sprint(got.Notices), "get gene TP53") {
		t.Errorf("Notices lacks %q: %s", "get gene TP53", text)
	}
	text, code, _ = clitest.AskUncached(t, srv, "get gene MLH-1 --json")
	got = geneJSON(t, text)
	clitest.WantExit(t, code, 0, text)
	if got.Genes[0]["symbol"] != "MLH1" {
		t.Errorf("Genes[0][symbol] = %q, want %q: %s", got.Genes[0]["symbol"], "MLH1", text)
	}
	if !strings.Contains(fmt.Sprint(got.Notices), "MLH-1 is read as the symbol MLH1") {
		t.Errorf("Notices lacks %q: %s", "MLH-1 is read as the symbol MLH1", text)
	}
	text, code, _ = clitest.AskUncached(t, srv, "get gene NOSUCHGENE --json")
	got = geneJSON(t, text)
	clitest.WantExit(t, code, 1, text)
	if got.Error.Code != "NOT_FOUND" {
		t.Errorf("Error.Code = %q, want %q: %s", got.Error.Code, "NOT_FOUND", text)
	}
	if got.Meta.Alias != nil {
		t.Errorf("Meta.Alias = %v, want nil: %s", got.Meta.Alias, text)
	}
}

func TestWithdrawnGenes(t *testing.T) {
	t.Parallel()
	srv := commandtest.EverySource(t)
	text, code, _ := clitest.AskUncached(t, srv, "get gene 90300001 90300002 --json")
	got := geneJSON(t, text)
	clitest.WantExit(t, code, 0, text)
	if got.Genes[0]["status"] != "discontinued" {
		t.Errorf("Genes[0][status] = %q, want %q: %s", got.Genes[0]["status"], "discontinued", text)
	}
	if got.Genes[1]["status"] != "replaced" {
		t.Errorf("Genes[1][status] = %q, want %q: %s", got.Genes[1]["status"], "replaced", text)
	}
	if got.Genes[1]["replaced_by"] != "673" {
		t.Errorf("Genes[1][replaced_by] = %q, want %q: %s", got.Genes[1]["replaced_by"], "673", text)
	}
	if !strings.Contains(fmt.Sprint(got.Notices), "90300002 was replaced by 673") {
		t.Errorf("Notices lacks %q: %s", "90300002 was replaced by 673", text)
	}
	if err := srv.Fail(sourcetest.Fault{Endpoint: "esummary", Kind: sourcetest.HTML403, Times: -1}); err != nil {
		t.Fatal(err)
	}
	text, code, _ = clitest.AskUncached(t, srv, "get gene 90300002 --json")
	got = geneJSON(t, text)
	clitest.WantExit(t, code, 1, text)
	if want := "90300002 was replaced by BRAF (GeneID 673)"; got.Error.Message != want {
		t.Errorf("Error.Message = %q, want %q: %s", got.Error.Message, want, text)
	}
}

func TestSourceOfGenesThatIsDownCostsItsPartOnly(t *testing.T) {
	t.Parallel()
	srv := commandtest.EverySource(t)
	for _, endpoint := range []string{"datasets-symbol", "datasets-product"} {
		t.Run(endpoint, func(t *testing.T) {
			if err := srv.Fail(sourcetest.Fault{Endpoint: endpoint, Kind: sourcetest.HTML502, Times: -1}); err != nil {
				t.Fatal(err)
			}
		})
	}
	text, code, _ := clitest.AskUncached(t, srv, "get gene BRAF proteins variants go --json")
	got := geneJSON(t, text)
	clitest.WantExit(t, code, 0, text)
	if got.Genes[0]["symbol"] != "BRAF" {
		t.Errorf("Genes[0][symbol] = %q, want %q: %s", got.Genes[0]["symbol"], "BRAF", text)
	}
	if got.Genes[0]["proteins"] != nil {
		t.Errorf("Genes[0][proteins] = %v, want nil: %s", got.Genes[0]["proteins"], text)
	}
	if got.Genes[0]["go"] != nil {
		t.Errorf("Genes[0][go] = %v, want nil: %s", got.Genes[0]["go"], text)
	}
	if len(got.Genes[0]["variants"].([]any)) == 0 {
		t.Errorf("Genes[0][variants] is empty: %s", text)
	}
	outcomes := map[string]string{}
	for _, s := range metaSources(t, text) {
		outcomes[s[0]] = s[1]
	}
	if fmt.Sprint(outcomes) != "map[genes:degraded go:unavailable proteins:unavailable variants:data]" {
		t.Errorf("%v", outcomes)
	}
	srv.ClearFaults()
	if err := srv.Fail(sourcetest.Fault{Endpoint: "esummary", Kind: sourcetest.HTML502, Times: -1}); err != nil {
		t.Fatal(err)
	}
	text, code, _ = clitest.AskUncached(t, srv, "get gene BRAF --json")
	got = geneJSON(t, text)
	clitest.WantExit(t, code, 0, text)
	if got.Genes[0]["hgnc_id"] != "HGNC:1097" {
		t.Errorf("Genes[0][hgnc_id] = %q, want %q: %s", got.Genes[0]["hgnc_id"], "HGNC:1097", text)
	}
	if got.Genes[0]["location"] != nil {
		t.Errorf("Genes[0][location] = %v, want nil: %s", got.Genes[0]["location"], text)
	}
}

// metaSources returns the keys and outcomes of the sections of an answer.
func metaSources(t *testing.T, text string) (out [][2]string) {
	t.Helper()
	var got struct {
		Meta struct {
			Sources []struct{ Key, Outcome string } `json:"section_sources"`
		} `json:"_meta"`
	}
	if err := json.Unmarshal([]byte(text), &got); err != nil {
		t.Fatal(err)
	}
	for _, s := range got.Meta.Sources {
		out = append(out, [2]string{s.Key, s.Outcome})
	}
	return out
}

func TestSearchGene(t *testing.T) {
	t.Parallel()
	srv := commandtest.EverySource(t)
	for flags, want := range map[string]string{
		`kinase`:                           `(kinase) AND 9606[TID] AND alive[PROP]`,
		`--organism mouse p53`:             `(p53) AND 10090[TID] AND alive[PROP]`,
		`--organism "Mus musculus" p53`:    `(p53) AND "Mus musculus"[ORGN] AND alive[PROP]`,
		`--organism any p53`:               `(p53) AND alive[PROP]`,
		`--type ncrna --chromosome chrX`:   `"genetype ncrna"[PROP] AND X[CHR] AND 9606[TID] AND alive[PROP]`,
		`--region 7:140719327-140924929`:   `7[CHR] AND 140719327:140924929[CPOS] AND 9606[TID] AND alive[PROP]`,
		`--go "MAP kinase activity"`:       `"MAP kinase activity"[GO] AND 9606[TID] AND alive[PROP]`,
		`-d melanoma -d "Noonan syndrome"`: `"melanoma"[DIS] AND "Noonan syndrome"[DIS] AND 9606[TID] AND alive[PROP]`,
	} {
		t.Run(flags, func(t *testing.T) {
			text, code, requests := clitest.AskUncached(t, srv, "search gene "+flags)
			clitest.WantExit(t, code, 0, text)
			if len(requests) < 1 {
				t.Fatalf("%d requests, want at least 1: %q: %q", len(requests), clitest.Endpoints(requests), requests[0].Params.Get("term"))
			}
			if len(requests) > 2 {
				t.Fatalf("%d requests, want at most 2: %q: %q", len(requests), clitest.Endpoints(requests), requests[0].Params.Get("term"))
			}
			if requests[0].Params.Get("term") != want {
				t.Errorf("requests[0].Params.Get(\"term\") = %v, want %v", requests[0].Params.Get("term"), want)
			}
			unknown, _, err := ncbiClient(t, srv).UnknownTags(t.Context(), "gene", want)
			if err != nil {
				t.Errorf("error: %v: %s", err, text)
			}
			if len(unknown) > 0 {
				t.Errorf("unknown = %v, want none: %s", unknown, text)
			}
		})
	}
	text, code, _ := clitest.AskUncached(t, srv, "search gene RAD1 --json")
	i, j := strings.Index(text, `"symbol":"RAD1"`), strings.Index(text, `"symbol":"ERCC4"`)
	clitest.WantExit(t, code, 0, text)
	if i < 0 {
		t.Errorf("i = %v, want >= 0: %s", i, text)
	}
	if j < i {
		t.Errorf("j = %v, want >= %v: %s", j, i, text)
	}
	for line, want := range map[string]string{
		"--type kinase":        "is not one of protein-coding, ncrna, pseudo",
		"--region 7":           "is not a place such as",
		"--chromosome 25":      "is not one of 1 to 22",
		"RAD1[SYMBL] --strict": "has no field of this name",
		`--go 'x"[TID] OR "y'`: "cannot hold",
		"":                     "needs a query or a filter",
	} {
		t.Run(line, func(t *testing.T) {
			text, code, _ := clitest.AskUncached(t, srv, "search gene "+line)
			if code == 0 {
				t.Errorf("exit 0, want a failure: %s", text)
			}
			clitest.WantText(t, text, want)
		})
	}
	text, code, _ = clitest.AskUncached(t, srv, "search gene RAD1[SYMBL]")
	clitest.WantExit(t, code, 0, text)
	clitest.WantText(t, text, "has no field of this name")
	srv.ExpectTags()
}

func ncbiClient(t *testing.T, srv *entreztest.Server) *entrez.Client {
	t.Helper()
	return entrez.New(srv.Network(t))
}

func TestGeneAnswersValidate(t *testing.T) {
	t.Parallel()
	srv := commandtest.EverySource(t)
	const answers = "get_gene.response"
	for _, line := range []string{"get gene BRAF 22059 90300002 --json", "get gene BRAF all --json", "get gene BRAF go --json"} {
		text, _, _ := clitest.AskUncached(t, srv, line)
		commandtest.Validate(t, answers, line, text)
	}
	if err := srv.Fail(sourcetest.Fault{Endpoint: "datasets-symbol", Kind: sourcetest.HTML502, Times: -1}); err != nil {
		t.Fatal(err)
	}
	text, _, _ := clitest.AskUncached(t, srv, "get gene BRAF go --json")
	commandtest.Validate(t, answers, "without Datasets", text)
}

// A term that the gene is shown not to have says so in every format.
func TestNegatedTermsSayNot(t *testing.T) {
	t.Parallel()
	srv := commandtest.EverySource(t)
	for line, want := range map[string]string{
		"get gene BRAF go":        "| GO:0031267 | function | NOT enables | small GTPase binding | IPI |",
		"get gene BRAF go --json": `"relation":"NOT involved_in","negated":true,"id":"GO:0000165"`,
		"get gene BRAF go --csv":  ",function,NOT enables,true,GO:0031267,",
	} {
		text, code, _ := clitest.AskUncached(t, srv, line)
		clitest.WantExit(t, code, 0, text)
		clitest.WantText(t, text, want)
	}
}

// If NCBI Gene drops the only filter, its hits are arbitrary genes, and none is shown.
func TestTheOnlyFilterWasDropped(t *testing.T) {
	t.Parallel()
	srv := commandtest.EverySource(t)
	for line, want := range map[string]string{
		`search gene --disease "Nosuch syndrome"`:         "- **Genes:** 0\n- **Searched as:** 9606[TID] AND alive[PROP]\n",
		`search gene --disease "Nosuch syndrome" --count`: "0",
		`search gene braf --disease "Nosuch syndrome"`:    "hits are for the rest of the query only",
	} {
		t.Run(line, func(t *testing.T) {
			text, code, _ := clitest.AskUncached(t, srv, line)
			clitest.WantExit(t, code, 0, text)
			clitest.WantText(t, text, want, "Nosuch syndrome")
		})
	}
}
