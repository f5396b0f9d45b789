package study

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"biomcp/store/study/stats"
)

func TestFormsOfFiles(t *testing.T) {
	windows := func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") }
	for what, changes := range map[string]map[string]string{
		"plain":           {},
		"packed":          {"mutations.maf": "", "mutations.maf.gz": base["mutations.maf"], "samples.txt": "", "samples.txt.gz": base["samples.txt"]},
		"packed by name":  {"meta_mutations.txt": "genetic_alteration_type: MUTATION_EXTENDED\ndata_filename: m.txt.gz", "m.txt.gz": base["mutations.maf"]},
		"CR LF":           {"mutations.maf": windows(base["mutations.maf"]), "samples.txt": windows(base["samples.txt"]), "meta_mutations.txt": windows(base["meta_mutations.txt"]), "case_lists/sequenced.txt": windows(base["case_lists/sequenced.txt"])},
		"byte order mark": {"mutations.maf": "\ufeff" + strings.TrimPrefix(base["mutations.maf"], "#version 2.4\n"), "samples.txt": "\ufeff" + base["samples.txt"], "meta_mutations.txt": "\ufeff" + base["meta_mutations.txt"]},
		"blank lines":     {"mutations.maf": strings.ReplaceAll(base["mutations.maf"], "\n", "\n\n"), "samples.txt": "\n" + base["samples.txt"] + "\n\n"},
		"no last newline": {"mutations.maf": strings.TrimSuffix(base["mutations.maf"], "\n")},
		"tabs at the end": {"mutations.maf": strings.ReplaceAll(base["mutations.maf"], "\n", "\t\t\n"), "samples.txt": strings.ReplaceAll(base["samples.txt"], "\n", "\t\n")},
		"lower case":      {"mutations.maf": strings.ReplaceAll(strings.ToLower(base["mutations.maf"]), "p1-a", "P1-A")},
	} {
		t.Run(what, func(t *testing.T) {
			dir, cache := folder(t, changes), t.TempDir()
			for range 2 { // from the files, then from the index
				ids, n := mutated(t, opened(t, dir, cache), "TP53")
				if ids != "P1-A" || n != 3 {
					t.Errorf("mutated %s of %d", ids, n)
				}
			}
		})
	}
}

func TestLatin1Names(t *testing.T) {
	s := toy(t, map[string]string{
		"samples.txt":   "PATIENT_ID\tSAMPLE_ID\tCANCER_TYPE\nM\xfcller\tM\xfcller-A\tLeuc\xe9mie\n",
		"mutations.maf": "Hugo_Symbol\tTumor_Sample_Barcode\nTP53\tMüller-A\n", "case_lists/sequenced.txt": "",
	})
	if ids, n := mutated(t, s, "TP53"); ids != "Müller-A" || n != 1 {
		t.Errorf("%s of %d", ids, n)
	}
	a, err := s.Attribute("cancer_type")
	if err != nil {
		t.Fatal(err)
	}
	if v, err := s.Values(a); err != nil || v[0].Sample[0] != "Leucémie" {
		t.Errorf("%+v, %v", v, err)
	}
}

