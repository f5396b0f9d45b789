package study

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf16"
)

// inUTF16 encodes a text in UTF-16, the high byte first if big is set.
func inUTF16(text string, big bool) string {
	var b strings.Builder
	for _, u := range utf16.Encode([]rune(text)) {
		pair := []byte{byte(u), byte(u >> 8)}
		if big {
			pair[0], pair[1] = pair[1], pair[0]
		}
		b.Write(pair)
	}
	return b.String()
}

// encodings lists ways to save a text file.
var encodings = map[string]func(text string) string{
	"CR alone": func(text string) string { return strings.ReplaceAll(text, "\n", "\r") },
	"CR LF":    func(text string) string { return strings.ReplaceAll(text, "\n", "\r\n") },
	"mixed": func(text string) string {
		return strings.Replace(strings.Replace(text, "\n", "\r", 1), "\n", "\r\n", 1)
	},
	"UTF-16 LE":     func(text string) string { return inUTF16("\ufeff"+text, false) },
	"UTF-16 BE":     func(text string) string { return inUTF16("\ufeff"+text, true) },
	"no mark LE":    func(text string) string { return inUTF16(text, false) },
	"no mark BE":    func(text string) string { return inUTF16(text, true) },
	"UTF-16 and CR": func(text string) string { return inUTF16("\ufeff"+strings.ReplaceAll(text, "\n", "\r"), false) },
	"gzip and CR":   func(text string) string { return packed(strings.ReplaceAll(text, "\n", "\r")) },
	"gzip, UTF-16":  func(text string) string { return packed(inUTF16("\ufeff"+text, true)) },
}

// Each kind of file is read in each encoding, with and without a cache.
func TestFilesInOtherEncodings(t *testing.T) {
	files := map[string]string{
		"meta_cna.txt": cnaMeta, "cna.txt": "Hugo_Symbol\tP1-A\tP2-A\nTP53\t2\t-2\nKRAS\t0\t1\n",
		"meta_matrix.txt": panelMatrixMeta, "matrix.txt": "SAMPLE_ID\tmutations\nP1-A\tWES\nP1-B\tWES\nP2-A\tWES\n",
	}
	for name, encode := range encodings {
		for _, cache := range []string{"", t.TempDir()} {
			t.Run(fmt.Sprint(name, cache != ""), func(t *testing.T) {
				changes := map[string]string{}
				for file, text := range base {
					changes[file] = encode(text)
				}
				for file, text := range files {
					changes[file] = encode(text)
				}
				dir := folder(t, changes)
				for range 2 { // from the file, then from the index
					s := opened(t, dir, cache)
					equal(t, "number of problems", len(s.Problems)+len(s.ClinicalFaults()), 0)
					ids, n := mutated(t, s, "TP53")
					equal(t, "mutated samples", ids, "P1-A")
					equal(t, "profiled samples", n, 3)
					e, err := s.Endpoint("os")
					noError(t, err)
					f, err := s.FollowUp(e)
					noError(t, err)
					equal(t, "follow-up", fmt.Sprint(f.Obs), "[{10 true} {20 false} {30 false}]")
					p, _ := s.Profile(CopyNumber)
					for gene, want := range map[string]string{"TP53": "[2 NaN -2 NaN]", "KRAS": "[0 NaN 1 NaN]"} {
						v, err := s.GeneValues(p, gene)
						noError(t, err)
						equal(t, "copy number of "+gene, fmt.Sprint(v.Values), want)
					}
				}
			})
		}
	}
}

// A CR at the end of what one call reads is followed by LF or not in the next.
func TestLineEndsAtTheEndOfABuffer(t *testing.T) {
	for text, want := range map[string]string{
		"a\rb\r\nc\r": "a\nb\r\nc\n", "\r\r\n\r": "\n\r\n\n", "": "", "\r": "\n", "a": "a",
	} {
		for name, reader := range map[string]io.Reader{
			"one byte at a time": iotest.OneByteReader(strings.NewReader(text)), "whole": strings.NewReader(text),
		} {
			r, _ := newText(bufio.NewReaderSize(reader, 16))
			got, err := io.ReadAll(iotest.OneByteReader(r))
			noError(t, err)
			equal(t, name, string(got), want)
		}
	}
}

