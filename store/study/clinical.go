package study

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// An Attribute is a column of a clinical file.
type Attribute struct {
	ID           string `json:"id"` // in upper case
	Name         string `json:"name"`
	Description  string `json:"description"`
	Type         string `json:"type"` // NUMBER, STRING or BOOLEAN from the header; "" without header lines
	Data         Data   `json:"-"`    // PatientAttributes or SampleAttributes
	Level        string `json:"level"`
	file         string
	column       int
	duplicateErr error // set if the file has two columns with this ID; the first can be shown, but neither analyzed
}

// clinical returns the clinical files, those of patients before those of samples. The main file
// of each level precedes its supplements, such as data_clinical_supp_hypoxia.txt.
func (s *Study) clinical() (files []Profile) {
	for _, d := range []Data{PatientAttributes, SampleAttributes} {
		main, ok := s.Profile(d)
		if ok {
			files = append(files, main)
		}
		for _, p := range s.profiles {
			if p.Data == d && p.Present && p.File != main.File {
				files = append(files, p)
			}
		}
	}
	return files
}

// Attributes returns the columns of the clinical files except the IDs, those of patients first.
// If two files of one level define the same attribute, the first counts. A malformed file is an
// error only if no other file has attributes; otherwise it is among ClinicalFaults.
func (s *Study) Attributes() ([]Attribute, error) {
	var all []Attribute
	var first error
	seen := map[[2]string]bool{} // keyed by ID and level
	for _, p := range s.clinical() {
		list, err := s.attributesOf(p)
		if err != nil && first == nil {
			first = err
		}
		for _, a := range list {
			if key := [2]string{a.ID, string(a.Data)}; !seen[key] {
				seen[key] = true
				all = append(all, a)
			}
		}
	}
	if all == nil && first != nil {
		return nil, first
	}
	if all == nil && s.clinical() == nil {
		_, err := s.profile(PatientAttributes)
		return nil, err
	}
	return all, nil
}

// ClinicalFaults returns the errors of clinical files that the meta files name and that cannot be
// read. Their patients and attributes are absent from every answer.
func (s *Study) ClinicalFaults() (faults []error) {
	for _, p := range s.profiles {
		if p.Data != PatientAttributes && p.Data != SampleAttributes {
			continue
		}
		_, err := s.attributesOf(p)
		if samples, no := s.Samples(); err == nil && no == nil {
			if main, _ := s.Profile(PatientAttributes); main.File == p.File {
				err = samples.fault
			}
		}
		if err != nil {
			faults = append(faults, err)
		}
	}
	return faults
}

func (s *Study) attributesOf(p Profile) ([]Attribute, error) {
	l, h, done, err := s.table(p.File)
	if err != nil {
		return nil, err
	}
	defer done()
	// The comment lines above the header hold names, descriptions, types, sometimes levels, and priorities.
	comment := func(row, column int) string {
		if len(h.comments) < 4 || column >= len(h.comments[row]) {
			return ""
		}
		return strings.TrimSpace(h.comments[row][column])
	}
	var list []Attribute
	for i, name := range h.names {
		id := strings.ToUpper(name)
		if id == "" || id == "PATIENT_ID" || id == "SAMPLE_ID" || h.at[id] != i {
			continue
		}
		a := Attribute{
			ID: id, Name: comment(0, i), Description: comment(1, i), Type: strings.ToUpper(comment(2, i)),
			Data: p.Data, Level: "patient", file: p.File, column: i, duplicateErr: l.checkUnique(h, []int{i}),
		}
		if p.Data == SampleAttributes {
			a.Level = "sample"
		}
		if a.Name == "" {
			a.Name = id
		}
		list = append(list, a)
	}
	return list, nil
}

// DuplicateError returns an error with both places if the file has two columns with the attribute's ID.
// Otherwise it returns nil.
func (a Attribute) DuplicateError() error { return a.duplicateErr }

// Attribute finds a clinical attribute by ID, ignoring case. If both levels have it, the
// patients' attribute wins. An attribute with two columns in its file is an error of kind
// Malformed.
func (s *Study) Attribute(id string) (Attribute, error) {
	all, err := s.Attributes()
	if err != nil {
		return Attribute{}, err
	}
	for _, a := range all {
		if strings.EqualFold(a.ID, strings.TrimSpace(id)) {
			return a, a.duplicateErr
		}
	}
	// The attribute may be missing because its file cannot be read.
	for _, err := range s.ClinicalFaults() {
		return Attribute{}, err
	}
	return Attribute{}, newError(NotFound, "study %s has no clinical attribute %q", s.ID, id)
}

// missing reports whether text marks a clinical value as missing. It uses the words of
// cBioPortal's importer (MissingAttributeValues). A word that could be a real value, such as
// Pending, counts only in brackets.
func missing(b []byte) bool {
	switch strings.ToUpper(string(b)) {
	case "", "NA", "N/A", "NAN", "NULL", "[NULL]", "[NA]", "[UNKNOWN]",
		"NOT AVAILABLE", "NOT APPLICABLE", "[NOT AVAILABLE]", "[NOT APPLICABLE]",
		"NOT_AVAILABLE", "NOT_APPLICABLE", "[NOT_AVAILABLE]", "[NOT_APPLICABLE]",
		"[NOT EVALUATED]", "[PENDING]", "[DISCREPANCY]", "[COMPLETED]":
		return true
	}
	return false
}

