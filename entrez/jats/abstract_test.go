package jats

import (
	"fmt"
	"testing"
)

// An abstract in another language is not always a translation. PLOS states the availability of data
// in the front matter.
func TestAbstractWithItsLanguage(t *testing.T) {
	for attr, own := range map[string]string{`xml:lang="en"`: "en-GB", `xml:lang="fr"`: "fr", "": "en"} {
		t.Run(attr, func(t *testing.T) {
			a := parse(t, fmt.Sprintf(`<article %s><front><article-meta><abstract xml:lang="%s"><p>One.</p></abstract><abstract xml:lang="pt"><p>Dois.</p></abstract>
				<trans-abstract xml:lang="es"><p>Dos.</p></trans-abstract><custom-meta-group><custom-meta><meta-name>Data Availability</meta-name><meta-value>All are here.</meta-value></custom-meta></custom-meta-group></article-meta></front></article>`, attr, own))
			var languages []string
			for _, b := range a.Abstracts {
				languages = append(languages, b.Language)
			}
			if fmt.Sprintf("%q", languages) != `["" "pt" "es"]` || a.DataAvailability != "All are here." {
				t.Errorf("%q, %q", languages, a.DataAvailability)
			}
		})
	}
}
