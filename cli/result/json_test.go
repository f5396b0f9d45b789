package result

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	_ "biomcp/build/testgc"
)

type texts struct {
	Title  string            `json:"title"`
	Other  string            `json:"other"`
	Nested map[string]string `json:"nested"`
	Words  []string          `json:"words"`
}

func (texts) Doc() Doc { return nil }

type boundTexts struct{ texts }

func (boundTexts) SchemaBound() {}

// tricky lists strings that look like an empty value in JSON.
var tricky = []string{`:""`, `a:"",`, `":""}`, `\":\"\"`, `\`, `:`, `"`, `""`, `{"a":""}`, "\\\":\"", ":\u0085\"\""}

func TestEmptyStringsAreNull(t *testing.T) {
	for _, s := range tricky {
		in := texts{Title: s, Nested: map[string]string{s: "", "k" + s: s}, Words: []string{s, ""}}
		out, _ := render(t, Outcome{Result: &Result{Payload: in}}, Format{JSON: true})
		var got struct {
			Title, Other *string
			Nested       map[string]*string
			Words        []string
		}
		if err := json.Unmarshal([]byte(out), &got); err != nil {
			t.Fatalf("%q: %v in\n%s", s, err, out)
		}
		if want := &s; !reflect.DeepEqual(got.Title, want) {
			t.Errorf("title of %q: got %s, want %q", s, quote(got.Title), s)
		}
		if got.Other != nil {
			t.Errorf("empty member beside %q: got %q, want null", s, *got.Other)
		}
		v, ok := got.Nested[s]
		if !ok {
			t.Errorf("the key %q is missing", s)
		}
		if v != nil {
			t.Errorf("empty value of the key %q: got %q, want null", s, *v)
		}
		if v := got.Nested["k"+s]; !reflect.DeepEqual(v, &s) {
			t.Errorf("%q as a value: got %s", s, quote(v))
		}
		if want := []string{s, ""}; !slices.Equal(got.Words, want) {
			t.Errorf("list: got %q, want %q", got.Words, want)
		}
	}
	out, _ := render(t, Outcome{Result: &Result{Payload: boundTexts{texts{Title: "x"}}}}, Format{JSON: true})
	if !strings.Contains(out, `"other":""`) {
		t.Errorf("a schema says what is missing there: %s", out)
	}
}

// quote formats a string that may be null.
func quote(s *string) string {
	if s == nil {
		return "null"
	}
	return fmt.Sprintf("%q", *s)
}

type base struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	Other string // no json tag
}

type Whole struct {
	Part string `json:"part"`
}

type Hidden struct {
	Secret string `json:"secret"`
}

// shapes has every kind of member that occurs in answers.
type shapes struct {
	*base
	Whole   `json:"whole"`
	Hidden  `json:"-"`
	Title   string            `json:"title"` // hides the field of base
	Empty   string            `json:"empty"`
	Named   State             `json:"named"`
	Pointer *string           `json:"pointer"`
	Blank   *string           `json:"blank"`
	Any     any               `json:"any"`
	Nested  any               `json:"nested"`
	Map     map[string]string `json:"map"`
	NoMap   map[string]int    `json:"no_map"`
	List    []string          `json:"list"`
	NoList  []string          `json:"no_list"`
	Array   [2]string         `json:"array"`
	Bytes   []byte            `json:"bytes"`
	Raw     json.RawMessage   `json:"raw"`
	Time    time.Time         `json:"time"`
	Float   float64           `json:"float"`
	Dash    string            `json:"-"`
	Left    string            `json:"left,omitempty"`
	None    []string          `json:"none,omitempty"`
	Zero    time.Time         `json:"zero,omitzero"`
	Kept    []string          `json:"kept,omitzero"`
	private string
}

