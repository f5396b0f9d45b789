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

// A token marks where a page begins. It carries the total, which ClinicalTrials.gov sends
// with the first page only, and a checksum of the search, because ClinicalTrials.gov
// rejects a token of another search.
type token struct {
	Token  string `json:"t"` // ClinicalTrials.gov's own token
	Total  *int   `json:"n,omitempty"`
	Offset int    `json:"o"`
	Sum    uint32 `json:"q"`
}

// String encodes the token for --page-token in URL-safe base64. Its fields always marshal,
// so it ignores the error.
func (t token) String() string {
	body, _ := json.Marshal(t)
	return base64.RawURLEncoding.EncodeToString(body)
}

func readToken(text string, sum uint32) (token, error) {
	var t token
	body, err := base64.RawURLEncoding.DecodeString(text)
	if err == nil {
		err = json.Unmarshal(body, &t)
	}
	negative := t.Offset < 0 || t.Total != nil && *t.Total < 0
	if err != nil || t.Token == "" || negative {
		return t, errors.New("--page-token is not a token from a search")
	}
	if t.Sum != sum {
		return t, errors.New("--page-token belongs to another search: only --limit may differ")
	}
	return t, nil
}

// querySum returns a checksum that identifies a search.
func querySum(q ctgov.Query) uint32 {
	return crc32.ChecksumIEEE(fmt.Append(nil, strings.Join(q.Params(), "\n"), q.Fields))
}
