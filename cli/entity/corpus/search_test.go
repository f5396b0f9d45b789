package corpus

import (
	"slices"
	"strings"
	"testing"

	"biomcp/rag"
)

func TestAnApproximateSearchIsSaidOnlyWithExplain(t *testing.T) {
	for _, detail := range []bool{true, false} {
		notices := corpusNotices(&rag.Answer{Approximate: true}, detail)
		if said := slices.ContainsFunc(notices, func(n string) bool { return strings.Contains(n, "approximate") }); said != detail {
			t.Errorf("explain %v: %q", detail, notices)
		}
	}
}
