package main

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const made = "hgnc_id\tsymbol\tstatus\talias_symbol\tprev_symbol\n" +
	"HGNC:1\tNEWA\tApproved\tfirst|SECOND\tOLDA|SHARED\n" +
	"HGNC:2\tNEWB\tApproved\t\tSHARED\n" +
	"HGNC:3\tREST\tApproved\tbad one\tNEWA|oldc\n" +
	"HGNC:4\tC1orf1\tApproved\t\t\n" +
	"HGNC:5\tGONE\tEntry Withdrawn\t\tOLDX\n"

func TestTableOfSymbols(t *testing.T) {
	dir := t.TempDir()
	set, words, out := filepath.Join(dir, "set.txt"), filepath.Join(dir, "words"), filepath.Join(dir, "out.gz")
	for path, text := range map[string]string{set: made, words: "rest\nfirst\nGone\nhouse\ngone\nrest\n"} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := run([]string{set, words, "made up", out}); err != nil {
		t.Fatal(err)
	}
	packed, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := string(text), "made up\nfirst rest\nC1orf1\nNEWA OLDA SHARED\tfirst SECOND\nNEWB SHARED\nREST NEWA oldc\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	absent := filepath.Join(dir, "absent")
	for _, bad := range [][]string{nil, {set}, {absent, words, "v", out}, {set, absent, "v", out}} {
		if run(bad) == nil {
			t.Errorf("run(%q): want an error", bad)
		}
	}
}

func TestSetWithoutAColumnIsRefused(t *testing.T) {
	for _, text := range []string{"", "symbol\tstatus\nA\tApproved\n", "a\tb\n1\n"} {
		if _, err := build(strings.NewReader(text), nil, "v"); err == nil {
			t.Errorf("%q: want an error", text)
		}
	}
}
