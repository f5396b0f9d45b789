package study

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// base is a synthetic study of three patients. P1 has two samples.
var base = map[string]string{
	"meta_study.txt":            "cancer_study_identifier: toy\ntype_of_cancer: mixed\nname: Toy\ndescription: Made up.\n",
	"meta_clinical_sample.txt":  "genetic_alteration_type: CLINICAL\ndatatype: SAMPLE_ATTRIBUTES\ndata_filename: samples.txt\n",
	"samples.txt":               "PATIENT_ID\tSAMPLE_ID\tCANCER_TYPE\nP1\tP1-A\tLung\nP1\tP1-B\tLung\nP2\tP2-A\tBreast\nP3\tP3-A\t\n",
	"meta_clinical_patient.txt": "genetic_alteration_type: CLINICAL\ndatatype: PATIENT_ATTRIBUTES\ndata_filename: patients.txt\n",
	"patients.txt":              "#Patient\tAge\tStatus\tMonths\n#Patient\tAge in years\tStatus\tMonths\n#STRING\tNUMBER\tSTRING\tNUMBER\n#1\t1\t1\t1\nPATIENT_ID\tAGE\tOS_STATUS\tOS_MONTHS\nP1\t50\t1:DECEASED\t10\nP2\t60\t0:LIVING\t20\nP3\tNA\t0:LIVING\t30\n",
	"meta_mutations.txt":        "stable_id: mutations\ngenetic_alteration_type: MUTATION_EXTENDED\ndatatype: MAF\ndata_filename: mutations.maf\n",
	"mutations.maf":             "#version 2.4\nHugo_Symbol\tTumor_Sample_Barcode\tVariant_Classification\tHGVSp_Short\nTP53\tP1-A\tMissense_Mutation\tp.R175H\nTP53\tP1-B\tSilent\tp.P36=\nKRAS\tP2-A\tMissense_Mutation\tp.G12D\n",
	"case_lists/sequenced.txt":  "stable_id: toy_sequenced\ncase_list_ids: P1-A\tP1-B\tP2-A\n",
}

// folder writes the base study and returns its folder. changes replaces files, or removes them if
// the text is empty.
func folder(t testing.TB, changes map[string]string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "toy")
	for _, files := range []map[string]string{base, changes} {
		for name, body := range files {
			path := filepath.Join(dir, name)
			if body == "" {
				if err := os.Remove(path); err != nil {
					t.Fatal(err)
				}
				continue
			}
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if strings.HasSuffix(name, ".gz") {
				body = packed(body)
			}
			if err := os.WriteFile(path, []byte(body), 0o644); err != nil {
				t.Fatal(err)
			}
			long := time.Now().Add(-time.Hour)
			if err := os.Chtimes(path, long, long); err != nil {
				t.Fatal(err)
			}
		}
	}
	return dir
}

func packed(s string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write([]byte(s))
	w.Close()
	return b.String()
}

// toy opens the base study with changes.
func toy(t testing.TB, changes map[string]string) *Study {
	t.Helper()
	return opened(t, folder(t, changes), "")
}

func opened(t testing.TB, dir, cache string) *Study {
	t.Helper()
	s, err := Open(dir, cache)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// mutated returns the IDs of the samples with a mutation and the number of profiled samples.
func mutated(t testing.TB, s *Study, gene string) (ids string, n int) {
	t.Helper()
	g, err := s.GeneMutations(gene, false)
	if err != nil {
		t.Fatal(err)
	}
	p, err := s.Samples()
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for i, m := range g.Mutated {
		if m {
			list = append(list, p.IDs[i])
		}
	}
	return strings.Join(list, " "), g.Profiled.N
}