func TestMalformedFilesAreNamedAndStopNothingElse(t *testing.T) {
	head := "Hugo_Symbol\tTumor_Sample_Barcode\tVariant_Classification\n"
	for what, c := range map[string]struct {
		changes map[string]string
		want    string
	}{
		"extra field":       {map[string]string{"mutations.maf": head + "TP53\tP1-A\tSilent\nTP53\tP1-A\tSilent\tmore\n"}, "mutations.maf, line 3, column 4: the row has 4 fields, the header 3"},
		"no sample":         {map[string]string{"mutations.maf": head + "TP53\t\tSilent\n"}, "mutations.maf, line 2, column Tumor_Sample_Barcode: no sample"},
		"no gene column":    {map[string]string{"mutations.maf": "Gene\tTumor_Sample_Barcode\n"}, "mutations.maf, line 1: no column HUGO_SYMBOL"},
		"column twice":      {map[string]string{"mutations.maf": "Hugo_Symbol\tTumor_Sample_Barcode\tHUGO_SYMBOL\n"}, "mutations.maf, column Hugo_Symbol: the column appears twice, as number 1 and as number 3, and it is unclear which is right; rename one"},
		"Git LFS pointer":   {map[string]string{"mutations.maf": "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 12345\n"}, "mutations.maf: this is a Git LFS pointer, not the data; run git lfs pull in the cloned folder to fetch the data"},
		"empty":             {map[string]string{"mutations.maf": "#version 2.4\n"}, "mutations.maf: the file has no header line"},
		"UTF-16":            {map[string]string{"mutations.maf": "\xff\xfeH\x00u\x00g\x00o\x00"}, "mutations.maf, line 1: this is not text in UTF-8 or Latin-1; save the file as UTF-8"},
		"CR alone":          {map[string]string{"mutations.maf": "Hugo_Symbol\rTP53\r"}, "mutations.maf, line 1: lines end with CR alone; save the file with LF or CR LF"},
		"damaged gzip":      {map[string]string{"mutations.maf": "\x1f\x8bnot gzip"}, "mutations.maf: the gzip file is damaged"},
		"cut gzip":          {map[string]string{"mutations.maf": packed(strings.Repeat(base["mutations.maf"], 99))[:90]}, "mutations.maf, line 2: the rest of the file cannot be read; it may be damaged"},
		"absent":            {map[string]string{"mutations.maf": ""}, "mutations.maf: a meta file of study toy names this file, but it does not exist"},
		"case list":         {map[string]string{"case_lists/sequenced.txt": "stable_id toy_sequenced\n"}, "case_lists/sequenced.txt, line 1: expected a line such as cancer_study_identifier: my_study"},
		"meta file":         {map[string]string{"meta_mutations.txt": "genetic_alteration_type: MUTATION_EXTENDED\ndata_filename\n"}, "study toy has no mutation data"},
		"outside the study": {map[string]string{"meta_mutations.txt": "genetic_alteration_type: MUTATION_EXTENDED\ndata_filename: ../toy/mutations.maf\n"}, "mutations.maf: this is outside the folder of the study; put the file into the folder"},
	} {
		t.Run(what, func(t *testing.T) {
			s := toy(t, c.changes)
			_, err := s.GeneMutations("TP53", false)
			if err == nil || !strings.HasSuffix(err.Error(), c.want) {
				t.Errorf("error %v", err)
			}
			var e *Error
			if !errors.As(err, &e) {
				t.Errorf("%T", err)
			}
			if _, err := s.Attributes(); err != nil {
				t.Errorf("clinical attributes: %v", err)
			}
		})
	}
}

// Columns that nobody asks for may have one name, as COMMENTS and Comments have in
// studies of the datahub: the first is shown.
func TestColumnTwice(t *testing.T) {
	s := toy(t, map[string]string{
		"samples.txt":  "PATIENT_ID\tSAMPLE_ID\tCOMMENTS\tComments\tcomments\nP1\tP1-A\tone\ttwo\tthree\nP1\tP1-B\nP2\tP2-A\nP3\tP3-A\n",
		"patients.txt": "PATIENT_ID\tOS_STATUS\tOS_MONTHS\tOS_months\nP1\t1\t2\t3\n", "meta_cna.txt": cnaMeta,
		"cna.txt":       "Hugo_Symbol\tP1-A\tp1-a\nTP53\t2\t1\n",
		"mutations.maf": "Hugo_Symbol\tTumor_Sample_Barcode\tCOMMENTS\tcomments\nTP53\tP1-A\n",
	})
	if ids, n := mutated(t, s, "TP53"); ids != "P1-A" || n != 3 {
		t.Errorf("mutated: %s of %d", ids, n)
	}
	if got := row(t, s, "TP53"); !strings.HasPrefix(got, "[2 ") {
		t.Errorf("of samples that differ by case: %s", got)
	}
	list, err := s.Attributes()
	if err != nil || len(list) != 3 || list[2].ID != "COMMENTS" || list[2].Twice() == nil {
		t.Fatalf("%+v, %v", list, err)
	}
	if v, err := s.Values(list[2]); err != nil || v[0].Sample[0] != "one" {
		t.Errorf("%+v, %v", v, err)
	}
	const twice = "samples.txt, column COMMENTS: the column appears twice, as number 3 and as number 4, and it is unclear which is right; rename one"
	if _, err := s.Attribute("comments"); err == nil || err.Error() != twice || !IsKind(err, Malformed) {
		t.Error(err)
	}
	if _, err := s.Endpoint("os"); !IsKind(err, Malformed) {
		t.Errorf("endpoint: %v", err)
	}
}

