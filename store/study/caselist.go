package study

import (
	"cmp"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
)

// A caseList is a list of samples in the study's folder case_lists, such as the sequenced
// samples.
type caseList struct {
	file, stableID, category string
	ours                     bool // its cancer_study_identifier names this study
	samples                  []string
}

// idsOf splits a list into its IDs: at tabs if it contains any, otherwise at white space and
// commas, which an ID cannot contain.
func idsOf(list string) (ids []string) {
	if !strings.Contains(list, "\t") {
		return strings.FieldsFunc(list, func(r rune) bool { return unicode.IsSpace(r) || r == ',' })
	}
	for id := range strings.SplitSeq(list, "\t") {
		if id = strings.TrimSpace(id); id != "" {
			ids = append(ids, id)
		}
	}
	return ids
}

// readCaseLists reads the lists in the folder case_lists, ordered by file name. It returns the
// readable lists even if others break the format; the error joins the problems of those.
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
		lists = append(lists, caseList{
			file: file, stableID: meta["stable_id"], category: meta["case_list_category"],
			ours: strings.EqualFold(meta["cancer_study_identifier"], s.ID), samples: idsOf(meta["case_list_ids"]),
		})
	}
	return lists, errors.Join(problems...)
}

// listNames tells how to find the case list of the assayed samples for each kind of data: by
// the suffix of the stable ID, or by category. Earlier entries win. Expression is absent
// because each method has its own list; the columns of the file tell which samples were
// measured (https://docs.cbioportal.org/file-formats/#gene-panel-data).
var listNames = map[Data]struct{ suffixes, categories []string }{
	Mutations: {[]string{"_sequenced"}, []string{"all_cases_with_mutation_data"}},
	CopyNumber: {
		[]string{"_cna", "_gistic", "_log2CNA"},
		[]string{"all_cases_with_cna_data", "all_cases_with_log2_cna_data"},
	},
	StructuralVariants: {[]string{"_sv", "_fusion"}, []string{"all_cases_with_sv_data"}},
}

// assayedList returns the case list of the samples assayed for data, or nil if there is none. A
// malformed list is an error only if the wanted list was not found among the others.
func (s *Study) assayedList(data Data) (*caseList, error) {
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

// listOf finds a case list. It tries the study's ID followed by a suffix, then the category,
// then the suffix after the ID of another study, which occurs in renamed studies.
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
			hasOwnID := strings.HasPrefix(id, strings.ToLower(s.ID)+"_")
			return l.ours && !hasOwnID && strings.HasSuffix(id, strings.ToLower(suffix))
		}))
}
