package trial

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"strings"

	"biomcp/entrez/ctgov"
)

// token is where a page begins. It carries the total, which ClinicalTrials.gov gives
// with the first page alone, and which search it is of, since a page of another one
// would be refused.
type token struct {
	Token  string `json:"t"` // ClinicalTrials.gov's own
	Total  *int   `json:"n,omitempty"`
	Offset int    `json:"o"`
	Of     uint32 `json:"q"`
}

// String is the token as --page-token takes it, in the letters of URLs. (Of values
// that can be written as JSON, so without an error.)
func (t token) String() string {
	body, _ := json.Marshal(t)
	return base64.RawURLEncoding.EncodeToString(body)
}

func readToken(text string, of uint32) (token, error) {
	var t token
	body, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil || json.Unmarshal(body, &t) != nil || t.Token == "" || t.Offset < 0 || t.Total != nil && *t.Total < 0 {
		return t, errors.New("--page-token is none that a search gave")
	}
	if t.Of != of {
		return t, errors.New("--page-token is of another search: with it, only --limit may differ")
	}
	return t, nil
}

// sumOf is a checksum of a search, different for different searches.
func sumOf(q ctgov.Query) uint32 {
	return crc32.ChecksumIEEE(fmt.Append(nil, strings.Join(q.Params(), "\n"), q.Fields))
}