// A row's change is in the first of the columns that has one; a word for a missing one is none.
func TestProteinChangeOfEachRow(t *testing.T) {
	s := toy(t, map[string]string{"mutations.maf": "Hugo_Symbol\tSample_Id\tProtein_Change\tAmino_Acid_Change\tHGVSp_Short\n" +
		"TP53\tP1-A\tp.X3\tp.X2\tp.R175H\nTP53\tP1-A\tp.X3\tR248Q\tNA\nTP53\tP1-A\tp.R213*\tNULL\t\nTP53\tP1-A\tnull\tn/a\t[Not Available]\n"})
	g, err := s.GeneMutations("TP53", false)
	if err != nil || len(g.Variants) != 4 {
		t.Fatal(g, err)
	}
	for i, want := range []Variant{{Change: "p.R175H", Position: 175}, {Change: "R248Q", Position: 248}, {Change: "p.R213*", Position: 213}, {}} {
		if v := g.Variants[i]; v.Change != want.Change || v.Position != want.Position {
			t.Errorf("%+v, not %+v", v, want)
		}
	}
}

// Of what describes a mutation the first column counts; of what says which it is none may be twice.
func TestColumnOfMutationsTwice(t *testing.T) {
	for column, refused := range map[string]bool{"HGVSp_Short": false, "PROTEIN_POSITION": false, "Mutation_Status": false, "hugo_symbol": true, "Tumor_Sample_Barcode": true, "variant_classification": true} {
		t.Run(column, func(t *testing.T) {
			s := toy(t, map[string]string{"mutations.maf": "Hugo_Symbol\tTumor_Sample_Barcode\tVariant_Classification\tHGVSp_Short\tProtein_position\tMutation_Status\t" + column + "\nTP53\tP1-A\tMissense_Mutation\tp.R175H\t175\tSomatic\tNone\n"})
			g, err := s.GeneMutations("TP53", false)
			if refused != IsKind(err, Malformed) || !refused && (err != nil || len(g.Variants) != 1 || g.Variants[0].Change != "p.R175H") {
				t.Errorf("%+v, %v", g, err)
			}
		})
	}
}

// A value may go on in lines without a colon, as a description does, and a list of samples.
func TestValueOfSeveralLines(t *testing.T) {
	s := toy(t, map[string]string{
		"meta_study.txt":           base["meta_study.txt"] + "It goes on\n\n  here.\npmid: 1\n",
		"case_lists/sequenced.txt": "stable_id: toy_sequenced\ncase_list_ids: P1-A\tP1-B\n\tP2-A\nP3-A\t\n",
	})
	if s.Description != "Made up. It goes on here." || s.PMID != "1" || len(s.Problems) != 0 {
		t.Errorf("%q, %q, %v", s.Description, s.PMID, s.Problems)
	}
	if _, n := mutated(t, s, "TP53"); n != 4 {
		t.Errorf("%d sequenced", n)
	}
}

// A link out of the folder is said to be one, and not that the file is absent.
func TestLinkOutOfTheFolder(t *testing.T) {
	dir := folder(t, map[string]string{"mutations.maf": ""})
	if err := os.Symlink("../elsewhere.maf", filepath.Join(dir, "mutations.maf")); err != nil {
		t.Skip(err)
	}
	if err := os.WriteFile(filepath.Join(filepath.Dir(dir), "elsewhere.maf"), []byte(base["mutations.maf"]), 0o644); err != nil {
		t.Fatal(err)
	}
	s := opened(t, dir, "")
	if _, err := s.GeneMutations("TP53", false); IsKind(err, NoData) || !strings.HasPrefix(fmt.Sprint(err), "mutations.maf: this is a link out of the folder") || len(s.Problems) != 1 {
		t.Errorf("%v, %v", err, s.Problems)
	}
}

// A clinical file may have ids alone: there are no attributes, and nothing is wrong.
func TestClinicalFileOfIDs(t *testing.T) {
	s := toy(t, map[string]string{"samples.txt": "PATIENT_ID\tSAMPLE_ID\nP1\tP1-A\n", "meta_clinical_patient.txt": "", "patients.txt": ""})
	if list, err := s.Attributes(); err != nil || len(list) != 0 {
		t.Errorf("%v, %v", list, err)
	}
}

