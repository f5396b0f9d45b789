// Package medlineplustest simulates MedlinePlus with two topics of made-up text.
package medlineplustest

import (
	"fmt"
	"net/http"
	"strings"

	"biomcp/entrez/medlineplus"
	"biomcp/entrez/sourcetest"
)

var topics = []struct{ words, body string }{
	{"melanoma", `<content name="title">&lt;span class="qt0"&gt;Melanoma&lt;/span&gt;</content>` +
		`<content name="organizationName">National Library of Medicine</content>` +
		`<content name="altTitle">Malignant &lt;span class="qt0"&gt;melanoma&lt;/span&gt;</content>` +
		`<content name="FullSummary">&lt;p&gt;Synthetic words: a tumor of pigment cells &amp;amp; skin.` +
		`&lt;/p&gt;&lt;ul&gt;&lt;li&gt;Look at moles&lt;/li&gt;&lt;/ul&gt;</content>` +
		`<content name="mesh">Melanoma</content>`},
	{"eye", `<content name="title">Eye Diseases</content>` +
		`<content name="FullSummary">&lt;p&gt;Synthetic words about eyes.&lt;/p&gt;</content>` +
		`<content name="mesh">Eye Diseases</content>`},
}

// AddTo makes the server simulate MedlinePlus, with the endpoint "topics".
func AddTo(s *sourcetest.Server) {
	s.Add(sourcetest.Service{Source: &medlineplus.Source, Path: "/medlineplus/",
		Endpoints: []sourcetest.Endpoint{{Name: "topics", Path: "query", Answer: answer}}})
}

func answer(c *sourcetest.Call) sourcetest.Reply {
	list := ""
	for i, t := range topics {
		if strings.Contains(strings.ToLower(c.Get("term")), t.words) {
			list += fmt.Sprintf(`<document rank="%d" url="https://medlineplus.gov/%s.html">%s</document>`, i,
				t.words, t.body)
		}
	}
	return sourcetest.Reply{Status: http.StatusOK, Type: sourcetest.XMLType,
		Body: []byte(`<?xml version="1.0" encoding="UTF-8"?><nlmSearchResult><term>x</term>` +
			`<file>synthetic</file><server>synthetic</server><count>0</count>` +
			`<retstart>0</retstart><retmax>10</retmax><list>` + list + `</list></nlmSearchResult>`)}
}
