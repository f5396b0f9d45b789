package words

import (
	"strings"
	"testing"
)

func TestHideKeys(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		line, want, name string
		all              bool
	}{
		{"config set NCBI_API_KEY abc", "config set NCBI_API_KEY -", "NCBI_API_KEY", true},
		{"config set NCBI_API_KY abc def --json", "config set NCBI_API_KY - --json", "NCBI_API_KY", true},
		{"config set NCBI_APIKEY -abc", "config set NCBI_APIKEY -", "NCBI_APIKEY", true},
		{"config set ncbi-api-key abc", "config set ncbi-api-key -", "ncbi-api-key", true},
		{"config set hf_tokn abc", "config set hf_tokn -", "hf_tokn", true},
		{"config set abc123 NCBI_API_KEY", "config set - NCBI_API_KEY", "NCBI_API_KEY", true},
		{"search article NCBI_API_KEY=abc x", "search article NCBI_API_KEY=- x", "NCBI_API_KEY", false},
		{"search article x NCBI_API_KEY abc123", "search article x NCBI_API_KEY -", "NCBI_API_KEY", false},
		{"--token abc123 list", "--token - list", "token", false},
		{"suggest how NCBI_API_KEY helps", "suggest how NCBI_API_KEY helps", "", false},
		{"config set NCBI_API_KEY -", "config set NCBI_API_KEY -", "", true},
		{"config unset NCBI_API_KEY", "config unset NCBI_API_KEY", "", true},
		{"search article public-key token kinase monkey1 turkey KEYNOTE-189", "", "", true},
		{"search variant EGFR_T790M rs113488022 --page-token abc123", "", "", true},
	} {
		want := c.want
		if want == "" {
			want = c.line
		}
		got, name := HideKeys(strings.Fields(c.line), "-", c.all)
		if line := strings.Join(got, " "); line != want || name != c.name {
			t.Errorf("HideKeys(%q) = %q, %q, want %q, %q", c.line, line, name, want, c.name)
		}
	}
	if got, name := HideKeys([]string{"set NCBI_API_KEY abc123"}, "-", false); name == "" || got[0] != "set NCBI_API_KEY -" {
		t.Errorf("a quoted line: %q, %q", got, name)
	}
}
