package oql

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"biomcp/entrez/pattern"
	"biomcp/store/study"
)

// A StudySource provides the data of a study to an [Evaluator].
type StudySource struct {
	Study *study.Study
	// ReadList reads a file of sample or patient IDs for samples(FILE). It is nil if files may not be read.
	ReadList func(name string) ([]string, error)
	// Notices holds the remarks of the study on the data that was read.
	Notices []string
	// Unlisted holds the IDs of lists that the study does not have.
	Unlisted []string
}

// ErrNoFiles is returned by StudySource.SampleList if files may not be read.
var ErrNoFiles = errors.New("samples(FILE) reads a file, which this caller may not")

// Len returns the number of samples, 0 if they are unknown.
func (s *StudySource) Len() int {
	samples, err := s.Study.Samples()
	if err != nil {
		return 0
	}
	return len(samples.IDs)
}

// absent returns err as an Absent if the study or one of its files lacks the data.
func absent(gene string, err error) error {
	switch {
	case study.IsKind(err, study.NoData):
		return &Absent{Err: err}
	case study.IsKind(err, study.NotFound):
		return &Absent{Gene: gene, Err: err}
	}
	return err
}

// Mutations reads the mutations of a gene, which change the protein, without fusions.
func (s *StudySource) Mutations(gene string) (*Mutations, error) {
	g, err := s.Study.GeneMutations(gene, false)
	if err != nil {
		return nil, absent(gene, err)
	}
	s.Notices = append(s.Notices, g.Profiled.Notices...)
	m := &Mutations{Profiled: g.Profiled.Included, HasDriver: g.HasDriver, HasStatus: g.HasStatus}
	for _, v := range g.Variants {
		if class := classOf(v.Class); class != fusionClass {
			from, to := positions(v)
			m.List = append(m.List, MutationEvent{
				Sample: v.Sample, Class: class, Change: strings.TrimPrefix(v.Change, "p."), From: from, To: to,
				Driver: v.Driver, Germline: v.Germline,
			})
		}
	}
	return m, nil
}

const fusionClass = "FUSION"

// classOf returns the class of the language for a class of a mutation file.
func classOf(class string) string {
	name, _ := study.NormalizeClass(class)
	switch name {
	case "Missense_Mutation":
		return "MISSENSE"
	case "Nonsense_Mutation":
		return "NONSENSE"
	case "Translation_Start_Site", "Start_Codon_SNP":
		return "NONSTART"
	case "Nonstop_Mutation", "Stop_Codon_Del":
		return "NONSTOP"
	case "Frame_Shift_Del", "Frame_Shift_Ins", "Frame_Shift", "De_novo_Start_OutOfFrame":
		return "FRAMESHIFT"
	case "In_Frame_Del", "In_Frame_Ins", "In_Frame":
		return "INFRAME"
	case "Splice_Site", "Splice_Region":
		return "SPLICE"
	case "5'Flank":
		return "PROMOTER"
	case "Fusion":
		return fusionClass
	}
	return "OTHER"
}

// endPattern matches the end of a change that affects several positions: E746_A750del.
var endPattern = pattern.Lazy(`^(?:p\.)?[A-Za-z*]*[0-9]+_[A-Za-z*]*([0-9]+)`)

// positions returns the first and the last protein position of a variant, 0 if unknown.
func positions(v study.Variant) (from, to int) {
	if m := endPattern().FindStringSubmatch(v.Change); m != nil {
		if n, err := strconv.Atoi(m[1]); err == nil && n >= v.Position {
			return v.Position, n
		}
	}
	return v.Position, v.Position
}

// Fusions reads the structural variants of a gene. Fusions in the mutation file count if there is
// no file of structural variants.
func (s *StudySource) Fusions(gene string) (*Fusions, error) {
	g, err := s.Study.GeneFusions(gene)
	if study.IsKind(err, study.NoData) {
		return s.mutationFusions(gene, err)
	}
	if err != nil {
		return nil, err
	}
	s.Notices = append(s.Notices, g.Profiled.Notices...)
	f := &Fusions{
		Profiled: g.Profiled.Included, Unlisted: g.Profiled.Unlisted, HasDriver: g.HasDriver, HasStatus: g.HasStatus,
	}
	for _, v := range g.Variants {
		f.List = append(f.List, FusionEvent{
			Sample: v.Sample, Upstream: strings.ToUpper(v.Site1), Downstream: strings.ToUpper(v.Site2),
			Gene1: v.IsSite1, Gene2: v.IsSite2, Driver: v.Driver, Germline: v.Germline,
		})
	}
	return f, nil
}

