package openfda_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"biomcp/entrez/httpclient"
	"biomcp/entrez/openfda"
	"biomcp/entrez/openfda/openfdatest"
	"biomcp/entrez/sourcetest"
)

func simulated(t *testing.T) (*sourcetest.Server, *httpclient.Client) {
	t.Helper()
	srv := sourcetest.New(t)
	openfdatest.AddTo(srv)
	network, err := httpclient.New(srv.Config())
	if err != nil {
		t.Fatal(err)
	}
	return srv, network
}

// wantPage checks the total, the number of items and the date of a page.
func wantPage(t *testing.T, page *openfda.Page, total, items int) {
	t.Helper()
	if page.Total != total {
		t.Errorf("total %d, want %d", page.Total, total)
	}
	if len(page.Items) != items {
		t.Fatalf("%d items, want %d: %+v", len(page.Items), items, page.Items)
	}
	if page.AsOf != "2026-11-02" {
		t.Errorf("date %s, want 2026-11-02", page.AsOf)
	}
}

func TestApplications(t *testing.T) {
	t.Parallel()
	srv, network := simulated(t)
	page, err := openfda.Applications(t.Context(), network, openfda.Query{Names: []string{`fict"inib\`, "fictinib"}, Limit: 10})
	if err != nil {
		t.Fatal(err)
	}
	wantPage(t, page, 2, 2)
	a := page.Items[1]
	for name, value := range map[string][2]string{
		"number": {a.Number, "NDA900001"}, "kind": {a.Kind, "NDA"}, "approval": {a.Approved, "2003-04-18"},
		"brands": {fmt.Sprintf("%q", a.Brands), `["INVENTA"]`}, "status": {fmt.Sprintf("%q", a.Status), `["Prescription"]`},
		"substances": {fmt.Sprintf("%q", a.Substances), `["FICTINIB MESYLATE"]`},
	} {
		if got, want := value[0], value[1]; got != want {
			t.Errorf("%s %s, want %s", name, got, want)
		}
	}
	if !strings.HasSuffix(a.URL, "ApplNo=900001") {
		t.Errorf("URL %s, want it to end with ApplNo=900001", a.URL)
	}
	if page.Items[0].Approved != "" {
		t.Errorf("a tentative approval has the date %s", page.Items[0].Approved)
	}
	if sent := srv.Requests("drugsfda")[0].Params.Get("search"); !strings.HasPrefix(sent, `(openfda.generic_name:"fict inib" OR `) {
		t.Errorf("%s", sent)
	}
	for _, q := range []openfda.Query{
		{Names: []string{"Inventa"}, Class: "kinase inhibitor", Limit: 1},
		{Class: "Kinase Inhibitor", Limit: 1},
		{Names: []string{"FICTINIB"}, Offset: 1, Limit: 5},
	} {
		t.Run(fmt.Sprint(q), func(t *testing.T) {
			page, err := openfda.Applications(t.Context(), network, q)
			if err != nil {
				t.Fatal(err)
			}
			if len(page.Items) != 1 {
				t.Fatalf("%d applications, want 1: %+v", len(page.Items), page)
			}
			if got := page.Items[0].Number; got != "NDA900001" {
				t.Errorf("application %s, want NDA900001", got)
			}
		})
	}
	late := openfda.Query{Names: []string{"fictinib"}, Offset: 50, Limit: 5}
	if page, err := openfda.Applications(t.Context(), network, late); err != nil {
		t.Errorf("a page after the last one: %v", err)
	} else {
		wantPage(t, page, 2, 0)
	}
	unknown := openfda.Query{Names: []string{"nothing"}, Offset: 3, Limit: 1}
	if page, err := openfda.Applications(t.Context(), network, unknown); err != nil {
		t.Errorf("an unknown name: %v", err)
	} else if page.Total != 0 {
		t.Errorf("an unknown name has %d applications, want 0", page.Total)
	}
	if _, err := openfda.Applications(t.Context(), network, openfda.Query{Names: []string{` " `}, Limit: 1}); !httpclient.IsKind(err, httpclient.Invalid) {
		t.Errorf("%v", err)
	}
}

func TestEvents(t *testing.T) {
	t.Parallel()
	_, network := simulated(t)
	got, err := openfda.Events(t.Context(), network, "fictinib", 5)
	if err != nil {
		t.Fatal(err)
	}
	if got.Total != 2 {
		t.Errorf("%d reports, want 2", got.Total)
	}
	if want := []openfda.Reaction{{"Nausea", 2}, {"Invented pain", 1}}; !slices.Equal(got.Reactions, want) {
		t.Errorf("reactions %+v, want %+v", got.Reactions, want)
	}
	got, err = openfda.Events(t.Context(), network, "nothing", 5)
	if err != nil {
		t.Fatal(err)
	}
	if got.Total != 0 {
		t.Errorf("an unknown name has %d reports, want 0", got.Total)
	}
	if got.Reactions != nil {
		t.Errorf("an unknown name has the reactions %+v, want none", got.Reactions)
	}
}

// A web page of another program at the address is not an empty answer.
func TestNotFoundOfAnotherKind(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]bool{`{"error":{"code":"NOT_FOUND","message":"No matches found!"}}`: true, `{"error":"not found"}`: false, "<html><title>Not Found</title></html>": false} {
		t.Run(body, func(t *testing.T) {
			v := openfda.Source.CheckReply(httpclient.Reply{Status: 404, Body: []byte(body)})
			if got := v != nil && v.Kind == httpclient.NotFound; got != want {
				t.Errorf("%s: %+v", body, v)
			}
		})
	}
}

// A real reply of Drugs@FDA for imatinib. The test is skipped if the reply is absent.
func TestCaptures(t *testing.T) {
	t.Parallel()
	srv, network := simulated(t)
	// ask makes the request, which finds nothing, and then makes the capture its reply.
	ask := func(name, endpoint string, request func() error) {
		reply, err := sourcetest.File("../../../shared/data/breadth/openfda/" + name)
		if err != nil {
			t.Skip("real replies are absent: ../shared/data/breadth/openfda")
		}
		before := srv.Count(endpoint)
		_ = request() // there is no such drug
		asked := srv.Requests(endpoint)[before]
		srv.Replay(map[string]sourcetest.Reply{endpoint + "?" + asked.Params.Encode(): reply})
	}
	q := openfda.Query{Names: []string{"imatinib mesylate"}, Limit: 8}
	ask("drugsfda_imatinib.json", "drugsfda", func() error { _, err := openfda.Applications(t.Context(), network, q); return err })
	page, err := openfda.Applications(t.Context(), network, q)
	if err != nil || page.Total != 17 || page.AsOf != "2026-08-11" || len(page.Items) != 1 {
		t.Fatalf("%+v, %v", page, err)
	}
	if a := page.Items[0]; a.Number != "NDA021588" || a.Approved != "2003-04-18" || a.Brands[0] != "GLEEVEC" || a.Sponsor != "NOVARTIS" {
		t.Errorf("%+v", a)
	}
}

// A reply without its list or total is not an empty result, and a missing date does not hide
// others. The replies are synthetic.
func TestRepliesThatSayLess(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		`{"meta":{"results":{"total":2}},"results":null}`:                                    "",
		`{"meta":{"results":{"total":null}},"results":[{"application_number":"NDA900001"}]}`: "",
		`{"meta":{},"results":[{"application_number":"NDA900001"}]}`:                         "",
		`{"meta":{"results":{"total":2}},"results":{"application_number":"NDA900001"}}`:      "",
		`{"meta":{"results":{"total":1}},"results":[{"application_number":"NDA900001","submissions":[` +
			`{"submission_type":"ORIG","submission_status":"AP","submission_status_date":"20030418"},{"submission_type":"ORIG","submission_status":"AP"}]}]}`: "2003-04-18",
	} {
		t.Run(body, func(t *testing.T) {
			srv, network := simulated(t)
			q := openfda.Query{Names: []string{"x"}, Limit: 5}
			_, _ = openfda.Applications(t.Context(), network, q) // there is none
			srv.Replay(map[string]sourcetest.Reply{"drugsfda?" + srv.Requests("drugsfda")[0].Params.Encode(): {Status: 200, Type: sourcetest.JSONType, Body: []byte(body)}})
			switch page, err := openfda.Applications(t.Context(), network, q); {
			case want == "" && !httpclient.IsKind(err, httpclient.Upstream):
				t.Errorf("%+v, %v", page, err)
			case want != "" && (err != nil || page.Items[0].Approved != want):
				t.Errorf("%+v, %v", page, err)
			}
		})
	}
}
