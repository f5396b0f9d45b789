package sets

import "strings"

// CPICRecommendation is CPIC's advice on a drug for one combination of genotypes in one population. The maps have gene
// symbols as keys.
type CPICRecommendation struct {
	Drug           string            `json:"drug" column:"drugname"`
	Guideline      string            `json:"guideline" column:"guidelinename"`
	GuidelineURL   string            `json:"guideline_url" column:"guidelineurl"`
	Key            map[string]string `json:"key"` // values of CPICResult.Lookup, or CPICNoResult for an untested gene
	Phenotypes     map[string]string `json:"phenotypes"`
	ActivityScores map[string]string `json:"activity_scores"`
	Implications   map[string]string `json:"implications"`
	Text           string            `json:"recommendation" column:"drugrecommendation"`
	Classification string            `json:"classification" column:"classification"`
	Population     string            `json:"population" column:"population"`
	Comments       string            `json:"comments" column:"comments"`
}

// CPICPair is a gene and a drug whose effect may depend on it. Testing describes the label of the United
// States. A provisional level may change.
type CPICPair struct {
	Gene         string   `json:"gene" column:"genesymbol"`
	Drug         string   `json:"drug" column:"drugname"`
	Level        string   `json:"level" column:"cpiclevel"`
	Provisional  bool     `json:"provisional"`
	Testing      *string  `json:"testing"`
	Guideline    *string  `json:"guideline"`
	GuidelineURL *string  `json:"guideline_url"`
	PMIDs        []string `json:"pmids"`
}

// CPICGene is a gene with its alleles and the results that its genotypes can have.
type CPICGene struct {
	Symbol  string       `json:"symbol" column:"symbol"`
	Method  string       `json:"method" column:"lookupmethod"` // PHENOTYPE, ACTIVITY_SCORE, ALLELE_STATUS or ""
	NCBI    string       `json:"ncbi_id" column:"ncbiid"`
	HGNC    string       `json:"hgnc_id" column:"hgncid"`
	Results []CPICResult `json:"results"`
	Alleles []string     `json:"alleles"`
}

// CPICResult is the meaning of a genotype. Lookup is its value in the Key of a recommendation: two
// results with the same phenotype may differ in it. ActivityScore is "" if the gene has none.
type CPICResult struct {
	Phenotype     string `json:"phenotype" column:"generesult"`
	ActivityScore string `json:"activity_score" column:"totalactivityscore"`
	Lookup        string `json:"lookup"`
}

// CPICAllele holds the diplotypes of an allele. Partners maps the other allele to the index of the
// diplotype's result in CPICGene.Results. The other allele is "" if a name does not consist of two.
type CPICAllele struct {
	Partners map[string]int `json:"partners"`
}

// CPICDrug is a drug with its RxCUI, or "".
type CPICDrug struct {
	Name  string `json:"name" column:"name"`
	RxCUI string `json:"rxcui" column:"rxnormid"`
}

// CPICGuideline is a guideline. It may list drugs without a recommendation.
type CPICGuideline struct {
	Name  string   `json:"name" column:"guideline_name"`
	URL   string   `json:"url" column:"guideline_url"`
	Drugs []string `json:"drugs"`
}

// CPICChange is the latest entry in CPIC's log of changes.
type CPICChange struct {
	Date string `json:"date" column:"date"` // YYYY-MM-DD
}

// Kinds of CPIC's records. [CPICID] returns the id of one by its kind and name.
const (
	CPICGeneKind      = "gene"
	CPICAlleleKind    = "allele" // named by gene and allele
	CPICDrugKind      = "drug"
	CPICGuidelineKind = "guideline"
	CPICPairKind      = "pair"
	CPICAdviceKind    = "recommendation"
	CPICChangeKind    = "change" // one record without a name
)

// Filter fields of CPIC's pairs, guidelines and recommendations, besides [Gene].
const (
	DrugName  = "drug"
	CPICLevel = "level"
)

// CPICNoResult is the value of a gene that was not tested, in the Key of a recommendation.
const CPICNoResult = "No Result"

// CPICID returns the id of a record.
func CPICID(kind string, names ...string) string {
	return strings.Join(append([]string{kind}, names...), " ")
}

// SplitDiplotype returns the two alleles of a diplotype. Names of alleles may contain "/". If the
// text does not consist of two, the second one is "".
func SplitDiplotype(diplotype string) (first, second string) {
	parts := strings.Split(diplotype, "/")
	if len(parts)%2 == 1 {
		return diplotype, ""
	}
	half := len(parts) / 2
	return strings.TrimSpace(strings.Join(parts[:half], "/")), strings.TrimSpace(strings.Join(parts[half:], "/"))
}
