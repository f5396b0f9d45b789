package services

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"biomcp/entrez/httpclient"
)

// captured returns a client of a service with a real reply. It skips the test if the reply is
// absent.
func captured(t *testing.T, status int, name string) *httpclient.Client {
	t.Helper()
	body, err := os.ReadFile(filepath.Join("../../../shared/data/breadth/litvar2", name))
	if err != nil {
		t.Skip("SKIPPED: the captured replies are not here")
	}
	return client(t, status, string(body))
}

func client(t *testing.T, status int, body string) *httpclient.Client {
	t.Helper()
	c, err := httpclient.New(httpclient.Config{Transport: &answering{status: status, body: body}, SlotDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestCapturedReplies(t *testing.T) {
	found, err := FindVariants(t.Context(), captured(t, 200, "autocomplete_V600E.json"), "BRAF V600E")
	if err != nil {
		t.Fatal(err)
	}
	if len(found) != 1 {
		t.Fatalf("%d variants, want 1: %+v", len(found), found)
	}
	if want := LitVarID("rs113488022"); found[0].ID != want {
		t.Errorf("variant %s, want %s", found[0].ID, want)
	}
	if want := []string{"BRAF"}; !slices.Equal(found[0].Genes, want) {
		t.Errorf("genes %q, want %q", found[0].Genes, want)
	}
	pmids, err := VariantArticles(t.Context(), captured(t, 200, "publications.json"), LitVarID("rs113488022"))
	if err != nil {
		t.Fatal(err)
	}
	if len(pmids) != 5 {
		t.Fatalf("%d articles, want 5: %q", len(pmids), pmids)
	}
	if pmids[0] != "32768003" {
		t.Errorf("first article %s, want 32768003", pmids[0])
	}
	for _, status := range []int{200, 404} {
		t.Run(fmt.Sprint(status), func(t *testing.T) {
			if pmids, err := VariantArticles(t.Context(), captured(t, status, "not_found.json"), LitVarID("rs1234")); err != nil || len(pmids) != 0 {
				t.Errorf("%d: %q, %v", status, pmids, err)
			}
		})
	}
}

// LitVar2 lists the variants of a gene as Python dictionaries, which are rejected.
func TestListOfPythonDictionariesIsNoAnswer(t *testing.T) {
	if _, err := FindVariants(t.Context(), captured(t, 200, "search_gene_BRAF.txt"), "BRAF"); !httpclient.IsKind(err, httpclient.Upstream) {
		t.Errorf("%v", err)
	}
}

// Synthetic replies in the formats of the captured ones.
func TestLitVarReplies(t *testing.T) {
	found, err := FindVariants(t.Context(), client(t, 200, `[{"_id":"litvar@rs900000001##","rsid":"rs900000001","gene":["INVG1","INVG2"],"name":"p.A1B","hgvs":"p.A1B","pmids_count":12,"match":"Matched on hgvs <m>p.A1B</m>"},
		{"_id":"litvar@#900001#p.C2D","gene":["INVG1"],"name":"p.C2D","pmids_count":1}]`), "INVG1 A1B")
	want := []LitVarVariant{{LitVarID("rs900000001"), "p.A1B", []string{"INVG1", "INVG2"}}, {"litvar@#900001#p.C2D", "p.C2D", []string{"INVG1"}}}
	if err != nil || !reflect.DeepEqual(found, want) {
		t.Errorf("%+v, %v", found, err)
	}
	if found, err := FindVariants(t.Context(), client(t, 200, `[]`), "nothing"); err != nil || found == nil || len(found) > 0 {
		t.Errorf("%+v, %v", found, err)
	}
	pmids, err := VariantArticles(t.Context(), client(t, 200, `{"pmids":[90100001,90100002]}`), LitVarID("rs900000001"))
	if err != nil || !slices.Equal(pmids, []string{"90100001", "90100002"}) {
		t.Errorf("%q, %v", pmids, err)
	}
}

// LitVar2's replies for an unknown variant and for an invalid request.
func TestLitVarVerdicts(t *testing.T) {
	for name, c := range map[string]struct {
		status int
		body   string
		kind   httpclient.Kind // "" if there are no articles and no error
	}{
		"not found":             {404, `{"detail":"Variant not found: rs900000009"}`, ""},
		"not found, as success": {200, `{"detail":"Variant not found: rs900000009"}`, ""},
		"refused":               {400, `{"detail":"Invented parameter is wrong"}`, httpclient.Refused},
		"Python dictionaries":   {200, `{'_id': 'litvar@rs900000001##', 'pmids_count': 1}`, httpclient.Upstream},
	} {
		t.Run(name, func(t *testing.T) {
			pmids, err := VariantArticles(t.Context(), client(t, c.status, c.body), LitVarID("rs900000009"))
			if len(pmids) > 0 {
				t.Errorf("articles %q, want none", pmids)
			}
			if c.kind == "" && err != nil {
				t.Errorf("error %v, want none", err)
			}
			if c.kind != "" && !httpclient.IsKind(err, c.kind) {
				t.Errorf("error %v, want one of kind %s", err, c.kind)
			}
		})
	}
}
