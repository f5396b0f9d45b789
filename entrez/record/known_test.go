package record

import (
	"encoding/json"
	"testing"
)

// A list that is not known is null, and one without members is empty.
func TestKnown(t *testing.T) {
	for want, list := range map[string]Known{"null": nil, "[]": {}, `["a"]`: {"a"}} {
		if got, err := json.Marshal(list); string(got) != want || err != nil {
			t.Errorf("%#v: got %s, %v, want %s", list, got, err, want)
		}
	}
}
