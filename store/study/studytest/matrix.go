package studytest

import (
	"bufio"
	"fmt"
	"math"
	"strconv"

	"gonum.org/v1/gonum/stat"
)

func (g *generator) matrices() {
	gz := ""
	if g.Gzip {
		gz = ".gz"
	}
	assayed := func(i int) bool { return i < g.Matrix[1] }
	g.meta("meta_cna.txt", "stable_id: gistic\n"+
		"genetic_alteration_type: COPY_NUMBER_ALTERATION\ndatatype: DISCRETE\n"+
		"show_profile_in_analysis_tab: true\n"+
		"profile_name: Copy number\nprofile_description: Made-up copy number.\n"+
		"data_filename: data_cna.txt\n")
	g.caseList("_cna", "Samples with copy number", assayed)
	g.matrix("data_cna.txt"+gz, func(gene int) func(sample int) string {
		cumulative := [4]float64{0.02, 0.14, 0.8, 0.94} // probabilities of −2, −1, 0, 1
		if gene == 2 {
			cumulative[3] = 0.8 // EGFR is often amplified
		}
		return func(int) string {
			x := g.r.Float64()
			for i, c := range cumulative {
				if x < c {
					return strconv.Itoa(i - 2)
				}
			}
			return "2"
		}
	})
	g.meta("meta_expression.txt", "stable_id: rna_seq_v2_mrna\n"+
		"genetic_alteration_type: MRNA_EXPRESSION\ndatatype: CONTINUOUS\n"+
		"show_profile_in_analysis_tab: false\n"+
		"profile_name: mRNA expression\nprofile_description: Made-up expression.\n"+
		"data_filename: data_mrna_seq_v2_rsem.txt\n")
	g.meta("meta_expression_zscores.txt", "stable_id: rna_seq_v2_mrna_median_all_sample_Zscores\n"+
		"genetic_alteration_type: MRNA_EXPRESSION\ndatatype: Z-SCORE\n"+
		"show_profile_in_analysis_tab: true\n"+
		"profile_name: mRNA expression, z-scores\n"+
		"profile_description: Made-up z-scores of log2(1 + x) relative to all samples.\n"+
		"data_filename: data_mrna_seq_v2_rsem_zscores_ref_all_samples.txt\n")
	g.caseList("_rna_seq_v2_mrna", "Samples with mRNA expression", assayed)
	numbers := func(values []float64, digits int) func(sample int) string {
		return func(sample int) string {
			if math.IsNaN(values[sample]) {
				return "NA"
			}
			return strconv.FormatFloat(values[sample], 'f', digits, 64)
		}
	}
	values := g.expression()
	g.matrix("data_mrna_seq_v2_rsem.txt"+gz, func(gene int) func(sample int) string {
		return numbers(values[gene], 2)
	})
	g.matrix("data_mrna_seq_v2_rsem_zscores_ref_all_samples.txt"+gz, func(gene int) func(sample int) string {
		return numbers(zScores(values[gene]), 4)
	})
}

// expression returns the expression of each gene in each sample, with two decimals; NaN if missing.
func (g *generator) expression() [][]float64 {
	n := min(g.Matrix[1], len(g.samples))
	genes := make([][]float64, g.Matrix[0])
	for gene := range genes {
		genes[gene] = make([]float64, n)
		level := math.Log2(50 + 2000*g.r.Float64())
		for i := range n {
			genes[gene][i] = level + 1e-3*g.r.NormFloat64() // noise of the measurement
		}
	}
	for gene, values := range genes {
		for i := range values {
			if g.r.IntN(200) == 0 {
				values[i] = math.NaN()
				continue
			}
			z := g.r.NormFloat64()
			if gene == 1 && g.mutated[g.samples[i].patient] {
				z++ // KRAS is higher if TP53 is mutated
			}
			values[i] = math.Round(100*math.Exp2(values[i]+0.45*z)) / 100
		}
	}
	return genes
}

// zScores returns the z-scores of a gene's expression relative to all samples, as cBioPortal's
// NormalizeExpressionLevels_allsampleref.py computes them for RNA-seq with its options -l and -e: the numbers are
// log2(1 + x), and only values above 0 count for the mean and the standard deviation of the population.
func zScores(values []float64) []float64 {
	var logs, reference []float64
	for _, v := range values {
		logs = append(logs, math.Log2(1+math.Max(0, v)))
		if v > 0 {
			reference = append(reference, logs[len(logs)-1])
		}
	}
	mean, sd := stat.PopMeanStdDev(reference, nil)
	for i := range logs {
		logs[i] = (logs[i] - mean) / sd
	}
	return logs
}

func (g *generator) matrix(name string, of func(gene int) func(sample int) string) {
	g.file(name, func(w *bufio.Writer) {
		w.WriteString("Hugo_Symbol\tEntrez_Gene_Id")
		for i := range min(g.Matrix[1], len(g.samples)) {
			w.WriteString("\t" + g.samples[i].id)
		}
		w.WriteString("\n")
		for gene := range g.Matrix[0] {
			value := of(gene)
			fmt.Fprintf(w, "%s\t%d", Gene(gene), 1000+gene)
			for i := range min(g.Matrix[1], len(g.samples)) {
				w.WriteString("\t")
				w.WriteString(value(i))
			}
			w.WriteString("\n")
		}
	})
}

func (g *generator) fusions() {
	g.meta("meta_sv.txt", "stable_id: structural_variants\n"+
		"genetic_alteration_type: STRUCTURAL_VARIANT\ndatatype: SV\n"+
		"show_profile_in_analysis_tab: true\n"+
		"profile_name: Structural variants\nprofile_description: Made-up structural variants.\n"+
		"data_filename: data_sv.txt\n")
	g.caseList("_sv", "Samples with structural variants", g.sequenced)
	g.file("data_sv.txt", func(w *bufio.Writer) {
		w.WriteString("Sample_Id\tSV_Status\tSite1_Hugo_Symbol\tSite2_Hugo_Symbol\tSite2_Effect_On_Frame\t" +
			"Tumor_Split_Read_Count\tNormal_Split_Read_Count\tEvent_Info\tClass\n")
		partners := [][2]string{{"EML4", "ALK"}, {"CD74", "ROS1"}, {"KIF5B", "RET"}, {"FGFR3", "TACC3"}}
		for i, s := range g.samples {
			if i%23 == 5 && g.sequenced(i) {
				p := partners[g.r.IntN(len(partners))]
				fmt.Fprintf(w, "%s\tSOMATIC\t%s\t%s\tin frame\t%d\t0\t%s-%s fusion\tFUSION\n",
					s.id, p[0], p[1], 5+g.r.IntN(60), p[0], p[1])
			}
		}
	})
	g.meta("meta_timeline_treatment.txt", "genetic_alteration_type: CLINICAL\n"+
		"datatype: TIMELINE\ndata_filename: data_timeline_treatment.txt\n")
	g.file("data_timeline_treatment.txt", func(w *bufio.Writer) {
		w.WriteString("PATIENT_ID\tSTART_DATE\tSTOP_DATE\tEVENT_TYPE\tTREATMENT_TYPE\tAGENT\n")
		for i, s := range g.samples {
			if i%5 == 0 {
				fmt.Fprintf(w, "%s\t%d\t%d\tTREATMENT\tMedical Therapy\tCISPLATIN\n", s.patient, 10+i%20, 100+i%30)
			}
		}
	})
}
