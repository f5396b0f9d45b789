package words

import (
	"fmt"
	"strings"
	"testing"
)

func TestParts(t *testing.T) {
	for line, want := range map[string]string{
		"get article 1":                   `[["get" "article" "1"]]`,
		"get article 1\n2\r\n 3 abstract": `[["get" "article" "1"] ["2"] ["3" "abstract"]]`,
		"1; 2;3;":                         `[["1"] ["2"] ["3"]]`,
		"a 'b; c'\n\n\nd":                 `[["a" "b; c"] ["d"]]`,
		"a; b | c":                        `[]`,
		"a & b":                           `[]`,
		"a; 'b":                           `[]`,
		"":                                `[]`,
	} {
		if got := fmt.Sprintf("%q", Parts(line)); got != want {
			t.Errorf("Parts(%q) = %s, want %s", line, got, want)
		}
	}
}

func TestWithoutProgram(t *testing.T) {
	for line, want := range map[string]string{
		"version":                       "version",
		"biomcp version":                "version",
		"BioMCP.EXE version":            "version",
		"/usr/local/bin/biomcp version": "version",
		"./biomcp version":              "version",
		`C:\Tools\biomcp.exe version`:   "version",
		"C:Toolsbiomcp.exe version":     "version", // the shell removed the backslashes
		"$ biomcp version":              "version",
		"# /opt/biomcp version":         "version",
		"biomcp biomcp":                 "biomcp",
		"$ version":                     "$ version",
		"search article biomcp":         "search article biomcp",
		"notbiomcp version":             "notbiomcp version",
		"biomcp":                        "",
		"":                              "",
	} {
		if got := strings.Join(WithoutProgram(strings.Fields(line)), " "); got != want {
			t.Errorf("WithoutProgram(%q) = %q, want %q", line, got, want)
		}
	}
}
