package sources_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"

	"golang.org/x/tools/txtar"

	"biomcp/entrez/bulk/bulktest"
	"biomcp/entrez/entreztest"
	"biomcp/entrez/polite"
	"biomcp/entrez/sources"
	"biomcp/entrez/sources/sourcestest"
)

// replies are synthetic, in the shape of the services' own: the ids that are asked for are
// real, what is said of them is not. Other addresses belong to the simulators.
var replies = txtar.Parse([]byte(`
-- /eutils/esearch.fcgi 13961 --
<?xml version="1.0"?><eSearchResult><Count>1</Count><RetMax>1</RetMax><RetStart>0</RetStart><IdList><Id>13961</Id></IdList></eSearchResult>
-- /eutils/esearch.fcgi nosuch --
<?xml version="1.0"?><eSearchResult><Count>0</Count><RetMax>0</RetMax><RetStart>0</RetStart><IdList></IdList></eSearchResult>
-- /eutils/esummary.fcgi 32051057 --
{"header":{"type":"esummary","version":"0.3"},"result":{"uids":["32051057"],"32051057":{"uid":"32051057","title":"Invented","articleids":[{"idtype":"pubmed","value":"32051057"},{"idtype":"doi","value":"10.1000/invented"}]}}}
-- /rxcui.json imatinib --
{"idGroup":{"rxnormId":["282388"]}}
-- /rxcui/282388/allrelated.json --
{"allRelatedGroup":{"conceptGroup":[{"tty":"IN","conceptProperties":[{"rxcui":"282388","name":"imatinib"}]},{"tty":"SBDF","conceptProperties":[{"rxcui":"1","name":"imatinib Oral Tablet [Invented]"}]}]}}
-- /rxclass/class/byDrugName.json imatinib --
{"rxclassDrugInfoList":{"rxclassDrugInfo":[{"rxclassMinConceptItem":{"classId":"N0001","className":"Invented","classType":"EPC"},"relaSource":"DAILYMED"}]}}
-- /spls.json gleevec --
{"data":[{"setid":"00000000-0000-4000-8000-000000000001","title":"GLEEVEC (INVENTED)"}],"metadata":{"total_elements":1}}
-- /compound/name/aspirin --
{"PropertyTable":{"Properties":[{"CID":2244,"MolecularFormula":"C9H8O4","ConnectivitySMILES":"CCO"}]}}
-- /drug/drugsfda.json nosuch --
{"meta":{"results":{"total":0}},"results":[]}
-- /drug/drugsfda.json GLEEVEC --
{"meta":{"results":{"total":1}},"results":[{"application_number":"NDA900001","products":[{"active_ingredients":[{"name":"INVENTED"}]}]}]}
-- /drug/event.json gleevec --
{"meta":{},"results":[{"term":"Invented","count":2}]}
-- /studies nosuch --
{"totalCount":0,"studies":[]}
-- /studies NCT02576665 --
{"totalCount":1,"studies":[{"protocolSection":{"identificationModule":{"nctId":"NCT02576665"},"statusModule":{"overallStatus":"COMPLETED"}}}]}
-- /pair_view CYP2C19 --
[{"genesymbol":"CYP2C19","drugname":"clopidogrel","cpiclevel":"A"}]
-- /gene-panels/IMPACT505 --
{"genePanelId":"IMPACT505","description":"Invented","genes":[{"entrezGeneId":25,"hugoGeneSymbol":"ABL1"}]}
-- /idconv/api/v1/articles/ 22663011 --
{"status":"ok","records":[{"pmid":22663011,"requested-id":"22663011","status":"error","errmsg":"Invented"}]}
-- /publications/export/biocjson 22663011 --
{"PubTator3":[{"id":"22663011","passages":[{"infons":{"type":"title"},"text":"Invented"}]}]}
-- /study_list.json --
["acc_tcga","msk_impact_2017"]
-- /pubmed/baseline/ --
<!DOCTYPE html><html><head><title>Index of /pubmed/baseline</title></head><body><a href="pubmed26n0001.xml.gz">pubmed26n0001.xml.gz</a> <a href="pubmed26n0001.xml.gz.md5">pubmed26n0001.xml.gz.md5</a></body></html>
-- /cvx/cvx.txt --
03        |MMR|invented|||False|2020/06/02
-- /cvx/TRADENAME.txt --
Invented|MMR|03        |Merck and Co., Inc.|MSD       |Active|Active|2020/06/02|
-- /cvx/mvx.txt --
MSD|Merck and Co., Inc.||Active|2012/10/18
-- /variant/autocomplete/ rs113488022 --
[{"_id":"litvar@rs113488022##","gene":["BRAF"],"name":"p.V600E"}]
`)).Files

// world answers with the replies above, else as the simulators do; change has the last
// word on a reply.
type world struct {
	simulated []http.RoundTripper
	change    func(address string, body []byte) []byte
}

