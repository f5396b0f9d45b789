package medlineplus_test

import (
	"slices"
	"testing"

	"biomcp/entrez/httpclient"
	"biomcp/entrez/medlineplus"
	"biomcp/entrez/medlineplus/medlineplustest"
	"biomcp/entrez/sourcetest"
)

func TestTopics(t *testing.T) {
	t.Parallel()
	srv := sourcetest.New(t)
	medlineplustest.AddTo(srv)
	network, err := httpclient.New(srv.Config())
	if err != nil {
		t.Fatal(err)
	}
	got, err := medlineplus.Topics(t.Context(), network, "melanoma", 5)
	if err != nil || len(got) != 1 || got[0].Title != "Melanoma" || !slices.Equal(got[0].Names, []string{"Malignant melanoma", "Melanoma"}) ||
		got[0].Summary != "Synthetic words: a tumor of pigment cells & skin.\nLook at moles" || got[0].URL != "https://medlineplus.gov/melanoma.html" {
		t.Errorf("%+v, %v", got, err)
	}
	if got, err := medlineplus.Topics(t.Context(), network, "nothing", 5); err != nil || len(got) != 0 {
		t.Errorf("%+v, %v", got, err)
	}
}
