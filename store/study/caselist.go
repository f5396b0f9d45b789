package study

import (
	"cmp"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// caseList is a list of samples that the study names, such as those sequenced.
type caseList struct {
	file, stableID, category string
	ours                     bool // its cancer_study_identifier names the study
	samples                  []string
}

// idsOf are the ids of a list: between tabs, or where it has none, between blanks.
func idsOf(list string) (ids []string) {
	if !strings.Contains(list, "\t") {
		return strings.Fields(list)
	}
	for id := range strings.SplitSeq(list, "\t") {
		if id = strings.TrimSpace(id); id != "" {
			ids = append(ids, id)
		}
	}
	return ids
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
		lists = append(lists, caseList{file, meta["stable_id"], meta["case_list_category"], strings.EqualFold(meta["cancer_study_identifier"], s.ID), idsOf(meta["case_list_ids"])})
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
	if l := s.listOf(lists, names.suffixes, names.categories); l != nil {
		return l, nil
	}
	return nil, err
}

// listOf finds a list by its stable id, which begins with that of the study, else by its category, else
// by the end of a stable id that begins with another, as where the study was renamed.
func (s *Study) listOf(lists []caseList, suffixes, categories []string) *caseList {
	first := func(words []string, is func(l caseList, word string) bool) *caseList {
		for _, word := range words {
			if i := slices.IndexFunc(lists, func(l caseList) bool { return is(l, word) }); i >= 0 {
				return &lists[i]
			}
		}
		return nil
	}
	return cmp.Or(
		first(suffixes, func(l caseList, suffix string) bool { return strings.EqualFold(l.stableID, s.ID+suffix) }),
		first(categories, func(l caseList, category string) bool { return strings.EqualFold(l.category, category) }),
		first(suffixes, func(l caseList, suffix string) bool {
			id := strings.ToLower(l.stableID)
			return l.ours && strings.HasSuffix(id, strings.ToLower(suffix)) && !strings.HasPrefix(id, strings.ToLower(s.ID)+"_")
		}))
}