// A folder that is no study, and one whose files were spoilt, are named for what they are.
func TestFolderWithoutMetaFiles(t *testing.T) {
	none := map[string]string{"meta_study.txt": "", "meta_clinical_sample.txt": "", "meta_clinical_patient.txt": "", "meta_mutations.txt": ""}
	for what, c := range map[string]struct{ file, text, want string }{
		"no meta file": {"data_mutations.txt", base["mutations.maf"], "data_mutations.txt: no meta file names this file: a study in cBioPortal's format has a meta_*.txt for each data file, which describes it"},
		"CR alone":     {"meta_mutations.txt", strings.ReplaceAll(base["meta_mutations.txt"], "\n", "\r"), "meta_mutations.txt, line 1: lines end with CR alone; save the file with LF or CR LF"},
	} {
		t.Run(what, func(t *testing.T) {
			changes := maps.Clone(none)
			changes[c.file] = c.text
			s := toy(t, changes)
			if _, err := s.GeneMutations("TP53", false); err == nil || err.Error() != c.want || len(s.Problems) != 1 {
				t.Errorf("%v, %v", err, s.Problems)
			}
		})
	}
}

func TestHashLineBelowTheHeaderIsData(t *testing.T) {
	s := toy(t, map[string]string{"mutations.maf": base["mutations.maf"] + "#GENE\tP1-A\tMissense_Mutation\n"})
	if ids, _ := mutated(t, s, "#GENE"); ids != "P1-A" {
		t.Errorf("mutated: %q", ids)
	}
}

func TestRowsLeftOutAreCounted(t *testing.T) {
	s := toy(t, map[string]string{"mutations.maf": "Hugo_Symbol\tTumor_Sample_Barcode\tVariant_Classification\tMutation_Status\tHGVSp_Short\tValidation_Status\n" +
		"TP53\tP1-A\tMissense_Mutation\tSOMATIC\tp.R248Q\nTP53\tP1-A\tNonsense_Mutation\tSomatic\tp.R213*\nTP53\tP2-A\t3'UTR\t\nTP53\tP2-A\tMissense_Mutation\tWildtype\n" +
		"TP53\tP3-A\tMissense_Mutation\nTP53\tP2-A\tMissense_Mutation\t\tp.R1X\tRedacted\nTP53\tP2-A\tMissense_Mutation\tSomatic\tp.R1X\twildtype\nTP53\tnobody\tMissense_Mutation\nTP53\tP2-A\tSilent\tSOMATIC\tp.P36=\n"})
	g, err := s.GeneMutations(" tp53 ", false)
	if err != nil || g.Samples != 1 || len(g.Variants) != 2 || g.LeftOut != (LeftOut{2, 1, 1}) {
		t.Errorf("%+v, %v", g, err)
	}
	if v := g.Variants[1]; v.Class != "Nonsense_Mutation" || v.Change != "p.R213*" || v.Position != 213 {
		t.Errorf("%+v", v)
	}
	all, err := s.GeneMutations("TP53", true)
	if err != nil || all.Samples != 2 || all.Silent != 0 || len(all.Variants) != 4 {
		t.Errorf("%+v, %v", all, err)
	}
	none, err := s.GeneMutations("NOGENE1", false)
	if err != nil || none.Seen || none.Samples != 0 || none.On.N != 3 {
		t.Errorf("%+v, %v", none, err)
	}
	genes, left, err := s.MutatedGenes(false)
	if err != nil || !slices.Equal(genes, []GeneCount{{"TP53", 1, 2, 3}}) || left != (LeftOut{2, 1, 1}) {
		t.Errorf("%+v, %+v, %v", genes, left, err)
	}
}

