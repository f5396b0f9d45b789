package clinvartable_test

import (
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
)

// header is the header of the file, with its 43 columns.
const header = "#AlleleID\tType\tName\tGeneID\tGeneSymbol\tHGNC_ID\tClinicalSignificance\tClinSigSimple\tLastEvaluated\tRS# (dbSNP)\t" +
	"nsv/esv (dbVar)\tRCVaccession\tPhenotypeIDS\tPhenotypeList\tOrigin\tOriginSimple\tAssembly\tChromosomeAccession\t" +
	"Chromosome\tStart\tStop\tReferenceAllele\tAlternateAllele\tCytogenetic\tReviewStatus\tNumberSubmitters\tGuidelines\t" +
	"TestedInGTR\tOtherIDs\tSubmitterCategories\tVariationID\tPositionVCF\tReferenceAlleleVCF\tAlternateAlleleVCF\t" +
	"SomaticClinicalImpact\tSomaticClinicalImpactLastEvaluated\tReviewStatusClinicalImpact\tOncogenicity\t" +
	"OncogenicityLastEvaluated\tReviewStatusOncogenicity\tSCVsForAggregateGermlineClassification\t" +
	"SCVsForAggregateSomaticClinicalImpact\tSCVsForAggregateOncogenicityClassification\n"

// generate writes synthetic lines of the real shape: about 440 bytes each, two for most variants, genes with some
// 250 variants each, one variant in fifty a copy number.
func generate(w io.Writer, variants int) {
	random := rand.New(rand.NewPCG(1, 2))
	classes := []string{"Uncertain significance", "Uncertain significance", "Uncertain significance", "Likely benign", "Likely benign",
		"Benign", "Pathogenic", "Likely pathogenic", "Conflicting classifications of pathogenicity", "Benign/Likely benign", "Pathogenic/Likely pathogenic"}
	reviews := []string{"criteria provided, single submitter", "criteria provided, single submitter",
		"criteria provided, multiple submitters, no conflicts", "no assertion criteria provided", "reviewed by expert panel"}
	residues := []string{"Ala", "Arg", "Asn", "Asp", "Cys", "Gln", "Glu", "Gly", "His", "Ile", "Leu", "Lys", "Met", "Phe", "Pro", "Ser", "Thr", "Trp", "Tyr", "Val"}
	condition := func() (name, ids string) {
		switch n := random.IntN(9000); {
		case n < 3000:
			return "not provided", "MedGen:C3661900"
		case n < 4000:
			return "not specified", "MedGen:CN169374"
		case n < 5000:
			return "Hereditary cancer-predisposing syndrome", "MONDO:MONDO:0015356,MeSH:D009386,MedGen:C0027672,Orphanet:140162"
		case n < 5500:
			return "Inborn genetic diseases", "MeSH:D030342,MedGen:C0950123"
		default:
			return fmt.Sprintf("Synthetic disorder of kind %d, autosomal recessive %d", n, n%40),
				fmt.Sprintf("MONDO:MONDO:%07d,MedGen:C%07d,OMIM:%d,Orphanet:%d", n*7, n*31, 100000+n, n)
		}
	}
	io.WriteString(w, header)
	scv := 1000000
	for i := range variants {
		gene := fmt.Sprintf("GENE%d", i/250)
		transcript := fmt.Sprintf("NM_%06d.%d", 1000+i/250*7, i/250%8+1)
		position := 10_000 + i%250*137 + random.IntN(137)
		from, to := "ACGT"[random.IntN(4):][:1], "ACGT"[random.IntN(4):][:1]
		kind, protein, cds := "single nucleotide variant", "", position/9
		change := fmt.Sprintf("c.%d%s>%s", cds, from, to)
		switch n := random.IntN(100); {
		case n < 55:
			protein = fmt.Sprintf(" (p.%s%d%s)", residues[random.IntN(20)], cds/3, residues[random.IntN(20)])
		case n < 75:
			protein = fmt.Sprintf(" (p.%s%d=)", residues[random.IntN(20)], cds/3)
		case n < 90:
			change = fmt.Sprintf("c.%d+%d%s>%s", cds, 1+random.IntN(40), from, to)
		default:
			kind, protein = "Deletion", fmt.Sprintf(" (p.%s%dfs)", residues[random.IntN(20)], cds/3)
			change, from, to = fmt.Sprintf("c.%ddel", cds), from+to, from
		}
		name, hgnc, vcf := transcript+"("+gene+"):"+change+protein, fmt.Sprint("HGNC:", i/250), "1"
		rs, nsv, caid := fmt.Sprint(1_000_000+random.IntN(2_000_000_000)), "-", fmt.Sprintf("ClinGen:CA%d", 100000+i*97)
		if i%50 == 49 {
			name = fmt.Sprintf("GRCh38/hg38 %dq21.1(chr%d:%d-%d)x3", i%22+1, i%22+1, position, position+400_000)
			kind, gene, hgnc, vcf, rs, nsv, caid = "copy number gain", fmt.Sprintf("subset of 3 genes: GENE%d:GENE%d:GENE%d", i/250, i/250+1, i/250+2), "-", "-1", "-1", fmt.Sprint("nsv", i), ""
		}
		var names, ids, rcvs, scvs []string
		for range 1 + random.IntN(3)*random.IntN(2) {
			n, id := condition()
			names, ids = append(names, n), append(ids, id)
			rcvs = append(rcvs, fmt.Sprintf("RCV%09d", scv))
			scvs = append(scvs, fmt.Sprintf("SCV%09d", 2*scv))
			scv += 1 + random.IntN(3)
		}
		for a, assembly := range []string{"GRCh37", "GRCh38"} {
			start := 1_000_000 + i/250*60_000 + position + a*31_337
			vcfStart, ref, alt := fmt.Sprint(start), from, to
			if vcf == "-1" {
				vcfStart, ref, alt = "-1", "na", "na"
			}
			fmt.Fprintf(w, "%d\t%s\t%s\t%d\t%s\t%s\t%s\t0\tFeb %02d, 2025\t%s\t%s\t%s\t%s\t%s\tgermline\tgermline\t%s\tNC_%06d.%d\t%d\t%d\t%d\tna\tna\t%dq21.1\t%s\t%d\t-\tN\t%s\t2\t%d\t%s\t%s\t%s\t-\t-\t-\t-\t-\t-\t%s\t-\t-\n",
				15000+i, kind, name, i/250, gene, hgnc, classes[(i*7+i/11)%len(classes)], i%28+1, rs, nsv, strings.Join(rcvs, "|"),
				strings.Join(ids, "|"), strings.Join(names, "|"), assembly, i/250%22+1, 10+a, i/250%22+1, start, start+len(from)-1, i/250%22+1,
				reviews[(i*3+i/7)%len(reviews)], len(scvs), caid, 20+i*2, vcfStart, ref, alt, strings.Join(scvs, "|"))
		}
	}
}
