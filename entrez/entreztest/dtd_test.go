package entreztest

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// shared returns the path of a captured file, or skips the test if the captures are not here.
func shared(t *testing.T, path string) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
		if filepath.Dir(dir) == dir {
			t.Fatal("no go.mod above the test")
		}
		dir = filepath.Dir(dir)
	}
	full := filepath.Join(dir, "..", "shared", "data", path)
	if _, err := os.Stat(full); err != nil {
		t.Skipf("SKIPPED: the captured data ../shared/data/%s is not here", path)
	}
	return full
}

// A dtd is the part of a document type that these tests check: the children of each element, their
// order, and whether the element may contain text.
type dtd map[string]content

type content struct {
	children *regexp.Regexp // matches " name name "
	text     bool
	any      bool
}

var (
	entityDecl  = regexp.MustCompile(`(?s)<!ENTITY\s+%\s+([\w.-]+)\s+"([^"]*)"`)
	elementDecl = regexp.MustCompile(`(?s)<!ELEMENT\s+([\w.:-]+)\s+(.*?)>`)
	comment     = regexp.MustCompile(`(?s)<!--.*?-->`)
	name        = regexp.MustCompile(`[A-Za-z_][\w.:-]*`)
)

func readDTD(t *testing.T, path string) dtd {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	text := comment.ReplaceAllString(string(data), "")
	for _, e := range entityDecl.FindAllStringSubmatch(text, -1) {
		text = strings.ReplaceAll(text, "%"+e[1]+";", e[2])
	}
	out := dtd{}
	for _, m := range elementDecl.FindAllStringSubmatch(text, -1) {
		model := strings.Join(strings.Fields(m[2]), "")
		c := content{text: strings.Contains(model, "#PCDATA"), any: model == "ANY"}
		if c.text {
			allowed := name.FindAllString(strings.ReplaceAll(model, "#PCDATA", ""), -1)
			model = "(" + strings.Join(allowed, "|") + ")*"
			if len(allowed) == 0 {
				model = ""
			}
		}
		pattern := name.ReplaceAllStringFunc(model, func(n string) string {
			return "(?:" + regexp.QuoteMeta(n) + " )"
		})
		pattern = strings.ReplaceAll(pattern, ",", "")
		c.children = regexp.MustCompile("^" + pattern + "$")
		out[m[1]] = c
	}
	if len(out) == 0 {
		t.Fatalf("%s declares nothing", path)
	}
	return out
}

// check returns the violations of the type in a document.
func (d dtd) check(doc string) error {
	dec := xml.NewDecoder(strings.NewReader(doc))
	type open struct{ name, children, text string }
	var stack []open
	roots := 0
	for {
		tok, err := dec.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return fmt.Errorf("not well-formed: %w", err)
		}
		switch tok := tok.(type) {
		case xml.StartElement:
			if len(stack) == 0 {
				roots++
			} else {
				stack[len(stack)-1].children += tok.Name.Local + " "
			}
			stack = append(stack, open{name: tok.Name.Local})
		case xml.CharData:
			if len(stack) > 0 {
				stack[len(stack)-1].text += string(tok)
			}
		case xml.EndElement:
			e := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			c, known := d[e.name]
			switch {
			case !known:
				return fmt.Errorf("<%s> is not declared", e.name)
			case c.any:
			case !c.children.MatchString(e.children):
				return fmt.Errorf("<%s> holds %q, its model is %s", e.name, e.children, c.children)
			case !c.text && strings.TrimSpace(e.text) != "":
				return fmt.Errorf("<%s> holds the text %q", e.name, strings.TrimSpace(e.text))
			}
		}
	}
	if roots != 1 {
		return fmt.Errorf("%d root elements", roots)
	}
	return nil
}

func TestDTDCheckerFindsFaults(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.dtd")
	if err := os.WriteFile(path, []byte(`<!ENTITY % text "#PCDATA | b">
<!ELEMENT list (head?, (item | group)+)> <!ELEMENT head (%text;)*> <!ELEMENT item (#PCDATA)> <!ELEMENT group (item*)> <!ELEMENT b (#PCDATA)>`), 0o600); err != nil {
		t.Fatal(err)
	}
	d := readDTD(t, path)
	for _, good := range []string{
		`<list><item>a</item></list>`, `<list><head>a <b>c</b> d</head><group/><item/></list>`,
	} {
		t.Run(good, func(t *testing.T) {
			if err := d.check(good); err != nil {
				t.Errorf("%s: %v", good, err)
			}
		})
	}
	for _, bad := range []string{
		`<list></list>`, `<list><item/><head/></list>`, `<list>text<item/></list>`, `<list><item><b/></item></list>`,
		`<list><item/></list><list><item/></list>`, `<list><item></list>`, `<list><other/></list>`, ``,
	} {
		t.Run(bad, func(t *testing.T) {
			if d.check(bad) == nil {
				t.Errorf("%s: nothing found", bad)
			}
		})
	}
}
