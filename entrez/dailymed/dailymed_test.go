package dailymed

import (
	"compress/gzip"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
)

const captures = "../../../shared/data/breadth/dailymed/"

func capture(t *testing.T, name string) *Label {
	t.Helper()
	f, err := os.Open(captures + name)
	if err != nil {
		t.Skip("no captures here: ", err)
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

func TestRealLabels(t *testing.T) {
	cough := capture(t, "spl_cough.xml")
	if cough.SetID != "00f66f25-3469-4c16-9baf-fba21e9628bd" || cough.Effective != "20110426" || cough.Maker != "Novartis Consumer Health, Inc." || cough.Title != "Drug Facts" {
		t.Errorf("%+v", cough)
	}
	var moieties []string
	for _, a := range slices.Concat(cough.Actives, capture(t, "spl_humira.xml.gz").Actives[:1]) {
		moieties = append(moieties, a.Name+" "+a.Code.UNII+" of "+a.Moieties[0].Name)
	}
	if want := "DIPHENHYDRAMINE HYDROCHLORIDE TC2D6JAD40 of DIPHENHYDRAMINE; PHENYLEPHRINE HYDROCHLORIDE 04JA59TNSJ of PHENYLEPHRINE; ADALIMUMAB FYS6T7F842 of ADALIMUMAB"; strings.Join(moieties, "; ") != want {
		t.Error(moieties)
	}
	uses, ok := cough.Section("34067-9")
	if !ok || !strings.Contains(uses.Text, "\n") || strings.ContainsAny(uses.Text, "<>\t") {
		t.Errorf("%+v", uses)
	}
	if w, ok := cough.Section("34071-1"); !ok || !strings.Contains(w.Text, "Do not use") { // in a section within
		t.Errorf("%+v", w)
	}
	if _, ok := cough.Section("34073-7"); ok {
		t.Error("interactions that are not there")
	}
	humira := capture(t, "spl_humira.xml.gz")
	for loinc, want := range map[string]string{"34066-1": "SERIOUS INFECTIONS", "34067-9": "Rheumatoid Arthritis", "34073-7": "Live Vaccines", "43685-7": "Serious Infections"} {
		s, ok := humira.Section(loinc)
		if !ok || !strings.Contains(strings.ToLower(s.Title+s.Text), strings.ToLower(want)) || strings.Contains(s.Text, "<") && strings.Contains(s.Text, "/>") {
			t.Errorf("%s: %.300s", loinc, s.Text)
		}
	}
}

func FuzzLabel(f *testing.F) {
	f.Add([]byte(`<document xmlns="urn:hl7-org:v3"><component><structuredBody><component><section><code code="34067-9"/><text><paragraph>a<br/>b</paragraph></text></section></component></structuredBody></component></document>`))
	f.Fuzz(func(t *testing.T, body []byte) {
		if l, err := Parse(body); err == nil {
			if s, ok := l.Section("34067-9"); ok && strings.ContainsAny(s.Title, "\n") {
				t.Errorf("%+v", s)
			}
		}
	})
}
