package clinvar

import (
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"biomcp/entrez"
	"biomcp/entrez/relied"
	"biomcp/entrez/sourcetest"
)

// The conditions of submissions are often ids alone: their names stand in TraitMapping.
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
			got, err := ReadVCV(body)
			if err != nil {
				t.Fatal(err)
			}
			declared := sourcetest.OnlyRead(relied.At(&entrez.Source, "efetch.fcgi", url.Values{"db": {"clinvar"}}), sourcetest.Reply{Status: 200, Type: sourcetest.XMLType, Body: body})
			if only, err := ReadVCV(declared.Body); err != nil || !reflect.DeepEqual(only, got) || len(declared.Body) >= len(body) {
				t.Errorf("other than with what is declared: %v", err)
			}
			nameless := 0
			for _, s := range got.Submissions {
				if s.Condition == "" {
					nameless++
				}
			}
			earlier, split := "", ""
			if len(got.Earlier) > 0 {
				earlier = got.Earlier[0].Description + " until " + got.Earlier[0].Until
			}
			for _, s := range got.Split {
				split += s.Kind + ": " + s.Text
			}
			if nameless > 0 || got.CAID != want.caid || want.gnomAD != "" && got.GnomAD != want.gnomAD || want.earlier != "" && earlier != want.earlier || split != want.split {
				t.Errorf("%d without a condition, %s, %s, %q, %q", nameless, got.CAID, got.GnomAD, earlier, split)
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
