package trial

import (
	"encoding/json"
	"testing"

	"github.com/tidwall/gjson"

	"biomcp/entrez/ctgov"
	"biomcp/entrez/ncbi"
)

// An outcome or a document without members is no row; with its type before nothing it was no
// JSON either.
func TestObjectsWithoutMembersAreNoRows(t *testing.T) {
	study := gjson.Parse(`{"protocolSection":{"outcomesModule":{"primaryOutcomes":[{},{"measure":"m"}]}}}`)
	for _, p := range parts {
		if p.name != "outcomes" {
			continue
		}
		rows, err := p.of(&trial{study: ctgov.Study{Object: ncbi.Object{Result: study}}})
		if err != nil || len(rows) != 1 || !json.Valid(rows[0]) {
			t.Errorf("%v: %s", err, rows)
		}
	}
}
