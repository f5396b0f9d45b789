package entreztest

import (
	"encoding/json"
	"fmt"
	"net/url"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"biomcp/entrez/sourcetest"
)

type searchAnswer struct {
	Count        string        `json:"count"`
	RetMax       string        `json:"retmax"`
	IDs          []string      `json:"idlist"`
	Translations []Translation `json:"translationset"`
	Translation  string        `json:"querytranslation"`
	QueryKey     string        `json:"querykey"`
	WebEnv       string        `json:"webenv"`
	Errors       errorList     `json:"errorlist"`
	Warnings     warningList   `json:"warninglist"`
	Error        string        `json:"ERROR"`
}

// look runs a search with JSON; params alternates names and values.
func look(t *testing.T, s *Server, term string, params ...string) searchAnswer {
	t.Helper()
	form := url.Values{"term": {term}, "retmode": {"json"}}
	for i := 0; i < len(params); i += 2 {
		form.Set(params[i], params[i+1])
	}
	body := ask(t, s, "esearch.fcgi?"+form.Encode())
	var r struct {
		Result searchAnswer `json:"esearchresult"`
	}
	if err := json.Unmarshal([]byte(strings.ReplaceAll(body, "\n", `\n`)), &r); err != nil {
		t.Fatalf("%v in %s", err, body)
	}
	return r.Result
}

