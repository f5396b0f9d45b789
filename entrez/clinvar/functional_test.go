package clinvar

import (
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"biomcp/entrez"
	"biomcp/entrez/contract"
	"biomcp/entrez/sourcetest"
)

func TestFunctionalEvidenceOfCapturedRecords(t *testing.T) {
	for name, want := range map[string][]string{
		"868615_VCV_one_germline_one_functional_data.xml": {
			"SCV002648703 germline: Uncertain significance",
			"SCV001243496 no classification: evidence only; functionally abnormal, LOSS_OF_FUNCTION, -1.37, in vitro, cellular survival assay",
		},
		"2687784_VCV_with_only_functional_data.xml": {
			"SCV004231899 no classification: evidence only; functionally abnormal, effect on RNA splicing, exon-skip at Exon 22, in vitro, Mini-gene/in vitro splicing assay",
		},
		"2691776_VCV_one_submission_with_both_germline_and_functional.xml": {
			"SCV004242223 germline: Likely pathogenic; functionally abnormal, NMD_triggering_variant, decreased level of expression, in vivo, RNAseq",
		},
	} {
		t.Run(name, func(t *testing.T) {
			body, err := os.ReadFile(filepath.Join("../../../shared/data/t4/captures/vcv", name))
			if err != nil {
				t.Skip("the captured replies are not here")
			}
			// NCBI's samples are records without the root element of EFetch.
			body = slices.Concat([]byte("<ClinVarResult-Set>"), body, []byte("</ClinVarResult-Set>"))
			record, err := ParseVCV(body)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, s := range record.Submissions {
				text := s.Accession + " " + s.Kind + ": " + s.Description
				for _, e := range s.Functional {
					text += "; " + strings.Join([]string{e.Effect, e.Consequence, e.Result, e.Method, e.Assay}, ", ")
				}
				got = append(got, text)
			}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("submissions %q, want %q", got, want)
			}
			for _, c := range record.Conditions {
				if c.Kind == "" || c.Description == "" {
					t.Errorf("condition without a kind or a classification: %+v", c)
				}
			}
			if n := strings.Count(string(body), "<RCVAccession "); len(record.Conditions) != n {
				t.Errorf("%d conditions, want %d", len(record.Conditions), n)
			}
			uses := contract.MatchingUses(&entrez.Source, "efetch.fcgi", url.Values{"db": {"clinvar"}})
			declared := sourcetest.KeepDeclared(uses, sourcetest.Reply{Status: 200, Type: sourcetest.XMLType, Body: body})
			if only, err := ParseVCV(declared.Body); err != nil {
				t.Errorf("the declared fields alone: %v", err)
			} else if !reflect.DeepEqual(only, record) {
				t.Errorf("the declared fields alone are read as %+v, want %+v", only, record)
			}
		})
	}
}
