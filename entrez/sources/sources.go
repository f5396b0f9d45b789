// Package sources lists the services that the program uses. The rows of `health`, the environment
// variables and the failure tests of every source are derived from the list.
//
// To add a service, write a package under entrez with its Source and client (entrez/idconv is a
// small example), write a simulator for tests, and add a line here.
package sources

import (
	"biomcp/entrez"
	"biomcp/entrez/bulk"
	"biomcp/entrez/cbioportal"
	"biomcp/entrez/cpic"
	"biomcp/entrez/ctgov"
	"biomcp/entrez/dailymed"
	"biomcp/entrez/datasets"
	"biomcp/entrez/httpclient"
	"biomcp/entrez/idconv"
	"biomcp/entrez/openfda"
	"biomcp/entrez/pubmedfiles"
	"biomcp/entrez/pubtator"
	"biomcp/entrez/rxnav"
	"biomcp/entrez/services"
	"biomcp/entrez/variation"
)

// All returns every source in the order of the documentation.
func All() []*httpclient.Source {
	return append([]*httpclient.Source{&entrez.Source, &pubtator.Source, &idconv.Source, &datasets.Source,
		&variation.Source, &services.Ensembl, &services.LitVar, &cbioportal.Source, &cbioportal.Portal,
		&pubmedfiles.Source, &ctgov.Source, &rxnav.Source, &dailymed.Source, &services.PubChem, &services.Reactome,
		&cpic.Source, &openfda.Source, &services.MedlinePlus, &services.OLS}, bulk.Sources()...)
}
