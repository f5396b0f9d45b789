package main

import "testing"

func TestGeneratedFilesAreFresh(t *testing.T) {
	stale, err := run("../..", true)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range stale {
		t.Errorf("%s is stale; run: go run ./build", f)
	}
}
