package clinvar

import (
	"errors"

	"biomcp/entrez/ncbi"
)

// VCV is a record of ClinVar with its submissions. MANE is the transcript of MANE
// Select on which it is named, "" where none is marked. Included says that it was
// only classified together with another variant.
type VCV struct {
	Accession   string
	MANE        string
	HGVS        []string
	Included    bool
	Submissions []Submission
}

// Submission is what one submitter says. Kind is germline, oncogenicity or clinical
// impact.
type Submission struct {
	Accession, Submitter, Kind, Description, ReviewStatus, Evaluated, Condition, Drug string
}

type wireAllele struct {
	HGVS []struct {
		Nucleotide struct {
			MANE       string `xml:"MANESelect,attr"`
			Accession  string `xml:"sequenceAccessionVersion,attr"`
			Expression string
		} `xml:"NucleotideExpression"`
		Protein struct {
			Expression string
		} `xml:"ProteinExpression"`
	} `xml:"HGVSlist>HGVS"`
}

type wireRecord struct {
	Allele     wireAllele `xml:"SimpleAllele"`
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
		Traits []struct {
			Names []struct {
				Value struct {
					Type string `xml:",attr"`
					Text string `xml:",chardata"`
				} `xml:"ElementValue"`
			} `xml:"Name"`
		} `xml:"TraitSet>Trait"`
	} `xml:"ClinicalAssertionList>ClinicalAssertion"`
}

// ReadVCV reads the record of one variant: ClinVarResult-Set, or the
// ClinVarVariationRelease of ClinVar's files.
func ReadVCV(body []byte) (*VCV, error) {
	var x struct {
		Archive *struct {
			Accession  string      `xml:",attr"`
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
	out := &VCV{Accession: x.Archive.Accession, Included: x.Archive.Classified == nil, HGVS: []string{}, Submissions: []Submission{}}
	record := x.Archive.Classified
	if record == nil {
		record = x.Archive.Included
	}
	if record == nil {
		return nil, errors.New("ClinVar sent a record that is neither classified nor included")
	}
	for _, h := range record.Allele.HGVS {
		if h.Nucleotide.MANE == "true" {
			out.MANE = h.Nucleotide.Accession
		}
		out.HGVS = append(out.HGVS, ncbi.List([]string{h.Nucleotide.Expression, h.Protein.Expression})...)
	}
	for _, a := range record.Assertions {
		c := a.Classification
		s := Submission{Accession: a.Accession.Accession, Submitter: a.Accession.Submitter, ReviewStatus: c.ReviewStatus, Evaluated: c.Evaluated, Drug: c.Impact.Drug}
		for _, kind := range [][2]string{{"germline", c.Germline}, {"oncogenicity", c.Oncogenicity}, {"clinical impact", c.Impact.Text}} {
			if kind[1] != "" {
				s.Kind, s.Description = kind[0], kind[1]
			}
		}
		for _, t := range a.Traits {
			for _, n := range t.Names {
				if s.Condition == "" || n.Value.Type == "Preferred" {
					s.Condition = n.Value.Text
				}
			}
		}
		out.Submissions = append(out.Submissions, s)
	}
	return out, nil
}
