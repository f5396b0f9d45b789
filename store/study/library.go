package study

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Library is the folder that holds studies, each in its own folder.
type Library struct{ Dir, Cache string }

// PanelFolder holds panels that any study may name; it is no study.
const PanelFolder = "gene_panels"

// Studies opens every study, sorted by id. One whose folder cannot be read has that
// among its Problems. A folder that is not there holds none.
func (l Library) Studies() ([]*Study, error) {
	entries, err := os.ReadDir(l.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		return []*Study{}, nil
	}
	if err != nil {
		return nil, &Error{Kind: Failed, Message: "the folder of studies cannot be read", Err: err}
	}
	studies := []*Study{}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".") || e.Name() == PanelFolder {
			continue
		}
		dir := filepath.Join(l.Dir, e.Name())
		if info, err := os.Stat(dir); err != nil || !info.IsDir() { // a link to a folder is one
			continue
		}
		s := newStudy(dir, l.Cache)
		if err := s.readMetas(); err != nil {
			s.Problems = append(s.Problems, err)
		}
		studies = append(studies, s)
	}
	slices.SortFunc(studies, func(a, b *Study) int { return cmp.Compare(a.ID, b.ID) })
	return studies, nil
}

// Study opens the study of an id, whatever its case. Else the error is NotFound.
func (l Library) Study(id string) (*Study, error) {
	if id = strings.TrimSpace(id); id == "" {
		return nil, newError(Invalid, "Study ID is required.")
	}
	studies, err := l.Studies()
	if err != nil {
		return nil, err
	}
	for _, s := range studies {
		if strings.EqualFold(s.ID, id) {
			return s, nil
		}
	}
	return nil, newError(NotFound, "no study %q in the folder of studies", id)
}
