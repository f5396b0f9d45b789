package study

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// caseList is a list of samples that the study names, such as those sequenced.
type caseList struct {
	file, stableID, category string
	samples                  []string
}

// readCaseLists reads the lists in the folder case_lists, by the names of their files. With
// an error, which joins those of lists that break the format, come the others.
func (s *Study) readCaseLists() ([]caseList, error) {
	var problems []error
	names, err := filesOf(filepath.Join(s.dir, "case_lists"))
	if os.IsNotExist(err) {
		return nil, nil
	}
	if err != nil {
		return nil, &Error{Kind: Failed, Message: "the folder case_lists cannot be read", Err: err}
	}
	var lists []caseList
	for _, name := range names {
		if !strings.HasSuffix(strings.TrimSuffix(name, ".gz"), ".txt") {
			continue
		}
		file := "case_lists/" + name
		meta, err := s.readMeta(file)
		if err == nil && meta["stable_id"] == "" {
			err = &Error{Kind: Malformed, File: file, Message: "no stable_id"}
		}
		if err != nil {
			problems = append(problems, err)
			continue
		}
		lists = append(lists, caseList{file, meta["stable_id"], meta["case_list_category"], strings.Fields(meta["case_list_ids"])})
	}
	return lists, errors.Join(problems...)
}

// listNames are, for each sort of data, the ends of the stable ids of the list of
// samples that were assayed, and the categories, the first found counts. Expression has lists
// of each method: the columns of its file say who was measured
// (https://docs.cbioportal.org/file-formats/#gene-panel-data).
var listNames = map[Data]struct{ suffixes, categories []string }{
	Mutations:          {[]string{"_sequenced"}, []string{"all_cases_with_mutation_data"}},
	CopyNumber:         {[]string{"_cna", "_gistic", "_log2CNA"}, []string{"all_cases_with_cna_data", "all_cases_with_log2_cna_data"}},
	StructuralVariants: {[]string{"_sv", "_fusion"}, []string{"all_cases_with_sv_data"}},
}

// assayed is the case list of the samples assayed for data of a sort; nil if there is
// none. A list that breaks the format is an error only if it could have been that one.
func (s *Study) assayed(data Data) (*caseList, error) {
	names, has := listNames[data]
	if !has {
		return nil, nil
	}
	lists, err := s.lists()
	for _, suffix := range names.suffixes {
		for i, l := range lists {
			if strings.EqualFold(l.stableID, s.ID+suffix) {
				return &lists[i], nil
			}
		}
	}
	for _, category := range names.categories {
		if i := slices.IndexFunc(lists, func(l caseList) bool { return strings.EqualFold(l.category, category) }); i >= 0 {
			return &lists[i], nil
		}
	}
	return nil, err
}
