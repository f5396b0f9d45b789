// Package sourcestest simulates the sources of package sources on the server of a
// test: one line for each.
package sourcestest

import (
	"biomcp/entrez/bulk/bulktest"
	"biomcp/entrez/cbioportal/cbioportaltest"
	"biomcp/entrez/cpic/cpictest"
	"biomcp/entrez/ctgov/ctgovtest"
	"biomcp/entrez/datasets/datasetstest"
	"biomcp/entrez/ensembl/ensembltest"
	"biomcp/entrez/litvar/litvartest"
	"biomcp/entrez/medlineplus/medlineplustest"
	"biomcp/entrez/ols/olstest"
	"biomcp/entrez/openfda/openfdatest"
	"biomcp/entrez/reactome/reactometest"
	"biomcp/entrez/rxnav/rxnavtest"
	"biomcp/entrez/sourcetest"
	"biomcp/entrez/variation/variationtest"
)

// AddTo makes the server simulate them all, apart from those of NCBI that entreztest
// is. It returns the datahub of cBioPortal, to which archives can be added.
func AddTo(s *sourcetest.Server) *cbioportaltest.Datahub {
	hub := cbioportaltest.New()
	hub.AddTo(s)
	bulktest.New().AddTo(s)
	ctgovtest.AddTo(s)
	datasetstest.AddTo(s)
	variationtest.AddTo(s)
	litvartest.AddTo(s)
	ensembltest.AddTo(s)
	rxnavtest.AddTo(s)
	reactometest.AddTo(s)
	cpictest.AddTo(s)
	openfdatest.AddTo(s)
	medlineplustest.AddTo(s)
	olstest.AddTo(s)
	return hub
}
