// Package sourcestest simulates the sources of package sources that need no setting,
// on the server of a test: one line for each.
package sourcestest

import (
	"biomcp/entrez/datasets/datasetstest"
	"biomcp/entrez/litvar/litvartest"
	"biomcp/entrez/sourcetest"
	"biomcp/entrez/variation/variationtest"
)

// AddTo makes the server simulate them all, apart from NCBI's E-utilities, ID
// converter and PubTator3, which are entreztest's, and cBioPortal's datahub.
func AddTo(s *sourcetest.Server) {
	datasetstest.AddTo(s)
	variationtest.AddTo(s)
	litvartest.AddTo(s)
}