// JSON and encoding/json differ only in empty strings, which JSON encodes as null in an object,
// and in nil lists, which it encodes as [].
func TestJSONMatchesEncodingJSON(t *testing.T) {
	blank := ""
	full := shapes{
		base: &base{ID: "<1>"}, Whole: Whole{"w"}, Hidden: Hidden{"s"}, Title: "a & b", Blank: &blank, Any: base{}, Nested: []base{{ID: "x"}}, Raw: json.RawMessage(`{"a":""}`),
		Map: map[string]string{"b": "", "a": "<"}, List: []string{"", "x"}, Bytes: []byte("x"), Float: 1e21, Kept: []string{}, private: "p",
	}
	for _, v := range []any{full, &full, shapes{}, []shapes{full}, map[string]any{"k": full}, nil, "", 5} {
		want, err := leaf(nil, v)
		if err != nil {
			t.Fatal(err)
		}
		want = bytes.ReplaceAll(want, []byte(`list":null`), []byte(`list":[]`))
		plain, err := plainJSON(v)
		if err != nil {
			t.Errorf("plainJSON of %T: %v", v, err)
		}
		if string(plain) != string(want) {
			t.Errorf("plainJSON of %T:\ngot  %s\nwant %s", v, plain, want)
		}
		want = bytes.ReplaceAll(want, []byte(`:""`), []byte(`:null`))
		// A pointer to an empty string means that it is present, and raw JSON is not changed.
		want = bytes.ReplaceAll(want, []byte(`"blank":null,"any":{`), []byte(`"blank":"","any":{`))
		want = bytes.ReplaceAll(want, []byte(`"raw":{"a":null}`), []byte(`"raw":{"a":""}`))
		got, err := JSON(v)
		if v == "" {
			want = []byte(`""`) // it is not a member of an object
		}
		if err != nil {
			t.Errorf("JSON of %T: %v", v, err)
		}
		if string(got) != string(want) {
			t.Errorf("JSON of %T:\ngot  %s\nwant %s", v, got, want)
		}
	}
	for _, encode := range []func(any) ([]byte, error){JSON, plainJSON} {
		got, err := encode(map[string]any{"any": []string(nil), "to": (*[]string)(nil), "zero": struct {
			List  []struct{} `json:"list"`
			Bytes []byte     `json:"bytes"`
		}{}})
		if err != nil {
			t.Error(err)
		}
		if want := `{"any":[],"to":null,"zero":{"list":[],"bytes":null}}`; string(got) != want {
			t.Errorf("nil lists: got %s, want %s", got, want)
		}
	}
	if _, err := JSON(map[string]any{"f": func() {}}); err == nil {
		t.Error("a function became JSON")
	}
}

const hostile = "a\x1b[2Jb\u009b31mc\u202ed\u2066e\x7ff\u200fg\tµ漢\u2028h"

func TestJSONEscapesControlCharacters(t *testing.T) {
	for _, o := range []Outcome{
		{Result: &Result{Payload: texts{Title: hostile}}},
		{Result: &Result{Payload: boundTexts{texts{Title: hostile}}}},
		{Result: &Result{Payload: texts{Title: hostile}, Notices: []string{hostile}, Next: []Argv{{hostile}}}},
		{Failure: &Failure{Code: Validation, Message: hostile, Details: map[string]any{"title": hostile}, Try: Argv{hostile}}},
	} {
		out, _ := render(t, o, Format{JSON: true})
		if strings.ContainsFunc(out, isDangerous) {
			t.Errorf("raw controls in %q", out)
		}
		var got struct {
			Title string
			Error struct{ Details map[string]string }
		}
		if err := json.Unmarshal([]byte(out), &got); err != nil {
			t.Fatal(err)
		}
		if got.Title+got.Error.Details["title"] != hostile {
			t.Errorf("the value changed: %q", got.Title)
		}
	}
	raw, err := JSON(json.RawMessage("{\"a\":\"\u009b\"}"))
	if err != nil {
		t.Error(err)
	}
	if want := `{"a":"\u009b"}`; string(raw) != want {
		t.Errorf("raw JSON: got %q, want %q", raw, want)
	}
}

func TestVerbatimOnTerminalDropsControlCharacters(t *testing.T) {
	r := &Result{Payload: sample{doc: Doc{Verbatim{"TI\t- " + hostile + "\n"}}}}
	if out, _ := render(t, Outcome{Result: r}, Format{}); out != "TI\t- "+hostile+"\n" {
		t.Errorf("a pipe got %q", out)
	}
	out, _ := render(t, Outcome{Result: r}, Format{Terminal: true})
	if want := "TI\t- a[2Jb31mcdef\u200fg\tµ漢\u2028h\n"; out != want {
		t.Errorf("%q, want %q", out, want)
	}
}