// A clinical file that cannot be read is an error of each analysis that needs it and is among the
// faults for the others.
func TestClinicalFileThatCannotBeRead(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"not text":   {"PATIENT_ID\x00\x00\x00\tOS_STATUS\tOS_MONTHS\n", "this is not text"},
		"no column":  {"PATIENT\tOS_STATUS\tOS_MONTHS\nP1\t1:DECEASED\t3\n", "no column PATIENT_ID"},
		"long row":   {"PATIENT_ID\tOS_STATUS\tOS_MONTHS\nP1\t1:DECEASED\t3\tx\n", "the row has 4 fields, the header 3"},
		"other ids":  {"PATIENT_ID\tOS_STATUS\tOS_MONTHS\nX1\t1:DECEASED\t3\nX2\t0:LIVING\t9\n", "none of the 2 patients, such as X1, is in samples.txt, which has P1"},
		"no file":    {"", "the file does not exist"},
		"no header":  {"#a\tb\n", "the file has no header line"},
		"LFS":        {"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n", "this is a Git LFS pointer"},
		"twice a id": {"PATIENT_ID\tPATIENT_ID\tOS_STATUS\tOS_MONTHS\nP1\tP1\t1:DECEASED\t3\n", "the column appears twice"},
	} {
		t.Run(name, func(t *testing.T) {
			s := toy(t, map[string]string{"patients.txt": c.text})
			faults := s.ClinicalFaults()
			if len(faults) != 1 {
				t.Fatalf("want one fault, got %v", faults)
			}
			contains(t, "fault", faults[0].Error(), c.want)
			if e, err := s.Endpoint("os"); err == nil {
				if _, err = s.FollowUp(e); err == nil && name != "other ids" {
					t.Error("want an error of the follow-up, got none")
				}
			} else {
				contains(t, "error of the endpoint", err.Error(), c.want)
			}
			ids, _ := mutated(t, s, "TP53")
			equal(t, "mutated samples", ids, "P1-A")
		})
	}
}

// If no row of a file is of a sample of the study, that is an error and not a count of 0.
func TestFileOfOtherSamples(t *testing.T) {
	for name, c := range map[string]struct {
		changes map[string]string
		want    string
		ask     func(s *Study) error
	}{
		"patients in the mutation file": {
			map[string]string{"mutations.maf": "Hugo_Symbol\tTumor_Sample_Barcode\nTP53\tP1\nTP53\tP2\n"},
			"mutations.maf: it names patients, such as P1, where samples belong, such as P1-A",
			func(s *Study) error { _, err := s.GeneMutations("TP53", false); return err },
		},
		"other samples in the mutation file": {
			map[string]string{"mutations.maf": "Hugo_Symbol\tTumor_Sample_Barcode\nTP53\tX1\nTP53\tX2\n"},
			"mutations.maf: none of the 2 samples, such as X1, is in samples.txt, which has P1-A",
			func(s *Study) error { _, _, err := s.MutatedGenes(false); return err },
		},
		"case list": {
			map[string]string{"case_lists/sequenced.txt": "stable_id: toy_sequenced\ncase_list_ids: P1 P2\n"},
			"case_lists/sequenced.txt: it names patients, such as P1, where samples belong, such as P1-A",
			func(s *Study) error { _, err := s.GeneMutations("TP53", false); return err },
		},
		"panel matrix": {
			map[string]string{"meta_matrix.txt": panelMatrixMeta, "matrix.txt": "SAMPLE_ID\tmutations\nX1\tWES\n"},
			"matrix.txt: none of the 1 samples, such as X1, is in samples.txt, which has P1-A",
			func(s *Study) error { _, err := s.GeneMutations("TP53", false); return err },
		},
		"copy number": {
			map[string]string{"meta_cna.txt": cnaMeta, "cna.txt": "Hugo_Symbol\tX1\tX2\nTP53\t1\t2\n"},
			"cna.txt: none of the 2 samples, such as X1, is in samples.txt, which has P1-A",
			func(s *Study) error {
				p, _ := s.Profile(CopyNumber)
				_, err := s.GeneValues(p, "TP53")
				return err
			},
		},
		"structural variants": {
			map[string]string{
				"meta_sv.txt": "genetic_alteration_type: STRUCTURAL_VARIANT\ndatatype: SV\nstable_id: structural_variants\ndata_filename: sv.txt\n",
				"sv.txt":      "Sample_Id\tSite1_Hugo_Symbol\tSite2_Hugo_Symbol\nX1\tALK\tEML4\n",
			},
			"sv.txt: none of the 1 samples, such as X1, is in samples.txt, which has P1-A",
			func(s *Study) error { _, _, _, err := s.StructuralVariants("ALK"); return err },
		},
	} {
		t.Run(name, func(t *testing.T) { errorText(t, name, c.ask(toy(t, c.changes)), c.want) })
	}
	s := toy(t, map[string]string{"case_lists/sequenced.txt": "stable_id: toy_sequenced\ncase_list_ids: P1-A,P1-B, P2-A\n"})
	_, n := mutated(t, s, "TP53")
	equal(t, "samples of a list with commas", n, 3)
}

