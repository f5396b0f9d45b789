package clinvar

import (
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"biomcp/entrez"
	"biomcp/entrez/contract"
	"biomcp/entrez/sourcetest"
)

// Submissions often give only the IDs of their conditions. TraitMapping has the names.
func TestConditionsOfCapturedRecords(t *testing.T) {
	for name, want := range map[string]struct {
		caid, gnomAD, earlier, split string
	}{
		"VCV000000010.xml": {"CA113797", "6-26090951-C-G", "Pathogenic/Pathogenic, low penetrance; other until 2024-04-03", ""},
		"VCV000177881.xml": {"CA180922", "", "", "germline: Pathogenic(1); Uncertain significance(2)"},
		"VCV000000002.xml": {"CA215070", "", "", ""},
		"VCV000097006.xml": {"CA149708", "", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			body, err := os.ReadFile(filepath.Join("../../../shared/data/breadth2/clinvar_vcv_new", name))
			if err != nil {
				t.Skip("the captured replies are not here")
			}
			got, err := ParseVCV(body)
			if err != nil {
				t.Fatal(err)
			}
			uses := contract.MatchingUses(&entrez.Source, "efetch.fcgi", url.Values{"db": {"clinvar"}})
			declared := sourcetest.KeepDeclared(uses, sourcetest.Reply{Status: 200, Type: sourcetest.XMLType, Body: body})
			if len(declared.Body) >= len(body) {
				t.Errorf("the declared fields are the whole record of %d bytes", len(body))
			}
			if only, err := ParseVCV(declared.Body); err != nil || !reflect.DeepEqual(only, got) {
				t.Errorf("the declared fields alone are read as %+v, %v, want %+v", only, err, got)
			}
			nameless := 0
			for _, s := range got.Submissions {
				if s.Condition == "" {
					nameless++
				}
			}
			earlier, split := "", ""
			if len(got.PastClassifications) > 0 {
				earlier = got.PastClassifications[0].Description + " until " + got.PastClassifications[0].Until
			}
			for _, s := range got.Conflicts {
				split += s.Kind + ": " + s.Text
			}
			if nameless > 0 {
				t.Errorf("%d submissions without a condition", nameless)
			}
			if got.CAID != want.caid {
				t.Errorf("CAID %s, want %s", got.CAID, want.caid)
			}
			if want.gnomAD != "" && got.GnomAD != want.gnomAD {
				t.Errorf("gnomAD %s, want %s", got.GnomAD, want.gnomAD)
			}
			if want.earlier != "" && earlier != want.earlier {
				t.Errorf("earlier classification %q, want %q", earlier, want.earlier)
			}
			if split != want.split {
				t.Errorf("split %q, want %q", split, want.split)
			}
			if n := strings.Count(string(body), "<RCVAccession "); len(got.Conditions) < n || n == 0 {
				t.Errorf("%d conditions of %d", len(got.Conditions), n)
			}
			for _, c := range got.Conditions {
				if c.Accession == "" || c.Condition == "" || c.Kind == "" || c.Description == "" {
					t.Errorf("%+v", c)
				}
			}
		})
	}
}
