package clinvar

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"biomcp/entrez/assembly"
	"biomcp/entrez/ncbi"
)

// A VCV is ClinVar's record of a variant with its submissions. Lists are never nil.
type VCV struct {
	MANE                string // accession of the MANE Select transcript, "" if none is marked
	CAID                string // ID in ClinGen's Allele Registry
	GnomAD              string // position and bases on GRCh38 as gnomAD writes them: 7-140753336-A-T
	Conditions          []ConditionClassification
	PastClassifications []PastClassification // classifications that were replaced
	Conflicts           []Conflict           // conflicting submissions, counted
	Submissions         []Submission
}

// A ConditionClassification is the classification of a variant for one condition, or for several at once.
type ConditionClassification struct {
	Accession   string `json:"rcv"`
	Condition   string `json:"name"`
	CUI         string `json:"cui"`  // MedGen; "" if there are several conditions
	Kind        string `json:"kind"` // one of Kinds
	Description string `json:"classification"`
	// type and significance of a clinical impact: "therapeutic: sensitivity/response"
	Impact       string `json:"impact"`
	Stars        int    `json:"stars"`
	ReviewStatus string `json:"review_status"`
	Evaluated    string `json:"evaluated"`
	Submissions  string `json:"submissions"`
}

// A PastClassification is a classification that was replaced on a day.
type PastClassification struct {
	Kind        string `json:"kind"`
	Description string `json:"classification"`
	Until       string `json:"until"`
}

// A Conflicts counts the submissions by classification if they conflict.
type Conflict struct {
	Kind string `json:"kind"`
	Text string `json:"submissions"` // Pathogenic(1); Uncertain significance(2)
}

// A Submission is the classification by one submitter.
type Submission struct {
	Accession    string `json:"scv"`
	Submitter    string `json:"submitter"`
	Kind         string `json:"kind"` // one of Kinds
	Description  string `json:"classification"`
	Impact       string `json:"impact"` // as in ConditionClassification
	ReviewStatus string `json:"review_status"`
	Stars        int    `json:"stars"`
	Evaluated    string `json:"evaluated"`
	Flag         string `json:"flag"` // reason why ClinVar does not count it
	Condition    string `json:"condition"`
	Drug         string `json:"drug"`
	Comment      string `json:"comment"` // the submitter's explanation
	// CollectionMethod lists methods such as "clinical testing" or "literature only", joined by "; ".
	CollectionMethod string `json:"collection_method"`
	URL              string `json:"url"` // the variant's page

	Functional []FunctionalEvidence `json:"functional_evidence,omitzero"` // nil if unknown
}

// FunctionalEvidence is the result of an assay of a variant's function, the evidence that the
// criteria PS3 and BS3 of ACMG ask for.
type FunctionalEvidence struct {
	Effect      string `json:"effect"`      // functionally abnormal, functionally normal
	Consequence string `json:"consequence"` // LOSS_OF_FUNCTION, effect on RNA splicing
	Result      string `json:"result"`      // a score or text
	Method      string `json:"method"`      // in vitro, in vivo
	Assay       string `json:"assay"`
	Comment     string `json:"comment"`
}

// wireKinds holds an element for each kind of classification, in the order of [Kinds].
type wireKinds[T any] struct {
	Germline     T `xml:"GermlineClassification"`
	Oncogenicity T `xml:"OncogenicityClassification"`
	Impact       T `xml:"SomaticClinicalImpact"`
	Unclassified T `xml:"NoClassification"`
}

// FlaggedStatus is the review status of a submission that ClinVar does not count
// (https://www.ncbi.nlm.nih.gov/clinvar/docs/curation/).
const FlaggedStatus = "flagged submission"

// wireImpact holds the attributes of a clinical impact.
type wireImpact struct {
	Type         string `xml:"ClinicalImpactAssertionType,attr"`
	Significance string `xml:"ClinicalImpactClinicalSignificance,attr"`
}

func (w wireImpact) String() string { return strings.Trim(w.Type+": "+w.Significance, ": ") }

// Kinds lists the kinds of classification. The last is the kind of submissions that only give
// evidence.
var Kinds = [4]string{"germline", "oncogenicity", "clinical impact", "no classification"}

func (k wireKinds[T]) all() [4]T { return [4]T{k.Germline, k.Oncogenicity, k.Impact, k.Unclassified} }

type wireObservation struct {
	Method []struct{ MethodType, AssayType string }
	Data   []struct {
		FunctionalEffect, FunctionalConsequence []string
		Comments                                []string `xml:"FunctionalConsequenceComment"`
		Result                                  []string
	} `xml:"FunctionalData"`
}

