package study

import (
	"fmt"
	"slices"
	"strings"

	"biomcp/cli/command"
	"biomcp/cli/result"
	"biomcp/store/study"
)

// attributeOf returns the clinical attribute with an ID from a flag's list. The error for an
// unknown ID lists the study's attributes.
func attributeOf(in *command.Input, s *study.Study, flag, id string) (study.Attribute, error) {
	a, err := s.Attribute(id)
	if !study.IsKind(err, study.NotFound) {
		return a, err
	}
	all, _ := s.Attributes() // Attribute has read them without error
	ids := result.Map(all, func(attr study.Attribute) string { return attr.ID })
	failure := result.Missing(err.Error()+availableNames(ids), "study", "summary", "--study", s.ID)
	if near := command.Nearest(id, ids); near != "" {
		list := words(in.String(flag))
		if at := slices.Index(list, id); at >= 0 {
			list[at] = near
		}
		failure.Try = in.LineWith("--"+flag, strings.Join(list, ","))
	}
	return a, failure
}

const shownNames = 40

// availableNames returns the end of an error message that lists the available names, up to shownNames.
func availableNames(names []string) string {
	if len(names) == 0 {
		return "; none available"
	}
	more := ""
	if n := len(names) - shownNames; n > 0 {
		more, names = fmt.Sprintf(" and %d more", n), names[:shownNames]
	}
	return "; available: " + strings.Join(names, ", ") + more
}

// endpointOf returns the endpoint named by --endpoint. The error for an unknown one lists the
// study's endpoints.
func endpointOf(in *command.Input, s *study.Study) (study.Endpoint, error) {
	e, err := s.Endpoint(strings.TrimSpace(in.String("endpoint")))
	if !study.IsKind(err, study.NotFound) {
		return e, err
	}
	list, _ := s.Endpoints() // Endpoint has read them without error
	ids := result.Map(list, func(e study.Endpoint) string { return e.ID })
	try := result.Argv{"study", "summary", "--study", s.ID} // another endpoint would be another question
	if near := command.Nearest(in.String("endpoint"), ids); near != "" && len(near) > 3 {
		try = in.LineWith("--endpoint", near)
	}
	return e, result.Missing(err.Error(), try...)
}

// mutatedGene returns word as a gene symbol if the study has mutations of that gene and no
// attribute of that name; otherwise it returns "". It lets --by accept a gene.
func mutatedGene(s *study.Study, word string) string {
	if _, err := s.Attribute(word); !study.IsKind(err, study.NotFound) {
		return ""
	}
	m, err := s.GeneMutations(strings.ToUpper(strings.TrimSpace(word)), true)
	if err != nil || !m.HasRows {
		return ""
	}
	return m.Gene
}

// noteByGene adds the notice that --by was interpreted as a gene.
func noteByGene(r *result.Result, gene string) {
	r.Notice(gene + " is a gene, not a clinical attribute: --by " + gene + " is read as --gene " + gene)
}