func TestQueriesOverTheSyntheticRecords(t *testing.T) {
	s := imaginary(t)
	// 1 a randomised trial, 2 a retracted review, 3 a German letter, 4 a book
	// chapter, 5 an article ahead of print.
	for _, c := range []struct {
		term string
		want string // PMIDs without 8000000
	}{
		{"asthma", "12"},
		{"Asthma[MeSH Terms]", "1"}, {`"asthma"[mh]`, "1"}, {"asthma[majr]", "1"}, {"asthma/drug therapy[mh]", "1"},
		{"asthma[ti]", "1"}, {"asthma[Title]", "1"}, {"asthma[tiab]", "12"}, {"asthma[Title/Abstract]", "12"},
		{"stem cells[mesh]", "2"}, {"stem cells", "2"}, {`"stem cells"[tiab]`, "2"}, {`"cells stem"[tiab]`, ""},
		{"cells stem[tiab]", "2"}, // unquoted: split into its words
		{"breathlessness[ot]", "1"}, {"breathlessness[tiab]", "1"}, {"breathlessness[ti]", ""},
		{"asthm*", "12"}, {"asthm*[ti]", "1"}, {`"airway inflam*"[ti]`, "2"}, {"as*[ti]", ""},
		{"muller ja[au]", "1"}, {"Müller[au]", "1"}, {"smith[au]", "12"}, {"smith j[au]", "12"}, {`"smith j"[au]`, "1"},
		{"smith ja[1au]", "2"}, {"smith[lastau]", "2"}, {"smith[1au]", "2"}, {"Smith, John[fau]", "1"}, {"de la Cruz M[Author]", "3"},
		{"imaginary asthma group[cn]", "1"}, {"0000-0002-1825-0097[auid]", "1"},
		{"university of nowhere[ad]", "1"}, {"nowhere[ad]", "1"},
		{"Imag J Lung Res[ta]", "13"}, {"9999-0001[ta]", "13"}, {`"Imaginary journal of lung research (Nowhere)"[Journal]`, "13"},
		{"review[pt]", "24"}, {"systematic review[Publication Type]", "2"}, {"clinical trial[pt]", "1"}, {"letter[pt]", "3"},
		{"retracted publication[pt]", "2"}, {"asthma NOT retracted publication[pt]", "1"},
		{"german[la]", "3"}, {"ger[Language]", "3"}, {"english[la]", "1245"},
		{"80000003[uid]", "3"}, {"80000003[PMID]", "3"}, {"80000001 80000003", "13"}, {"80000002:80000004[uid]", "234"},
		{"10.99999/imag.2021.101[doi]", "1"}, {"10.99999/imag.2021.101", "1"}, {"10.99999/not.mine[aid]", ""},
		{"PMC8000001[pmc]", "1"}, {"PMC8000001", "1"}, {"imag-101[aid]", "1"},
		{"451W47IQ8X[rn]", "1"}, {"sodium chloride[nm]", "1"}, {"X00 99999[gr]", "1"},
		{"hasabstract", "124"}, {"hasabstract[sb]", "124"}, {"free full text[sb]", "1"}, {"free full text[Filter]", "1"},
		{"medline[sb]", "12"}, {"humans[mh]", "1"}, {"humans[Filter]", "1"}, {"animals[mh] NOT humans[mh]", "2"}, {"publisher[sb]", "5"},
		{"nbk9999999[book]", "4"}, {"university of nowhere[pubn]", "4"},
		{"2021[dp]", "1"}, {"2020[dp]", "1"}, {"2021/03[pdat]", "1"}, {"2020/12/30[Date - Publication]", "1"}, {"1998[dp]", "3"}, {"2018[dp]", "4"}, {"2024/03[dp]", "5"},
		{"2021/01/02[edat]", "1"}, {"2021/01/01[edat]", ""}, {"2021/01/01[crdt]", "1"}, {"2019[crdt]", "3"}, {"1999[edat]", "3"},
		{"2023/02/02[lr]", "2"}, {"2023[mdat]", "2"}, {"2021/03/11[mhda]", "1"}, {"2021/03/10[dcom]", "1"},
		{"2021:3000[edat]", "125"}, {"2021/01/02:2022/05/04[edat]", "1"}, {"2021/01/02:2022/05[edat]", "12"}, {"2018/02:2019[crdt]", "34"},
		{`"2021/01/01"[Date - Entry] : "3000"[Date - Entry]`, "125"}, {`"2021/01/01":"2021/12/31"[edat]`, "1"},
		{"Über das Atmen[tt]", "3"}, {"beta agonists[tiab]", "1"}, {"β-agonists", "1"}, {"IL-6", "1"}, {"h2o2[tiab]", "1"},
		{`"childhood asthma"[ti:~0]`, "1"}, {`"sodium asthma"[ti:~1]`, ""}, {`"sodium asthma"[ti:~3]`, "1"}, {`"asthma sodium"[Title:~3]`, "1"},
		// Operators apply from left to right.
		{"mice OR asthma AND letter[pt]", ""}, {"mice OR (asthma AND letter[pt])", "2"}, {"letter[pt] OR asthma AND mice", "2"},
		{"asthma AND NOT mice", "1"}, {"(asthma) NOT (mice)", "1"}, {"((asthma))", "12"}, {"asthma AND", "12"}, {"AND asthma", "12"},
		{"asthma mice", "2"}, {"asthma and mice", "2"}, {"asthma[tiab] mice[tiab]", "2"}, {`"asthma" "mice"`, "2"},
		{"asthma[nosuchfield]", "12"}, {"(asthma OR mice)[ti]", "12"},
		{"quality of life", "5"}, {`"quality of life"[ti]`, "5"}, {"the obesity of it", "5"}, {"Smith JA", "2"},
		{"all[sb]", "12345"},
	} {
		t.Run(c.term, func(t *testing.T) {
			got := look(t, s, c.term)
			slices.Sort(got.IDs)
			var short strings.Builder
			for _, id := range got.IDs {
				short.WriteString(strings.TrimPrefix(id, "8000000"))
			}
			if short.String() != c.want || got.Error != "" {
				t.Errorf("%s found %q, want %q (%s) %s", c.term, short.String(), c.want, got.Translation, got.Error)
			}
		})
	}
}

