package dailymed

import (
	"compress/gzip"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"biomcp/entrez/httpclient"
)

const captures = "../../../shared/data/breadth/dailymed/"

func capture(t *testing.T, name string) *Label {
	t.Helper()
	f, err := os.Open(captures + name)
	if err != nil {
		t.Skip("SKIPPED: no captures here: ", err)
	}
	defer f.Close()
	var r io.Reader = f
	if strings.HasSuffix(name, ".gz") {
		if r, err = gzip.NewReader(f); err != nil {
			t.Fatal(err)
		}
	}
	body, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	l, err := Parse(body)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// wantHead checks the set ID, title, maker and date of a label.
func wantHead(t *testing.T, got *Label, want Label) {
	t.Helper()
	for name, value := range map[string][2]string{
		"set id": {got.SetID, want.SetID}, "title": {got.Title, want.Title},
		"maker": {got.Maker, want.Maker}, "date": {got.Effective, want.Effective},
	} {
		if got, want := value[0], value[1]; got != want {
			t.Errorf("%s %q, want %q", name, got, want)
		}
	}
}

func TestRealLabels(t *testing.T) {
	cough := capture(t, "spl_cough.xml")
	wantHead(t, cough, Label{SetID: "00f66f25-3469-4c16-9baf-fba21e9628bd", Effective: "20110426",
		Maker: "Novartis Consumer Health, Inc.", Title: "Drug Facts"})
	var moieties []string
	for _, a := range slices.Concat(cough.Actives, capture(t, "spl_humira.xml.gz").Actives[:1]) {
		moieties = append(moieties, a.Name+" "+a.Code.UNII+" of "+a.Moieties[0].Name)
	}
	const want = "DIPHENHYDRAMINE HYDROCHLORIDE TC2D6JAD40 of DIPHENHYDRAMINE; " +
		"PHENYLEPHRINE HYDROCHLORIDE 04JA59TNSJ of PHENYLEPHRINE; ADALIMUMAB FYS6T7F842 of ADALIMUMAB"
	if got := strings.Join(moieties, "; "); got != want {
		t.Errorf("active ingredients %s, want %s", got, want)
	}
	uses, ok := cough.Section("34067-9")
	if !ok || !strings.Contains(uses.Text, "\n") || strings.ContainsAny(uses.Text, "<>\t") {
		t.Errorf("%+v", uses)
	}
	if w, ok := cough.Section("34071-1"); !ok || !strings.Contains(w.Text, "Do not use") { // in a nested section
		t.Errorf("%+v", w)
	}
	if _, ok := cough.Section("34073-7"); ok {
		t.Error("interactions that are not there")
	}
	humira := capture(t, "spl_humira.xml.gz")
	if others := humira.OtherTitles("34066-1", "34067-9"); len(others) != 15 || !slices.Contains(others, "10 OVERDOSAGE") {
		t.Errorf("other titles %q, want the 15 further outermost sections with a title", others)
	}
	for loinc, want := range map[string]string{"34066-1": "SERIOUS INFECTIONS", "34067-9": "Rheumatoid Arthritis", "34073-7": "Live Vaccines", "43685-7": "Serious Infections"} {
		t.Run(loinc, func(t *testing.T) {
			s, ok := humira.Section(loinc)
			if !ok || !strings.Contains(strings.ToLower(s.Title+s.Text), strings.ToLower(want)) || strings.Contains(s.Text, "<") && strings.Contains(s.Text, "/>") {
				t.Errorf("%s: %.300s", loinc, s.Text)
			}
		})
	}
}

// label is synthetic, in the format of a captured label: a kit of two parts, and nested sections.
const label = `<?xml version="1.0" encoding="UTF-8"?><document xmlns="urn:hl7-org:v3">
<title>Invented<br/>Facts</title><effectiveTime value="20260102"/><setId root="90000000-0000-4000-8000-000000000001"/>
<author><assignedEntity><representedOrganization><name> Invented Pharma </name></representedOrganization></assignedEntity></author>
<component><structuredBody>
<component><section><subject><manufacturedProduct><manufacturedProduct><name>Kit</name>
	<part><partProduct><ingredient classCode="ACTIB"><ingredientSubstance><code code="UNIISALT01"/><name>FICTINIB MESYLATE</name>
		<activeMoiety><activeMoiety><code code="UNIIBASE01"/><name>FICTINIB</name></activeMoiety></activeMoiety></ingredientSubstance></ingredient>
	<ingredient classCode="IACT"><ingredientSubstance><code code="UNIIWATER1"/><name>WATER</name></ingredientSubstance></ingredient></partProduct></part>
</manufacturedProduct></manufacturedProduct></subject></section></component>
<component><section><code code="34067-9"/><title>Uses</title><text><paragraph>relieves <content styleCode="bold">invented</content> pain</paragraph><list><item>at night</item></list></text>
	<component><section><code code="34071-1"/><title>Warnings</title><text>Do not use twice</text></section></component></section></component>
<component><section><code code="34066-1" displayName="Boxed Warning section"/><text>Do not use if opened</text></section></component>
</structuredBody></component></document>`

func TestLabel(t *testing.T) {
	l, err := Parse([]byte(label))
	if err != nil {
		t.Fatal(err)
	}
	wantHead(t, l, Label{SetID: "90000000-0000-4000-8000-000000000001", Title: "Invented Facts",
		Maker: "Invented Pharma", Effective: "20260102"})
	if len(l.Actives) != 1 {
		t.Fatalf("%d active ingredients, want 1: %+v", len(l.Actives), l.Actives)
	}
	active := l.Actives[0]
	if active.Name != "FICTINIB MESYLATE" {
		t.Errorf("active ingredient %q, want FICTINIB MESYLATE", active.Name)
	}
	if got := active.Code.UNII; got != "UNIISALT01" {
		t.Errorf("UNII %q, want UNIISALT01", got)
	}
	if got := active.Moieties[0].Code.UNII; got != "UNIIBASE01" {
		t.Errorf("UNII of the moiety %q, want UNIIBASE01", got)
	}
	for loinc, want := range map[string]Section{
		"34067-9": {"34067-9", "Uses", "relieves invented pain\nat night\nWarnings\nDo not use twice"},
		"34071-1": {"34071-1", "Warnings", "Do not use twice"},
		"34066-1": {"34066-1", "Boxed Warning section", "Do not use if opened"},
		"34073-7": {},
	} {
		t.Run(loinc, func(t *testing.T) {
			if got, ok := l.Section(loinc); got != want || ok != (want != Section{}) {
				t.Errorf("%+v", got)
			}
		})
	}
	if _, err := Parse([]byte(label[:300])); err == nil {
		t.Error("half a label is one")
	}
}

// A second section with a code, with or without a title, is neither shown nor silently left out.
func TestSecondSectionIsNamed(t *testing.T) {
	part := func(code, title, parts string) string {
		return `<component><section><code code="` + code + `" displayName="Name of ` + code + `"/><title>` + title + `</title><text>x</text>` +
			parts + `</section></component>`
	}
	for name, c := range map[string]struct {
		body string
		want []string
	}{
		"once":              {part("34067-9", "Uses", ""), nil},
		"twice":             {part("34067-9", "Uses", "") + part("34067-9", "Uses of the second part", ""), []string{"Uses of the second part"}},
		"without a title":   {part("34067-9", "Uses", "") + part("34067-9", "", ""), []string{"Name of 34067-9"}},
		"within its like":   {part("34067-9", "Uses", part("34067-9", "Uses at night", "")), nil},
		"within a wrapper":  {part("34067-9", "Uses", "") + part("42229-5", "", part("34067-9", "More uses", "")), []string{"More uses"}},
		"within another":    {part("34067-9", "Uses", "") + part("42229-5", "Leaflet", part("34067-9", "More uses", "")), []string{"Leaflet"}},
		"first in another":  {part("42229-5", "", part("34067-9", "Uses", "")) + part("34067-9", "More uses", ""), []string{"More uses"}},
		"an unknown code":   {part("34067-9", "Uses", "") + part("1-1", "Storage", ""), []string{"Storage"}},
		"unknown, no title": {part("34067-9", "Uses", "") + part("1-1", "", ""), nil},
	} {
		l, err := Parse([]byte(label[:strings.Index(label, "<component><section>")] + c.body +
			`</structuredBody></component></document>`))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got := l.OtherTitles("34067-9", "34066-1"); !slices.Equal(got, c.want) {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

// answering is a transport with one reply.
type answering struct {
	status int
	body   string
}

func (a answering) RoundTrip(*http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: a.status, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(a.body))}, nil
}

func TestService(t *testing.T) {
	ask := func(status int, body string) *httpclient.Client {
		c, err := httpclient.New(httpclient.Config{Transport: answering{status, body}, SlotDir: t.TempDir()})
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	heads, total, err := Labels(t.Context(), ask(200, `{"data":[{"setid":"s1","title":"FICTINIB","published_date":"Jan 02, 2026"}],"metadata":{"total_elements":120}}`), "fictinib", Kinds[0])
	if err != nil || total != 120 || len(heads) != 1 || heads[0] != (LabelHead{"s1", "FICTINIB"}) {
		t.Errorf("%+v of %d, %v", heads, total, err)
	}
	if l, err := Get(t.Context(), ask(200, label), "s1"); err != nil || l.Maker != "Invented Pharma" {
		t.Errorf("%+v, %v", l, err)
	}
	if _, err := Get(t.Context(), ask(404, "<error>no such set id</error>"), "s1"); !httpclient.IsKind(err, httpclient.NotFound) {
		t.Errorf("404 in XML: error %v, want kind %s", err, httpclient.NotFound)
	}
	if _, err := Get(t.Context(), ask(404, "<html/>"), "s1"); !httpclient.IsKind(err, httpclient.Upstream) {
		t.Errorf("404 in HTML: error %v, want kind %s", err, httpclient.Upstream)
	}
	if _, err := Get(t.Context(), ask(200, "<other/>"), "s1"); !httpclient.IsKind(err, httpclient.Upstream) {
		t.Error(err)
	}
}

func FuzzLabel(f *testing.F) {
	f.Add([]byte(`<document xmlns="urn:hl7-org:v3"><component><structuredBody><component><section><code code="34067-9"/><text><paragraph>a<br/>b</paragraph></text></section></component><component><section><code code="34066-1" displayName="Boxed Warning section"/><text>Do not use if opened</text></section></component>
</structuredBody></component></document>`))
	f.Fuzz(func(t *testing.T, body []byte) {
		if l, err := Parse(body); err == nil {
			if s, ok := l.Section("34067-9"); ok && strings.ContainsAny(s.Title, "\n") {
				t.Errorf("%+v", s)
			}
		}
	})
}

// A LOINC code ends in a check digit, which an invented code would probably fail.
func TestKindsAreCodesOfLOINC(t *testing.T) {
	for _, k := range Kinds {
		t.Run(k.Name, func(t *testing.T) {
			sum := 0
			digits := strings.ReplaceAll(k.LOINC, "-", "")
			for i := range digits {
				d := int(digits[len(digits)-1-i] - '0')
				if i%2 == 1 {
					d = d*2%10 + d*2/10
				}
				sum += d
			}
			if sum%10 != 0 {
				t.Error(k.LOINC)
			}
		})
	}
}

// An unclassified section has the code of the section around it.
func TestPassages(t *testing.T) {
	l, err := Parse([]byte(strings.Replace(label, `<component><section><code code="34071-1"/>`, `<component><section><code code="42229-5"/>`, 1)))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range l.Passages() {
		got = append(got, p.LOINC+" "+p.Title+": "+strings.ReplaceAll(p.Text, "\n", "; "))
	}
	for _, want := range []string{
		"34067-9 Uses: relieves invented pain; at night", "34067-9 Warnings: Do not use twice",
		"34066-1 Boxed Warning section: Do not use if opened",
	} {
		if !slices.Contains(got, want) {
			t.Errorf("want %q among %q", want, got)
		}
	}
}
