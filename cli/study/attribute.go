package study

import (
	"fmt"
	"slices"
	"strings"

	"biomcp/cli/command"
	"biomcp/cli/result"
	"biomcp/store/study"
)

// attributeOf is the clinical attribute of an id that a flag has, maybe among others. The
// failure for an unknown one lists all of the study.
func attributeOf(in *command.Input, s *study.Study, flag, id string) (study.Attribute, error) {
	a, err := s.Attribute(id)
	if !study.IsKind(err, study.NotFound) {
		return a, err
	}
	all, _ := s.Attributes() // they could be read
	ids := result.Map(all, func(one study.Attribute) string { return one.ID })
	failure := result.Missing(err.Error()+thereIs(ids), "study", "summary", "--study", s.ID)
	if near := command.Nearest(id, ids); near != "" {
		list := words(in.String(flag))
		if at := slices.Index(list, id); at >= 0 {
			list[at] = near
		}
		failure.Try = in.Again("--"+flag, strings.Join(list, ","))
	}
	return a, failure
}

const shownNames = 40

// thereIs lists what a study has, as far as a line may.
func thereIs(names []string) string {
	if len(names) == 0 {
		return "; there is none"
	}
	more := ""
	if n := len(names) - shownNames; n > 0 {
		more, names = fmt.Sprintf(" and %d more", n), names[:shownNames]
	}
	return "; there is: " + strings.Join(names, ", ") + more
}

// endpointOf is --endpoint. The failure for an unknown one lists all of the study.
func endpointOf(in *command.Input, s *study.Study) (study.Endpoint, error) {
	e, err := s.Endpoint(strings.TrimSpace(in.String("endpoint")))
	if !study.IsKind(err, study.NotFound) {
		return e, err
	}
	list, _ := s.Endpoints() // they could be read
	return e, result.Missing(err.Error(), in.Again("--endpoint", list[0].ID)...)
}

// mutatedGene is a word as a gene that has mutations in the study, "" if it is no such gene: what
// --by has in place of an attribute.
func mutatedGene(s *study.Study, word string) string {
	if _, err := s.Attribute(word); !study.IsKind(err, study.NotFound) {
		return ""
	}
	m, err := s.GeneMutations(strings.ToUpper(strings.TrimSpace(word)), true)
	if err != nil || !m.Seen {
		return ""
	}
	return m.Gene
}

// byGene is the notice that --by was read as a gene.
func byGene(r *result.Result, gene string) {
	r.Notice(gene + " is a gene, and no clinical attribute: --by " + gene + " is read as --gene " + gene)
}
