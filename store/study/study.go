package study

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// A Study is one folder in cBioPortal's format. Opening it reads its meta files; data files are
// read on demand and kept in memory. Its methods may be called concurrently.
type Study struct {
	ID          string `json:"study_id"` // cancer_study_identifier, or else the folder's name
	Name        string `json:"name"`
	ShortName   string `json:"short_name"`
	Description string `json:"description"`
	CancerType  string `json:"cancer_type"` // type_of_cancer, a short code
	Citation    string `json:"citation"`
	PMID        string `json:"pmid"`
	Genome      string `json:"reference_genome"`
	Synthetic   bool   `json:"-"` // the data are synthetic: the meta file has "synthetic: true", a key of ours

	// Problems lists the errors of meta files and data files that cannot be read. Their
	// data is absent; everything else works.
	Problems []error `json:"-"`

	dir, cache string
	shared     string // folder of panels for all studies; "" means the one next to the study
	profiles   []Profile

	samples   func() (*Samples, error)
	lists     func() ([]caseList, error)
	matrix    func() (*panelMatrix, error)
	panels    func() *panelSet
	names     func(symbols []string) map[string][]string // Library.LookupNames
	mutations func() (*mutationTable, error)
	places    func() ([]int, error)
	fusions   func() (*fusionTable, error)
	mu        sync.Mutex
	matrices  map[string]*Matrix
	merged    []string // notices of values that were merged
	assays    sync.Mutex
	coverages map[string]*coverage
}

// addMerged keeps notices of values that were merged.
func (s *Study) addMerged(notices []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.merged = append(s.merged, notices...)
}

// MergedValues returns a sentence for each clinical value, among those read so far, that the file
// writes in several ways.
func (s *Study) MergedValues() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.merged)
}

// Data is the kind of data in a file of a study.
type Data string

const (
	Mutations          Data = "mutations"
	CopyNumber         Data = "cna"
	Expression         Data = "expression"
	StructuralVariants Data = "structural_variants"
	Protein            Data = "protein"
	PatientAttributes  Data = "clinical_patient"
	SampleAttributes   Data = "clinical_sample"
	Timeline           Data = "timeline"
	PanelMatrix        Data = "gene_panel_matrix"
	Other              Data = "other" // listed but not read: methylation, segments, …
)

// A Profile is one data file, as described by its meta file.
type Profile struct {
	Data        Data   `json:"data"`
	StableID    string `json:"stable_id"`
	Type        string `json:"genetic_alteration_type"`
	Datatype    string `json:"datatype"`
	Name        string `json:"name"`
	Description string `json:"description"`
	File        string `json:"file"`       // relative to the study's folder
	GenePanel   string `json:"gene_panel"` // for all its samples, if the meta file names one
	Present     bool   `json:"present"`    // the file exists
}

// Open reads the meta files of the study in dir. It keeps indexes below the folder cache, or
// none if cache is "". Malformed meta files are listed in Problems.
func Open(dir, cache string) (*Study, error) {
	s := newStudy(dir, cache)
	if err := s.readMetas(); err != nil {
		return nil, err
	}
	return s, nil
}

func newStudy(dir, cache string) *Study {
	s := &Study{
		ID: filepath.Base(dir), dir: dir, cache: cacheFolder(cache, dir),
		matrices: map[string]*Matrix{}, coverages: map[string]*coverage{},
	}
	s.samples = sync.OnceValues(s.readSamples)
	s.lists = sync.OnceValues(s.readCaseLists)
	s.matrix = sync.OnceValues(s.readPanelMatrix)
	s.panels = sync.OnceValue(s.readPanels)
	s.mutations = sync.OnceValues(s.readMutations)
	s.places = sync.OnceValues(s.placeMutations)
	s.fusions = sync.OnceValues(s.readFusions)
	return s
}

func (s *Study) readMetas() error {
	names, err := filesOf(s.dir)
	if err != nil {
		return &Error{Kind: Failed, Message: "the folder of the study cannot be read", Err: err}
	}
	for _, name := range names {
		if !strings.HasPrefix(strings.ToLower(name), "meta") || !strings.HasSuffix(strings.ToLower(name), ".txt") {
			continue
		}
		meta, err := s.readMeta(name)
		if err != nil {
			s.Problems = append(s.Problems, err)
			continue
		}
		s.describe(name, meta)
	}
	if i := slices.IndexFunc(names, isData); i >= 0 && len(s.profiles) == 0 && len(s.Problems) == 0 {
		s.Problems = append(s.Problems, &Error{
			Kind: NoData, File: names[i],
			Message: "no meta file names this file: " +
				"a study in cBioPortal's format has a meta_*.txt for each data file, which describes it",
		})
	}
	return nil
}