func TestPhrasesNotFoundAreDroppedAndReported(t *testing.T) {
	s := imaginary(t)
	for _, c := range []struct {
		term, translation            string
		count                        string
		notFound, quoted, stopped, m []string
	}{
		{
			term: "asthma zzzzq", count: "2", notFound: []string{"zzzzq"},
			translation: `"asthma"[MeSH Terms] OR "asthma"[All Fields]`,
		},
		{
			term: `asthma[ti] AND "no such phrase"[tiab]`, count: "1", quoted: []string{`"no such phrase"[tiab]`},
			translation: `"asthma"[Title]`,
		},
		{
			term: `(asthma[ti]) AND (zzzzq OR yyyyq[ti])`, count: "1", notFound: []string{"zzzzq", "yyyyq"},
			translation: `"asthma"[Title]`,
		},
		{
			term: `asthma[ti] NOT zzzzq`, count: "1", notFound: []string{"zzzzq"}, translation: `"asthma"[Title]`,
		},
		{
			term: `zzzzq OR mice[ti] AND asthma[tiab]`, count: "1", notFound: []string{"zzzzq"},
			translation: `"mice"[Title] AND "asthma"[Title/Abstract]`,
		},
		{
			term: "zzzz asthma[ti] of", count: "0", notFound: []string{"zzzz asthma"}, stopped: []string{"of"},
			translation: "(zzzz asthma[ti] AND of[All Fields])", m: []string{"No items found."},
		},
		{
			term: "obesity of the kidney", count: "1", stopped: []string{"of", "the"},
			translation: `"obesity"[All Fields] AND "kidney"[All Fields]`,
		},
		{
			term: "zzzzq", count: "0", notFound: []string{"zzzzq"}, translation: "(zzzzq[All Fields])", m: []string{"No items found."},
		},
		{
			term: "1804[dp]", count: "0", translation: "1804[Date - Publication]", m: []string{"No items found."},
		},
		{
			term: "2021/13[dp] AND asthma[ti]", count: "1", notFound: []string{"2021/13"}, translation: `"asthma"[Title]`,
		},
	} {
		t.Run(c.term, func(t *testing.T) {
			got := look(t, s, c.term)
			if got.Count != c.count || got.Translation != c.translation {
				t.Errorf("%s: %s hits for %s, want %s for %s", c.term, got.Count, got.Translation, c.count, c.translation)
			}
			for _, list := range [][2][]string{
				{got.Errors.PhrasesNotFound, c.notFound}, {got.Warnings.QuotedPhrasesNotFound, c.quoted},
				{got.Warnings.PhrasesIgnored, c.stopped}, {got.Warnings.OutputMessages, c.m},
			} {
				if !slices.Equal(list[0], list[1]) {
					t.Errorf("%s: says %q, want %q", c.term, list[0], list[1])
				}
			}
		})
	}
}

func TestUnknownFieldsAreSilentInPubMedAndNamedInMeSH(t *testing.T) {
	s := imaginary(t)
	if got := look(t, s, "asthma[tiabb]"); got.Count != "2" || len(got.Errors.FieldsNotFound) != 0 {
		t.Errorf("pubmed: %+v", got)
	}
	if got := look(t, s, "asthma[tiabb]", "db", "mesh"); !slices.Equal(got.Errors.FieldsNotFound, []string{"tiabb"}) {
		t.Errorf("mesh: %+v", got)
	}
}

// A query of a million parts, nested or in sequence, is answered.
func TestHugeQueries(t *testing.T) {
	if testing.Short() {
		t.Skip("parses megabytes, in one goroutine")
	}
	defer debug.SetMaxStack(debug.SetMaxStack(32 << 20))
	s := imaginary(t)
	for _, term := range []string{
		strings.Repeat("NOT (a OR (", 1<<20) + "x" + strings.Repeat("))", 1<<20), strings.Repeat("(", 1<<20), strings.Repeat("[", 1<<20),
		"asthma" + strings.Repeat(" NOT asthma", 30_000), "asthma" + strings.Repeat(" OR asthma", 30_000),
	} {
		t.Run(fmt.Sprintf("%.60s", term), func(t *testing.T) {
			for _, db := range []string{"pubmed", "mesh"} {
				c := &call{&sourcetest.Call{Form: url.Values{"db": {db}, "term": {term}}}}
				if body := s.esearch(c).Body; !strings.Contains(string(body), "<eSearchResult>") {
					t.Errorf("%s: %.40q: %.200s", db, term, body)
				}
			}
		})
	}
}

func TestMalformedQueriesFailIn200(t *testing.T) {
	s := imaginary(t)
	deep := strings.Repeat("(", 600) + "x" + strings.Repeat(")", 600)
	for _, term := range []string{"((", "(asthma", "asthma)", "()", `"asthma`, "asthma[ti", "asthma]", deep, "() OR asthma"} {
		t.Run(term, func(t *testing.T) {
			got := look(t, s, term)
			if !strings.HasPrefix(got.Error, "Search Backend failed: ") || got.Count != "" {
				t.Errorf("%.40q: %+v", term, got)
			}
		})
	}
	if body := ask(t, s, "esearch.fcgi?retmode=json&term=(("); !strings.Contains(body, "\n") {
		t.Errorf("no raw line break in %s", body)
	}
	if got := look(t, s, ""); got.Error != "Empty term and query_key - nothing todo" {
		t.Errorf("empty term: %+v", got)
	}
	if got := look(t, s, "x", "db", "nosuch"); got.Error != "Invalid db name specified: nosuch" {
		t.Errorf("unknown database: %+v", got)
	}
	for _, term := range []string{"\x00\x01", "$(whoami)", "';--", "[ti]", ":", "*", "AND OR NOT", "\xff\xfe", "#"} {
		t.Run(term, func(t *testing.T) {
			if got := look(t, s, term); got.Error == "" && got.Count != "0" {
				t.Errorf("%q found %s", term, got.Count)
			}
		})
	}
}

