package study

import (
	"path/filepath"
	"slices"
	"strings"
)

// Panel is a gene panel: the genes that an assay covers.
type Panel struct {
	ID    string
	genes map[string]bool // in upper case
}

// exome are the names by which the panel matrix says that every gene is covered.
func exome(panel string) bool {
	switch strings.ToUpper(panel) {
	case "WES", "WXS", "WGS", "WXS/WGS", "WES/WGS", "WHOLE EXOME", "WHOLE GENOME":
		return true
	}
	return false
}

// readPanels finds gene panels in the folder of the study, in its gene_panels, and in
// the gene_panels next to the studies: files with a stable_id and a gene_list.
func (s *Study) readPanels() map[string]Panel {
	panels := map[string]Panel{}
	for _, dir := range []string{s.dir, filepath.Join(s.dir, PanelFolder), filepath.Join(filepath.Dir(s.dir), PanelFolder)} {
		names, err := filesOf(dir)
		if err != nil {
			continue
		}
		folder := &Study{dir: dir}
		for _, name := range names {
			if dir == s.dir && !strings.Contains(strings.ToLower(name), "panel") || slices.ContainsFunc(s.profiles, func(p Profile) bool { return dir == s.dir && p.File == name }) {
				continue
			}
			meta, err := folder.readMeta(name)
			if err != nil || meta["stable_id"] == "" || meta["gene_list"] == "" {
				continue
			}
			id := strings.ToUpper(meta["stable_id"])
			if _, known := panels[id]; known {
				continue
			}
			p := Panel{meta["stable_id"], map[string]bool{}}
			for _, g := range strings.Fields(meta["gene_list"]) {
				p.genes[strings.ToUpper(g)] = true
			}
			panels[id] = p
		}
	}
	return panels
}

// MissingPanels are the panels that samples of the study were assayed on and whose
// genes are not known, sorted.
func (s *Study) MissingPanels() ([]string, error) {
	var names []string
	if matrix, err := s.matrix(); err != nil {
		return nil, err
	} else if matrix != nil {
		names = slices.Clone(matrix.panels)
	}
	for _, p := range s.profiles {
		if p.GenePanel != "" {
			names = append(names, p.GenePanel)
		}
	}
	names = slices.DeleteFunc(names, func(name string) bool {
		_, known := s.panels()[strings.ToUpper(name)]
		return known || exome(name) || missing([]byte(name))
	})
	slices.Sort(names)
	return slices.Compact(names), nil
}

// panelMatrix says on which panel a sample was assayed, for each profile.
type panelMatrix struct {
	panels  []string
	columns map[string][]int32 // by the profile's stable id in upper case, then by sample: 1 + its place in panels, 0 if not named
	unknown int                // samples that the study does not know
}

// readPanelMatrix returns nil if the study has no matrix.
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
			m.columns[strings.ToUpper(name)] = column
			wanted, columns = append(wanted, i), append(columns, column)
		}
	}
	panels := dictionary{}
	err = l.rows(h, wanted, func(f [][]byte) error {
		if len(f[0]) == 0 {
			return l.errorf("SAMPLE_ID", "no sample")
		}
		at, known := samples.Number(text(f[0]))
		if !known {
			m.unknown++
			return nil
		}
		for i, column := range columns {
			column[at] = int32(panels.of(f[i+1])) + 1
		}
		return nil
	})
	m.panels = panels.words
	return m, err
}

// of are the panels of samples for a profile: by its stable id, or by a usual name of
// data of its sort. nil if the matrix has no such column.
func (m *panelMatrix) of(data Data, stableID string) []int32 {
	usual := map[Data][]string{
		Mutations:          {"MUTATIONS"},
		CopyNumber:         {"CNA", "GISTIC"},
		StructuralVariants: {"STRUCTURAL_VARIANTS", "SV", "FUSION", "MUTATIONS"}, // older matrices count fusions as mutations
		Expression:         {"RNA_SEQ_V2_MRNA", "MRNA"},
	}
	for _, name := range append([]string{strings.ToUpper(stableID)}, usual[data]...) {
		if c, ok := m.columns[name]; ok {
			return c
		}
	}
	return nil
}

// table opens a table at its first row. done closes the file.
func (s *Study) table(file string) (l *lines, h *header, done func(), err error) {
	src, err := s.open(file)
	if err != nil {
		return nil, nil, nil, err
	}
	r, err := src.reader()
	if err == nil {
		l = newLines(src.name, r)
		h, err = l.header()
	}
	if err != nil {
		src.close()
		return nil, nil, nil, err
	}
	return l, h, src.close, nil
}
