package study

import (
	"slices"
	"strings"
	"testing"
)

// equal fails the test if got is not want. what names the compared value.
func equal[T comparable](t *testing.T, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

// equalSlices fails the test if got and want differ.
func equalSlices[T comparable](t *testing.T, what string, got, want []T) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

// contains fails the test if text does not contain part.
func contains(t *testing.T, what, text, part string) {
	t.Helper()
	if !strings.Contains(text, part) {
		t.Errorf("%s: got %q, want it to contain %q", what, text, part)
	}
}

// noError stops the test if err is not nil.
func noError(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// errorOfKind fails the test if err is not an Error of kind k.
func errorOfKind(t *testing.T, what string, err error, k Kind) {
	t.Helper()
	if !IsKind(err, k) {
		t.Errorf("%s: got error %v, want kind %s", what, err, k)
	}
}

// errorText fails the test if err does not have the text want.
func errorText(t *testing.T, what string, err error, want string) {
	t.Helper()
	if err == nil || err.Error() != want {
		t.Errorf("%s: got error %v, want %q", what, err, want)
	}
}
