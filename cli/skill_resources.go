package cli

import (
	"strings"

	"biomcp/mcpshell"
	"biomcp/skills"
)

const (
	overviewURI  = "biomcp://help"
	overviewName = "BioMCP Overview"
	skillURI     = "biomcp://skill/"
)

// skillResources lists the overview and the worked examples as resources.
func skillResources() []mcpshell.Resource {
	list := []mcpshell.Resource{{
		URI: overviewURI, Name: overviewName, MIME: markdownMIME,
		Description: "When to use which command, and how to answer",
	}}
	for _, e := range skills.Catalogue() {
		list = append(list, mcpshell.Resource{URI: skillURI + e.Slug, Name: "Pattern: " + e.Title, Description: e.Summary, MIME: markdownMIME})
	}
	return list
}

// readSkill reads one of them.
func readSkill(uri string) (text string, found bool) {
	if uri == overviewURI {
		return skills.Overview(), true
	}
	slug, ok := strings.CutPrefix(uri, skillURI)
	for _, e := range skills.Catalogue() {
		if ok && e.Slug == slug {
			return e.Text, true
		}
	}
	return "", false
}
