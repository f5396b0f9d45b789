package cbioportal

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"biomcp/entrez/polite"
)

// Portal is cBioPortal itself, which knows the genes of the panels that studies name.
// It takes no key and states no rate.
var Portal = polite.Source{
	Name: "cbioportal_api", Label: "cBioPortal", Address: "https://www.cbioportal.org/api/",
	Rate: polite.Rate{Lane: "cbioportal_api", PerSecond: 3}, Judge: polite.Absent("has no such gene panel"),
	Ping: polite.NewCall(polite.Endpoint{Op: "gene panels", Path: "gene-panels", Form: polite.JSON, Needs: []string{"#.genePanelId"}}, "pageSize", "1", "projection", "ID"),
	Knowns: []polite.Known{{
		Call:  polite.NewCall(polite.Endpoint{Op: "gene panel", Path: "gene-panels/IMPACT505", Form: polite.JSON, MaxBytes: 16 << 20, Needs: []string{"genes.#.hugoGeneSymbol"}}),
		Facts: []polite.Fact{{Path: "genePanelId", Value: "IMPACT505"}, {Path: `genes.#(hugoGeneSymbol=="ABL1").entrezGeneId`, Value: "25"}}, Seen: "capture of a gene panel, 2026",
	}},
	Uses: []polite.Use{
		{Path: "gene-panels", Params: "pageSize projection", Reply: "genePanelId", Seen: swagger},
		{Path: "gene-panels/*", Reply: "genePanelId description genes.{entrezGeneId,hugoGeneSymbol}", Seen: "capture of a gene panel, 2026"},
	},
}

const swagger = "document, https://www.cbioportal.org/api/swagger-ui/index.html"

// PanelLicence is what cBioPortal says of its data, as for the datahub.
const PanelLicence = "cBioPortal offers its data under the ODC Open Database License (https://github.com/cBioPortal/datahub#license)"

// Panel is a gene panel as cBioPortal answers: an object with genePanelId, description
// and genes, each with entrezGeneId and hugoGeneSymbol
// (https://www.cbioportal.org/api/swagger-ui/index.html, gene-panels). The error is of
// kind NotFound if it has none of that id.
func (c *Client) Panel(ctx context.Context, id string) ([]byte, error) {
	call := polite.NewCall(polite.Endpoint{Op: "gene panel", Path: "gene-panels/" + id, Form: polite.JSON, MaxBytes: 16 << 20, TTL: 24 * time.Hour, Needs: []string{"genes.#.hugoGeneSymbol"}})
	if !IsID(id) {
		return nil, polite.Invalidf(call.Op, "%q is no id of a gene panel", id)
	}
	body, err := c.portal.Do(ctx, call)
	if err != nil {
		return nil, err
	}
	if reply := gjson.ParseBytes(body); !strings.EqualFold(reply.Get("genePanelId").String(), id) || reply.Get("genes.#").Int() == 0 {
		return nil, call.Unreadable(errors.New("no panel of that id, or one without genes"))
	}
	return body, nil
}

// PanelAddress is where a panel is.
func (c *Client) PanelAddress(id string) string {
	return c.portal.Address(&polite.Call{Endpoint: polite.Endpoint{Path: "gene-panels/" + id}}).String()
}
