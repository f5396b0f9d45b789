package services

import (
	"cmp"
	"context"
	"net/http"
	"strings"
	"time"

	"biomcp/entrez/httpclient"
	"biomcp/entrez/ncbi"
)

// PubChem's PUG REST (https://pubchem.ncbi.nlm.nih.gov/docs/pug-rest) has the chemistry of a compound by its
// name. PubChem does not list antibodies as compounds.

// PubChem describes PubChem. It allows 5 requests a second and 400 a minute.
var PubChem = httpclient.Source{
	Name: "pubchem", Label: "PubChem", Address: "https://pubchem.ncbi.nlm.nih.gov/rest/pug/",
	Rate: httpclient.Rate{Group: "pubchem", PerSecond: 5}, CheckReply: judgePubChem, Ping: compoundCall("aspirin"),
	Dependencies: []httpclient.Dependency{{Path: "compound/name/*/property/*/JSON",
		Reply: "PropertyTable.Properties.{CID,MolecularFormula,MolecularWeight,ConnectivitySMILES," +
			"CanonicalSMILES,InChIKey,IUPACName}",
		Evidence: "document, https://pubchem.ncbi.nlm.nih.gov/docs/pug-rest; clients, 2026"}},
	Expectations: func() []httpclient.Expectation {
		return []httpclient.Expectation{{
			Call: compoundCall("aspirin"),
			Facts: []httpclient.Fact{{Path: "PropertyTable.Properties.0.CID", Value: "2244"},
				{Path: "PropertyTable.Properties.0.MolecularFormula", Value: "C9H8O4"},
				{Path: "PropertyTable.Properties.0.ConnectivitySMILES"}}, Evidence: "clients, 2026",
		}}
	},
}

// judgePubChem recognizes PubChem's faults such as PUGREST.NotFound, which come with status 400 or 404.
func judgePubChem(r httpclient.Reply) *httpclient.Verdict {
	fault := r.JSONField("Fault.Code")
	switch {
	case r.Status >= 500 || fault == "":
		return nil
	case r.Status == http.StatusNotFound || fault == "PUGREST.NotFound":
		return &httpclient.Verdict{Kind: httpclient.NotFound, Text: "has no such compound"}
	}
	return &httpclient.Verdict{Kind: httpclient.Refused, Text: httpclient.ErrorText(r.JSONField("Fault.Message"))}
}

// Compound is a chemical compound. SMILES is the structure without isotopes and stereochemistry,
// which PubChem calls ConnectivitySMILES.
type Compound struct {
	CID      int64   `json:"cid"`
	Formula  string  `json:"formula"`
	Weight   string  `json:"molecular_weight"` // g/mol
	SMILES   string  `json:"connectivity_smiles"`
	InChIKey string  `json:"inchikey"`
	IUPAC    *string `json:"iupac_name"`
	URL      string  `json:"url"`
}

// compoundCall returns the call for a name. A slash in the name would change the path and is
// replaced, since it has no meaning in a name.
func compoundCall(name string) *httpclient.Call {
	return httpclient.NewCall(httpclient.Endpoint{
		Op: "compound", Path: "compound/name/" + strings.ReplaceAll(httpclient.Clean(name), "/", " ") +
			"/property/MolecularFormula,MolecularWeight,ConnectivitySMILES,InChIKey,IUPACName/JSON",
		Form: httpclient.JSON, TTL: 7 * 24 * time.Hour, Needs: []string{"PropertyTable.Properties.0.CID"},
	})
}

// FindCompound returns the compound with a name, or nil if there is none. The error is a *httpclient.Error.
func FindCompound(ctx context.Context, c *httpclient.Client, name string) (*Compound, error) {
	reply, err := ncbi.GetJSON(ctx, c.Service(&PubChem), compoundCall(name))
	if httpclient.IsKind(err, httpclient.NotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	p := reply.Member("PropertyTable.Properties.0")
	return &Compound{
		CID: p.Get("CID").Int(), Formula: p.Text("MolecularFormula"), Weight: p.Text("MolecularWeight"),
		InChIKey: p.Text("InChIKey"),
		SMILES:   cmp.Or(p.Text("ConnectivitySMILES"), p.Text("CanonicalSMILES")), // the name until 2025
		IUPAC:    p.TextOrNil("IUPACName"), URL: "https://pubchem.ncbi.nlm.nih.gov/compound/" + p.Text("CID"),
	}, nil
}