func TestDateParameters(t *testing.T) {
	s := imaginary(t)
	s.SetNow(time.Date(2022, 5, 6, 12, 0, 0, 0, time.UTC))
	for _, c := range []struct {
		params      string
		count       string
		translation string
	}{
		{"mindate=2021&maxdate=2021&datetype=edat", "1", "2021:2021[Date - Entry]"},
		{"mindate=2021/06&maxdate=2022/05&datetype=crdt", "1", "2021/06:2022/05[Date - Create]"},
		{"mindate=2021&maxdate=2022&datetype=pdat", "2", "2021:2022[Date - Publication]"},
		{"mindate=2021&maxdate=2022", "2", "2021:2022[Date - Publication]"},
		{"mindate=2023&maxdate=3000&datetype=mdat", "1", "2023:3000[Date - Modification]"},
		{"reldate=2&datetype=edat", "1", "2022/05/04:2022/05/06[Date - Entry]"},
		{"mindate=2023", "2", ""}, // a single bound has no effect
		{"maxdate=2023", "2", ""},
		{"mindate=x&maxdate=y", "2", ""},
	} {
		t.Run(c.params, func(t *testing.T) {
			form, _ := url.ParseQuery(c.params)
			var params []string
			for k, v := range form {
				params = append(params, k, v[0])
			}
			got := look(t, s, "asthma[tiab]", params...)
			want := `"asthma"[Title/Abstract]`
			if c.translation != "" {
				want += " AND " + c.translation
			}
			if got.Count != c.count || got.Translation != want {
				t.Errorf("%s: %s for %s, want %s for %s", c.params, got.Count, got.Translation, c.count, want)
			}
		})
	}
	if got := look(t, s, "asthma[ti] OR mice[ti]", "reldate", "2", "datetype", "edat"); got.Translation != `("asthma"[Title] OR "mice"[Title]) AND 2022/05/04:2022/05/06[Date - Entry]` {
		t.Errorf("an OR is not wrapped: %s", got.Translation)
	}
}

func TestSortOrders(t *testing.T) {
	s := imaginary(t)
	for sort, want := range map[string]string{
		"pub_date":    "80000005 80000002 80000001 80000004 80000003",
		"Author":      "80000004 80000003 80000001 80000002 80000005",
		"JournalName": "80000004 80000002 80000005 80000003 80000001",
		"relevance":   "80000005 80000004 80000003 80000002 80000001",
	} {
		t.Run(sort, func(t *testing.T) {
			if got := strings.Join(look(t, s, "all[sb]", "sort", sort).IDs, " "); got != want {
				t.Errorf("%s: %s, want %s", sort, got, want)
			}
		})
	}
	if got := look(t, s, "childhood"); strings.Join(got.IDs, " ") != "80000001 80000002" {
		t.Errorf("relevance: %v", got.IDs) // the older one has it in the title
	}
	got := look(t, s, "asthma", "sort", "nosuch")
	if !slices.Contains(got.Warnings.OutputMessages, "Unknown sort schema 'nosuch' ignored") {
		t.Errorf("warnings %v", got.Warnings.OutputMessages)
	}
}

func TestFieldParameter(t *testing.T) {
	s := imaginary(t)
	if got := look(t, s, "asthma", "field", "title"); got.Count != "1" || got.Translation != `"asthma"[Title]` {
		t.Errorf("%+v", got)
	}
	if got := look(t, s, "mice OR letter[pt]", "field", "ti"); got.Translation != `"mice"[Title] OR "letter"[Publication Type]` {
		t.Errorf("%+v", got)
	}
}

func TestLongQuery(t *testing.T) {
	s := imaginary(t)
	var b strings.Builder
	for b.Len() < 1<<20 {
		b.WriteString("asthma[ti] OR mice[ti] AND zzzz ")
	}
	r, err := s.Client().PostForm(s.EntrezURL()+"esearch.fcgi", url.Values{"term": {b.String()}, "rettype": {"count"}})
	if err != nil {
		t.Fatal(err)
	}
	r.Body.Close()
	if r.StatusCode != 200 {
		t.Errorf("status %d", r.StatusCode)
	}
}