func (w *world) RoundTrip(req *http.Request) (*http.Response, error) {
	address := req.URL.Path + " " + req.URL.RawQuery
	for _, f := range replies {
		path, what, _ := strings.Cut(f.Name, " ")
		isOther := strings.Contains(address, "nosuch") != (what == "nosuch")
		if strings.Contains(req.URL.Path, strings.TrimPrefix(path, "/eutils")) && !isOther && (strings.Contains(address, what) || what == "13961" && strings.Contains(address, "CSPDI")) {
			return w.reply(req, http.StatusOK, bytes.TrimSpace(f.Data)), nil
		}
	}
	for i, s := range w.simulated {
		resp, err := s.RoundTrip(req)
		if err != nil || resp.StatusCode == http.StatusNotFound && i+1 < len(w.simulated) {
			continue
		}
		body, err := io.ReadAll(resp.Body)
		if err != nil {
			return nil, err
		}
		return w.reply(req, resp.StatusCode, body), nil
	}
	return nil, fmt.Errorf("nobody answers %s", address)
}

func (w *world) reply(req *http.Request, status int, body []byte) *http.Response {
	if w.change != nil {
		body = w.change(req.URL.Path, body)
	}
	return &http.Response{StatusCode: status, Header: http.Header{}, Body: io.NopCloser(bytes.NewReader(body)), Request: req}
}

func verify(t *testing.T, change func(string, []byte) []byte, all ...*polite.Source) (found []polite.Finding) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		w := &world{change: change}
		addresses := map[string]string{}
		ncbi, err := entreztest.Start(entreztest.Unlisted(), entreztest.NoLimit())
		if err != nil {
			t.Fatal(err)
		}
		defer ncbi.Close()
		sourcestest.AddTo(ncbi.Server)
		for name, a := range ncbi.Config().Addresses {
			addresses[name] = a
		}
		w.simulated = []http.RoundTripper{ncbi.Transport()}
		network, err := polite.New(polite.Config{Transport: w, Addresses: addresses})
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range all {
			for _, k := range s.Contract() {
				found = append(found, network.To(s).Verify(t.Context(), &k)...)
			}
		}
	})
	return found
}

func TestContractHoldsInTheSimulators(t *testing.T) {
	for _, s := range sources.All() {
		for _, f := range verify(t, nil, s) {
			if f.Err != nil || f.Drift != "" || f.Seen == "" {
				t.Errorf("%s: %+v", s.Label, f)
			}
		}
	}
}

// without is a text, or a packed one, without a word.
func without(t *testing.T, body []byte, word string) []byte {
	if z, err := gzip.NewReader(bytes.NewReader(body)); err == nil {
		text, err := io.ReadAll(z)
		if err != nil {
			t.Fatal(err)
		}
		return bulktest.Pack(without(t, text, word))
	}
	return regexp.MustCompile("(?i)"+regexp.QuoteMeta(word)).ReplaceAll(body, []byte("renamed"))
}

// Each fact of each source, changed: its line says so, and those before it hold.
func TestContractNamesTheLineThatDrifted(t *testing.T) {
	changed := 0
	for _, s := range sources.All() {
		for _, k := range s.Contract() {
			for i, fact := range k.Facts {
				parts := strings.Split(fact.Path, ".")
				member := strings.Trim(parts[len(parts)-1], `#(=")`)
				if strings.Trim(member, "0123456789") == "" { // a place in a list: the list is renamed
					member = parts[len(parts)-2]
				}
				changed++
				only := *s
				only.Knowns, only.More = []polite.Known{k}, nil
				found := verify(t, func(path string, body []byte) []byte {
					if k.Call.Form == polite.Text || k.Call.Form == polite.Page {
						return without(t, body, fact.Path)
					}
					body = bytes.ReplaceAll(body, []byte(`"`+member+`"`), []byte(`"renamed"`))
					return bytes.ReplaceAll(body, []byte(member+">"), []byte("Renamed>"))
				}, &only)
				if want := "there is no " + fact.Path; found[i].Drift != want || found[i].Err != nil {
					t.Errorf("%s, %s: %+v", s.Label, fact.Path, found[i])
				}
				if fact.Value == "" {
					continue
				}
				found = verify(t, func(path string, body []byte) []byte {
					for _, around := range []string{`""`, "><", ":,", ":}", "[]", "[,"} {
						left, right := around[:1], around[1:]
						body = bytes.ReplaceAll(body, []byte(left+fact.Value+right), []byte(left+"99"+right))
					}
					return body
				}, &only)
				if !strings.Contains(found[i].Drift, " is 99") {
					t.Errorf("%s, %s: %+v", s.Label, fact, found[i])
				}
			}
			if k.Tag != "" { // a service that drops the tags that it does not know
				changed++
				only := *s
				only.Knowns, only.More = []polite.Known{k}, nil
				var good []byte
				found := verify(t, func(_ string, body []byte) []byte {
					if good == nil {
						good = body
					}
					return good
				}, &only)
				if last := found[len(found)-1]; last.Drift != "an unknown tag finds the same" {
					t.Errorf("%s: %+v", s.Label, last)
				}
			}
		}
	}
	t.Logf("%d changes", changed)
	if changed < 80 {
		t.Errorf("only %d changes", changed)
	}
}
