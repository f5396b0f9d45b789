package cbioportal

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"biomcp/entrez/httpclient"
	"biomcp/entrez/pattern"
)

// Source describes the datahub, which takes no key.
var Source = httpclient.Source{
	Name: "cbioportal", Label: "cBioPortal's datahub", Address: "https://datahub.assets.cbioportal.org/",
	Rate: httpclient.Rate{Group: "cbioportal", PerSecond: 2}, CheckReply: judge, Ping: httpclient.NewCall(catalogue),
	Expectations: func() []httpclient.Expectation {
		return []httpclient.Expectation{{
			Call: httpclient.NewCall(catalogue), Facts: []httpclient.Fact{{Path: `#(=="msk_impact_2017")`}},
			Evidence: "the study in a document, https://github.com/cBioPortal/datahub; " +
				"that a list of names is there in https://docs.cbioportal.org (study_download_url)",
		}}
	},
	Dependencies: []httpclient.Dependency{
		{
			Path: "study_list.json", Reply: "#",
			Evidence: "one public client, genomoncology/biomcp, at this address; a document, " +
				"https://docs.cbioportal.org (study_download_url), at the older address of the same files",
		},
		{Path: "*.tar.gz", Evidence: "seven public clients, 2026"},
	},
}

// Licence states the licence of the datahub's data and its source. If a study has its own
// licence file, that takes precedence.
const Licence = "the datahub offers its data under the ODC Open Database License " +
	"(https://github.com/cBioPortal/datahub#license)"

// catalogueForm is the format of the list of studies.
const catalogueForm = httpclient.JSON

var (
	catalogue = httpclient.Endpoint{
		Op: "study list", Path: "study_list.json", Form: catalogueForm, MaxBytes: 4 << 20, TTL: 24 * time.Hour,
		Needs: []string{"#"},
	}
	archive = httpclient.Endpoint{Op: "study archive", Form: httpclient.Gzip, MaxBytes: 2 << 30}
)

// judge recognizes a missing file in the replies of an Amazon S3 bucket: 404 with NoSuchKey, or 403
// with AccessDenied if the client may not list the bucket. The list of studies is always there: if
// it is missing, it has moved.
func judge(r httpclient.Reply) *httpclient.Verdict {
	has := func(code string) bool { return bytes.Contains(r.Body, []byte("<Code>"+code+"</Code>")) }
	missing := r.Status == http.StatusNotFound && has("NoSuchKey") ||
		r.Status == http.StatusForbidden && has("AccessDenied")
	switch {
	case !missing:
		return nil
	case r.Form == catalogueForm:
		return &httpclient.Verdict{Kind: httpclient.Upstream, Text: "no longer has its list of studies at this address"}
	}
	return &httpclient.Verdict{Kind: httpclient.NotFound, Text: "has no such study"}
}

// IsID reports whether text has the form of a study ID: at most 100 letters, digits, "_", "-"
// and ".", beginning with a letter or a digit.
func IsID(text string) bool { return idForm().MatchString(text) }

var idForm = pattern.Lazy(`^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$`)

// A Client queries the datahub and the portal. It is safe for concurrent use.
type Client struct{ service, portal *httpclient.Service }

// New returns a Client that sends its requests through c.
func New(c *httpclient.Client) *Client { return &Client{c.Service(&Source), c.Service(&Portal)} }

// Studies returns the IDs of the studies that can be downloaded, sorted.
func (c *Client) Studies(ctx context.Context) ([]string, error) {
	call := httpclient.NewCall(catalogue)
	body, err := c.service.Do(ctx, call)
	if err != nil {
		return nil, err
	}
	ids := []string{}
	if err := json.Unmarshal(body, &ids); err != nil {
		return nil, call.UnreadableError(err)
	}
	ids = slices.DeleteFunc(ids, func(id string) bool { return !IsID(id) })
	slices.Sort(ids)
	return slices.Compact(ids), nil
}