// mutationFusions reads the fusions among the mutations of a gene. It returns the error none if the
// gene has none.
func (s *StudySource) mutationFusions(gene string, none error) (*Fusions, error) {
	f := &Fusions{Unlisted: true}
	g, err := s.Study.GeneMutations(gene, false)
	if err == nil {
		f.Profiled, f.HasDriver, f.HasStatus = make([]bool, len(g.Mutated)), g.HasDriver, g.HasStatus
		for _, v := range g.Variants {
			if classOf(v.Class) == fusionClass {
				f.List = append(f.List, FusionEvent{
					Sample: v.Sample, Upstream: strings.ToUpper(gene), Gene1: true, Driver: v.Driver, Germline: v.Germline,
				})
			}
		}
	}
	if f.List == nil {
		return nil, &Absent{Err: none}
	}
	return f, nil
}

// Values reads copy number, or z-scores of expression or protein.
func (s *StudySource) Values(kind Kind, gene string) ([]float64, error) {
	data := map[Kind]study.Data{CopyNumber: study.CopyNumber, Expression: study.Expression, Protein: study.Protein}[kind]
	valid := []string{"Z-SCORE"}
	if kind == CopyNumber {
		valid = []string{"DISCRETE", "DISCRETE_LONG"}
	}
	p, ok := s.Study.Profile(data, valid...)
	fits := false
	for _, v := range valid {
		fits = fits || p.Datatype == v || p.Datatype == "" && kind == CopyNumber
	}
	if !ok || !fits {
		form := "z-scores"
		if kind == CopyNumber {
			form = "states from -2 to 2"
		}
		return nil, &Absent{Err: &study.Error{
			Kind: study.NoData, Message: fmt.Sprintf("study %s has no %s as %s", s.Study.ID, kind.words(), form),
		}}
	}
	v, err := s.Study.GeneValues(p, gene)
	if err != nil {
		return nil, absent(gene, err)
	}
	s.Notices = append(s.Notices, v.Profiled.Notices...)
	if kind == CopyNumber {
		for i, x := range v.Values {
			if v.Values[i] = math.NaN(); study.State(x) >= 0 {
				v.Values[i] = float64(study.State(x) - 2)
			}
		}
	}
	return v.Values, nil
}

// Attribute reads the values of a clinical attribute by sample.
func (s *StudySource) Attribute(id string) ([]string, error) {
	a, err := s.Study.Attribute(id)
	if err != nil {
		return nil, err
	}
	v, err := s.Study.Values(a)
	if err != nil {
		return nil, err
	}
	return v[0].Sample, nil
}

// Interval returns the numbers that a clinical value may be.
func (s *StudySource) Interval(value string) (low, high float64) { return study.Interval(value) }

// SampleList reads a list of samples. A patient stands for all of the patient's samples. An ID may follow
// the ID of the study and a colon, as cBioPortal writes it.
func (s *StudySource) SampleList(file string) ([]bool, error) {
	if s.ReadList == nil {
		return nil, ErrNoFiles
	}
	samples, err := s.Study.Samples()
	if err != nil {
		return nil, err
	}
	ids, err := s.ReadList(file)
	if err != nil {
		return nil, err
	}
	in := make([]bool, len(samples.IDs))
	for _, id := range ids {
		if before, after, found := strings.Cut(id, ":"); found && strings.EqualFold(before, s.Study.ID) {
			id = after
		}
		if i, known := samples.Number(id); known {
			in[i] = true
			continue
		}
		patient, known := samples.PatientNumber(id)
		if !known {
			s.Unlisted = append(s.Unlisted, id)
			continue
		}
		for _, i := range samples.ByPatient[patient] {
			in[i] = true
		}
	}
	return in, nil
}
