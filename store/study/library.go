package study

import (
	"cmp"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A Library is a folder of studies, each in its own folder.
type Library struct {
	Dir, Cache string
	// LookupNames looks up other names of genes, keyed by symbol in upper case: the approved and
	// the previous symbols, for files without Entrez IDs, and the Entrez ID, for files
	// without symbols. It may be nil.
	LookupNames func(symbols []string) map[string][]string
}

// PanelFolder is the folder of gene panels shared by all studies. It is not a study.
const PanelFolder = "gene_panels"

// Studies opens every study and sorts them by ID. If a study's folder cannot be read, the error
// is among its Problems. If the library's folder does not exist, the list is empty. A folder
// that only contains studies, such as public in a clone of the datahub, is searched as well.
func (l Library) Studies() ([]*Study, error) {
	if _, err := os.Stat(filepath.Join(l.Dir, "meta_study.txt")); err == nil {
		return nil, newError(Invalid, "the folder of studies is itself a study: "+
			"BIOMCP_STUDY_DIR must name the folder that holds it")
	}
	studies, err := l.studiesIn(l.Dir, true, l.open)
	if errors.Is(err, fs.ErrNotExist) {
		return []*Study{}, nil
	}
	if err != nil {
		return nil, &Error{Kind: Failed, Message: "the folder of studies cannot be read", Err: err}
	}
	slices.SortStableFunc(studies, func(a, b *Study) int { return cmp.Compare(a.ID, b.ID) })
	return studies, nil
}

// open opens the study in a folder. If it cannot be read, the error is among its Problems.
func (l Library) open(dir string) *Study {
	s := newStudy(dir, l.Cache)
	s.names, s.shared = l.LookupNames, filepath.Join(l.Dir, PanelFolder)
	if err := s.readMetas(); err != nil {
		s.Problems = append(s.Problems, err)
	}
	return s
}

// openID is like open but reads no more meta files than the ID requires.
func (l Library) openID(dir string) *Study {
	const file = "meta_study.txt"
	s := newStudy(dir, "")
	if meta, err := s.readMeta(file); err == nil {
		s.describe(file, meta)
	}
	if s.Name == "" {
		return l.open(dir)
	}
	return s
}

// studiesIn opens the studies in the folders of a folder.
func (l Library) studiesIn(folder string, outer bool, open func(dir string) *Study) ([]*Study, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	studies := []*Study{}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".") || e.Name() == PanelFolder {
			continue
		}
		dir := filepath.Join(folder, e.Name())
		if info, err := os.Stat(dir); err != nil || !info.IsDir() { // Stat follows links
			continue
		}
		s := open(dir)
		these := []*Study{s}
		if len(s.profiles)+len(s.Problems) == 0 && s.Name == "" {
			if !outer {
				continue
			}
			if inner, _ := l.studiesIn(dir, false, open); len(inner) > 0 {
				these = inner
			}
		}
		studies = append(studies, these...)
	}
	return studies, nil
}

// Study opens the study with an ID, ignoring case. It prefers the folder of that name if it
// holds the study. If no folder does, the error is of kind NotFound; if several other folders
// do, it is of kind Invalid.
func (l Library) Study(id string) (*Study, error) {
	if id = strings.TrimSpace(id); id == "" {
		return nil, newError(Invalid, "the id of the study is missing")
	}
	if s := l.openByName(id); s != nil {
		return s, nil
	}
	studies, err := l.Studies()
	if err != nil {
		return nil, err
	}
	studies = slices.DeleteFunc(studies, func(s *Study) bool { return !strings.EqualFold(s.ID, id) })
	switch len(studies) {
	case 0:
		return nil, newError(NotFound, "no local study %q", id)
	case 1:
		return studies[0], nil
	}
	if s := named(studies); s != nil { // the ID was typed in another letter case
		return s, nil
	}
	return nil, newError(Invalid, "%s hold the study %s; keep one of them", foldersOf(studies), studies[0].ID)
}

// named returns the study, among those with the same ID, whose folder has that name, or nil.
func named(same []*Study) *Study {
	for _, s := range same {
		if strings.EqualFold(filepath.Base(s.dir), s.ID) {
			return s
		}
	}
	return nil
}

// Duplicates reports the folders that hold the study with an ID, and which of them is used. It
// returns "" if only one does.
func (l Library) Duplicates(id string) string {
	studies, err := l.studiesIn(l.Dir, true, l.openID)
	if err != nil {
		return ""
	}
	studies = slices.DeleteFunc(studies, func(s *Study) bool { return !strings.EqualFold(s.ID, id) })
	return strings.Join(DuplicateIDs(studies), "")
}

// openByName opens the folder with the ID as its name. It returns nil if the folder does not hold
// that study.
func (l Library) openByName(id string) *Study {
	if !filepath.IsLocal(id) || filepath.Base(id) != id || strings.HasPrefix(id, ".") || id == PanelFolder {
		return nil
	}
	s, err := Open(filepath.Join(l.Dir, id), l.Cache)
	if err != nil || !strings.EqualFold(s.ID, id) {
		return nil
	}
	s.names = l.LookupNames
	return s
}

// DuplicateIDs reports each study ID that occurs more than once, with the folders that hold it and
// which one is used.
func DuplicateIDs(studies []*Study) []string {
	var list []string
	of := map[string][]*Study{}
	for _, s := range studies {
		key := strings.ToLower(s.ID)
		of[key] = append(of[key], s)
	}
	for _, key := range slices.Sorted(maps.Keys(of)) {
		if same := of[key]; len(same) > 1 {
			used := "it cannot be used until only one of them is left"
			if s := named(same); s != nil {
				used = "the folder " + filepath.Base(s.dir) + " is used"
			}
			list = append(list, foldersOf(same)+" hold the study "+same[0].ID+"; "+used)
		}
	}
	return list
}

func foldersOf(studies []*Study) string {
	names := make([]string, len(studies))
	for i, s := range studies {
		names[i] = filepath.Base(s.dir)
	}
	return "the folders " + strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}