// PortalStudies returns the IDs of the studies in cBioPortal itself, sorted. Some of them may have no
// archive in the datahub. It replaces Studies while the datahub does not offer its list.
func (c *Client) PortalStudies(ctx context.Context) ([]string, error) {
	body, err := c.portal.Do(ctx, httpclient.NewCall(portalStudies, "projection", "ID", "pageSize", "100000"))
	if err != nil {
		return nil, err
	}
	ids := []string{}
	for _, id := range gjson.GetBytes(body, "#.studyId").Array() {
		if IsID(id.String()) {
			ids = append(ids, id.String())
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids), nil
}

var portalStudies = httpclient.Endpoint{
	Op: "studies", Path: "studies", Form: httpclient.JSON, MaxBytes: 16 << 20, TTL: 24 * time.Hour,
	Needs: []string{"#.studyId"},
}

// SaveArchive downloads the archive of a study, at most 2 GiB, to a file. It resumes the download of
// an earlier SaveArchive. If the disk fails, the error is a *httpclient.FileError.
func (c *Client) SaveArchive(ctx context.Context, id string, to *httpclient.File) error {
	return c.service.Save(ctx, archiveOf(id), to)
}

// ArchiveAddress returns the URL of a study's archive.
func (c *Client) ArchiveAddress(id string) string { return c.service.Address(archiveOf(id)).String() }

func archiveOf(id string) *httpclient.Call {
	return httpclient.NewCall(archive.WithPath(id + ".tar.gz"))
}

// Portal describes cBioPortal itself, which knows the genes of gene panels. It takes no key and
// states no rate limit.
var Portal = httpclient.Source{
	Name: "cbioportal_api", Label: "cBioPortal", Address: "https://www.cbioportal.org/api/",
	Rate: httpclient.Rate{Group: "cbioportal_api", PerSecond: 3}, CheckReply: httpclient.NotFoundOn404("has no such gene panel"),
	Ping: httpclient.NewCall(
		httpclient.Endpoint{Op: "gene panels", Path: "gene-panels", Form: httpclient.JSON, Needs: []string{"#.genePanelId"}},
		"pageSize", "1", "projection", "ID"),
	Expectations: func() []httpclient.Expectation {
		return []httpclient.Expectation{{
			Call: httpclient.NewCall(httpclient.Endpoint{
				Op: "gene panel", Path: "gene-panels/IMPACT505", Form: httpclient.JSON, MaxBytes: 16 << 20,
				Needs: []string{"genes.#.hugoGeneSymbol"},
			}),
			Facts: []httpclient.Fact{
				{Path: "genePanelId", Value: "IMPACT505"},
				{Path: `genes.#(hugoGeneSymbol=="ABL1").entrezGeneId`, Value: "25"},
			},
			Evidence: "capture of a gene panel, 2026",
		}, {
			Call:     httpclient.NewCall(portalStudies, "projection", "ID", "pageSize", "1"),
			Facts:    []httpclient.Fact{{Path: "0.studyId"}},
			Evidence: swagger,
		}}
	},
	Dependencies: []httpclient.Dependency{
		{Path: "gene-panels", Params: "pageSize projection", Reply: "genePanelId", Evidence: swagger},
		{Path: "studies", Params: "pageSize projection", Reply: "studyId", Evidence: swagger},
		{
			Path: "gene-panels/*", Reply: "genePanelId description genes.{entrezGeneId,hugoGeneSymbol}",
			Evidence: "capture of a gene panel, 2026",
		},
	},
}

const swagger = "document, https://www.cbioportal.org/api/swagger-ui/index.html"

// PanelLicence states the licence of gene panels; cBioPortal publishes it for its datahub.
const PanelLicence = "cBioPortal offers its data under the ODC Open Database License " +
	"(https://github.com/cBioPortal/datahub#license)"

// Panel fetches a gene panel as cBioPortal's JSON: an object with genePanelId, description and
// genes, each with entrezGeneId and hugoGeneSymbol
// (https://www.cbioportal.org/api/swagger-ui/index.html, gene-panels). If there is no such
// panel, the error is of kind NotFound.
func (c *Client) Panel(ctx context.Context, id string) ([]byte, error) {
	call := httpclient.NewCall(httpclient.Endpoint{
		Op: "gene panel", Path: "gene-panels/" + id, Form: httpclient.JSON, MaxBytes: 16 << 20, TTL: 24 * time.Hour,
		Needs: []string{"genes.#.hugoGeneSymbol"},
	})
	if !IsID(id) {
		return nil, httpclient.Invalidf("%q is not an ID of a gene panel", id)
	}
	body, err := c.portal.Do(ctx, call)
	if err != nil {
		return nil, err
	}
	reply := gjson.ParseBytes(body)
	if !strings.EqualFold(reply.Get("genePanelId").String(), id) || reply.Get("genes.#").Int() == 0 {
		return nil, call.UnreadableError(errors.New("the reply is not a panel with that ID, or has no genes"))
	}
	return body, nil
}

// PanelAddress returns the URL of a gene panel.
func (c *Client) PanelAddress(id string) string {
	return c.portal.Address(&httpclient.Call{Endpoint: httpclient.Endpoint{Path: "gene-panels/" + id}}).String()
}
