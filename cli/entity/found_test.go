package entity_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"biomcp/cli/entity"
)

// Ids with the same reason share a notice, and exceeded deadlines are the same reason.
func TestBecause(t *testing.T) {
	late := func(id string) error { return fmt.Errorf("%s: %w", id, context.DeadlineExceeded) }
	why := map[string]error{"a": errors.New("down"), "b": late("b"), "c": errors.New("down"), "d": late("d"), "e": nil}
	got := entity.GroupByReason("no %s: %s", []string{"a", "b", "c", "d", "e", "f"}, why)
	if want := []string{"no a, c: down", "no b, d: b: context deadline exceeded"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if entity.GroupByReason("%s %s", []string{"a"}, nil) != nil {
		t.Error("a notice without a reason")
	}
}
