package openfda_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"biomcp/entrez/httpclient"
	"biomcp/entrez/openfda"
	"biomcp/entrez/sourcetest"
)

// Packages of a company with equal values are one row. A record without names of openFDA matches by
// its text, and one that only mentions the name comes last.
func TestShortages(t *testing.T) {
	t.Parallel()
	srv, network := simulated(t)
	found, err := openfda.Shortages(t.Context(), network, []string{"fictinib"})
	if err != nil {
		t.Fatal(err)
	}
	var rows []string
	for _, s := range found.Items {
		rows = append(rows, fmt.Sprint(s.Company, "; ", s.Presentation, "; ", s.Packages, "; ", s.Status, "; ", s.Availability, "; ",
			s.Updated, "; ", s.Posted, "; ", s.Categories, "; ", s.Match))
	}
	want := strings.Join([]string{
		"Copy Pharma; Fictinib Mesylate, Tablet, 100 mg; [90002-001-30 90002-001-90]; Current; Limited Availability; 2026-11-20; 2026-03-04; [Oncology]; openfda",
		"Copy Pharma; Fictinib Mesylate, Tablet, 100 mg; [90002-002-30]; Current; Unavailable; 2026-11-20; 2026-11-20; [Oncology]; name",
		"Invented Pharma; Inventa, Tablet, 100 mg; [90001-001-30]; Resolved; Available; 2026-09-01; 2026-01-15; [Oncology]; openfda",
		"Copy Pharma; Kit; [90003-001-10]; To Be Discontinued; Information pending; 2026-08-01; 2026-08-01; []; mention",
	}, "\n")
	if got := strings.Join(rows, "\n"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if found.Total != 5 || found.Read != 5 || found.AsOf != "2026-11-02" {
		t.Errorf("total %d, read %d, as of %s, want 5, 5, 2026-11-02", found.Total, found.Read, found.AsOf)
	}
	if n := srv.Count(); n != 1 {
		t.Errorf("%d requests, want 1", n)
	}
}

func TestRecalls(t *testing.T) {
	t.Parallel()
	_, network := simulated(t)
	found, err := openfda.Recalls(t.Context(), network, []string{"fictinib"}, 10)
	if err != nil {
		t.Fatal(err)
	}
	var rows []string
	for _, r := range found.Items {
		rows = append(rows, fmt.Sprint(r.Number, " ", r.Class, " ", r.Status, " ", r.Reported, " ", r.Initiated, " ", r.Terminated, " ", r.Match))
	}
	want := strings.Join([]string{
		"D-0902-2026 Class I Ongoing 2026-10-14 2026-10-01  openfda",
		"D-0903-2026 Class III Completed 2026-05-05 2026-05-01  mention",
		"D-0901-2026 Class II Terminated 2026-03-04 2026-02-20 2026-07-01 name",
	}, "\n")
	if got := strings.Join(rows, "\n"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	found, err = openfda.Recalls(t.Context(), network, []string{"fictinib"}, 1)
	if err != nil || found.Total != 3 || found.Read != 1 {
		t.Errorf("a page of one: %+v, %v, want total 3 and 1 read", found, err)
	}
}

// NOT_FOUND is an empty answer. Any other failure, a list without its records and a record without
// its status are errors.
func TestSupplyThatIsUnknown(t *testing.T) {
	t.Parallel()
	ask := func(network *httpclient.Client, name string) map[string]error {
		errs := map[string]error{}
		s, err := openfda.Shortages(t.Context(), network, []string{name})
		if errs["shortages"] = err; err == nil && (s.Total != 0 || len(s.Items) != 0) {
			t.Errorf("shortages of %s: %+v, want none", name, s)
		}
		r, err := openfda.Recalls(t.Context(), network, []string{name}, 10)
		if errs["enforcement"] = err; err == nil && (r.Total != 0 || len(r.Items) != 0) {
			t.Errorf("recalls of %s: %+v, want none", name, r)
		}
		return errs
	}
	_, network := simulated(t)
	for endpoint, err := range ask(network, "nosuchdrug") {
		if err != nil {
			t.Errorf("%s without a match: %v, want no error", endpoint, err)
		}
	}
	for endpoint, err := range ask(network, ` "\ `) {
		if !httpclient.IsKind(err, httpclient.Invalid) {
			t.Errorf("%s of no name: %v, want an invalid request", endpoint, err)
		}
	}
	for name, body := range map[string]string{
		"short list":   `{"meta":{"results":{"total":2}},"results":[{"status":"Current","recall_number":"D-1"}]}`,
		"no total":     `{"meta":{},"results":[{"status":"Current","recall_number":"D-1"}]}`,
		"other record": `{"meta":{"results":{"total":1}},"results":[{"colour":"red"}]}`,
		"server error": "",
	} {
		t.Run(name, func(t *testing.T) {
			srv, network := simulated(t)
			for _, endpoint := range []string{"shortages", "enforcement"} {
				fault := sourcetest.Fault{Endpoint: endpoint, Times: -1, Kind: sourcetest.OtherJSON, Text: body}
				if body == "" {
					fault = sourcetest.Fault{Endpoint: endpoint, Times: -1, Kind: sourcetest.Down503}
				}
				if err := srv.Fail(fault); err != nil {
					t.Fatal(err)
				}
			}
			for endpoint, err := range ask(network, "fictinib") {
				if err == nil {
					t.Errorf("%s: no error", endpoint)
				}
			}
		})
	}
}

// Packages that end on different days are rows of their own. FDA's identification of one package holds for its row. An
// unknown status is not the most urgent one.
func TestPackagesOfAShortage(t *testing.T) {
	t.Parallel()
	srv, network := simulated(t)
	const row = `{"generic_name":"Fictinib Tablet","company_name":"C","presentation":"P","status":`
	err := srv.Fail(sourcetest.Fault{Endpoint: "shortages", Kind: sourcetest.OtherJSON, Text: `{"meta":{"results":{"total":5}},"results":[` +
		row + `"Resolved"},` + row + `"Paused"},` + row + `"To Be Discontinued","discontinued_date":"01/31/2027"},` +
		row + `"To Be Discontinued","discontinued_date":"12/31/2026","openfda":{}},` +
		row + `"To Be Discontinued","discontinued_date":"12/31/2026","openfda":{"generic_name":["FICTINIB"]}}]}`})
	if err != nil {
		t.Fatal(err)
	}
	found, err := openfda.Shortages(t.Context(), network, []string{"fictinib"})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range found.Items {
		got = append(got, fmt.Sprint(s.Status, " ", s.Discontinued, " ", s.Match, " ", s.Substances))
	}
	want := []string{"To Be Discontinued 2027-01-31 name []", "To Be Discontinued 2026-12-31 openfda [FICTINIB]", "Paused  name []", "Resolved  name []"}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}
