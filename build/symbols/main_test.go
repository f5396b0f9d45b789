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

const made = "hgnc_id\tsymbol\tlocus_type\tstatus\tprev_symbol\n" +
	"HGNC:1\tNEWA\tgene with protein product\tApproved\tOLDA|SHARED\n" +
	"HGNC:2\tNEWB\tRNA, long non-coding\tApproved\tSHARED\n" +
	"HGNC:3\tNEWC\tRNA, long non-coding\tApproved\tNEWA|oldc|bad one\n" +
	"HGNC:4\tC1orf1\tgene with protein product\tApproved\t\n" +
	"HGNC:5\tGONE\tgene with protein product\tEntry Withdrawn\tOLDX\n"

func TestSymbolsThatBelongToOneGene(t *testing.T) {
	dir := t.TempDir()
	set, out := filepath.Join(dir, "set.txt"), filepath.Join(dir, "out.gz")
	if err := os.WriteFile(set, []byte(made), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := run([]string{set, "made up", out}); err != nil {
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
	if got, want := string(text), "made up\nC1orf1\nNEWA OLDA\nNEWC oldc\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	for _, bad := range [][]string{nil, {set}, {filepath.Join(dir, "absent"), "v", out}} {
		if run(bad) == nil {
			t.Errorf("run(%q): want an error", bad)
		}
	}
}

func TestSetWithoutAColumnIsRefused(t *testing.T) {
	for _, text := range []string{"", "symbol\tstatus\nA\tApproved\n", "a\tb\n1\n"} {
		if _, err := build(strings.NewReader(text), "v"); err == nil {
			t.Errorf("%q: want an error", text)
		}
	}
}
