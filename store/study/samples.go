package study

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Samples lists the samples of a study, in the order of its clinical sample file, and their
// patients. This package refers to a sample or patient by its index here.
type Samples struct {
	IDs           []string       // sample IDs
	Patients      []string       // patient IDs, in order of appearance
	PatientOf     []int          // patient of each sample
	ByPatient     [][]int        // samples of each patient
	Basis         string         // file that names the samples, or "samples of …" without a clinical sample file
	DuplicateRows int            // excluded rows: further TCGA barcodes of a sample
	number        map[string]int // sample index by sampleID
	patient       map[string]int
	fault         error // why the patient file cannot be read
}

// Samples returns the samples of the study. Without a clinical sample file it uses the case
// list of all samples, or else the mutation table, and treats each sample as a patient.
func (s *Study) Samples() (*Samples, error) { return s.samples() }

func newSamples(basis string) *Samples {
	return &Samples{Basis: basis, number: map[string]int{}, patient: map[string]int{}}
}

// add appends a sample and reports whether it is new.
func (p *Samples) add(sample, patient string) bool {
	id := sampleID(sample)
	if _, known := p.number[id]; known {
		return false
	}
	i, known := p.patient[patient]
	if !known {
		i = len(p.Patients)
		p.patient[patient] = i
		p.Patients = append(p.Patients, patient)
		p.ByPatient = append(p.ByPatient, nil)
	}
	p.number[id] = len(p.IDs)
	p.ByPatient[i] = append(p.ByPatient[i], len(p.IDs))
	p.IDs = append(p.IDs, sample)
	p.PatientOf = append(p.PatientOf, i)
	return true
}

// single reports whether every sample has the same index as its patient.
func (p *Samples) single() bool {
	for sample, patient := range p.PatientOf {
		if sample != patient {
			return false
		}
	}
	return true
}

// numbers returns the indexes of samples, -1 for an unknown sample.
func (p *Samples) numbers(ids []string) []int {
	places := make([]int, len(ids))
	for i, id := range ids {
		at, ok := p.Number(id)
		if !ok {
			at = -1
		}
		places[i] = at
	}
	return places
}

// match returns the indexes of the samples that a file names, -1 for an unknown one. If the study
// has none of them, match returns an error: the file belongs to other samples.
func (p *Samples) match(file string, ids []string) ([]int, error) {
	places := p.numbers(ids)
	if len(ids) == 0 || slices.ContainsFunc(places, func(at int) bool { return at >= 0 }) {
		return places, nil
	}
	err := newError(Malformed, "none of the %d samples, such as %s, is in %s", len(ids), ids[0], p.Basis)
	if len(p.IDs) > 0 {
		err.Message += ", which has " + p.IDs[0]
	}
	if _, ok := p.PatientNumber(ids[0]); ok {
		err.Message = fmt.Sprintf("it names patients, such as %s, where samples belong, such as %s", ids[0], p.IDs[0])
	}
	err.File = file
	return nil, err
}

// Number returns the index of a sample. ok is false if the study does not have it.
func (p *Samples) Number(id string) (index int, ok bool) {
	index, ok = p.number[sampleID(id)]
	return index, ok
}

// sampleID returns the ID by which samples are compared. It cuts a TCGA barcode after the two
// digits of the sample type and adds type 01 if absent, as cBioPortal's importer does
// (StableIdUtil). Other IDs are unchanged.
func sampleID(id string) string {
	if !strings.HasPrefix(id, "TCGA-") {
		return id
	}
	id = strings.Replace(strings.Replace(id, "Tumor", "01", 1), "Normal", "11", 1)
	switch {
	case strings.Count(id, "-") < 3:
		return id + "-01"
	case len(id) > 15 && isSampleBarcode(id[:15]):
		return id[:15]
	}
	return id
}

