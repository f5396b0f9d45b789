package record

import (
	"fmt"
	"testing"
)

func TestParsePMID(t *testing.T) {
	for text, want := range map[string]PMID{"1": 1, "32051057": 32051057, "4294967295": 4294967295} {
		t.Run(text, func(t *testing.T) {
			if got, err := ParsePMID(text); err != nil || got != want || got.String() != text {
				t.Errorf("ParsePMID(%q) = %v, %v", text, got, err)
			}
		})
	}
	for _, text := range []string{"", "0", "012", "-1", "+1", " 1", "1 ", "1_0", "0x1", "4294967296", "PMC1", "१"} {
		t.Run(text, func(t *testing.T) {
			if got, err := ParsePMID(text); err == nil || got != 0 || ValidPMID(text) {
				t.Errorf("ParsePMID(%q) = %v, %v", text, got, err)
			}
		})
	}
}

func TestParseDate(t *testing.T) {
	for _, c := range []struct {
		text, date  string
		first, last int
	}{
		{"2024", "2024", 20240101, 20241231},
		{"2024-02", "2024-02", 20240201, 20240229},
		{"2023/2", "2023-02", 20230201, 20230228},
		{"1900-02", "1900-02", 19000201, 19000228},
		{"2024-05-11", "2024-05-11", 20240511, 20240511},
		{"2024/5/1", "2024-05-01", 20240501, 20240501},
	} {
		t.Run(c.text, func(t *testing.T) {
			d, ok := ParseDate(c.text)
			if !ok || d.String() != c.date || d.First().Number() != c.first || d.Last().Number() != c.last {
				t.Errorf("ParseDate(%q) = %v, %v, from %v to %v", c.text, d, ok, d.First(), d.Last())
			}
		})
	}
	for _, text := range []string{
		"", "24", "0000", "20245", "2024-", "2024-13", "2024-00", "2024-05-00", "2024-02-30", "2023-02-29",
		"2024-005", "2024-05-111", "2024-05-1-1", "-2024", "2024--1", "2024 05", "2024-May", "2024-05-11T06:00",
	} {
		t.Run(text, func(t *testing.T) {
			if d, ok := ParseDate(text); ok {
				t.Errorf("ParseDate(%q) = %v", text, d)
			}
		})
	}
}

func TestOnCalendar(t *testing.T) {
	for in, want := range map[Date]string{
		{2024, 2, 30}: "2024-02", {2024, 2, 29}: "2024-02-29", {2024, 13, 1}: "2024", {2024, 0, 7}: "2024", {0, 5, 1}: "", {2024, 4, 31}: "2024-04",
	} {
		t.Run(fmt.Sprint(in), func(t *testing.T) {
			if got := in.OnCalendar().String(); got != want {
				t.Errorf("%#v on the calendar is %q, want %q", in, got, want)
			}
		})
	}
}

func TestLabel(t *testing.T) {
	for _, c := range []struct {
		retracted   bool
		title, want string
	}{
		{false, "Bread", "Bread"},
		{true, "Bread", "RETRACTED: Bread"},
		{true, "", "RETRACTED: "},
		{true, "RETRACTED: Bread", "RETRACTED: Bread"},
		{true, "RETRACTED ARTICLE: Bread", "RETRACTED ARTICLE: Bread"},
		{true, "Retracted: Bread", "RETRACTED: Bread"},
		{true, "[Retracted] Bread", "[Retracted] Bread"},
		{true, "Retracted papers and bread", "RETRACTED: Retracted papers and bread"},
	} {
		t.Run(fmt.Sprint(c.retracted), func(t *testing.T) {
			if got := Label(c.retracted, c.title); got != c.want {
				t.Errorf("Label(%v, %q) = %q, want %q", c.retracted, c.title, got, c.want)
			}
		})
	}
	if got := Label(true, Label(true, "Bread")); got != "RETRACTED: Bread" {
		t.Error(got)
	}
}

func TestListed(t *testing.T) {
	for want, c := range map[string]struct{ retracted, preprint bool }{
		"Bread": {}, "RETRACTED: Bread": {retracted: true}, "PREPRINT: Bread": {preprint: true}, "RETRACTED PREPRINT: Bread": {true, true},
	} {
		t.Run(want, func(t *testing.T) {
			if got := ListLabel(c.retracted, c.preprint, "Bread"); got != want {
				t.Errorf("%q, want %q", got, want)
			}
		})
	}
}

func TestIsRetraction(t *testing.T) {
	for kind, want := range map[string]bool{"RetractionIn": true, "retractionin": true, "RetractedandRepublishedIn": true, "RetractionOf": false, "ErratumIn": false, "": false} {
		t.Run(kind, func(t *testing.T) {
			if IsRetraction(kind) != want {
				t.Errorf("IsRetraction(%q) is not %v", kind, want)
			}
		})
	}
}

func TestHyphened(t *testing.T) {
	for in, want := range map[string]string{"20260901": "2026-09-01", "20260901120000": "2026-09-01", "2026": "2026", "": ""} {
		t.Run(in, func(t *testing.T) {
			if got := HyphenateDate(in); got != want {
				t.Errorf("%q: %q, want %q", in, got, want)
			}
		})
	}
}

func TestSourceLineIsOfThePartsThatAreKnown(t *testing.T) {
	for want, p := range map[string][5]string{
		"J Test. 2024 Mar 15;10(2):100-10": {"J Test", "2024 Mar 15", "10", "2", "100-10"},
		"J Test. 2024;(2)":                 {"J Test", "2024", "", "2", ""},
		"J Test. 2024:e7":                  {"J Test", "2024", "", "", "e7"},
		"J Test;10":                        {"J Test", "", "10", "", ""},
		"2024;10":                          {"", "2024", "10", "", ""},
		"":                                 {},
	} {
		if got := SourceLine(p[0], p[1], p[2], p[3], p[4]); got != want {
			t.Errorf("%q is %q, want %q", p, got, want)
		}
	}
}
