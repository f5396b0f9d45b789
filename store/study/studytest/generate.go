package studytest

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/gzip"
)

// Options specifies the size and form of a study.
type Options struct {
	ID              string
	Seed            uint64
	Patients        int
	SecondSamples   int // patients with a second sample
	Genes           int // number of genes that can be mutated
	Mutations       int
	Matrix          [2]int // genes and samples of copy number and of expression; zero for neither
	Panels          bool   // assay two thirds of the samples on a panel of half the genes, the others on all genes
	Columns         int    // additional clinical columns of patients
	MutationColumns int    // additional columns of the mutation table
	Gzip            bool   // compress the matrices
	WindowsLineEnds bool   // in the clinical files
}

// Small generates the study in package example.
var Small = Options{
	ID: "synthetic_demo", Seed: 11, Patients: 150, SecondSamples: 12, Genes: 40, Mutations: 620,
	Matrix: [2]int{40, 110}, Panels: true,
}

// symbols lists the symbols of the first genes.
var symbols = strings.Fields("TP53 KRAS EGFR PIK3CA PTEN BRAF STK11 KEAP1 NF1 RB1 CDKN2A ATM ARID1A SMAD4 APC " +
	"CTNNB1 ERBB2 MET NRAS IDH1 FGFR3 TERT KMT2D NOTCH1 BRCA1 BRCA2 ALK ROS1 RET MYC CCND1 CDK4 MDM2 VHL PBRM1 " +
	"SETD2 BAP1 GATA3 MAP3K1 FOXA1")

// Gene returns the symbol of gene i, counted from 0.
func Gene(i int) string {
	if i < len(symbols) {
		return symbols[i]
	}
	return fmt.Sprintf("GENE%05d", i)
}

type sample struct {
	id, patient string
	panel       string
}

type generator struct {
	Options
	dir     string
	r       *rand.Rand
	samples []sample
	mutated map[string]bool // patients with a mutation of TP53
	err     error
}

// Write generates the study in the folder o.ID below dir and returns that folder.
func (o Options) Write(dir string) (string, error) {
	g := &generator{
		Options: o, dir: filepath.Join(dir, o.ID), r: rand.New(rand.NewPCG(o.Seed, 0)), mutated: map[string]bool{},
	}
	if err := os.MkdirAll(filepath.Join(g.dir, "case_lists"), 0o755); err != nil {
		return "", err
	}
	g.text("meta_study.txt", "type_of_cancer: mixed\n"+
		"cancer_study_identifier: "+o.ID+"\n"+
		"name: Synthetic cohort\n"+
		"synthetic: true\n"+
		"description: Made by a program from a fixed seed. "+
		"No such patients exist, and nothing about the genes is true.\n"+
		"add_global_case_list: false\n"+
		"reference_genome: hg19\n")
	g.people()
	g.mutations()
	g.clinical()
	if o.Panels {
		g.panels()
	}
	if o.Matrix[0] > 0 {
		g.matrices()
		g.fusions()
	}
	return g.dir, g.err
}

func (g *generator) file(name string, write func(w *bufio.Writer)) {
	if g.err != nil {
		return
	}
	f, err := os.Create(filepath.Join(g.dir, name))
	if err != nil {
		g.err = err
		return
	}
	var out io.Writer = f
	var z *gzip.Writer
	if strings.HasSuffix(name, ".gz") {
		z = gzip.NewWriter(f)
		out = z
	}
	w := bufio.NewWriterSize(out, 1<<20)
	write(w)
	g.err = w.Flush()
	if z != nil && g.err == nil {
		g.err = z.Close()
	}
	if err := f.Close(); g.err == nil {
		g.err = err
	}
}

func (g *generator) text(name, body string) {
	g.file(name, func(w *bufio.Writer) { w.WriteString(body) })
}

func (g *generator) meta(name, lines string) {
	g.text(name, "cancer_study_identifier: "+g.ID+"\n"+lines)
}

func (g *generator) people() {
	for i := range g.Patients {
		patient := fmt.Sprintf("DEMO-%05d", i+1)
		n := 1
		if i < g.SecondSamples {
			n = 2
		}
		for k := range n {
			s := sample{fmt.Sprintf("%s-%02d", patient, k+1), patient, "WXS"}
			if g.Panels && i%3 != 0 {
				s.panel = "DEMO20"
			}
			g.samples = append(g.samples, s)
		}
	}
}

