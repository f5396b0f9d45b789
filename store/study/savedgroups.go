package study

import (
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"biomcp/store/replace"
)

// A SavedGroup is a named expression that defines a group of samples.
type SavedGroup struct {
	Name       string `json:"group_name"`
	Expression string `json:"expression"`
	// Lists holds the IDs of the samples of each samples(NAME) of the expression, by name.
	Lists map[string][]string `json:"sample_lists,omitempty"`
}

// groupsFile holds the saved groups of a study, in its folder.
const groupsFile = "biomcp_groups.json"

// SavedGroups returns the groups saved with the study, sorted by name.
func (s *Study) SavedGroups() ([]SavedGroup, error) {
	list := []SavedGroup{}
	b, err := os.ReadFile(filepath.Join(s.dir, groupsFile))
	if errors.Is(err, fs.ErrNotExist) {
		return list, nil
	}
	if err != nil {
		return nil, &Error{Kind: Failed, File: groupsFile, Message: "the saved groups cannot be read", Err: err}
	}
	if err := json.Unmarshal(b, &list); err != nil {
		return nil, &Error{Kind: Malformed, File: groupsFile, Message: "it is not a list of saved groups", Err: err}
	}
	return list, nil
}

// SaveGroup saves a group, replacing the one of the same name, ignoring case.
func (s *Study) SaveGroup(g SavedGroup) error {
	list, err := s.SavedGroups()
	if err != nil {
		return err
	}
	list = append(slices.DeleteFunc(list, g.sameName), g)
	slices.SortFunc(list, func(a, b SavedGroup) int { return CompareNatural(a.Name, b.Name) })
	return s.writeGroups(list)
}

// RemoveGroup removes a saved group. It reports whether the study had it.
func (s *Study) RemoveGroup(name string) (removed bool, err error) {
	list, err := s.SavedGroups()
	if err != nil {
		return false, err
	}
	kept := slices.DeleteFunc(slices.Clone(list), SavedGroup{Name: name}.sameName)
	if len(kept) == len(list) {
		return false, nil
	}
	return true, s.writeGroups(kept)
}

func (g SavedGroup) sameName(other SavedGroup) bool { return strings.EqualFold(g.Name, other.Name) }

func (s *Study) writeGroups(list []SavedGroup) error {
	err := replace.File(filepath.Join(s.dir, groupsFile), func(w io.Writer) error {
		e := json.NewEncoder(w)
		e.SetEscapeHTML(false)
		e.SetIndent("", "  ")
		return e.Encode(list)
	})
	if err != nil {
		return &Error{Kind: Failed, File: groupsFile, Message: "the saved groups cannot be written", Err: err}
	}
	return nil
}
