package intake

import "testing"

// wantEqual reports an error that names the compared value, unless got equals want.
func wantEqual[T comparable](t testing.TB, name string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got %v, want %v", name, got, want)
	}
}

// noError ends the test if err is not nil.
func noError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