func TestTenThousandAttributes(t *testing.T) {
	head, row := strings.Builder{}, strings.Builder{}
	head.WriteString("PATIENT_ID")
	row.WriteString("P1")
	for i := range 10_000 {
		fmt.Fprintf(&head, "\tA%d", i)
		fmt.Fprintf(&row, "\t%d", i%7)
	}
	s := toy(t, map[string]string{"patients.txt": head.String() + "\n" + row.String() + "\nP2\tx\n"})
	list, err := s.Attributes()
	if err != nil || len(list) != 10_001 {
		t.Fatal(len(list), err)
	}
	a, err := s.Attribute("a9999")
	if err != nil {
		t.Fatal(err)
	}
	v, err := s.Values(a, list[0])
	if err != nil || v[0].Patient[0] != "3" || v[0].Patient[1] != "" || v[1].Patient[1] != "x" || v[1].Sample[1] != "0" {
		t.Errorf("%+v, %v", v, err)
	}
}

func TestAttributesAndEndpoints(t *testing.T) {
	s := toy(t, nil)
	list, err := s.Attributes()
	if err != nil || len(list) != 4 {
		t.Fatal(list, err)
	}
	if a := list[0]; a.ID != "AGE" || a.Name != "Age" || a.Description != "Age in years" || a.Type != "NUMBER" || a.Level != "patient" {
		t.Errorf("%+v", a)
	}
	if a := list[3]; a.ID != "CANCER_TYPE" || a.Name != "CANCER_TYPE" || a.Level != "sample" {
		t.Errorf("%+v", a)
	}
	if _, err := s.Attribute("HEIGHT"); !IsKind(err, NotFound) {
		t.Error(err)
	}
	e, err := s.Endpoint("Overall-Survival")
	if err != nil || e.ID != "os" || e.Name != "Overall Survival (OS)" {
		t.Errorf("%+v, %v", e, err)
	}
	if _, err := s.Endpoint("pfs"); err == nil || err.Error() != `no survival endpoint "pfs"; available: os` {
		t.Error(err)
	}
	none := toy(t, map[string]string{"patients.txt": "PATIENT_ID\tOS_MONTHS\n"})
	if _, err := none.Endpoint("os"); !IsKind(err, NoData) {
		t.Error(err)
	}
}

func TestPatientsAreExcludedOnce(t *testing.T) {
	rows := "PATIENT_ID\tOS_STATUS\tOS_MONTHS\tAGE\tSEX\nP1\t1\t10\t50\tM\nP2\tDECEASED\t20\tNA\tM\nP3\t0:LIVING\t30\t40\tM\nP4\t1\t-inf\tNA\tM\nP5\t?\t5\t40\tF\nP6\t?\t-3\t40\tF\nP7\t0\t8\t41\t\n"
	samples := "PATIENT_ID\tSAMPLE_ID\n"
	sequenced := "stable_id: toy_sequenced\ncase_list_ids:"
	for _, p := range []string{"P1", "P2", "P4", "P5", "P6", "P7"} {
		samples += p + "\t" + p + "\n"
		sequenced += "\t" + p
	}
	s := toy(t, map[string]string{"patients.txt": rows, "samples.txt": samples + "P3\tP3\n", "case_lists/sequenced.txt": sequenced, "mutations.maf": "Hugo_Symbol\tSample_Id\nTP53\tP1\n"})
	f := followUpOf(t, s)
	g, err := s.GeneMutations("TP53", false)
	if err != nil {
		t.Fatal(err)
	}
	groups := g.Cohort()
	var covariates []Covariate
	for _, id := range []string{"AGE", "SEX"} {
		t.Run(id, func(t *testing.T) {
			a, err := s.Attribute(id)
			if err != nil {
				t.Fatal(err)
			}
			c, err := s.Covariate(a)
			if err != nil {
				t.Fatal(err)
			}
			covariates = append(covariates, c)
		})
	}
	c := Join(f, groups, covariates, nil)
	want := []Excluded{{"not profiled for TP53", 1}, {BadTime, 2}, {BadStatus, 1}, {"no value of AGE", 1}, {"no value of SEX", 1}}
	if !slices.Equal(c.Excluded, want) || !slices.Equal(c.Obs, []stats.Obs{{Time: 10, Event: true}}) || !slices.Equal(c.Group, []int{0}) {
		t.Errorf("%+v", c)
	}
	if !slices.Equal(c.Names, []string{"AGE"}) || len(c.Columns) != 1 || !slices.Equal(c.Columns[0], []float64{50}) { // of one sex nothing is compared
		t.Errorf("%+v", c)
	}
	if c := Join(f, groups, nil, nil); !slices.Equal(c.Group, []int{0, 1, 1}) || len(c.Excluded) != 3 {
		t.Errorf("without covariates: %+v", c)
	}
}

