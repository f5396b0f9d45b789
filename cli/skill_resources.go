package cli

import (
	"fmt"
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
		list = append(list, mcpshell.Resource{URI: skillURI + e.Slug, Name: "Pattern: " + e.Title,
			Description: e.Summary, MIME: markdownMIME})
	}
	return list
}

// readSkill returns the text of a resource of skillResources or of a skill.
func readSkill(uri string) (text string, found bool) {
	if uri == overviewURI {
		return skills.Overview(), true
	}
	for _, s := range (library{}).Skills() {
		if s.URI == uri {
			return s.Text, true
		}
	}
	slug, ok := strings.CutPrefix(uri, skillURI)
	for _, e := range skills.Catalogue() {
		if ok && e.Slug == slug {
			return e.Text, true
		}
	}
	return "", false
}

// Skills returns the overview and the worked examples in the form of Agent Skills.
func (library) Skills() []mcpshell.Skill {
	at := func(name string) string { return "skill://" + name + "/SKILL.md" }
	list := []mcpshell.Skill{{URI: at("biomcp"), Name: "biomcp", Description: skills.Description(), Text: skills.File()}}
	for _, e := range skills.Catalogue() {
		list = append(list, mcpshell.Skill{URI: at(e.Slug), Name: e.Slug, Description: e.Summary, Text: e.File()})
	}
	return list
}

// Prompts returns the worked examples as prompts whose arguments replace the example's own
// subjects.
func (library) Prompts() (list []mcpshell.Prompt) {
	for _, e := range skills.Catalogue() {
		p := mcpshell.Prompt{Name: e.Slug, Title: e.Title, Description: e.Summary,
			Text: func(values map[string]string) string { return promptText(e, values) }}
		for _, kind := range e.DefaultKinds() {
			p.Arguments = append(p.Arguments,
				mcpshell.Argument{Name: kind, Description: "for example " + e.DefaultArg(kind)})
		}
		list = append(list, p)
	}
	return list
}

// promptText asks an agent to follow a worked example with the values that the user gave.
func promptText(e *skills.Example, values map[string]string) string {
	var replacements strings.Builder
	for _, kind := range e.DefaultKinds() {
		if value := strings.TrimSpace(values[kind]); value != "" {
			fmt.Fprintf(&replacements, "- %s: %q\n", kind, value)
		}
	}
	if replacements.Len() == 0 {
		return "Follow this worked example with the tool biomcp.\n\n" + e.Text
	}
	return "Follow the worked example below with the tool biomcp, but replace its own values with these:\n\n" +
		replacements.String() + "\n" + e.Text
}
