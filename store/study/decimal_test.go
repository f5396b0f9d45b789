package study

import (
	"math"
	"math/rand/v2"
	"strconv"
	"testing"
)

func TestDecimalIsWhatStrconvReads(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	texts := []string{"0", "-0", "-0.0", "1.", ".5", "-.5", "000000000000001", "999999999999999", "0.00000000000001", "", "-", ".", "-.", "1.2.3", "1e5", "+1", "NaN", "Inf", "0x1", "1_000", "1234567890123456", " 1", "--1"}
	for range 20_000 {
		texts = append(texts, strconv.FormatFloat(r.NormFloat64()*math.Pow(10, float64(r.IntN(8)-2)), 'f', r.IntN(12), 64))
	}
	read := 0
	for _, s := range texts {
		got, ok := decimal([]byte(s))
		if !ok {
			continue
		}
		read++
		if want, err := strconv.ParseFloat(s, 64); err != nil || math.Float64bits(got) != math.Float64bits(want) {
			t.Errorf("%q is %v, strconv reads %v, %v", s, got, want, err)
		}
	}
	if read < 10_000 {
		t.Errorf("only %d numbers were read", read)
	}
	for _, s := range []string{"", "-", ".", "1.2.3", "1e5", "+1", "NaN", "0x1", "1_000", "1234567890123456", " 1"} {
		t.Run(s, func(t *testing.T) {
			if v, ok := decimal([]byte(s)); ok {
				t.Errorf("%q is read as %v", s, v)
			}
		})
	}
}
