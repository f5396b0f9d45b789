package eutils

import (
	"context"

	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/entrez"
	"biomcp/entrez/medgen"
	"biomcp/entrez/services"
)

// ConditionNames returns the name of the disease with an id such as OMIM:154700, for a filter that uses
// names. For a word that is not an id it returns no names.
func ConditionNames(ctx context.Context, in *command.Input, value string) (entity.OtherNames, error) {
	name, isID, err := conditionOf(ctx, in, value)
	switch {
	case !isID || err != nil:
		return entity.OtherNames{}, err
	case name == "":
		source := "MedGen"
		if _, isDOID := services.ParseDOID(value); isDOID {
			source = "the Disease Ontology"
		}
		return entity.OtherNames{Description: "an id that " + source + " does not have"}, nil
	}
	return entity.OtherNames{Names: []string{name}, Description: "an id of " + name, ReplaceValue: true}, nil
}

// conditionOf returns the name of the disease with an id in MedGen or the Disease Ontology, or "" if it
// has none. isID reports whether value is such an id.
func conditionOf(ctx context.Context, in *command.Input, value string) (name string, isID bool, err error) {
	id, term, ok := medgen.ParseID(value)
	doid, isDOID := services.ParseDOID(value)
	if medgen.IsCUI(value) {
		id, term, ok = value, value, true
	}
	if !ok && !isDOID {
		return "", false, nil
	}
	network := in.App.Network()
	if isDOID {
		name, err = services.DiseaseLabel(ctx, network, doid)
		return name, true, err
	}
	_, docs, err := entrez.New(network).FindDocs(ctx,
		entrez.SearchParams{DB: "medgen", Term: `"` + term + `"`, RetMax: 20})
	if err != nil {
		return "", true, err
	}
	for _, d := range docs.Items {
		if c := medgen.ParseSummary(d); c.HasID(id) && c.Merged == "" {
			return c.Name, true, nil
		}
	}
	return "", true, docs.Unread()
}
