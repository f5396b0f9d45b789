package clinvar

import (
	"errors"

	"biomcp/entrez/ncbi"
)

// VCV is a record of ClinVar with its submissions. MANE is the transcript of MANE
// Select on which it is named, "" where none is marked. Included says that it was
// only classified together with another variant.
type VCV struct {
	MANE        string
	Included    bool
	Submissions []Submission
}

// Submission is what one submitter says.
type Submission struct {
	Accession    string `json:"scv"`
	Submitter    string `json:"submitter"`
	Kind         string `json:"kind"` // germline, oncogenicity, clinical impact
	Description  string `json:"classification"`
	ReviewStatus string `json:"review_status"`
	Stars        int    `json:"stars"`
	Evaluated    string `json:"evaluated"`
	Condition    string `json:"condition"`
	Drug         string `json:"drug"`
	URL          string `json:"url"` // of the variant
}

type wireRecord struct {
	HGVS []struct {
		MANE      string `xml:"MANESelect,attr"`
		Accession string `xml:"sequenceAccessionVersion,attr"`
	} `xml:"SimpleAllele>HGVSlist>HGVS>NucleotideExpression"`
	Assertions []struct {
		Accession struct {
			Accession string `xml:",attr"`
			Submitter string `xml:"SubmitterName,attr"`
		} `xml:"ClinVarAccession"`
		Classification struct {
			Evaluated    string `xml:"DateLastEvaluated,attr"`
			ReviewStatus string
			Germline     string `xml:"GermlineClassification"`
			Oncogenicity string `xml:"OncogenicityClassification"`
			Impact       struct {
				Text string `xml:",chardata"`
				Drug string `xml:"DrugForTherapeuticAssertion,attr"`
			} `xml:"SomaticClinicalImpact"`
		}
		Names []struct {
			Type string `xml:",attr"`
			Text string `xml:",chardata"`
		} `xml:"TraitSet>Trait>Name>ElementValue"`
	} `xml:"ClinicalAssertionList>ClinicalAssertion"`
}

// ReadVCV reads the record of one variant: ClinVarResult-Set, or the
// ClinVarVariationRelease of ClinVar's files.
func ReadVCV(body []byte) (*VCV, error) {
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
	out := &VCV{Included: x.Archive.Classified == nil, Submissions: []Submission{}}
	record := x.Archive.Classified
	if record == nil {
		record = x.Archive.Included
	}
	if record == nil {
		return nil, errors.New("ClinVar sent a record that is neither classified nor included")
	}
	for _, h := range record.HGVS {
		if h.MANE == "true" {
			out.MANE = h.Accession
		}
	}
	for _, a := range record.Assertions {
		c := a.Classification
		s := Submission{Accession: a.Accession.Accession, Submitter: a.Accession.Submitter, ReviewStatus: c.ReviewStatus, Stars: Stars(c.ReviewStatus), Evaluated: c.Evaluated, Drug: c.Impact.Drug, URL: Page(x.Archive.ID)}
		for _, kind := range [][2]string{{"germline", c.Germline}, {"oncogenicity", c.Oncogenicity}, {"clinical impact", c.Impact.Text}} {
			if kind[1] != "" {
				s.Kind, s.Description = kind[0], kind[1]
			}
		}
		for _, n := range a.Names {
			if s.Condition == "" || n.Type == "Preferred" {
				s.Condition = n.Text
			}
		}
		out.Submissions = append(out.Submissions, s)
	}
	return out, nil
}
