package entrez

import (
	"context"

	"biomcp/entrez/polite"
)

// VCV is the record of a variant of ClinVar, by its VariationID, with every
// submission: XML of 10 to 440 kB, as ClinVar's schema describes it.
func (c *Client) VCV(ctx context.Context, variationID string) ([]byte, error) {
	r := polite.NewCall(efetch, "db", "clinvar", "rettype", "vcv", "is_variationid", "")
	r.Params["is_variationid"] = []string{""}
	r.TTL = day
	setIDs(r, []string{variationID})
	return c.send(ctx, r)
}
