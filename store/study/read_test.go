package study

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestFormsOfFiles(t *testing.T) {
	windows := func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") }
	for what, changes := range map[string]map[string]string{
		"plain": {},
		"packed": {
			"mutations.maf": "", "mutations.maf.gz": base["mutations.maf"], "samples.txt": "",
			"samples.txt.gz": base["samples.txt"],
		},
		"packed by name": {
			"meta_mutations.txt": "genetic_alteration_type: MUTATION_EXTENDED\ndata_filename: m.txt.gz",
			"m.txt.gz":           base["mutations.maf"],
		},
		"CR LF": {
			"mutations.maf": windows(base["mutations.maf"]), "samples.txt": windows(base["samples.txt"]),
			"meta_mutations.txt":       windows(base["meta_mutations.txt"]),
			"case_lists/sequenced.txt": windows(base["case_lists/sequenced.txt"]),
		},
		"byte order mark": {
			"mutations.maf": "\ufeff" + strings.TrimPrefix(base["mutations.maf"], "#version 2.4\n"),
			"samples.txt":   "\ufeff" + base["samples.txt"], "meta_mutations.txt": "\ufeff" + base["meta_mutations.txt"],
		},
		"blank lines": {
			"mutations.maf": strings.ReplaceAll(base["mutations.maf"], "\n", "\n\n"),
			"samples.txt":   "\n" + base["samples.txt"] + "\n\n",
		},
		"no last newline": {"mutations.maf": strings.TrimSuffix(base["mutations.maf"], "\n")},
		"tabs at the end": {
			"mutations.maf": strings.ReplaceAll(base["mutations.maf"], "\n", "\t\t\n"),
			"samples.txt":   strings.ReplaceAll(base["samples.txt"], "\n", "\t\n"),
		},
		"lower case": {
			"mutations.maf": strings.ReplaceAll(strings.ToLower(base["mutations.maf"]), "p1-a", "P1-A"),
		},
	} {
		t.Run(what, func(t *testing.T) {
			dir, cache := folder(t, changes), t.TempDir()
			for range 2 { // from the files, then from the index
				ids, n := mutated(t, opened(t, dir, cache), "TP53")
				equal(t, "mutated samples", ids, "P1-A")
				equal(t, "profiled samples", n, 3)
			}
		})
	}
}

func TestLatin1Names(t *testing.T) {
	s := toy(t, map[string]string{
		"samples.txt":   "PATIENT_ID\tSAMPLE_ID\tCANCER_TYPE\nM\xfcller\tM\xfcller-A\tLeuc\xe9mie\n",
		"mutations.maf": "Hugo_Symbol\tTumor_Sample_Barcode\nTP53\tMüller-A\n", "case_lists/sequenced.txt": "",
	})
	ids, n := mutated(t, s, "TP53")
	equal(t, "mutated samples", ids, "Müller-A")
	equal(t, "profiled samples", n, 1)
	a, err := s.Attribute("cancer_type")
	noError(t, err)
	v, err := s.Values(a)
	noError(t, err)
	equal(t, "cancer type", v[0].Sample[0], "Leucémie")
}

