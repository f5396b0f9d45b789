// Package sources lists the services that this program asks. From the list follow
// the rows of `health`, the variables of the environment and the tests of failure
// that every source passes.
//
// To add a service, write a package under entrez with its Source and its client
// (entrez/idconv is a small one), a simulator for tests, and a line here.
package sources

import (
	"biomcp/entrez"
	"biomcp/entrez/bulk"
	"biomcp/entrez/cbioportal"
	"biomcp/entrez/cpic"
	"biomcp/entrez/ctgov"
	"biomcp/entrez/dailymed"
	"biomcp/entrez/datasets"
	"biomcp/entrez/ensembl"
	"biomcp/entrez/idconv"
	"biomcp/entrez/litvar"
	"biomcp/entrez/medlineplus"
	"biomcp/entrez/ols"
	"biomcp/entrez/openfda"
	"biomcp/entrez/polite"
	"biomcp/entrez/pubchem"
	"biomcp/entrez/pubmedfiles"
	"biomcp/entrez/pubtator"
	"biomcp/entrez/reactome"
	"biomcp/entrez/rxnav"
	"biomcp/entrez/variation"
)

// All is every source, in the order of the documentation.
func All() []*polite.Source {
	return append([]*polite.Source{&entrez.Source, &pubtator.Source, &idconv.Source, &datasets.Source,
		&variation.Source, &ensembl.Source, &litvar.Source, &cbioportal.Source, &cbioportal.Portal,
		&pubmedfiles.Source, &ctgov.Source, &rxnav.Source, &dailymed.Source, &pubchem.Source, &reactome.Source,
		&cpic.Source, &openfda.Source, &medlineplus.Source, &ols.Source}, bulk.Sources()...)
}
