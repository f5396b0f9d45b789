package services

import (
	"io"
	"net/http"
	"net/url"
	"reflect"
	"strings"
	"testing"

	"biomcp/entrez/httpclient"
)

// answering is a transport with one reply that records the path of the request.
type answering struct {
	status int
	body   string
	asked  *url.URL
}

func (a *answering) RoundTrip(r *http.Request) (*http.Response, error) {
	a.asked = r.URL
	return &http.Response{StatusCode: a.status, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(a.body))}, nil
}

// The replies are synthetic, in the formats of PUG REST's documentation.
func TestFindCompound(t *testing.T) {
	iupac := "1-inventedol"
	page := "https://pubchem.ncbi.nlm.nih.gov/compound/999000001"
	for name, c := range map[string]struct {
		status int
		body   string
		want   *Compound
		kind   httpclient.Kind
	}{
		"a compound": {200, `{"PropertyTable":{"Properties":[{"CID":999000001,"MolecularFormula":"C2H6O","MolecularWeight":"46.07","ConnectivitySMILES":"CCO","InChIKey":"INVENTED-KEY","IUPACName":"1-inventedol"},{"CID":2}]}}`,
			&Compound{999000001, "C2H6O", "46.07", "CCO", "INVENTED-KEY", &iupac, page}, ""},
		"the older name": {200, `{"PropertyTable":{"Properties":[{"CID":999000001,"CanonicalSMILES":"CCO"}]}}`, &Compound{CID: 999000001, SMILES: "CCO", URL: page}, ""},
		"not found":      {404, `{"Fault":{"Code":"PUGREST.NotFound","Message":"No CID found"}}`, nil, ""},
		"no compound":    {200, `{"PropertyTable":{"Properties":[]}}`, nil, httpclient.Upstream},
		"refused":        {400, `{"Fault":{"Code":"PUGREST.BadRequest","Message":"Invented fault"}}`, nil, httpclient.Refused},
		"no JSON":        {200, `<html>busy</html>`, nil, httpclient.Upstream},
	} {
		t.Run(name, func(t *testing.T) {
			service := &answering{status: c.status, body: c.body}
			client, err := httpclient.New(httpclient.Config{Transport: service, SlotDir: t.TempDir()})
			if err != nil {
				t.Fatal(err)
			}
			got, err := FindCompound(t.Context(), client, "fictinib/mesylate")
			if !reflect.DeepEqual(got, c.want) || c.kind == "" && err != nil || c.kind != "" && !httpclient.IsKind(err, c.kind) {
				t.Errorf("%+v, %v", got, err)
			}
			if want := "compound/name/fictinib mesylate/property/"; !strings.Contains(service.asked.Path, want) {
				t.Errorf("asked for %s", service.asked)
			}
		})
	}
}