// isSampleBarcode reports whether a TCGA barcode of 15 characters ends with a sample type, as
// TCGA-02-0001-01 does.
func isSampleBarcode(id string) bool {
	isDigit := func(c byte) bool { return c >= '0' && c <= '9' }
	hasParts := strings.Count(id, "-") == 3 && id[7] == '-' && id[12] == '-'
	return hasParts && isDigit(id[13]) && isDigit(id[14])
}

// PatientNumber returns the index of a patient. ok is false if the study does not have it.
func (p *Samples) PatientNumber(id string) (index int, ok bool) {
	index, ok = p.patient[id]
	return index, ok
}

func (s *Study) readSamples() (*Samples, error) {
	profile, ok := s.Profile(SampleAttributes)
	if !ok {
		return s.samplesElsewhere()
	}
	p := newSamples(profile.File)
	l, h, done, err := s.table(profile.File)
	if err != nil {
		return nil, err
	}
	defer done()
	sample, patient := h.column("SAMPLE_ID"), h.column("PATIENT_ID")
	if sample < 0 || patient < 0 {
		return nil, l.errorf("", "the columns SAMPLE_ID and PATIENT_ID are required")
	}
	err = l.rows(h, []int{sample, patient}, func(f [][]byte) error {
		if len(f[0]) == 0 {
			return l.errorf("SAMPLE_ID", "no sample")
		}
		if len(f[1]) == 0 {
			return l.errorf("PATIENT_ID", "no patient")
		}
		if id := text(f[0]); !p.add(id, text(f[1])) {
			if at, _ := p.Number(id); p.IDs[at] == id {
				return l.errorf("SAMPLE_ID", "sample %s appears twice", id)
			}
			p.DuplicateRows++
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	s.addPatients(p)
	return p, nil
}

// addPatients adds the patients of the patient file who have no sample. A fault of the file is
// among ClinicalFaults, and an error of each analysis that reads the file.
func (s *Study) addPatients(p *Samples) {
	profile, ok := s.Profile(PatientAttributes)
	if !ok {
		return
	}
	known, rows, example := len(p.Patients), 0, ""
	defer func() {
		if p.fault == nil && rows > 0 && known > 0 && len(p.Patients) == known+rows {
			fault := newError(Malformed, "none of the %d patients, such as %s, is in %s, which has %s",
				rows, example, p.Basis, p.Patients[0])
			fault.File, p.fault = profile.File, fault
		}
	}()
	p.fault = s.eachPatient(profile, func(name string) {
		rows, example = rows+1, cmp.Or(example, name)
		if _, known := p.patient[name]; !known && name != "" {
			p.patient[name] = len(p.Patients)
			p.Patients = append(p.Patients, name)
			p.ByPatient = append(p.ByPatient, nil)
		}
	})
}

// eachPatient calls fn for each row of a patient file.
func (s *Study) eachPatient(profile Profile, fn func(name string)) error {
	l, h, done, err := s.table(profile.File)
	if err != nil {
		return err
	}
	defer done()
	id := h.column("PATIENT_ID")
	if id < 0 {
		return l.errorf("", "no column PATIENT_ID")
	}
	return l.rows(h, []int{id}, func(f [][]byte) error {
		fn(text(f[0]))
		return nil
	})
}

func (s *Study) samplesElsewhere() (*Samples, error) {
	lists, err := s.lists()
	if l := s.listOf(lists, []string{"_all"}, []string{"all_cases_in_study"}); l != nil {
		p := newSamples("samples of " + l.file)
		for _, id := range l.samples {
			p.add(id, id)
		}
		s.addPatients(p)
		return p, nil
	}
	if err != nil {
		return nil, err
	}
	t, err := s.mutations()
	if err != nil {
		return nil, newError(NoData, "study %s has no clinical sample file, no list of all cases and no mutations, "+
			"so its samples are unknown", s.ID)
	}
	p := newSamples("samples of " + t.File)
	for _, id := range slices.Concat(t.Samples, t.Sequenced) {
		p.add(id, id)
	}
	return p, nil
}
