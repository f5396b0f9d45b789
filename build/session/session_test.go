package session

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"
)

func TestSVG(t *testing.T) {
	picture := SVG("\x1b[1;36mA <title>\x1b[0m\n\n  \x1b[2m│ \x1b[0mβ & more\n", 40)
	for _, want := range []string{
		`<svg xmlns="http://www.w3.org/2000/svg" width="372" height="93"`,
		`<text x="18.0" y="32" textLength="75.6" lengthAdjust="spacingAndGlyphs" font-weight="bold" fill="#6cc7d9">A &lt;title&gt;</text>`,
		`<text x="34.8" y="70" textLength="8.4" lengthAdjust="spacingAndGlyphs" fill="#a2a9b3">│</text>`,
		`<text x="51.6" y="70" textLength="67.2" lengthAdjust="spacingAndGlyphs">β &amp; more</text>`,
	} {
		if !strings.Contains(picture, want) {
			t.Errorf("missing: %s\n%s", want, picture)
		}
	}
	for d := xml.NewDecoder(strings.NewReader(picture)); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatalf("the picture is not XML: %v", err)
		}
	}
}

// A style lasts over the end of a line, and a code without a number ends it.
func TestStyleLasts(t *testing.T) {
	picture := SVG("\x1b[1mone\ntwo\x1b[mthree\n", 40)
	for _, want := range []string{`font-weight="bold">one<`, `font-weight="bold">two<`, `lengthAdjust="spacingAndGlyphs">three<`} {
		if !strings.Contains(picture, want) {
			t.Errorf("missing: %s\n%s", want, picture)
		}
	}
}
