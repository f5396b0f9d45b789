package rxnav_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"biomcp/entrez/polite"
	"biomcp/entrez/pubchem"
	"biomcp/entrez/rxnav"
	"biomcp/entrez/rxnav/rxnavtest"
	"biomcp/entrez/sourcetest"
)

func simulated(t *testing.T) (*sourcetest.Server, *polite.Client) {
	t.Helper()
	s := sourcetest.New(t, sourcetest.NoLimit(), sourcetest.Unlisted())
	rxnavtest.AddTo(s)
	return s, s.Network(t)
}

// Each class is there once for the drug, its salts and products, with all who say so.
func TestRealClasses(t *testing.T) {
	body, err := os.ReadFile("../../../shared/data/breadth/rxnav/rxclass_imatinib.json")
	if err != nil {
		t.Skip("no captures here: ", err)
	}
	s, c := simulated(t)
	s.Replay(map[string]sourcetest.Reply{"classes?drugName=imatinib": {Status: 200, Type: sourcetest.JSONType, Body: body}})
	all, err := rxnav.New(c).Classes(t.Context(), "imatinib")
	if err != nil || len(all) != 21 {
		t.Fatalf("%d classes, %v", len(all), err)
	}
	seen := map[string]bool{}
	for _, class := range all {
		key := class.ID + class.Relation
		if seen[key] || len(class.Sources) == 0 || slices.ContainsFunc(class.Sources, func(s string) bool { return strings.Contains(s, "SNOMED") }) {
			t.Errorf("%+v", class)
		}
		seen[key] = true
		if class.ID == "N0000020009" && !slices.Equal(class.Sources, []string{"DAILYMED", "MEDRT", "FDASPL"}) || class.ID == "L01EA" && !slices.Equal(class.Sources, []string{"ATC"}) {
			t.Errorf("%+v", class)
		}
	}
}

func TestSimulatedDrugs(t *testing.T) {
	_, c := simulated(t)
	r := rxnav.New(c)
	if ids, err := r.Find(t.Context(), "Inventa"); err != nil || !slices.Equal(ids, []string{"9003"}) {
		t.Error(ids, err)
	}
	if ids, err := r.Find(t.Context(), "nothing"); err != nil || len(ids) != 0 {
		t.Error(ids, err)
	}
	if codes, err := r.Codes(t.Context(), "9001"); err != nil || codes["UNII_CODE"] != "SYNTHUNII1" {
		t.Error(codes, err)
	}
	if all, err := r.Classes(t.Context(), "fictinib"); err != nil || len(all) != 4 {
		t.Error(all, err)
	}
	if p, err := pubchem.Find(t.Context(), c, "fictinib"); err != nil || p.CID != 999000001 || p.SMILES != "CCO" {
		t.Error(p, err)
	}
	if p, err := pubchem.Find(t.Context(), c, "an antibody"); err != nil || p != nil {
		t.Error(p, err)
	}
}

func TestMembersOfClasses(t *testing.T) {
	s, c := simulated(t)
	r := rxnav.New(c)
	for name, want := range map[string]string{"kinase inhibitor": "EPC N0001 9001 9004", "l01ex": "ATC1-4 L01EX 9001"} {
		t.Run(name, func(t *testing.T) {
			class, err := r.Class(t.Context(), name)
			if err != nil || class == nil {
				t.Fatal(class, err)
			}
			members, err := r.Members(t.Context(), class)
			got := class.Type + " " + class.ID
			for _, m := range members {
				got += " " + m.RxCUI
			}
			if err != nil || got != want {
				t.Errorf("%s: %s, %v", name, got, err)
			}
		})
	}
	if class, err := r.Class(t.Context(), "nothing"); err != nil || class != nil {
		t.Error(class, err)
	}
	for _, asked := range s.Requests("members") {
		if asked.Params.Get("ttys") != "IN MIN" || (asked.Params.Get("relaSource") == "ATC") != (asked.Params.Get("rela") == "") {
			t.Errorf("%v", asked.Params)
		}
	}
}
