package rxnav_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"biomcp/entrez/httpclient"
	"biomcp/entrez/rxnav"
	"biomcp/entrez/rxnav/rxnavtest"
	"biomcp/entrez/services"
	"biomcp/entrez/sourcetest"
)

func simulated(t *testing.T) (*sourcetest.Server, *httpclient.Client) {
	t.Helper()
	s := sourcetest.New(t, sourcetest.NoLimit(), sourcetest.WithoutNetwork())
	rxnavtest.AddTo(s)
	return s, s.Network(t)
}

// Classes returns each class once for the drug, its salts and products, with all its sources.
func TestRealClasses(t *testing.T) {
	body, err := os.ReadFile("../../../shared/data/breadth/rxnav/rxclass_imatinib.json")
	if err != nil {
		t.Skip("no captures here: ", err)
	}
	s, c := simulated(t)
	s.Replay(map[string]sourcetest.Reply{
		"classes?drugName=imatinib": {Status: 200, Type: sourcetest.JSONType, Body: body},
	})
	all, others, err := rxnav.New(c).Classes(t.Context(), "imatinib")
	if err != nil || len(all) != 21 {
		t.Fatalf("%d classes, %v", len(all), err)
	}
	if len(others) > 0 {
		t.Errorf("classes of combinations %+v, want none", others)
	}
	seen := map[string]bool{}
	sources := map[string][]string{"N0000020009": {"DAILYMED", "MEDRT", "FDASPL"}, "L01EA": {"ATC"}}
	for _, class := range all {
		key := class.ID + class.Relation
		if seen[key] {
			t.Errorf("%s %s is listed twice", class.ID, class.Relation)
		}
		seen[key] = true
		if len(class.Sources) == 0 {
			t.Errorf("%s has no source", class.ID)
		}
		for _, source := range class.Sources {
			if strings.Contains(source, "SNOMED") {
				t.Errorf("%s has the restricted source %s", class.ID, source)
			}
		}
		if want := sources[class.ID]; want != nil && !slices.Equal(class.Sources, want) {
			t.Errorf("%s has the sources %q, want %q", class.ID, class.Sources, want)
		}
	}
}

func TestSimulatedDrugs(t *testing.T) {
	_, c := simulated(t)
	r := rxnav.New(c)
	for name, want := range map[string][]string{"Inventa": {"9003"}, "nothing": nil} {
		if ids, err := r.Find(t.Context(), name); err != nil {
			t.Errorf("finding %s: %v", name, err)
		} else if !slices.Equal(ids, want) {
			t.Errorf("%s has the concepts %q, want %q", name, ids, want)
		}
	}
	if codes, err := r.Codes(t.Context(), "9001"); err != nil {
		t.Errorf("codes: %v", err)
	} else if got := codes["UNII_CODE"]; got != "SYNTHUNII1" {
		t.Errorf("UNII %q, want SYNTHUNII1", got)
	}
	p, err := services.FindCompound(t.Context(), c, "fictinib")
	if err != nil {
		t.Fatalf("compound: %v", err)
	}
	if p.CID != 999000001 {
		t.Errorf("CID %d, want 999000001", p.CID)
	}
	if p.SMILES != "CCO" {
		t.Errorf("SMILES %q, want CCO", p.SMILES)
	}
	if p, err := services.FindCompound(t.Context(), c, "an antibody"); err != nil {
		t.Errorf("an antibody: %v", err)
	} else if p != nil {
		t.Errorf("an antibody is the compound %+v, want none", p)
	}
}

// RxClass lists classes of combinations under the name of each ingredient.
func TestClassesOfCombinationsAreSeparate(t *testing.T) {
	s, c := simulated(t)
	type lists struct{ own, ofCombinations string }
	want := map[string]lists{
		"fictinib": {"N0001 L01EX D008545 D011247",
			"L01XX of fictinib / syntheticillin, fictinib 100 MG / syntheticillin 5 MG Oral Tablet; " +
				"N0003 of fictinib 100 MG / syntheticillin 5 MG Oral Tablet [Doublet]; D900099 of fictinib / syntheticillin"},
		"fictinib / syntheticillin": {"L01XX N0003", ""},
		"unknown":                   {"", ""},
	}
	if body, err := os.ReadFile("../../../shared/data/t4/captures/rxnav/aspirin_rxclass.json"); err == nil {
		s.Replay(map[string]sourcetest.Reply{
			"classes?drugName=aspirin": {Status: 200, Type: sourcetest.JSONType, Body: body},
		})
		want["aspirin"] = lists{"A01AD B01AC N02BA", "N02AJ of aspirin / codeine"}
	}
	for drug, want := range want {
		t.Run(drug, func(t *testing.T) {
			own, ofCombinations, err := rxnav.New(c).Classes(t.Context(), drug)
			if err != nil {
				t.Fatal(err)
			}
			var ids, others []string
			for _, class := range own {
				ids = append(ids, class.ID)
				if len(class.Combinations) > 0 {
					t.Errorf("%s is a class of %q, want of the drug", class.ID, class.Combinations)
				}
			}
			for _, class := range ofCombinations {
				others = append(others, class.ID+" of "+strings.Join(class.Combinations, ", "))
			}
			got := lists{strings.Join(ids, " "), strings.Join(others, "; ")}
			if got.own != want.own {
				t.Errorf("classes of the drug %q, want %q", got.own, want.own)
			}
			if got.ofCombinations != want.ofCombinations {
				t.Errorf("classes of combinations %q, want %q", got.ofCombinations, want.ofCombinations)
			}
		})
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
			if err != nil {
				t.Errorf("members: %v", err)
			}
			if got != want {
				t.Errorf("class and members %s, want %s", got, want)
			}
		})
	}
	if class, err := r.Class(t.Context(), "nothing"); err != nil {
		t.Errorf("an unknown class: %v", err)
	} else if class != nil {
		t.Errorf("an unknown class is %+v, want none", class)
	}
	for _, request := range s.Requests("members") {
		if got := request.Params.Get("ttys"); got != "IN MIN" {
			t.Errorf("ttys %q, want IN MIN", got)
		}
		source, relation := request.Params.Get("relaSource"), request.Params.Get("rela")
		if (source == "ATC") != (relation == "") {
			t.Errorf("source %s with relation %q; only ATC has no relation", source, relation)
		}
	}
}