func TestJSONAndVerbatimOverMaxAreRefused(t *testing.T) {
	big := texts{Title: strings.Repeat("漢", 3000)}
	verbatim := sample{doc: Doc{Verbatim{strings.Repeat("漢", 3000)}}}
	for name, less := range map[string]func(float64) Argv{
		"less":     func(share float64) Argv { return append(Argv{"get"}, make(Argv, int(10*share))...) },
		"nil":      nil,
		"none":     func(float64) Argv { return nil },
		"far long": func(float64) Argv { return Argv{"get", strings.Repeat("9", 4000)} },
	} {
		t.Run(name, func(t *testing.T) {
			wantTry := name == "less"
			const limit = 1000
			for _, f := range []Format{{JSON: true, Max: limit}, {Max: limit}} {
				var payload Payload = big
				if !f.JSON {
					payload = verbatim
				}
				var out, errs strings.Builder
				err := Render(&out, &errs, Outcome{Result: &Result{Payload: payload, Smaller: less, Notices: []string{"aside"}}}, f)
				failure, ok := err.(*Failure)
				if !ok {
					t.Fatalf("%+v: got the error %v, want a *Failure", f, err)
				}
				if failure.Code != Validation {
					t.Fatalf("%+v: got the code %s, want %s", f, failure.Code, Validation)
				}
				if got := failure.Try != nil; got != wantTry {
					t.Fatalf("%+v: suggests %q, want a suggestion: %v", f, failure.Try, wantTry)
				}
				text := out.String()
				if !f.JSON {
					if text != "" {
						t.Errorf("%+v: a failure was written to standard output: %q", f, text)
					}
					text = errs.String()
				}
				if n := utf8.RuneCountInString(text); n > limit {
					t.Errorf("%+v: got %d characters, want at most %d: %s", f, n, limit, text)
				}
				if got := strings.Contains(text, "biomcp get '' ''"); got != wantTry {
					t.Errorf("%+v: contains the suggestion: %v, want %v: %s", f, got, wantTry, text)
				}
			}
		})
	}
	fits := &Result{Payload: verbatim}
	if out, _ := render(t, Outcome{Result: fits}, Format{Max: 3001}); utf8.RuneCountInString(out) != 3001 {
		t.Errorf("text that just fits: %d characters", utf8.RuneCountInString(out))
	}
}

func TestJSONIsOnOneLineExceptAtATerminal(t *testing.T) {
	for name, o := range map[string]Outcome{
		"answer":          {Result: &Result{Payload: sample{Rows: 2}, Notices: []string{"n"}}},
		"bound to schema": {Result: &Result{Payload: boundSample{sample{Rows: 2}}}},
		"failure":         {Failure: Invalid("no", "list")},
	} {
		t.Run(fmt.Sprintf("%.60s", name), func(t *testing.T) {
			piped, _ := render(t, o, Format{JSON: true})
			shown, _ := render(t, o, Format{JSON: true, Terminal: true, Color: true})
			if n := strings.Count(piped, "\n"); n != 1 {
				t.Errorf("piped: got %d lines, want 1: %q", n, piped)
			}
			if !strings.HasSuffix(piped, "}\n") {
				t.Errorf("piped: got %q, want a brace and a newline at the end", piped)
			}
			if !strings.HasPrefix(shown, "{\n  \"") {
				t.Errorf("at a terminal: got %q, want indented JSON", shown)
			}
			var one, indented any
			if err := json.Unmarshal([]byte(piped), &one); err != nil {
				t.Errorf("piped: %v: %s", err, piped)
			}
			if err := json.Unmarshal([]byte(shown), &indented); err != nil {
				t.Errorf("at a terminal: %v: %s", err, shown)
			}
			if !reflect.DeepEqual(one, indented) {
				t.Errorf("the values differ:\npiped: %s\nat a terminal: %s", piped, shown)
			}
		})
	}
}
