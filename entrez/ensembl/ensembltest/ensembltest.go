// Package ensembltest simulates Ensembl's variant recoder for a few changes, in the documented
// format: a list with an object by allele for each input.
package ensembltest

import (
	"net/http"
	"strings"

	"biomcp/entrez/ensembl"
	"biomcp/entrez/sourcetest"
)

// changes are real. The protein change Leu505Phe corresponds to two changes of the transcript.
var changes = map[string][]string{
	"rs113488022":                   {"NC_000007.14:140753335:A:T"},
	"ENST00000646891.2:c.1799T>A":   {"NC_000007.14:140753335:A:T"},
	"ENST00000288602:c.1799T>A":     {"NC_000007.14:140753335:A:T"},
	"LRG_299t1:c.1799T>A":           {"NC_000007.14:140753335:A:T"},
	"ENSP00000493543.1:p.Val600Glu": {"NC_000007.14:140753335:A:T"},
	"ENSP00000493543.1:p.Leu505Phe": {"NC_000007.14:140777990:C:A", "NC_000007.14:140777990:C:G"},
}

// AddTo makes the server simulate the service, with the endpoint "ensembl-recoder".
func AddTo(s *sourcetest.Server) {
	s.Add(sourcetest.Service{Source: &ensembl.Source, Path: "/ensembl/", Endpoints: []sourcetest.Endpoint{
		{Name: "ensembl-recoder", Path: "variant_recoder/human/{name}",
			Answer: func(c *sourcetest.Call) sourcetest.Reply {
				name := c.Path[strings.LastIndex(c.Path, "/")+1:]
				spdis := changes[name]
				if spdis == nil {
					return sourcetest.JSON(http.StatusBadRequest,
						map[string]any{"error": "Unable to parse HGVS notation '" + name + "'"})
				}
				by := map[string]any{}
				for _, s := range spdis {
					by[s[strings.LastIndex(s, ":")+1:]] = map[string]any{"input": name, "spdi": []string{s}}
				}
				return sourcetest.JSON(http.StatusOK, []any{by})
			}},
	}})
}