// functional returns the functional evidence of an observation.
func (w *wireObservation) functional() (all []FunctionalEvidence) {
	var methods, assays []string
	for _, m := range w.Method {
		methods, assays = append(methods, m.MethodType), append(assays, m.AssayType)
	}
	join := func(texts []string) string { return oneLine(strings.Join(ncbi.List(texts), "; ")) }
	for _, d := range w.Data {
		all = append(all, FunctionalEvidence{
			join(d.FunctionalEffect), join(d.FunctionalConsequence), join(d.Result), join(methods), join(assays),
			join(d.Comments),
		})
	}
	return all
}

type wireRecord struct {
	HGVS []struct {
		MANE      string `xml:"MANESelect,attr"`
		Accession string `xml:"sequenceAccessionVersion,attr"`
	} `xml:"SimpleAllele>HGVSlist>HGVS>NucleotideExpression"`
	XRefs []struct {
		ID string `xml:",attr"`
		DB string `xml:",attr"`
	} `xml:"SimpleAllele>XRefList>XRef"`
	Places []struct {
		Assembly, Chr string `xml:",attr"`
		Position      string `xml:"positionVCF,attr"`
		Ref           string `xml:"referenceAlleleVCF,attr"`
		Alt           string `xml:"alternateAlleleVCF,attr"`
	} `xml:"SimpleAllele>Location>SequenceLocation"`
	RCV []struct {
		Accession  string `xml:",attr"`
		Conditions []struct {
			DB   string `xml:",attr"`
			ID   string `xml:",attr"`
			Name string `xml:",chardata"`
		} `xml:"ClassifiedConditionList>ClassifiedCondition"`
		Classifications wireKinds[struct {
			ReviewStatus string
			Descriptions []struct {
				Evaluated   string `xml:"DateLastEvaluated,attr"`
				Submissions string `xml:"SubmissionCount,attr"`
				Text        string `xml:",chardata"`
				wireImpact
			} `xml:"Description"`
		}] `xml:"RCVClassifications"`
	} `xml:"RCVList>RCVAccession"`
	Classifications wireKinds[struct {
		Explanation string
		History     []struct {
			Dated       string `xml:",attr"`
			Description string
		} `xml:"DescriptionHistory"`
	}]
	Assertions []struct {
		ID        string `xml:",attr"`
		Accession struct {
			Accession string `xml:",attr"`
			Submitter string `xml:"SubmitterName,attr"`
		} `xml:"ClinVarAccession"`
		Classification struct {
			Evaluated    string `xml:"DateLastEvaluated,attr"`
			ReviewStatus string
			Comments     []string `xml:"Comment"`
			wireKinds[struct {
				Text string `xml:",chardata"`
				Drug string `xml:"DrugForTherapeuticAssertion,attr"`
				wireImpact
			}]
		}
		Comments []struct {
			Type string `xml:",attr"`
			Text string `xml:",chardata"`
		} `xml:"Comment"`
		Observed []wireObservation `xml:"ObservedInList>ObservedIn"`
		Traits   []struct {
			Names []struct {
				Type string `xml:",attr"`
				Text string `xml:",chardata"`
			} `xml:"Name>ElementValue"`
		} `xml:"TraitSet>Trait"`
	} `xml:"ClinicalAssertionList>ClinicalAssertion"`
	Mappings []struct {
		Assertion string `xml:"ClinicalAssertionID,attr"`
		MedGen    struct {
			Name string `xml:",attr"`
		}
	} `xml:"TraitMappingList>TraitMapping"`
}

// ParseVCV parses the record of one variant. The document is a ClinVarResult-Set, or a ClinVarVariationRelease of
// ClinVar's files.
func ParseVCV(body []byte) (*VCV, error) {
	var x struct {
		Archive *struct {
			ID         string      `xml:"VariationID,attr"`
			Classified *wireRecord `xml:"ClassifiedRecord"`
			Included   *wireRecord `xml:"IncludedRecord"`
		} `xml:"VariationArchive"`
	}
	if err := ncbi.DecodeXML(body, &x); err != nil {
		return nil, err
	}
	if x.Archive == nil {
		return nil, errors.New("ClinVar sent no record of the variant")
	}
	record := cmp.Or(x.Archive.Classified, x.Archive.Included)
	if record == nil {
		return nil, errors.New("ClinVar sent a record that is neither classified nor included")
	}
	out := &VCV{
		Conditions:          []ConditionClassification{},
		PastClassifications: []PastClassification{},
		Conflicts:           []Conflict{},
		Submissions:         []Submission{},
	}
	record.names(out)
	record.classifications(out)
	record.submissions(out, Page(x.Archive.ID))
	return out, nil
}

