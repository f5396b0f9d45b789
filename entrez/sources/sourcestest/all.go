// Package sourcestest simulates the sources of package sources on a test server.
package sourcestest

import (
	"bytes"
	_ "embed"
	"net/http"
	"strings"

	"golang.org/x/tools/txtar"

	"biomcp/entrez/bulk/bulktest"
	"biomcp/entrez/cbioportal/cbioportaltest"
	"biomcp/entrez/cpic/cpictest"
	"biomcp/entrez/ctgov/ctgovtest"
	"biomcp/entrez/datasets/datasetstest"
	"biomcp/entrez/openfda/openfdatest"
	"biomcp/entrez/rxnav/rxnavtest"
	"biomcp/entrez/services/servicestest"
	"biomcp/entrez/sourcetest"
	"biomcp/entrez/variation/variationtest"
)

// AddTo adds the simulators of all sources to the server, except the NCBI services that entreztest
// simulates. It returns the datahub of cBioPortal, to which a test can add archives.
func AddTo(s *sourcetest.Server) *cbioportaltest.Datahub {
	hub := cbioportaltest.New()
	hub.AddTo(s)
	bulktest.New().AddTo(s)
	ctgovtest.AddTo(s)
	datasetstest.AddTo(s)
	variationtest.AddTo(s)
	servicestest.AddTo(s)
	rxnavtest.AddTo(s)
	cpictest.AddTo(s)
	openfdatest.AddTo(s)
	return hub
}

//go:embed contract.txtar
var contract []byte

// Contract makes the server answer the requests of biomcp health --contract.
func Contract(s *sourcetest.Server) {
	files := txtar.Parse(contract).Files
	s.Intercept(func(c *sourcetest.Call) (sourcetest.Reply, bool) {
		asked := c.Path + " " + c.Form.Encode()
		for _, f := range files {
			path, word, _ := strings.Cut(f.Name, " ")
			// Only a file for an unknown tag may answer a request with one.
			unknown := strings.Contains(asked, "nosuch") != (word == "nosuch")
			if strings.Contains(c.Path, path) && strings.Contains(asked, word) && !unknown {
				return sourcetest.Reply{Status: http.StatusOK, Type: sourcetest.TextType,
					Body: bytes.TrimSpace(f.Data)}, true
			}
		}
		return sourcetest.Reply{}, false
	})
}
