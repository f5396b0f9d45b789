package study

import (
	"maps"
	"slices"
	"strings"
)

// exome reports whether a panel name in the panel matrix means that all genes are covered: WES,
// WXS, WGS or a combination of them.
func exome(panel string) bool {
	isSeparator := func(r rune) bool { return strings.ContainsRune("/+,;&_- ", r) }
	words := strings.FieldsFunc(strings.ToUpper(panel), isSeparator)
	return len(words) > 0 && !slices.ContainsFunc(words, func(w string) bool {
		return !slices.Contains([]string{"WES", "WXS", "WGS", "WHOLE", "EXOME", "GENOME"}, w)
	})
}

// A PanelUse is a gene panel that a study uses.
type PanelUse struct {
	ID      string `json:"panel_id"`
	Samples int    `json:"samples"` // assayed on it, for any data
	Genes   int    `json:"genes"`   // 0 if unknown or if All
	All     bool   `json:"all_genes"`
	Known   bool   `json:"known"`
}

// Panels returns the gene panels that samples of the study were assayed on, sorted by ID.
func (s *Study) Panels() ([]PanelUse, error) {
	samples := map[string]map[int]bool{}
	use := func(panel string, sample int) {
		if samples[panel] == nil {
			samples[panel] = map[int]bool{}
		}
		samples[panel][sample] = true
	}
	matrix, err := s.matrix()
	if err != nil {
		return nil, err
	}
	if matrix != nil {
		for _, column := range matrix.columns {
			for sample, at := range column {
				if at > 0 {
					use(matrix.panels[at-1], sample)
				}
			}
		}
	}
	for _, p := range s.profiles {
		if p.GenePanel == "" {
			continue
		}
		all, err := s.Samples()
		if err != nil {
			return nil, err
		}
		for sample := range all.IDs {
			use(p.GenePanel, sample)
		}
	}
	var list []PanelUse
	for _, id := range slices.Sorted(maps.Keys(samples)) {
		if missing([]byte(id)) {
			continue
		}
		p, known := s.panels().byID[strings.ToUpper(id)]
		all := !known && exome(id)
		list = append(list, PanelUse{
			ID: id, Samples: len(samples[id]), Genes: len(p.Genes), All: all, Known: known || all,
		})
	}
	return list, nil
}

// MissingPanels returns the IDs of the panels in use whose genes are unknown, sorted.
func (s *Study) MissingPanels() ([]string, error) {
	panels, err := s.Panels()
	var names []string
	for _, p := range panels {
		if !p.Known {
			names = append(names, p.ID)
		}
	}
	return names, err
}

// A panelMatrix gives the panel on which each sample was assayed, for each profile.
type panelMatrix struct {
	panels []string
	// columns is keyed by the profile's stable ID, in upper case and without the study's ID.
	// Each column holds, by sample, 1 + the index in panels, or 0 if the sample is absent.
	columns  map[string][]int32
	unknown  int // rows whose sample is not in the study
	examples []string
}

// readPanelMatrix reads the panel matrix. It returns nil if the study has none.
func (s *Study) readPanelMatrix() (*panelMatrix, error) {
	p, ok := s.Profile(PanelMatrix)
	if !ok {
		return nil, nil
	}
	samples, err := s.Samples()
	if err != nil {
		return nil, err
	}
	l, h, done, err := s.table(p.File)
	if err != nil {
		return nil, err
	}
	defer done()
	wanted := []int{h.column("SAMPLE_ID")}
	if wanted[0] < 0 {
		return nil, l.errorf("", "no column SAMPLE_ID")
	}
	m := &panelMatrix{columns: map[string][]int32{}}
	var columns [][]int32
	for i, name := range h.names {
		if i != wanted[0] {
			column := make([]int32, len(samples.IDs))
			m.columns[s.normalizeProfileID(name)] = column
			wanted, columns = append(wanted, i), append(columns, column)
		}
	}
	panels, rows := dictionary{}, 0
	err = l.rows(h, wanted, func(f [][]byte) error {
		if len(f[0]) == 0 {
			return l.errorf("SAMPLE_ID", "no sample")
		}
		rows++
		at, known := samples.Number(text(f[0]))
		if !known {
			m.unknown++
			m.examples = append(m.examples, text(f[0]))
			return nil
		}
		for i, column := range columns {
			column[at] = int32(panels.number(f[i+1])) + 1
		}
		return nil
	})
	if err == nil && rows == m.unknown {
		_, err = samples.match(p.File, m.examples)
	}
	m.panels = panels.words
	return m, err
}

// normalizeProfileID normalizes the stable ID of a profile. cBioPortal's importer treats mutations and
// <study>_mutations alike (ImportGenePanelProfileMap).
func (s *Study) normalizeProfileID(name string) string {
	return strings.TrimPrefix(strings.ToUpper(name), strings.ToUpper(s.ID)+"_")
}

// columnFor returns the column for a profile, found by its stable ID or by a usual name for its data.
// It returns nil if there is no such column.
func (m *panelMatrix) columnFor(data Data, stableID string) []int32 {
	usual := map[Data][]string{
		Mutations:          {"MUTATIONS"},
		CopyNumber:         {"CNA", "GISTIC"},
		StructuralVariants: {"STRUCTURAL_VARIANTS", "SV", "FUSION"}, // without such a column their panels are unknown
		Expression:         {"RNA_SEQ_V2_MRNA", "MRNA"},
	}
	for _, name := range append([]string{stableID}, usual[data]...) {
		if c, ok := m.columns[name]; ok {
			return c
		}
	}
	return nil
}

// table opens a table and reads its header. done closes the file.
func (s *Study) table(file string) (l *lines, h *header, closeFile func(), err error) {
	src, r, err := s.read(file)
	if err != nil {
		return nil, nil, nil, err
	}
	l = newLines(src.name, r)
	if h, err = l.header(); err != nil {
		src.close()
		return nil, nil, nil, err
	}
	return l, h, src.close, nil
}
