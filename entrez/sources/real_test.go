package sources_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"biomcp/entrez/contract"
	"biomcp/entrez/cpic"
	"biomcp/entrez/ctgov"
	"biomcp/entrez/httpclient"
	"biomcp/entrez/idconv"
	"biomcp/entrez/openfda"
	"biomcp/entrez/pubmed"
	"biomcp/entrez/pubtator"
	"biomcp/entrez/sourcetest"
)

// captured is a real reply, its reader, and the expected result, which was determined
// independently.
type captured struct {
	source *httpclient.Source
	ask    func(context.Context, *httpclient.Client) (any, error)
	want   []string
}

// trials parses studies and returns their number, title, status, sponsor, people and sites.
func trials(want ...string) captured {
	return captured{&ctgov.Source, func(ctx context.Context, n *httpclient.Client) (any, error) {
		studies, err := ctgov.Studies(ctx, n, []string{"NCT00000001"}, nil)
		var all []string
		for _, s := range studies {
			all = append(all, strings.Join([]string{
				s.ID(), s.Title(), s.Status(), strings.Join(s.Texts("protocolSection.conditionsModule.conditions"), "; "), s.Text("protocolSection.sponsorCollaboratorsModule.leadSponsor.name"),
				s.Text("protocolSection.designModule.enrollmentInfo.count"), s.Get("protocolSection.contactsLocationsModule.locations.#").String(),
			}, "|"))
		}
		return fmt.Sprint(len(studies), strings.Join(all, "\n")), err
	}, want}
}

var captures = map[string]captured{
	"cpic/pair_gene_cyp2d6_20260803.json": {&cpic.Source, func(ctx context.Context, n *httpclient.Client) (any, error) {
		all, err := cpic.ByGene(ctx, n, "CYP2D6")
		return map[string]any{"n": len(all), "all": all}, err
	}, []string{`"n":79`, `"gene":"CYP2D6","drug":"amitriptyline","cpic_level":"A","provisional":false`, `"pmids":["23486447","27997040"]`}},
	"cpic/pair_drug_clopidogrel_20260803.json": {&cpic.Source, func(ctx context.Context, n *httpclient.Client) (any, error) {
		return cpic.ByDrug(ctx, n, "clopidogrel", "")
	},
		[]string{`"gene":"CYP2C19","drug":"clopidogrel","cpic_level":"A","provisional":false,"fda_label":"Actionable PGx","guideline":"CYP2C19 and Clopidogrel"`, `"gene":"CES1","drug":"clopidogrel","cpic_level":"C","provisional":true,"fda_label":null,"guideline":null`}},
	"cpic/pair_empty_20260803.json":           {&cpic.Source, func(ctx context.Context, n *httpclient.Client) (any, error) { return cpic.ByGene(ctx, n, "NOSUCH") }, []string{"null"}},
	"openfda/drugsfda_15_2023.json":           {&openfda.Source, applications, []string{`"Total":15,"AsOf":"2023-11-15"`, `"Number":"ANDA072267","Kind":"ANDA","Sponsor":"XSPIRE PHARMA","Brands":["FENOPROFEN CALCIUM"]`, `"Approved":"1988-06-08"`}},
	"openfda/drugsfda_imatinib_20260811.json": {&openfda.Source, applications, []string{`"Total":17`, `"Number":"NDA021588","Kind":"NDA","Sponsor":"NOVARTIS","Brands":["GLEEVEC"]`, `"Approved":"2003-04-18"`}},
	"openfda/faers_count_pembrolizumab_reaction_20260811.json": {&openfda.Source, func(ctx context.Context, n *httpclient.Client) (any, error) {
		return openfda.Events(ctx, n, "pembrolizumab", 1)
	}, []string{`"reaction":"MALIGNANT NEOPLASM PROGRESSION","reports":12016`, `"AsOf":"2026-07-30"`}},
	"pubtator/export_20516115.json": {&pubtator.Source, annotations, []string{`"PMID":"20516115"`, `"Text":"breast and ovarian cancer","Type":"Disease","Identifier":"MESH:D061325"`}},
	"pubtator/export_22663011.json": {&pubtator.Source, annotations, []string{`"PMID":"22663011"`, `"Text":"MEK","Type":"Gene","Identifier":"5609"`, `"Text":"BRAF","Type":"Gene","Identifier":"673"`}},
	"ncbi_idconv/pmid_22663011.json": {&idconv.Source, func(ctx context.Context, n *httpclient.Client) (any, error) {
		return idconv.Convert(ctx, n, []string{"22663011"})
	}, []string{`["22663011"]`}},
	"ctgov_new/NCT00465816.json":                      trials("1NCT00465816|Primary Study to Demonstrate"),
	"ctgov_new/NCT00763412.json":                      trials("|COMPLETED|Cystic Fibrosis Related Diabetes; Pancreatic Insufficiency|Arbelaez, Ana Maria|31|1"),
	"ctgov_new/NCT00973089.json":                      trials("|WITHDRAWN|Caries, Dental|Hadassah Medical Organization|0|1"),
	"ctgov_new/NCT02278341.json":                      trials("1NCT02552212|", "Nr-axSpA|UCB BIOSCIENCES GmbH|317|105"),
	"ctgov_new/NCT03418623.json":                      trials("|COMPLETED|Alcohol Use Disorder|Laboratorio Farmaceutico Ct S.r.l.|24|1"),
	"ctgov_new/NCT03475563.json":                      trials("|UNKNOWN|Coronary Artery Disease|Hospital Universitari Vall d'Hebron Research Institute|100|3"),
	"ctgov_new/NCT03630471.json":                      trials("Substance Abuse)|Sangath|250|1"),
	"ctgov_new/NCT04207047.json":                      trials("|UNKNOWN|Abdominoplasty|LUTRONIC Corporation|3|1"),
	"ctgov_new/NCT06171568.json":                      trials("Lariboisière Cognitive Assessment", "|NOT_YET_RECRUITING|Brain Injuries|Assistance Publique - Hôpitaux de Paris|400|1"),
	"ctgov_new/design_outcome_empty.json":             trials("1NCT01234567|", "|COMPLETED|Acne Rosacea|Accuitis, Inc.|40|2"),
	"ctgov_new/initialize_participant_flow_data.json": trials("|COMPLETED|Diabetes Mellitus; Cardiovascular Diseases|Kaiser Permanente|4856|"),
	"ctgov_new/zolgensma.json":                        trials("18NCT04851873|", "|TERMINATED|Spinal Muscular Atrophy|Novartis Gene Therapies|32|11"),
}