func TestMalformedFilesAreNamedAndStopNothingElse(t *testing.T) {
	head := "Hugo_Symbol\tTumor_Sample_Barcode\tVariant_Classification\n"
	for what, c := range map[string]struct {
		changes map[string]string
		want    string
	}{
		"extra field": {
			map[string]string{"mutations.maf": head + "TP53\tP1-A\tSilent\nTP53\tP1-A\tSilent\tmore\n"},
			"mutations.maf, line 3, column 4: the row has 4 fields, the header 3",
		},
		"no sample": {
			map[string]string{"mutations.maf": head + "TP53\t\tSilent\n"},
			"mutations.maf, line 2, column Tumor_Sample_Barcode: no sample",
		},
		"no gene column": {
			map[string]string{"mutations.maf": "Gene\tTumor_Sample_Barcode\n"},
			"mutations.maf, line 1: no column HUGO_SYMBOL",
		},
		"column twice": {
			map[string]string{"mutations.maf": "Hugo_Symbol\tTumor_Sample_Barcode\tHUGO_SYMBOL\n"},
			"mutations.maf, column Hugo_Symbol: the column appears twice, as number 1 and as number 3, " +
				"and it is unclear which is right; rename one",
		},
		"Git LFS pointer": {
			map[string]string{
				"mutations.maf": "version https://git-lfs.github.com/spec/v1\noid " +
					"sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 12345\n",
			},
			"mutations.maf: this is a Git LFS pointer, not the data; run git lfs pull in the cloned " +
				"folder to fetch the data",
		},
		"empty": {
			map[string]string{"mutations.maf": "#version 2.4\n"}, "mutations.maf: the file has no header line",
		},
		"no text": {
			map[string]string{"mutations.maf": "Hugo\x00\x00\x00\tSample\n"},
			"mutations.maf, line 1: this is not text in UTF-8, UTF-16 or Latin-1; save the file as UTF-8",
		},
		"damaged gzip": {
			map[string]string{"mutations.maf": "\x1f\x8bnot gzip"}, "mutations.maf: the gzip file is damaged",
		},
		"cut gzip": {
			map[string]string{"mutations.maf": packed(strings.Repeat(base["mutations.maf"], 99))[:90]},
			"mutations.maf, line 2: the rest of the file cannot be read; it may be damaged",
		},
		"absent": {
			map[string]string{"mutations.maf": ""},
			"mutations.maf: a meta file of study toy names this file, but it does not exist",
		},
		"case list": {
			map[string]string{"case_lists/sequenced.txt": "stable_id toy_sequenced\n"},
			"case_lists/sequenced.txt, line 1: expected a line such as cancer_study_identifier: my_study",
		},
		"meta file": {
			map[string]string{"meta_mutations.txt": "genetic_alteration_type: MUTATION_EXTENDED\ndata_filename\n"},
			"study toy has no mutation data",
		},
		"outside the study": {
			map[string]string{
				"meta_mutations.txt": "genetic_alteration_type: MUTATION_EXTENDED\ndata_filename: " +
					"../toy/mutations.maf\n",
			},
			"mutations.maf: this is outside the folder of the study; put the file into the folder",
		},
	} {
		t.Run(what, func(t *testing.T) {
			s := toy(t, c.changes)
			_, err := s.GeneMutations("TP53", false)
			var e *Error
			if !errors.As(err, &e) {
				t.Fatalf("got error %v of type %T, want an *Error", err, err)
			}
			if !strings.HasSuffix(err.Error(), c.want) {
				t.Errorf("got error %v, want it to end with %q", err, c.want)
			}
			if _, err := s.Attributes(); err != nil {
				t.Errorf("clinical attributes: %v", err)
			}
		})
	}
}

// Columns that no analysis uses may share a name, as COMMENTS and Comments do in studies of the
// datahub. The first is shown.
func TestColumnTwice(t *testing.T) {
	s := toy(t, map[string]string{
		"samples.txt":  "PATIENT_ID\tSAMPLE_ID\tCOMMENTS\tComments\tcomments\nP1\tP1-A\tone\ttwo\tthree\nP1\tP1-B\nP2\tP2-A\nP3\tP3-A\n",
		"patients.txt": "PATIENT_ID\tOS_STATUS\tOS_MONTHS\tOS_months\nP1\t1\t2\t3\n", "meta_cna.txt": cnaMeta,
		"cna.txt":       "Hugo_Symbol\tP1-A\tp1-a\nTP53\t2\t1\n",
		"mutations.maf": "Hugo_Symbol\tTumor_Sample_Barcode\tCOMMENTS\tcomments\nTP53\tP1-A\n",
	})
	ids, n := mutated(t, s, "TP53")
	equal(t, "mutated samples", ids, "P1-A")
	equal(t, "profiled samples", n, 3)
	if got := row(t, s, "TP53"); !strings.HasPrefix(got, "[2 ") {
		t.Errorf("row with samples that differ in case: got %s, want it to begin with [2", got)
	}
	list, err := s.Attributes()
	noError(t, err)
	if len(list) != 3 {
		t.Fatalf("got %d attributes, want 3: %+v", len(list), list)
	}
	equal(t, "third attribute", list[2].ID, "COMMENTS")
	if list[2].DuplicateError() == nil {
		t.Error("COMMENTS has no duplicate, want one")
	}
	v, err := s.Values(list[2])
	noError(t, err)
	equal(t, "shown value", v[0].Sample[0], "one")
	const twice = "samples.txt, column COMMENTS: the column appears twice, as number 3 and as number 4, " +
		"and it is unclear which is right; rename one"
	_, err = s.Attribute("comments")
	errorText(t, "attribute", err, twice)
	errorOfKind(t, "attribute", err, Malformed)
	_, err = s.Endpoint("os")
	errorOfKind(t, "endpoint", err, Malformed)
}

