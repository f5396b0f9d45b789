package ragtest

import (
	"testing"

	"biomcp/rag"
)

func TestMemory(t *testing.T) {
	Suite(t, Engine{Open: func(testing.TB) rag.Index { return &Memory{} }})
}
