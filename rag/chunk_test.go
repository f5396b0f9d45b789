package rag

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"biomcp/store"
)

// Chunks cuts one abstract.
func Chunks(abstract string, sections []store.Section) []Passage {
	return new(chunker).chunks(abstract, sections)
}

func TestUUIDsOfChunksAreVersion5OfPMIDAndID(t *testing.T) {
	for id, want := range map[string]string{
		"s0": "e8ee20d0-2278-5230-81e1-4894b0a3c4f6",
		"w0": "2fc98da8-dd62-5e12-bb60-1d806bd65212",
	} {
		t.Run(id, func(t *testing.T) {
			if got := UUID(12345678, id); got != want {
				t.Errorf("UUID(12345678, %s) = %s, want %s", id, got, want)
			}
		})
	}
}

// prose returns n tokens of sentences, ten tokens each.
func prose(n int) string {
	var b strings.Builder
	for i := range n {
		switch {
		case i == n-1 || i%10 == 9:
			b.WriteString(".")
		case i%10 == 0:
			fmt.Fprintf(&b, " Word")
		default:
			fmt.Fprintf(&b, " word")
		}
	}
	return strings.TrimSpace(b.String())
}

func structured(lengths ...int) (string, []store.Section) {
	var sections []store.Section
	var paragraphs []string
	for i, n := range lengths {
		s := store.Section{Label: fmt.Sprintf("L%d", i), Text: prose(n - 2)} // the label and its colon count
		sections = append(sections, s)
		paragraphs = append(paragraphs, s.Label+": "+s.Text)
	}
	return strings.Join(paragraphs, "\n\n"), sections
}

func show(abstract string, passages []Passage) string {
	var s []string
	for _, p := range passages {
		s = append(s, fmt.Sprintf("%s=%d", p.ID, CountTokens(abstract[p.Start:p.End])))
	}
	return strings.Join(s, " ")
}

func TestChunksOfSections(t *testing.T) {
	for _, c := range []struct {
		lengths []int
		want    string
	}{
		{[]int{40}, "s0=40"},
		{[]int{60, 60, 60, 60, 60}, "s0=300"},     // short ones gather
		{[]int{60, 60, 60, 60, 60, 60}, "s0=360"}, // rather past the target than under the minimum
		{[]int{200, 200}, "s0=200 s1=200"},        // none is short
		{[]int{200, 60, 200}, "s0=260 s1=200"},
		{[]int{60, 300}, "s0=360"},
		{[]int{330, 60, 320}, "s0=330 s1=380"},       // to the shorter neighbour
		{[]int{400, 60, 400}, "s0=400 s1=60 s2=400"}, // no room on either side
		{[]int{450, 130}, "s0=450 s1=130"},
		{[]int{130, 451}, "s0=130 s1_0=252 s1_1=249"},
		{[]int{60, 460}, "s0=60 s1_0=252 s1_1=258"},
	} {
		t.Run(c.want, func(t *testing.T) {
			abstract, sections := structured(c.lengths...)
			got := Chunks(abstract, sections)
			if show(abstract, got) != c.want {
				t.Errorf("%v: got %s, want %s", c.lengths, show(abstract, got), c.want)
			}
			check(t, abstract, got)
		})
	}
}

func TestChunksOfPlainText(t *testing.T) {
	for _, c := range []struct {
		text, want string
	}{
		{"", "w0=0"},
		{" \n", "w0=0"},
		{"One sentence.", "w0=3"},
		{prose(450), "w0=450"},
		{prose(451), "w0=250 w1=251"},
		{prose(2000), "w0=440 w1=440 w2=440 w3=440 w4=440"},
		{strings.Repeat("x", 5000), "w0=1"},
		{"癌" + strings.Repeat(".", 1000), "w0=367 w1=367 w2=367"}, // no blank anywhere
	} {
		t.Run(fmt.Sprintf("%.60s", c.text), func(t *testing.T) {
			got := Chunks(c.text, nil)
			if show(c.text, got) != c.want {
				t.Errorf("%.20q: got %s, want %s", c.text, show(c.text, got), c.want)
			}
			check(t, c.text, got)
		})
	}
}

func TestHeadingsInText(t *testing.T) {
	long := prose(150)
	for _, c := range []struct{ text, want string }{
		{"BACKGROUND: " + long + " Methods: " + long + " RESULTS AND DISCUSSION: " + long, "BACKGROUND|Methods|RESULTS AND DISCUSSION"},
		{long + " Conclusions: " + long, "|Conclusions"},
		{"Materials & methods: " + long + "\nMain outcome measures\n" + long, "Materials & methods|Main outcome measures"},
		{"Objective: short. Results: short.", "Objective; Results"},
		{"Objective. " + long + " Main results. " + long, "Objective|Main results"},
		{"We saw three results: " + long, ""},
		{"The method is new. results: none. Patients were asked: why? " + long, ""},
		{"In conclusion: " + long, ""},
	} {
		t.Run(c.text, func(t *testing.T) {
			var labels []string
			got := Chunks(c.text, nil)
			for _, p := range got {
				labels = append(labels, p.Section)
			}
			if strings.Join(labels, "|") != c.want {
				t.Errorf("%.40q: got %q, want %q", c.text, labels, c.want)
			}
			check(t, c.text, got)
		})
	}
}

