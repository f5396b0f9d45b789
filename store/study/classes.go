package study

import (
	"fmt"
	"slices"
	"strings"
	"sync"
)

// mafClasses lists the variant classes of the MAF format, the most severe first, with the words
// of VEP (Sequence Ontology) and ANNOVAR that vcf2maf gives the class
// (https://github.com/mskcc/vcf2maf; https://annovar.openbioinformatics.org). Case, blanks and
// punctuation do not matter. A class may have several lines.
const mafClasses = `
Splice_Site: splice_acceptor_variant splice_donor_variant transcript_ablation exon_loss_variant splicing
Splice_Site: exonicsplicing splice
Nonsense_Mutation: stop_gained stopgain stopgain_SNV nonsense stopgained
Frame_Shift_Del: frameshift_deletion
Frame_Shift_Ins: frameshift_insertion
Frame_Shift: frameshift_variant frameshift frameshift_truncation frameshift_elongation
Frame_Shift: frameshift_substitution frameshift_block_substitution
Nonstop_Mutation: stop_lost stoploss stoploss_SNV nonstop
Translation_Start_Site: start_lost startloss initiator_codon_variant start_site
In_Frame_Del: inframe_deletion disruptive_inframe_deletion conservative_inframe_deletion
In_Frame_Del: nonframeshift_deletion
In_Frame_Ins: inframe_insertion disruptive_inframe_insertion conservative_inframe_insertion
In_Frame_Ins: nonframeshift_insertion
In_Frame: nonframeshift_substitution nonframeshift_block_substitution protein_altering_variant
In_Frame: inframe_variant
Missense_Mutation: non_synonymous_coding missense_variant missense nonsynonymous_SNV nonsynonymous
Missense_Mutation: nonsynonymous_variant rare_amino_acid_variant coding_sequence_variant
Missense_Mutation: conservative_missense_variant
De_novo_Start_InFrame:
De_novo_Start_OutOfFrame:
Start_Codon_SNP: start_codon_ins start_codon_del
Stop_Codon_Del: stop_codon_ins
Fusion:
Splice_Region: splice_region_variant splice_donor_region_variant splice_donor_5th_base_variant
Splice_Region: splice_polypyrimidine_tract_variant
Targeted_Region:
Silent: synonymous_coding synonymous_variant synonymous_SNV synonymous synonymous_mutation
Silent: stop_retained_variant start_retained_variant silent_mutation silent_variant
Silent: incomplete_terminal_codon_variant
5'UTR: 5_prime_UTR_variant 5_prime_UTR_premature_start_codon_gain_variant UTR5 UTR_5
5'UTR: five_prime_UTR_variant 5_prime_UTR
3'UTR: 3_prime_UTR_variant UTR3 UTR_3 three_prime_UTR_variant 3_prime_UTR
RNA: lincRNA non_coding_transcript_exon_variant non_coding_transcript_variant nc_transcript_variant
RNA: non_coding_exon_variant mature_miRNA_variant ncRNA ncRNA_exonic ncRNA_intronic ncRNA_splicing
RNA: ncRNA_exonicsplicing ncRNA_UTR3 ncRNA_UTR5 NMD_transcript_variant
Intron: intron_variant intronic intragenic intragenic_variant conserved_intron_variant
5'Flank: upstream_gene_variant upstream 5_flank promoter
3'Flank: downstream_gene_variant downstream 3_flank
IGR: intergenic_variant intergenic_region intergenic regulatory_region_variant TF_binding_site_variant
IGR: TFBS_ablation
`

// A mafClass is a class with its rank; a smaller rank is more severe.
type mafClass struct {
	name string
	rank int
}

var classByWord = sync.OnceValue(func() map[string]mafClass {
	table := map[string]mafClass{}
	for rank, line := range strings.Split(strings.TrimSpace(mafClasses), "\n") {
		name, words, _ := strings.Cut(line, ":")
		for _, w := range append(strings.Fields(words), name) {
			table[classKey(w)] = mafClass{name, rank}
		}
	}
	return table
})

// classKey keeps the letters and digits of a class, in lower case.
func classKey(class string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			return r
		}
		return -1
	}, class)
}

// NormalizeClass returns the MAF class of a variant class of MAF, VEP or ANNOVAR, the most severe
// one of a list such as missense_variant&splice_region_variant. If the class is unknown, it
// returns class itself and false.
func NormalizeClass(class string) (name string, known bool) {
	table := classByWord()
	if c, ok := table[classKey(class)]; ok {
		return c.name, true
	}
	isSeparator := func(r rune) bool { return strings.ContainsRune("&,;|+/", r) }
	best := mafClass{rank: len(table)}
	parts := strings.FieldsFunc(class, isSeparator)
	for _, part := range parts {
		if c, ok := table[classKey(part)]; ok && c.rank < best.rank {
			best = c
		}
	}
	if best.name == "" || slices.ContainsFunc(parts, func(p string) bool { return table[classKey(p)].name == "" }) {
		return class, false
	}
	return best.name, true
}

// UnknownClasses lists the variant classes of the mutation file that NormalizeClass does not
// know, with their numbers of rows, such as "weird (3)". These variants count as changing the
// protein.
func (s *Study) UnknownClasses() (classes []string) {
	t, err := s.mutations()
	if err != nil {
		return nil
	}
	counts := make([]int, len(t.Classes))
	for _, c := range t.Class {
		counts[c]++
	}
	for i, c := range t.Classes {
		if _, known := NormalizeClass(c); !known && c != unknownClass {
			classes = append(classes, fmt.Sprintf("%s (%d)", c, counts[i]))
		}
	}
	slices.Sort(classes)
	return classes
}
