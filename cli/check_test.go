package cli

import (
	"reflect"
	"strings"
	"testing"
)

// wantParts fails the test for each part that text does not contain.
func wantParts(t testing.TB, text string, parts ...string) {
	t.Helper()
	for _, p := range parts {
		if !strings.Contains(text, p) {
			t.Errorf("want %q in: %s", p, text)
		}
	}
}

// rejectParts fails the test for each part that text contains.
func rejectParts(t testing.TB, text string, parts ...string) {
	t.Helper()
	for _, p := range parts {
		if strings.Contains(text, p) {
			t.Errorf("unwanted %q in: %s", p, text)
		}
	}
}

// wantEqual fails the test if got differs from want.
func wantEqual[T any](t testing.TB, name string, got, want T) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s is %+v, want %+v", name, got, want)
	}
}