func isData(name string) bool { return strings.HasPrefix(strings.ToLower(name), "data_") }

// Folder returns the path of the study's folder.
func (s *Study) Folder() string { return s.dir }

// filesOf returns the names of the files in a folder, sorted.
func filesOf(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		if !e.IsDir() {
			names = append(names, e.Name())
		}
	}
	return names, nil
}

// readMeta reads lines such as "name: My study". Its keys are in lower case. A line without a
// colon continues the value above it.
func (s *Study) readMeta(name string) (map[string]string, error) {
	src, r, err := s.read(name)
	if err != nil {
		return nil, err
	}
	defer src.close()
	return parseMeta(newLines(name, r))
}

func parseMeta(l *lines) (map[string]string, error) {
	parts, last := map[string][]string{}, ""
	err := l.each(func(b []byte) error {
		line := strings.TrimSpace(text(b))
		if line == "" || line[0] == '#' {
			return nil
		}
		key, value, ok := strings.Cut(line, ":")
		switch {
		case ok:
			last = strings.ToLower(strings.TrimSpace(key))
			parts[last] = []string{strings.TrimSpace(value)}
		case last == "":
			return l.errorf("", "expected a line such as cancer_study_identifier: my_study")
		default:
			parts[last] = append(parts[last], line)
		}
		return nil
	})
	meta := make(map[string]string, len(parts))
	for key, p := range parts {
		meta[key] = strings.TrimSpace(strings.Join(p, "\t"))
		if len(p) > 1 && strings.Count(meta[key], "\t") == len(p)-1 { // not a list
			meta[key] = strings.Join(strings.Fields(meta[key]), " ")
		}
	}
	return meta, err
}

// describe records the contents of a meta file, which describes the study or a data file.
func (s *Study) describe(file string, meta map[string]string) {
	data := meta["data_filename"]
	if data == "" {
		if meta["genetic_alteration_type"] != "" {
			s.Problems = append(s.Problems, &Error{Kind: Malformed, File: file, Message: "no data_filename"})
			return
		}
		if meta["name"] == "" && meta["type_of_cancer"] == "" {
			return
		}
		if id := meta["cancer_study_identifier"]; id != "" {
			s.ID = id
		}
		s.Name, s.ShortName, s.Description = meta["name"], meta["short_name"], meta["description"]
		s.CancerType, s.Genome = meta["type_of_cancer"], meta["reference_genome"]
		s.Citation, s.PMID, s.Synthetic = meta["citation"], meta["pmid"], meta["synthetic"] == "true"
		return
	}
	p := Profile{
		StableID: meta["stable_id"], Name: meta["profile_name"], Description: meta["profile_description"],
		Type: strings.ToUpper(meta["genetic_alteration_type"]), Datatype: strings.ToUpper(meta["datatype"]),
		File: data, GenePanel: meta["gene_panel"],
	}
	p.Data = dataOf(p.Type, p.Datatype)
	words := strings.ToLower(p.StableID + p.Name)
	isMicroRNA := strings.Contains(words, "mirna") || strings.Contains(words, "microrna")
	if p.Data == Expression && isMicroRNA {
		p.Data = Other
	}
	if src, err := s.open(data); err == nil {
		p.Present = true
		src.close()
	} else if !IsKind(err, NoData) {
		s.Problems = append(s.Problems, err)
	}
	s.profiles = append(s.profiles, p)
}

func dataOf(alteration, datatype string) Data {
	switch alteration {
	case "MUTATION_EXTENDED":
		return Mutations
	case "COPY_NUMBER_ALTERATION":
		if datatype == "SEG" {
			return Other
		}
		return CopyNumber
	case "MRNA_EXPRESSION":
		return Expression
	case "PROTEIN_LEVEL":
		return Protein
	case "STRUCTURAL_VARIANT", "FUSION":
		return StructuralVariants
	case "GENE_PANEL_MATRIX":
		return PanelMatrix
	case "CLINICAL":
		switch datatype {
		case "PATIENT_ATTRIBUTES":
			return PatientAttributes
		case "SAMPLE_ATTRIBUTES", "MIXED_ATTRIBUTES":
			return SampleAttributes
		case "TIMELINE":
			return Timeline
		}
	}
	return Other
}

