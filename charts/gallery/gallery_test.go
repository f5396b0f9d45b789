package gallery

import (
	"crypto/sha256"
	"flag"
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"

	"biomcp/charts"
)

var update = flag.Bool("update", false, "write testdata/gallery.sum from the charts as they are drawn now")

const sums = "testdata/gallery.sum"

// Each picture is the one that was looked at. After a change, look at the page that
// `go run ./build gallery DIR` writes, then run this test with -update.
func TestPicturesAreThoseLookedAt(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("other processors round text widths differently in the last digit")
	}
	var b strings.Builder
	for _, v := range Variants() {
		picture, err := charts.SVG(v.Chart, v.Options)
		if err != nil {
			t.Fatalf("%s: %v", v.Name, err)
		}
		fmt.Fprintf(&b, "%x %s\n", sha256.Sum256(picture), v.Name)
	}
	for _, e := range Examples() {
		text, err := charts.Terminal(e.Chart, charts.Options{Cols: 80, Rows: 24})
		if err != nil {
			t.Fatalf("%s: %v", e.Name, err)
		}
		fmt.Fprintf(&b, "%x %s-terminal\n", sha256.Sum256([]byte(text)), e.Name)
	}
	if *update {
		if err := os.WriteFile(sums, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(sums)
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for line := range strings.Lines(string(want)) {
		known[line] = true
	}
	n := 0
	for line := range strings.Lines(b.String()) {
		n++
		if !known[line] {
			t.Errorf("another picture: %s", strings.Fields(line)[1])
		}
	}
	if n != len(known) {
		t.Errorf("%d pictures, want %d", n, len(known))
	}
}