// The protein change of a row comes from the first column with one; words for a missing value
// do not count.
func TestProteinChangeOfEachRow(t *testing.T) {
	s := toy(t, map[string]string{"mutations.maf": "Hugo_Symbol\tSample_Id\tProtein_Change\tAmino_Acid_Change\tHGVSp_Short\n" +
		"TP53\tP1-A\tp.X3\tp.X2\tp.R175H\nTP53\tP1-A\tp.X3\tR248Q\tNA\nTP53\tP1-A\tp.R213*\tNULL\t\nTP53\tP1-A\tnull\tn/a\t[Not Available]\n"})
	g, err := s.GeneMutations("TP53", false)
	noError(t, err)
	wants := []Variant{
		{Change: "p.R175H", Position: 175}, {Change: "R248Q", Position: 248}, {Change: "p.R213*", Position: 213}, {},
	}
	if len(g.Variants) != len(wants) {
		t.Fatalf("got %d variants, want %d: %+v", len(g.Variants), len(wants), g.Variants)
	}
	for i, want := range wants {
		equal(t, fmt.Sprintf("change of variant %d", i), g.Variants[i].Change, want.Change)
		equal(t, fmt.Sprintf("position of variant %d", i), g.Variants[i].Position, want.Position)
	}
}

// For duplicate columns that describe a mutation the first counts. Columns that identify the
// gene, sample or class must not be duplicated.
func TestColumnOfMutationsTwice(t *testing.T) {
	for column, refused := range map[string]bool{
		"HGVSp_Short": false, "PROTEIN_POSITION": false, "Mutation_Status": false,
		"hugo_symbol": true, "Tumor_Sample_Barcode": true, "variant_classification": true,
	} {
		t.Run(column, func(t *testing.T) {
			s := toy(t, map[string]string{"mutations.maf": "Hugo_Symbol\tTumor_Sample_Barcode\t" +
				"Variant_Classification\tHGVSp_Short\tProtein_position\tMutation_Status\t" + column + "\n" +
				"TP53\tP1-A\tMissense_Mutation\tp.R175H\t175\tSomatic\tNone\n"})
			g, err := s.GeneMutations("TP53", false)
			if refused {
				errorOfKind(t, "mutations", err, Malformed)
				return
			}
			noError(t, err)
			if len(g.Variants) != 1 {
				t.Fatalf("got %d variants, want 1: %+v", len(g.Variants), g.Variants)
			}
			equal(t, "change", g.Variants[0].Change, "p.R175H")
		})
	}
}

// A value in a meta file, such as a description or a list of samples, may continue in lines
// without a colon.
func TestValueOfSeveralLines(t *testing.T) {
	s := toy(t, map[string]string{
		"meta_study.txt":           base["meta_study.txt"] + "It goes on\n\n  here.\npmid: 1\n",
		"case_lists/sequenced.txt": "stable_id: toy_sequenced\ncase_list_ids: P1-A\tP1-B\n\tP2-A\nP3-A\t\n",
	})
	equal(t, "description", s.Description, "Made up. It goes on here.")
	equal(t, "PMID", s.PMID, "1")
	if len(s.Problems) != 0 {
		t.Errorf("got problems %v, want none", s.Problems)
	}
	_, n := mutated(t, s, "TP53")
	equal(t, "sequenced samples", n, 4)
}

// The error for a link out of the folder says so, rather than that the file is absent.
func TestLinkOutOfTheFolder(t *testing.T) {
	dir := folder(t, map[string]string{"mutations.maf": ""})
	if err := os.Symlink("../elsewhere.maf", filepath.Join(dir, "mutations.maf")); err != nil {
		t.Skip(err)
	}
	if err := os.WriteFile(filepath.Join(filepath.Dir(dir), "elsewhere.maf"), []byte(base["mutations.maf"]), 0o644); err != nil {
		t.Fatal(err)
	}
	s := opened(t, dir, "")
	_, err := s.GeneMutations("TP53", false)
	if IsKind(err, NoData) {
		t.Errorf("got an error of kind %s: %v", NoData, err)
	}
	if want := "mutations.maf: this is a link out of the folder"; !strings.HasPrefix(fmt.Sprint(err), want) {
		t.Errorf("got error %v, want it to begin with %q", err, want)
	}
	equal(t, "number of problems", len(s.Problems), 1)
}

