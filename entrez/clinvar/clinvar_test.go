package clinvar

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"biomcp/entrez"
)

// captured is a real reply, or the test is skipped.
func captured(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("../../../shared/data/breadth/clinvar", name))
	if err != nil {
		t.Skip("the captured replies are not here")
	}
	if strings.HasSuffix(name, ".gz") {
		r, err := gzip.NewReader(bytes.NewReader(data))
		if err == nil {
			data, err = io.ReadAll(r)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return data
}

func TestStars(t *testing.T) {
	for status, want := range map[string]int{
		"practice guideline": 4, "reviewed by expert panel": 3, "criteria provided, multiple submitters, no conflicts": 2,
		"criteria provided, multiple submitters": 2, "criteria provided, conflicting classifications": 1, "Criteria provided, single submitter ": 1,
		"no assertion criteria provided": 0, "": 0,
	} {
		if got := Stars(status); got != want {
			t.Errorf("%s: %d", status, got)
		}
	}
}

func TestCapturedSummaries(t *testing.T) {
	var reply struct{ Result map[string]json.RawMessage }
	if err := json.Unmarshal(captured(t, "esummary_MED13_five.json"), &reply); err != nil {
		t.Fatal(err)
	}
	read := func(uid string) *Record {
		return Read(entrez.Doc{UID: uid, JSON: reply.Result[uid]})
	}
	dup := read("4526888")
	if c := dup.Germline; c.Description != "Pathogenic" || c.Stars != 1 || c.Evaluated != "2025-11-07" || c.Conditions[0].CUI != "C5231400" {
		t.Errorf("%+v", c)
	}
	if dup.SPDI != "NC_000017.11:62010660:TT:TTT" || len(dup.Locations) != 2 || dup.Locations[1].Assembly != "GRCh37" || dup.Genes[0] != "MED13" || dup.Submissions != 1 {
		t.Errorf("%+v", dup)
	}
	none := read("4425193") // ten submissions, no classification
	if none.Classifications != (Classifications{}) || none.Germline.Word() != "" || none.Submissions != 10 {
		t.Errorf("%+v", none)
	}
}

func TestCapturedRecords(t *testing.T) {
	for name, want := range map[string]struct {
		submissions int
		mane        string
		included    bool
	}{
		"VCV000013961.xml.gz": {41, "NM_004333.6", false},
		"VCV000025511.xml":    {0, "", true},
		"VCV001264328.xml":    {1, "", false},
		"VCV000424711.xml":    {1, "", false},
		"VCV000040200.xml.gz": {1, "", false},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := ReadVCV(captured(t, name))
			if err != nil {
				t.Fatal(err)
			}
			if len(got.Submissions) < min(want.submissions, 1) || want.mane != "" && got.MANE != want.mane || got.Included != want.included {
				t.Errorf("%d submissions, MANE %q, included %v", len(got.Submissions), got.MANE, got.Included)
			}
			for _, s := range got.Submissions {
				if id := strings.TrimLeft(name[3:12], "0"); s.Accession == "" || s.Submitter == "" || s.URL != Page(id) {
					t.Errorf("%+v", s)
				}
			}
		})
	}
	got, err := ReadVCV(captured(t, "VCV000013961.xml.gz"))
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[string]int{}
	drug := ""
	for _, s := range got.Submissions {
		kinds[s.Kind]++
		if s.Drug != "" {
			drug = s.Drug
		}
	}
	if kinds["germline"] == 0 || kinds["clinical impact"] == 0 || kinds["oncogenicity"] == 0 || !strings.Contains(drug, "Dabrafenib") {
		t.Errorf("%v, %q", kinds, drug)
	}
}

func TestRecordOfSeveralChangesHasTheIDsOfNone(t *testing.T) {
	doc := `{"uid":"90400020","accession":"VCV090400020","title":"NM_000771.4(CYP2C9):c.[1075A>C;1080C>G]","protein_change":"I359L, D360E","variation_set":[
		{"canonical_spdi":"NC_000010.11:94981295:A:C","variation_xrefs":[{"db_source":"dbSNP","db_id":"90000021"},{"db_source":"ClinGen","db_id":"CA900001"}],"variation_loc":[{"assembly_name":"GRCh38","chr":"10","start":"94981296","stop":"94981296"}]},
		{"canonical_spdi":"NC_000010.11:94981300:C:G","variation_xrefs":[{"db_source":"dbSNP","db_id":"90000022"},{"db_source":"ClinGen","db_id":"CA900002"}],"variation_loc":[{"assembly_name":"GRCh38","chr":"10","start":"94981301","stop":"94981301"}]}]}`
	r := Read(entrez.Doc{UID: "90400020", JSON: json.RawMessage(doc)})
	if r.SPDI+r.RSID+r.CAID != "" || len(r.Locations)+len(r.ProteinChanges) > 0 || r.Locations == nil || r.ProteinChanges == nil {
		t.Errorf("%+v", r)
	}
}

func TestEmptyDateIsNone(t *testing.T) {
	for text, want := range map[string]string{"1/01/01 00:00": "", "2025/11/07 00:00": "2025-11-07", "": "", "0": ""} {
		if got := Date(text); got != want {
			t.Errorf("%q: %q", text, got)
		}
	}
}
