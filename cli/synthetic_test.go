package cli_test

import (
	"go/scanner"
	"go/token"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// unreal matches words for data that are not real, other than synthetic.
var unreal = regexp.MustCompile(`(?i)\b(made[- ]up|invented|fictitious|fictional|imaginary|fake|dummy|fabricated|mock|simulated (data|study|record|patient|cohort)\w*)\b`)

// Texts that users see have one word for data that are not real: synthetic.
func TestOnlySyntheticDataAreNotReal(t *testing.T) {
	literals := 0
	for _, file := range tracked(t, ".go") {
		pkg := filepath.ToSlash(filepath.Dir(file))
		if strings.HasSuffix(file, "_test.go") || isTestPackage(pkg) || strings.Contains(pkg+"/", "test/") {
			continue
		}
		src, set := read(t, file), token.NewFileSet()
		var s scanner.Scanner
		s.Init(set.AddFile(file, -1, len(src)), src, nil, 0)
		for {
			pos, tok, text := s.Scan()
			if tok == token.EOF {
				break
			}
			if tok != token.STRING {
				continue
			}
			literals++
			if m := unreal.FindString(text); m != "" {
				t.Errorf("%s: %q: want synthetic: %s", set.Position(pos), m, text)
			}
		}
	}
	if literals < 5000 {
		t.Errorf("%d string literals", literals)
	}
	for _, file := range tracked(t, ".md") {
		if strings.Contains(file, "testdata/") {
			continue
		}
		for i, l := range strings.Split(string(read(t, file)), "\n") {
			if m := unreal.FindString(l); m != "" {
				t.Errorf("%s:%d: %q: want synthetic", file, i+1, m)
			}
		}
	}
}
