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

// A quote that is never closed ends before another command, and not before a comparison or an author.
func TestRepairClosesAQuote(t *testing.T) {
	for line, want := range map[string]string{
		"search article 'lung; sync all":               `["search" "article" "lung"]`,
		"search article 'lung | cat":                   `["search" "article" "lung"]`,
		"search article 'lung > out.txt":               `["search" "article" "lung"]`,
		"search article 'p < 0.05 in mice":             `["search" "article" "p < 0.05 in mice"]`,
		"search citation 'Smith J; Doe A. Title. 2020": `["search" "citation" "Smith J; Doe A. Title. 2020"]`,
		"get variant c.1799T>A":                        `["get" "variant" "c.1799T>A"]`,
		"search article x>out":                         `["search" "article" "x"]`,
		"search article R&D":                           `["search" "article" "R&D"]`,
		"search article x&sync all":                    `["search" "article" "x"]`,
	} {
		if got := fmt.Sprintf("%q", Repair(line)); got != want {
			t.Errorf("Repair(%q) = %s, want %s", line, got, want)
		}
	}
	for line, want := range map[string]bool{"get gene $(x)": true, "get gene `x`": true, "get gene x; y": false, "get gene x": false} {
		if got := IsSubstitution(line); got != want {
			t.Errorf("IsSubstitution(%q) = %t, want %t", line, got, want)
		}
	}
}

func TestIsID(t *testing.T) {
	for word, want := range map[string]bool{"1": true, "BRAF": true, "NCT99000001": true, "sync": false, "--x1": false, "-": false} {
		if got := IsID(word); got != want {
			t.Errorf("IsID(%q) = %t, want %t", word, got, want)
		}
	}
}