// sequenced reports whether sample i was sequenced, which holds for all but every twentieth.
func (g *generator) sequenced(i int) bool { return i%20 != 19 }

func (g *generator) caseList(suffix, name string, in func(i int) bool) {
	var ids []string
	for i, s := range g.samples {
		if in(i) {
			ids = append(ids, s.id)
		}
	}
	g.meta("case_lists/cases"+suffix+".txt", "stable_id: "+g.ID+suffix+"\n"+
		"case_list_name: "+name+"\n"+
		"case_list_description: "+name+".\n"+
		"case_list_ids: "+strings.Join(ids, "\t")+"\n")
}

var classes = strings.Fields(strings.Repeat("Missense_Mutation ", 5) +
	"Nonsense_Mutation Frame_Shift_Del Frame_Shift_Ins Splice_Site In_Frame_Del Silent Silent 3'UTR Intron")

func (g *generator) mutations() {
	g.meta("meta_mutations.txt", "stable_id: mutations\n"+
		"genetic_alteration_type: MUTATION_EXTENDED\ndatatype: MAF\n"+
		"show_profile_in_analysis_tab: true\n"+
		"profile_name: Mutations\nprofile_description: Made-up mutations.\n"+
		"data_filename: data_mutations.txt\n")
	g.caseList("_all", "All samples", func(int) bool { return true })
	g.caseList("_sequenced", "Samples with mutation data", g.sequenced)
	g.file("data_mutations.txt", func(w *bufio.Writer) {
		w.WriteString("#version 2.4\n" +
			"Hugo_Symbol\tEntrez_Gene_Id\tVariant_Classification\tTumor_Sample_Barcode\tHGVSp_Short\tProtein_position")
		for c := range g.MutationColumns {
			fmt.Fprintf(w, "\tcolumn_%d", c)
		}
		more := strings.Repeat("\tvalue.of-0", g.MutationColumns)
		w.WriteString("\n")
		for n := 0; n < g.Mutations; {
			// The gene's rank is a power of a uniform number, so that few genes are mutated often.
			gene := int(float64(g.Genes) * math.Pow(g.r.Float64(), 2.2))
			i := g.r.IntN(len(g.samples))
			if !g.sequenced(i) || g.samples[i].panel != "WXS" && gene >= g.onPanel() {
				continue
			}
			class := classes[g.r.IntN(len(classes))]
			change, position := place(gene, class, g.r.NormFloat64())
			switch class {
			case "Nonsense_Mutation":
				change = fmt.Sprintf("p.Q%d*", position)
			case "Frame_Shift_Del", "Frame_Shift_Ins":
				change = fmt.Sprintf("p.L%dfs*12", position)
			case "Splice_Site":
				change = fmt.Sprintf("p.X%d_splice", position)
			case "In_Frame_Del":
				change = fmt.Sprintf("p.E%ddel", position)
			case "Silent":
				change = fmt.Sprintf("p.A%d=", position)
			case "3'UTR", "Intron":
				change = ""
			}
			if gene == 0 && change != "" && class != "Silent" {
				g.mutated[g.samples[i].patient] = true
			}
			at := fmt.Sprintf("%d/%d", position, proteinLength(gene))
			if change == "" {
				at = ""
			}
			fmt.Fprintf(w, "%s\t%d\t%s\t%s\t%s\t%s%s\n",
				Gene(gene), 1000+gene, class, g.samples[i].id, change, at, more)
			n++
		}
	})
}

func (g *generator) onPanel() int { return (g.Genes + 1) / 2 }

func (g *generator) panels() {
	genes := make([]string, g.onPanel())
	for i := range genes {
		genes[i] = Gene(i)
	}
	g.text("data_gene_panel_DEMO20.txt", "stable_id: DEMO20\n"+
		"description: A made-up panel.\n"+
		"gene_list: "+strings.Join(genes, "\t")+"\n")
	g.meta("meta_gene_panel_matrix.txt",
		"genetic_alteration_type: GENE_PANEL_MATRIX\ndatatype: GENE_PANEL_MATRIX\n"+
			"data_filename: data_gene_panel_matrix.txt\n")
	g.file("data_gene_panel_matrix.txt", func(w *bufio.Writer) {
		w.WriteString("SAMPLE_ID\tmutations\tstructural_variants\n")
		for i, s := range g.samples {
			panel := s.panel
			if !g.sequenced(i) {
				panel = "NA"
			}
			fmt.Fprintf(w, "%s\t%s\t%s\n", s.id, panel, panel)
		}
	})
}
