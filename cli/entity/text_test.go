package entity_test

import (
	"math"
	"testing"

	"biomcp/cli/entity"
)

func TestParseRange(t *testing.T) {
	for text, want := range map[string]entity.Range{
		"3": {From: 3, To: 3}, "2-4": {From: 2, To: 4}, "5-": {From: 5, To: math.MaxInt}, "7-7": {From: 7, To: 7},
		"": {}, "0": {}, "0-2": {}, "4-2": {}, "3-0": {}, "-5": {}, "a": {}, "1-b": {}, "1-2-3": {}, "--": {},
	} {
		t.Run(text, func(t *testing.T) {
			if got, ok := entity.ParseRange(text); ok != (want.From > 0) || ok && got != want {
				t.Errorf("%v, %v; want %v", got, ok, want)
			}
		})
	}
}
