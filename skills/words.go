package skills

import (
	"regexp"
	"strings"
	"sync"
)

// abbreviations are words in capitals that are not symbols of genes.
var abbreviations = sync.OnceValue(func() map[string]bool {
	return set(`ID IDS PMID PMIDS PMC PMCID PMCIDS DOI DOIS RIS NBIB CSL JSON APA AMA MLA BIBTEX MESH PRISMA AND OR NOT US USA UK EU WHO NIH NCBI API FDA EMA
		COVID SARS HIV AIDS DNA RNA PCR CT MRI PET ECG ICU BMI RCT CRISPR CAR FASTQ VCF BAM ASCO ESMO TCGA MSK KM HR OS PFS DFS DSS II III IV TNF IL GLP LDL HDL
		COPD NSCLC ALS MS CVD CKD IBS IBD ADHD PTSD CSV TSV PDF AI ML
		VUS SNP QT HGVS SPDI HGNC GTR HPO OMIM MONDO IVD CPIC CVX MVX ATC GO FAERS`)
})

func isAbbreviation(word string) bool { return abbreviations()[word] }

// frame are words that say how a question is asked, not what it is about.
var frame = sync.OnceValue(func() map[string]bool {
	return set(`a an and any are about above after all also am as at be been being best before both but by can could cover covers did do does doing each else ever
		for from get gets give given go goes had has have having he help how i i'd i'm if in into is it its just keep let like list look made make many me might more
		most much must my need needs newer no not now of off on one ones only or other our out over own per please pull put say says see set she should show so some
		sure than that the their them then there these they thing things this those through to too up us use used uses using want was way we well were what what's
		when where which who whose why will with without would yes you your
		true claim evidence support check verify test refute whether
		reduce reduces reduced prevent prevents cause causes lower lowers increase increases improve improves raise raises effective effect effects benefit benefits
		work works harm harms risk safe associated linked
		article articles paper papers publication publications published study studies literature pubmed record records document documents corpus collection database
		search searches searching systematic systematically scoping review reviews reproducible repeat strategy boolean query prisma document report reported run
		build design write writing find finds found add save saved store stored start organise organize
		cite cites cited citing citation citations reference references bibliography manuscript list snowballing forward backward similar builds newer work
		retracted retraction retractions retract erratum errata correction corrections withdrawn expression expressions concern concerns avoid
		sync synced date update updates updated weekly daily monthly regular regularly week day month year years annual new refresh monitor local offline copy disk machine
		internet network last since every decade count counts number trend trends grown grow plot research topic
		ask asks tell talk talks mention mentions mentioned passage passages semantic
		read full text whole abstract section sections part parts method methods result results discussion table tables open access available long tokens wasting
		export format bibtex ris nbib endnote zotero mendeley vancouver apa ama mla style file latex
		convert map pmid pmids pmcid pmcids doi dois id ids incomplete printed
		mesh term terms heading headings subject controlled vocabulary free-text entry synonyms indexed index descriptor
		annotate annotations extract named names entity entities pubtator
		library note notes project folder thesis markdown tags tag collection
		notify monday tuesday wednesday thursday friday saturday sunday morning fresh supervisor good best right correct exhaustive comprehensive thorough repeatable
		changed appeared identify supported supports proven years yearly track download current belongs related mean meaning doing string
		randomised randomized trial trials`)
})

func isFrame(word string) bool { return frame()[word] }

func set(words string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(words) {
		out[w] = true
	}
	return out
}

// fields are the words that a place of a command takes: several only for ids.
func fields(value, name string) []string {
	if name == "ids" {
		return strings.Fields(value)
	}
	return []string{value}
}

// lazy is a pattern that is compiled when it is first used.
func lazy(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}