func (w *wireRecord) names(out *VCV) {
	for _, h := range w.HGVS {
		if h.MANE == "true" {
			out.MANE = h.Accession
		}
	}
	for _, x := range w.XRefs {
		if x.DB == "ClinGen" {
			out.CAID = x.ID
		}
	}
	for _, p := range w.Places {
		if p.Assembly == assembly.GRCh38 && p.Position != "" && p.Ref+p.Alt != "" {
			out.GnomAD = strings.Join([]string{p.Chr, p.Position, p.Ref, p.Alt}, "-")
		}
	}
}

func (w *wireRecord) classifications(out *VCV) {
	for i, c := range w.Classifications.all() {
		if text := oneLine(c.Explanation); text != "" {
			out.Conflicts = append(out.Conflicts, Conflict{Kinds[i], text})
		}
		for _, h := range c.History {
			out.PastClassifications = append(out.PastClassifications, PastClassification{Kinds[i], oneLine(h.Description), h.Dated})
		}
	}
	for _, r := range w.RCV {
		var names []string
		cui := ""
		for _, c := range r.Conditions {
			if names = append(names, oneLine(c.Name)); c.DB == "MedGen" && len(r.Conditions) == 1 {
				cui = c.ID
			}
		}
		for i, c := range r.Classifications.all() {
			for _, d := range c.Descriptions {
				out.Conditions = append(out.Conditions, ConditionClassification{
					Accession: r.Accession, Condition: strings.Join(names, "; "), CUI: cui, Kind: Kinds[i],
					Description: words(d.Text), Impact: d.wireImpact.String(),
					Stars: Stars(c.ReviewStatus), ReviewStatus: oneLine(c.ReviewStatus),
					Evaluated: d.Evaluated, Submissions: d.Submissions,
				})
			}
		}
	}
}

// words returns a classification as text. ClinVar writes "evidence_only" if a
// submission does not classify.
func words(text string) string { return strings.ReplaceAll(oneLine(text), "_", " ") }

// oneLine returns text without line ends and runs of spaces. Some records are indented within a name.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

func (w *wireRecord) submissions(out *VCV, page string) {
	mappedNames := map[string][]string{} // condition names by submission ID, for submissions that give only IDs
	for _, m := range w.Mappings {
		if name := oneLine(m.MedGen.Name); name != "" && !slices.Contains(mappedNames[m.Assertion], name) {
			mappedNames[m.Assertion] = append(mappedNames[m.Assertion], name)
		}
	}
	for _, a := range w.Assertions {
		c := a.Classification
		s := Submission{
			Accession: a.Accession.Accession, Submitter: a.Accession.Submitter,
			ReviewStatus: oneLine(c.ReviewStatus), Stars: Stars(c.ReviewStatus), Evaluated: c.Evaluated, URL: page,
			Functional: []FunctionalEvidence{},
		}
		var methods []string
		for _, o := range a.Observed {
			s.Functional = append(s.Functional, o.functional()...)
			for _, m := range o.Method {
				if name := oneLine(m.MethodType); name != "" && !slices.Contains(methods, name) {
					methods = append(methods, name)
				}
			}
		}
		s.CollectionMethod = strings.Join(methods, "; ")
		for i, k := range c.all() {
			if oneLine(k.Text) != "" {
				s.Kind, s.Description, s.Impact, s.Drug = Kinds[i], words(k.Text), k.wireImpact.String(), k.Drug
			}
		}
		for _, n := range a.Comments { // "Reason: …", "Notes: None"
			if reason, ok := strings.CutPrefix(oneLine(n.Text), "Reason: "); ok && n.Type == "FlaggedComment" {
				s.Flag = reason
			}
		}
		var conditions []string
		for _, t := range a.Traits {
			name := ""
			for _, n := range t.Names {
				if name == "" || n.Type == "Preferred" {
					name = oneLine(n.Text)
				}
			}
			if name != "" && !slices.Contains(conditions, name) {
				conditions = append(conditions, name)
			}
		}
		if len(conditions) == 0 {
			conditions = mappedNames[a.ID]
		}
		s.Condition = strings.Join(conditions, "; ")
		s.Comment = oneLine(strings.Join(c.Comments, " "))
		out.Submissions = append(out.Submissions, s)
	}
}
