package ols_test

import (
	"testing"
	"testing/synctest"

	"biomcp/entrez/ols"
	"biomcp/entrez/ols/olstest"
	"biomcp/entrez/sourcetest"
)

func TestLabel(t *testing.T) {
	for word, want := range map[string]string{"DOID:14323": "Marfan syndrome", "doid_14323": "Marfan syndrome", "DOID:1": ""} {
		t.Run(word, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := sourcetest.New(t, sourcetest.WithoutNetwork(), sourcetest.NoLimit())
				olstest.AddTo(s)
				id, ok := ols.ParseID(word)
				if got, err := ols.Label(t.Context(), s.Network(t), id); got != want || err != nil || !ok {
					t.Errorf("%q, %v, %v", got, ok, err)
				}
			})
		})
	}
	if id, ok := ols.ParseID("MONDO:0007947"); ok {
		t.Error(id)
	}
}
