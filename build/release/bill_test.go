package release

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A bill whose modules have no licences is rejected: the tool makes one without an error if it does not
// find the modules.
func TestBillOfMaterialsNeedsLicences(t *testing.T) {
	const licensed, evident, plain = `{"name":"a","licenses":[{}]}`, `{"name":"b","evidence":{"licenses":[{}]}}`, `{"name":"c"}`
	for _, c := range []struct {
		name       string
		components []string
		want       string
	}{
		{"all licensed", []string{licensed, evident}, ""},
		{"nine of ten", append(strings.Split(strings.Repeat(evident+" ", 9), " ")[:9], plain), ""},
		{"eight of nine", append(strings.Split(strings.Repeat(evident+" ", 8), " ")[:8], plain), `1 of 9 modules: ["c"]`},
		{"no module", nil, "0 of 0 modules"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := ""
			if err := checkBill([]byte(`{"components":[` + strings.Join(c.components, ",") + `]}`)); err != nil {
				got = err.Error()
			}
			if (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
				t.Errorf("got error %q, want %q", got, c.want)
			}
		})
	}
	if err := checkBill([]byte("<html>")); err == nil {
		t.Error("a bill that is not JSON: got no error")
	}
}

// The bills of the release in dist have the licences of their modules.
func TestBillsOfTheRelease(t *testing.T) {
	bills, err := filepath.Glob(filepath.Join("..", "..", "dist", "*.cdx.json"))
	if err != nil {
		t.Fatal(err)
	}
	if len(bills) == 0 {
		t.Skip("no release was made here: go run ./build release --snapshot")
	}
	for _, name := range bills {
		text, err := os.ReadFile(name)
		if err == nil {
			err = checkBill(text)
		}
		if err != nil {
			t.Error(fmt.Errorf("%s: %w", filepath.Base(name), err))
		}
	}
}