// The largest of the categories of those analysed is what the others are compared with.
func TestReferenceOfACovariate(t *testing.T) {
	stage := Covariate{Attribute: Attribute{ID: "STAGE"}}
	stage.Names, stage.Of = Categories([]string{"10", "2", "x", "10", "2", "2", ""})
	if !slices.Equal(stage.Names, []string{"2", "10", "x"}) {
		t.Errorf("%q", stage.Names)
	}
	names, columns := stage.columns([]int{0, 1, 2, 3, 4, 5})
	if !slices.Equal(names, []string{"STAGE: 10 vs 2", "STAGE: x vs 2"}) || !slices.Equal(columns[0], []float64{1, 0, 0, 1, 0, 0}) || !slices.Equal(columns[1], []float64{0, 0, 1, 0, 0, 0}) {
		t.Errorf("%q, %v", names, columns)
	}
	if names, columns = stage.columns([]int{0, 1, 3}); !slices.Equal(names, []string{"STAGE: 2 vs 10"}) || !slices.Equal(columns[0], []float64{0, 1, 0}) {
		t.Errorf("%q, %v", names, columns)
	}
}

// Codes have no mean: a patient with -2 and 2 is neither diploid nor in both groups. -1.5 is -2.
func TestPatientsByCopyNumber(t *testing.T) {
	s := toy(t, map[string]string{
		"samples.txt":  "PATIENT_ID\tSAMPLE_ID\tKIND\nP1\tA\tfirst\nP1\tB\tlater\nP2\tC\tfirst\nP2\tD\tfirst\nP3\tE\t\nP3\tF\tlater\nP4\tG\t\n",
		"meta_cna.txt": cnaMeta, "cna.txt": "Hugo_Symbol\tA\tB\tC\tD\tE\tF\tG\nTP53\t-2\t2\t-1.5\t-2\tNA\t2\t0.7\n",
	})
	p, _ := s.Profile(CopyNumber)
	v, err := s.GeneValues(p, "TP53")
	if err != nil {
		t.Fatal(err)
	}
	g := v.ByCopies(States, State)
	if !slices.Equal(g.Of, []int{-2, 0, 4, -1}) {
		t.Errorf("%+v, %v", g, err)
	}
	if got := []string{g.exclusionReason(0), g.exclusionReason(1), g.exclusionReason(3)}; !slices.Equal(got, []string{"samples with different copy number of TP53", "", "not profiled for TP53"}) {
		t.Errorf("%q", got)
	}
	a, err := s.Attribute("KIND")
	if err != nil {
		t.Fatal(err)
	}
	if g, err = s.By(a); err != nil || !slices.Equal(g.Of, []int{-2, 0, 1, -1}) {
		t.Errorf("%+v, %v", g, err)
	}
}

// The words by which cBioPortal's importer knows a missing value, with brackets and without.
func TestWordsForMissingValues(t *testing.T) {
	for word, want := range map[string]bool{"Not Available": true, "[Not Available]": true, "NOT_APPLICABLE": true, "na": true, "": true, "Pending": false, "None": false, "0": false} {
		t.Run(word, func(t *testing.T) {
			if missing([]byte(word)) != want {
				t.Errorf("%q is missing: %v", word, !want)
			}
		})
	}
}

// A study may have supplements to its clinical files. Of two files with one attribute the
// first counts.
func TestSupplementOfAClinicalFile(t *testing.T) {
	s := toy(t, map[string]string{
		"meta_samples_supp.txt": "genetic_alteration_type: CLINICAL\ndatatype: SAMPLE_ATTRIBUTES\ndata_filename: supp.txt\n",
		"supp.txt":              "PATIENT_ID\tSAMPLE_ID\tHYPOXIA\tCANCER_TYPE\nP1\tP1-A\t7\tother\n",
	})
	list, err := s.Attributes()
	if err != nil || len(list) != 5 || list[4].ID != "HYPOXIA" {
		t.Fatal(list, err)
	}
	v, err := s.Values(list[4], list[3])
	if err != nil || v[0].Sample[0] != "7" || v[0].Sample[1] != "" || v[1].Sample[0] == "other" || v[1].Sample[0] == "" {
		t.Errorf("%+v, %v", v, err)
	}
}
