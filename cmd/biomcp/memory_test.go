package main

import (
	"runtime/debug"
	"testing"

	"biomcp/rag/intake"
)

func TestLimitOfTheUserHolds(t *testing.T) {
	before := debug.SetMemoryLimit(1 << 40)
	defer debug.SetMemoryLimit(before)
	t.Setenv("GOMEMLIMIT", "1TiB")
	if limitMemory(); debug.SetMemoryLimit(-1) != 1<<40 {
		t.Error("the limit that the user has set was changed")
	}
	t.Setenv("GOMEMLIMIT", "")
	if limitMemory(); debug.SetMemoryLimit(-1) != intake.MemoryLimit {
		t.Error("there is no limit")
	}
}