// Words of VEP and ANNOVAR are MAF classes. Unknown words are listed with their numbers.
func TestClassesOfOtherPrograms(t *testing.T) {
	for class, want := range map[string]string{
		"synonymous_variant": "Silent", "synonymous SNV": "Silent", "Synonymous": "Silent", "silent": "Silent",
		"3UTR": "3'UTR", "UTR5": "5'UTR", "5_prime_UTR_variant": "5'UTR", "intron": "Intron", "intron_variant": "Intron",
		"ncRNA_exonic": "RNA", "lincRNA": "RNA", "intergenic_region": "IGR", "upstream_gene_variant": "5'Flank",
		"stopgain": "Nonsense_Mutation", "nonsynonymous SNV": "Missense_Mutation", "Missense_Mutation": "Missense_Mutation",
		"frameshift deletion": "Frame_Shift_Del", "nonframeshift insertion": "In_Frame_Ins", "FRAMESHIFT_VARIANT": "Frame_Shift",
		"splice_region_variant&intron_variant":         "Splice_Region",
		"missense_variant&splice_region_variant":       "Missense_Mutation",
		"intron_variant,non_coding_transcript_variant": "RNA",
		"UTR5;UTR3": "5'UTR",
	} {
		got, known := NormalizeClass(class)
		equal(t, class, got, want)
		equal(t, class+" is known", known, true)
	}
	for _, class := range []string{"weird", "", "missense_variant&weird"} {
		if got, known := NormalizeClass(class); known || got != class {
			t.Errorf("%q: want itself and false, got %q, %v", class, got, known)
		}
	}
	s := toy(t, map[string]string{"mutations.maf": "Hugo_Symbol\tTumor_Sample_Barcode\tVariant_Classification\n" +
		"TP53\tP1-A\tintron_variant\nTP53\tP1-B\tmissense_variant\nTP53\tP2-A\tweird\nTP53\tP2-A\tNA\n"})
	g, err := s.GeneMutations("TP53", false)
	noError(t, err)
	equal(t, "silent variants", g.Silent, 1)
	equal(t, "mutated samples", g.MutatedSamples, 2)
	equal(t, "unknown classes", strings.Join(s.UnknownClasses(), ", "), "weird (1)")
}

// A panel matrix without a column for structural variants does not say which samples were
// examined.
func TestStructuralVariantsWithoutAList(t *testing.T) {
	s := toy(t, map[string]string{
		"meta_sv.txt":     "genetic_alteration_type: STRUCTURAL_VARIANT\ndatatype: SV\ndata_filename: sv.txt\n",
		"sv.txt":          "Sample_Id\tSite1_Hugo_Symbol\tSite1_Entrez_Gene_Id\tSite2_Hugo_Symbol\nP1-A\tPARK2\t5071\tALK\nP3-A\tCD74\t972\tROS1\nP3-A\tPRKN\t5071\t\n",
		"meta_matrix.txt": panelMatrixMeta, "matrix.txt": "SAMPLE_ID\tmutations\nP1-A\tP\nP2-A\tP\n",
		"gene_panels/p.json": `{"genePanelId":"P","genes":[{"entrezGeneId":5071,"hugoGeneSymbol":"PRKN"}]}`,
	})
	found, on, left, err := s.StructuralVariants("prkn")
	noError(t, err)
	equal(t, "number of variants", len(found), 2)
	equal(t, "no list of profiled samples", on.Unlisted, true)
	equal(t, "excluded rows", left, ExcludedRows{})
	const notice = "No list says which samples of toy were examined for structural variants"
	contains(t, "notices", strings.Join(on.Notices, ""), notice)
}