func applications(ctx context.Context, n *httpclient.Client) (any, error) {
	return openfda.Applications(ctx, n, openfda.Query{Names: []string{"imatinib"}, Limit: 100})
}

func annotations(ctx context.Context, n *httpclient.Client) (any, error) {
	return pubtator.Annotations(ctx, n, []string{"1"})
}

// always gives one reply, either complete or reduced to the parts that the source declares.
type always struct {
	body []byte
	of   *httpclient.Source
}

func (a always) RoundTrip(r *http.Request) (*http.Response, error) {
	rep := sourcetest.Reply{Status: http.StatusOK, Type: sourcetest.JSONType, Body: a.body}
	if a.of != nil {
		at := strings.TrimPrefix(r.URL.String(), a.of.Address)
		at, _, _ = strings.Cut(at, "?")
		rep = sourcetest.KeepDeclared(contract.MatchingUses(a.of, at, r.URL.Query()), rep)
	}
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: io.NopCloser(bytes.NewReader(rep.Body)), Request: r}, nil
}

// Real replies can be read, even if reduced to the parts that their source declares.
func TestRealReplies(t *testing.T) {
	for file, c := range captures {
		t.Run(file, func(t *testing.T) {
			body, err := os.ReadFile(filepath.Join("../../../shared/data/breadth2", file))
			if err != nil {
				t.Skip("the captured replies are not here")
			}
			if c.source == &ctgov.Source && !bytes.Contains(body[:min(40, len(body))], []byte("studies")) { // a single record
				body = fmt.Appendf(nil, `{"studies":[%s]}`, body)
			}
			if strings.Contains(file, "faers_count") { // the request for the total gets the same reply
				body = bytes.Replace(body, []byte(`"last_updated"`), []byte(`"results":{"total":1},"last_updated"`), 1)
			}
			var texts [2]string
			for i, of := range []*httpclient.Source{nil, c.source} {
				network, err := httpclient.New(httpclient.Config{Transport: always{body, of}})
				if err != nil {
					t.Fatal(err)
				}
				got, err := c.ask(t.Context(), network)
				if err != nil {
					t.Fatal(err)
				}
				var out bytes.Buffer
				enc := json.NewEncoder(&out)
				enc.SetEscapeHTML(false)
				if err := enc.Encode(got); err != nil {
					t.Fatal(err)
				}
				texts[i] = out.String()
			}
			for _, want := range c.want {
				if !strings.Contains(texts[0], want) {
					t.Errorf("no %s in %.1500s", want, texts[0])
				}
			}
			if texts[0] != texts[1] {
				t.Errorf("other than with what is declared: %.700s and %.700s", texts[0], texts[1])
			}
		})
	}
}

// The declared parts of PubMed's records include everything that is read of 163 real ones.
func TestDeclaredElementsOfPubMedAreEnough(t *testing.T) {
	f, err := os.Open("../../../shared/data/pubmed/efetch-163.xml.gz")
	if err != nil {
		t.Skip("the captured replies are not here")
	}
	defer f.Close()
	plain, err := pubmed.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	whole, err := io.ReadAll(plain)
	if err != nil {
		t.Fatal(err)
	}
	read := func(body []byte) string {
		var out strings.Builder
		for item, err := range pubmed.Scan(bytes.NewReader(body)) {
			if err != nil {
				t.Fatal(err)
			}
			if err := json.NewEncoder(&out).Encode(item.Article); err != nil {
				t.Fatal(err)
			}
		}
		return out.String()
	}
	only := sourcetest.KeepDeclared([]httpclient.Dependency{{Reply: pubmed.Fields}}, sourcetest.Reply{Status: http.StatusOK, Type: sourcetest.XMLType, Body: whole}).Body
	if a, b := read(whole), read(only); len(only) == len(whole) || a != b {
		i := 0
		for i < min(len(a), len(b)) && a[i] == b[i] {
			i++
		}
		t.Errorf("%d bytes of %d: …%.300s and …%.300s", len(only), len(whole), a[max(0, i-100):], b[max(0, i-100):])
	}
}
