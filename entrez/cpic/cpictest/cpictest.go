// Package cpictest simulates CPIC with a few pairs. The genes are real; the drugs and the
// statements on them are invented.
package cpictest

import (
	"encoding/json"
	"net/http"

	"biomcp/entrez/cpic"
	"biomcp/entrez/sourcetest"
)

var pairs = []map[string]any{
	{
		"pairid": 1, "drugid": "RxNorm:9005", "drugname": "inventamine", "genesymbol": "BRAF", "guidelinename": nil,
		"guidelineurl": nil, "cpiclevel": "C",
		"clinpgxlevel": "3", "pgxtesting": nil, "pmids": nil, "usedforrecommendation": "n/a", "provisional": true,
	},
	{
		"pairid": 3, "drugid": "RxNorm:9040", "drugname": "lonely acid", "genesymbol": "CYP2C9", "guidelinename": nil,
		"guidelineurl": nil, "cpiclevel": "D", "clinpgxlevel": "3", "pgxtesting": nil, "pmids": nil,
		"usedforrecommendation": "n/a", "provisional": true,
	},
	{
		"pairid": 2, "drugid": "RxNorm:9001", "drugname": "fictinib", "genesymbol": "BRAF",
		"guidelinename": "BRAF and Fictinib", "guidelineurl": "https://example.org/guideline",
		"cpiclevel": "A", "clinpgxlevel": "1A", "pgxtesting": "Testing Required", "pmids": []string{"90100001"},
		"usedforrecommendation": "Yes", "provisional": false,
	},
}

// AddTo makes the server simulate CPIC, with the endpoint "cpic-pairs".
func AddTo(s *sourcetest.Server) {
	s.Add(sourcetest.Service{Source: &cpic.Source, Path: "/cpic-live/",
		Endpoints: []sourcetest.Endpoint{{Name: "cpic-pairs", Path: "pair_view", Answer: answer}}})
}

func answer(c *sourcetest.Call) sourcetest.Reply {
	rows, err := json.Marshal(pairs)
	if err != nil {
		return sourcetest.JSON(http.StatusInternalServerError, err.Error())
	}
	return Table(c, "pair_view", rows, 0)
}