// Values holds an attribute's values, "" if missing. The slices must not be modified: Patient
// and Sample share memory if each patient has one sample.
type Values struct {
	Attribute
	Patient []string // by patient; for a sample attribute, the first value among the patient's samples
	Sample  []string // by sample; for a patient attribute, the patient's value
	samples *Samples
}

// OwnLevel returns the values at the attribute's own level: by patient or by sample.
func (v Values) OwnLevel() []string {
	if v.Data == SampleAttributes {
		return v.Sample
	}
	return v.Patient
}

// Values reads attributes, in the given order, with one pass over each file.
func (s *Study) Values(attributes ...Attribute) ([]Values, error) {
	p, err := s.Samples()
	if err != nil {
		return nil, err
	}
	single := p.single()
	out := make([]Values, len(attributes))
	for _, file := range s.clinical() {
		var of []int
		for i, a := range attributes {
			if a.Data == file.Data && a.file == file.File {
				of = append(of, i)
				out[i] = Values{Attribute: a, Patient: make([]string, len(p.Patients)), samples: p}
				if single {
					out[i].Sample = out[i].Patient[:len(p.IDs):len(p.IDs)]
				} else {
					out[i].Sample = make([]string, len(p.IDs))
				}
			}
		}
		if of != nil {
			if err := s.readValues(p, file.Data, of, out); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

func (s *Study) readValues(p *Samples, d Data, of []int, out []Values) error {
	l, h, done, err := s.table(out[of[0]].file)
	if err != nil {
		return err
	}
	defer done()
	idName, number := "PATIENT_ID", p.PatientNumber
	if d == SampleAttributes {
		idName, number = "SAMPLE_ID", p.Number
	}
	wanted := []int{h.column(idName)}
	if wanted[0] < 0 {
		return l.errorf("", "no column %s", idName)
	}
	for _, i := range of {
		wanted = append(wanted, out[i].column)
		delete(h.duplicates, out[i].column) // Attribute already reports the duplicate
	}
	words := make([]dictionary, len(of))
	seen := make(map[int]bool)
	var unknown []string
	err = l.rows(h, wanted, func(f [][]byte) error {
		if len(f[0]) == 0 {
			return l.errorf(idName, "no id")
		}
		at, known := number(text(f[0]))
		if !known {
			unknown = append(unknown, text(f[0]))
			return nil
		}
		if seen[at] && d == SampleAttributes && p.IDs[at] != text(f[0]) {
			return nil // a second TCGA barcode of the same sample
		}
		if seen[at] {
			return l.errorf(idName, "%s appears twice", text(f[0]))
		}
		seen[at] = true
		for k, i := range of {
			if missing(f[k+1]) {
				continue
			}
			v := words[k].words[words[k].number(f[k+1])]
			if d == SampleAttributes {
				out[i].Sample[at] = v
			} else {
				out[i].Patient[at] = v
			}
		}
		return nil
	})
	if err == nil && len(seen) == 0 && len(unknown) > 0 {
		err = newError(Malformed, "none of the %d rows, such as %s, is of a %s of the study",
			len(unknown), unknown[0], out[of[0]].Level)
		err.(*Error).File = out[of[0]].file
	}
	if err != nil {
		return err
	}
	for _, i := range of {
		own := out[i].Patient
		if d == SampleAttributes {
			own = out[i].Sample
		}
		s.addMerged(mergeSpellings(out[i].ID, own))
		for sample, patient := range p.PatientOf {
			if d == PatientAttributes {
				out[i].Sample[sample] = out[i].Patient[patient]
			} else if out[i].Patient[patient] == "" {
				out[i].Patient[patient] = out[i].Sample[sample]
			}
		}
	}
	return nil
}

// Categories returns the distinct values that are not missing, numbers in ascending order
// before words, and words in natural order. It also returns the index of each value in names, -1 if missing.
func Categories(values []string) (names []string, of []int) {
	at := map[string]int{}
	for _, v := range values {
		if _, known := at[v]; !known && v != "" {
			at[v] = 0
			names = append(names, v)
		}
	}
	slices.SortFunc(names, compareNumeric)
	for i, n := range names {
		at[n] = i
	}
	of = make([]int, len(values))
	for i, v := range values {
		if of[i] = -1; v != "" {
			of[i] = at[v]
		}
	}
	return names, of
}

// numericValue parses word as a number. For a bound such as >89 it returns the nearest possible number.
func numericValue(word string) (float64, bool) {
	if b, ok := boundOf(word); ok {
		return b.Nearest, true
	}
	x, err := strconv.ParseFloat(word, 64)
	return x, err == nil
}

// compareNumeric compares two values so that numbers sort by size and precede words.
func compareNumeric(a, b string) int {
	x, isX := numericValue(a)
	y, isY := numericValue(b)
	switch {
	case isX && isY:
		return cmp.Or(cmp.Compare(x, y), strings.Compare(a, b))
	case isX:
		return -1
	case isY:
		return 1
	}
	return CompareNatural(a, b)
}