func TestTheLabelUNLABELLEDIsIgnored(t *testing.T) {
	got := Chunks("UNLABELLED: x\n\nMETHODS: y", []store.Section{{Label: "UNLABELLED", Text: "x"}, {Label: "METHODS", Text: "y"}})
	if len(got) != 1 || got[0].ID != "s0" || got[0].Section != "METHODS" {
		t.Errorf("got %v", got)
	}
}

// Labels that are not in the text leave the text to its headings.
func TestLabelsThatAreNotInTheTextAreIgnored(t *testing.T) {
	got := Chunks(prose(30), []store.Section{{Label: "METHODS", Text: "something else"}})
	if len(got) != 1 || got[0].ID != "w0" {
		t.Errorf("got %v", got)
	}
}

func TestNumbersAreNotCutFromTheirUnits(t *testing.T) {
	// Every possible end of a window is next to a number.
	for _, unit := range []string{"p < 0.05 and ", "5 mg of ", "HR = 0.7 (95 % CI 0.6 – 0.9); ", "12 ± 3 cm, "} {
		t.Run(unit, func(t *testing.T) {
			text := strings.Repeat(unit, 400)
			got := Chunks(text, nil)
			if len(got) < 2 {
				t.Fatalf("%q: one chunk", unit)
			}
			check(t, text, got)
			for _, p := range got[1:] {
				if bad := cutNumber(text, p.Start); bad != "" {
					t.Errorf("%q is cut in %q", unit, bad)
				}
			}
			for _, p := range got[:len(got)-1] {
				if bad := cutNumber(text, p.End); bad != "" {
					t.Errorf("%q is cut in %q", unit, bad)
				}
			}
		})
	}
}

var (
	opensNumber  = regexp.MustCompile(`([<>=≤≥±~≈]|\p{N}|%|\bCI|[-–] ?)\s*$`)
	beginsWithIt = regexp.MustCompile(`^\s*([<>=≤≥±~≈%]|[-–] \p{N})`)
	beginsNumber = regexp.MustCompile(`^\s*(\p{N}|\pL)`)
)

// cutNumber returns the text around at, if at separates a number from its comparator or unit.
func cutNumber(text string, at int) string {
	left, right := text[:at], text[at:]
	if beginsWithIt.MatchString(right) || opensNumber.MatchString(left) && beginsNumber.MatchString(right) {
		return left[max(0, len(left)-20):] + "|" + right[:min(20, len(right))]
	}
	return ""
}

// check tests properties that hold for every text: the chunks cover it in order, no chunk is
// too long, and neighbours do not overlap too much.
func check(t *testing.T, text string, passages []Passage) {
	t.Helper()
	var all strings.Builder
	end := 0
	seen := map[string]bool{}
	for i, p := range passages {
		if p.Start > end || p.End < end || p.Start > p.End {
			t.Fatalf("chunk %d is %d-%d after %d", i, p.Start, p.End, end)
		}
		all.WriteString(text[end:p.End])
		n := CountTokens(text[p.Start:p.End])
		if n > ChunkMax {
			t.Fatalf("%s has %d tokens", p.ID, n)
		}
		if shared := CountTokens(text[p.Start:end]); shared > 0 && (shared < ChunkOverlap || shared > ChunkOverlap+slack) {
			t.Fatalf("%s shares %d tokens with the chunk before", p.ID, shared)
		}
		if n == 0 && len(passages) > 1 {
			t.Fatalf("%s is empty", p.ID)
		}
		if seen[p.ID] || !regexp.MustCompile(`^[sw]\d+(_\d+)?$`).MatchString(p.ID) {
			t.Fatalf("id %q", p.ID)
		}
		seen[p.ID] = true
		end = p.End
	}
	if all.String() != text {
		t.Fatal("text was lost")
	}
}

func TestChunksOfRandomSections(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	drawn := 300
	if testing.Short() {
		drawn = 30
	}
	for range drawn {
		var lengths []int
		for range 1 + r.IntN(8) {
			lengths = append(lengths, 3+r.IntN([]int{40, 150, 700}[r.IntN(3)]))
		}
		abstract, sections := structured(lengths...)
		got := Chunks(abstract, sections)
		check(t, abstract, got)
		for i := 1; i < len(got); i++ {
			a, b := CountTokens(got[i-1].Text(abstract)), CountTokens(got[i].Text(abstract))
			if min(a, b) < ChunkMin && a+b <= ChunkMax && !strings.Contains(got[i-1].ID+got[i].ID, "_") {
				t.Fatalf("%v: %s stays short", lengths, show(abstract, got))
			}
		}
	}
}

func FuzzChunks(f *testing.F) {
	f.Add("METHODS: p < 0.05, 5 mg. Results: 12 ± 3.", "METHODS", uint8(3), uint16(0))
	f.Add(strings.Repeat("1 < ", 600), "", uint8(0), uint16(9))
	f.Add("é\xff\u0301 癌.\n\nAim\nx", "AIM", uint8(1), uint16(400))
	f.Fuzz(func(t *testing.T, text, label string, at uint8, repeat uint16) {
		text = strings.Repeat(text+" ", 1+int(repeat)%800/(1+len(text)/10))
		cut := int(at) % (len(text) + 1)
		sections := []store.Section{{Label: label, Text: text[:cut]}, {Text: text[cut:]}}
		if at%2 == 0 { // the text has the sections
			text = label + ": " + text[:cut] + "\n\n" + text[cut:]
		}
		got := Chunks(text, sections)
		check(t, text, got)
		if again := Chunks(text, sections); !slices.Equal(got, again) {
			t.Fatal("not the same twice")
		}
	})
}