// A clinical file with only IDs has no attributes, which is not an error.
func TestClinicalFileOfIDs(t *testing.T) {
	s := toy(t, map[string]string{"samples.txt": "PATIENT_ID\tSAMPLE_ID\nP1\tP1-A\n", "meta_clinical_patient.txt": "", "patients.txt": ""})
	list, err := s.Attributes()
	noError(t, err)
	equal(t, "number of attributes", len(list), 0)
}

// The error for a folder that is not a study, or whose files are spoilt, names the cause.
func TestFolderWithoutMetaFiles(t *testing.T) {
	none := map[string]string{
		"meta_study.txt": "", "meta_clinical_sample.txt": "", "meta_clinical_patient.txt": "",
		"meta_mutations.txt": "",
	}
	for what, c := range map[string]struct{ file, text, want string }{
		"no meta file": {
			"data_mutations.txt", base["mutations.maf"],
			"data_mutations.txt: no meta file names this file: " +
				"a study in cBioPortal's format has a meta_*.txt for each data file, which describes it",
		},
	} {
		t.Run(what, func(t *testing.T) {
			changes := maps.Clone(none)
			changes[c.file] = c.text
			s := toy(t, changes)
			_, err := s.GeneMutations("TP53", false)
			errorText(t, "mutations", err, c.want)
			equal(t, "number of problems", len(s.Problems), 1)
		})
	}
}

func TestHashLineBelowTheHeaderIsData(t *testing.T) {
	s := toy(t, map[string]string{"mutations.maf": base["mutations.maf"] + "#GENE\tP1-A\tMissense_Mutation\n"})
	ids, _ := mutated(t, s, "#GENE")
	equal(t, "mutated samples", ids, "P1-A")
}

func TestRowsLeftOutAreCounted(t *testing.T) {
	s := toy(t, map[string]string{"mutations.maf": "Hugo_Symbol\tTumor_Sample_Barcode\tVariant_Classification\tMutation_Status\tHGVSp_Short\tValidation_Status\n" +
		"TP53\tP1-A\tMissense_Mutation\tSOMATIC\tp.R248Q\nTP53\tP1-A\tNonsense_Mutation\tSomatic\tp.R213*\nTP53\tP2-A\t3'UTR\t\nTP53\tP2-A\tMissense_Mutation\tWildtype\n" +
		"TP53\tP3-A\tMissense_Mutation\nTP53\tP2-A\tMissense_Mutation\t\tp.R1X\tRedacted\nTP53\tP2-A\tMissense_Mutation\tSomatic\tp.R1X\twildtype\nTP53\tnobody\tMissense_Mutation\nTP53\tP2-A\tSilent\tSOMATIC\tp.P36=\n"})
	g, err := s.GeneMutations(" tp53 ", false)
	noError(t, err)
	equal(t, "mutated samples", g.MutatedSamples, 1)
	equal(t, "excluded rows", g.ExcludedRows, ExcludedRows{2, 1, 1, [3]string{"nobody"}})
	if len(g.Variants) != 2 {
		t.Fatalf("got %d variants, want 2: %+v", len(g.Variants), g.Variants)
	}
	equal(t, "class", g.Variants[1].Class, "Nonsense_Mutation")
	equal(t, "change", g.Variants[1].Change, "p.R213*")
	equal(t, "position", g.Variants[1].Position, 213)
	all, err := s.GeneMutations("TP53", true)
	noError(t, err)
	equal(t, "mutated samples with silent variants", all.MutatedSamples, 2)
	equal(t, "silent rows, when included", all.Silent, 0)
	equal(t, "variants with silent ones", len(all.Variants), 4)
	none, err := s.GeneMutations("NOGENE1", false)
	noError(t, err)
	equal(t, "row of an unknown gene", none.HasRows, false)
	equal(t, "mutated samples of an unknown gene", none.MutatedSamples, 0)
	equal(t, "profiled samples of an unknown gene", none.Profiled.N, 3)
	genes, left, err := s.MutatedGenes(false)
	noError(t, err)
	equalSlices(t, "mutated genes", genes, []GeneCount{{"TP53", 1, 2, 3}})
	equal(t, "excluded rows of all genes", left, ExcludedRows{2, 1, 1, [3]string{"nobody"}})
}