// Profiles returns the data files that the meta files name, ordered by meta file name.
func (s *Study) Profiles() []Profile { return slices.Clone(s.profiles) }

// Profile returns the file to read for a kind of data: among those present, the one whose
// datatype comes first in prefer (DISCRETE, Z-SCORE, …), or any if none matches. RNA-seq wins
// over arrays (luad_tcga has 517 samples of RNA-seq and 32 of arrays), and then values relative
// to all samples win. ok is false if there is no such file.
func (s *Study) Profile(data Data, prefer ...string) (p Profile, ok bool) {
	best := -1
	for _, candidate := range s.profiles {
		if candidate.Data != data || !candidate.Present {
			continue
		}
		score := 1
		for i, d := range prefer {
			if candidate.Datatype == d {
				score = 4 * (len(prefer) - i + 1)
			}
		}
		if candidate.rnaSeq() || s.normalizeProfileID(candidate.StableID) == "MUTATIONS" { // rather than germline mutations
			score += 2
		}
		if strings.Contains(strings.ToLower(candidate.StableID), "all_sample") {
			score++
		}
		if score > best {
			p, ok, best = candidate, true, score
		}
	}
	return p, ok
}

// rnaSeq reports whether the stable ID marks RNA-seq values, such as
// rna_seq_v2_mrna_median_Zscores.
func (p Profile) rnaSeq() bool { return strings.Contains(strings.ToLower(p.StableID), "rna_seq") }

// similarProfiles returns the other present profiles with the data and datatype of p.
func (s *Study) similarProfiles(p Profile) []Profile {
	return slices.DeleteFunc(s.Profiles(), func(o Profile) bool {
		return o.Data != p.Data || o.Datatype != p.Datatype || !o.Present || o.File == p.File
	})
}

// ComplementaryFiles returns the expression files that complement p: those measured by another
// method (RNA-seq or arrays), and those with samples that p lacks (SU2C has capture and polyA).
func (s *Study) ComplementaryFiles(p Profile) (files []string) {
	m, err := s.Matrix(p)
	if err != nil || p.Data != Expression {
		return nil
	}
	for _, other := range s.profiles {
		if other.Data != Expression || !other.Present || other.File == p.File {
			continue
		}
		if other.rnaSeq() != p.rnaSeq() || m.lacksSampleOf(other) {
			files = append(files, other.File)
		}
	}
	return files
}

// profile is like Profile, but returns an error that explains what the study lacks.
func (s *Study) profile(data Data) (Profile, error) {
	p, ok := s.Profile(data)
	if ok {
		return p, nil
	}
	for _, absent := range s.profiles {
		if absent.Data != data {
			continue
		}
		if src, err := s.open(absent.File); err == nil {
			src.close() // the file appeared after the study was opened
		} else if !IsKind(err, NoData) {
			return p, err
		}
		return p, &Error{
			Kind: NoData, File: absent.File,
			Message: "a meta file of study " + s.ID + " names this file, but it does not exist",
		}
	}
	if len(s.profiles) == 0 && len(s.Problems) > 0 {
		return p, s.Problems[0]
	}
	return p, newError(NoData, "study %s has no %s data", s.ID, data.words())
}

func (d Data) words() string {
	switch d {
	case CopyNumber:
		return "copy-number"
	case StructuralVariants:
		return "structural-variant"
	case PatientAttributes:
		return "clinical patient"
	case SampleAttributes:
		return "clinical sample"
	case Mutations:
		return "mutation"
	}
	return string(d)
}

// Available lists the kinds of data that can be analyzed, in a fixed order: mutations, cna,
// expression, structural_variants, clinical.
func (s *Study) Available() []string {
	available := []string{}
	for _, d := range []Data{Mutations, CopyNumber, Expression, StructuralVariants} {
		if _, ok := s.Profile(d); ok {
			available = append(available, string(d))
		}
	}
	_, patient := s.Profile(PatientAttributes)
	_, sample := s.Profile(SampleAttributes)
	if patient || sample {
		available = append(available, "clinical")
	}
	return available
}
