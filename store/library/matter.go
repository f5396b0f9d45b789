package library

import (
	"fmt"
	"strings"
	"time"
	"unicode"

	"go.yaml.in/yaml/v3"
)

// FrontMatter is the front matter of a file. Missing fields are empty.
type FrontMatter struct {
	Title, Category string
	Tags            []string
	Created         time.Time
}

const (
	maxMatter = 64 << 10 // bytes of front matter
	maxLine   = 300      // characters of a title, a category or a tag
	maxTags   = 100
)

// parse splits a file into its front matter and the text after it. Invalid front matter is reported
// in problem and otherwise ignored.
func parse(text string) (m FrontMatter, body, problem string) {
	text = strings.TrimPrefix(text, "\ufeff")
	block, body, ok := split(text)
	switch {
	case !ok:
		return m, text, ""
	case len(block) > maxMatter:
		return m, text, fmt.Sprintf("its front matter has more than %d bytes", maxMatter)
	}
	var nodes struct{ Title, Category, Created, Tags yaml.Node }
	if err := yaml.Unmarshal([]byte(block), &nodes); err != nil {
		return m, text, "its front matter is not YAML"
	}
	m.Title, m.Category, m.Tags = scalar(&nodes.Title), scalar(&nodes.Category), values(&nodes.Tags)
	if created := scalar(&nodes.Created); created != "" {
		if m.Created, ok = parseTime(created); !ok {
			problem = fmt.Sprintf("created: %q is not a date", created)
		}
	}
	return m, body, problem
}

// split finds the front matter: from a first line of three dashes to the next line of three dashes
// or dots.
func split(text string) (block, body string, ok bool) {
	first, rest, ok := strings.Cut(text, "\n")
	if !ok || strings.TrimRight(first, " \t\r") != "---" {
		return "", text, false
	}
	at := 0
	for line := range strings.Lines(rest) {
		at += len(line)
		if end := strings.TrimRight(line, " \t\r\n"); end == "---" || end == "..." {
			return rest[:at-len(line)], rest[at:], true
		}
	}
	return "", text, false
}

// scalar returns a value as one line of text, or "" for a list or mapping.
func scalar(n *yaml.Node) string {
	if n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	if n.Kind != yaml.ScalarNode || n.Tag == "!!null" {
		return ""
	}
	return line(n.Value)
}

// values returns the items of a list or of a comma-separated text, without duplicates.
func values(n *yaml.Node) []string {
	if n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	var all []string
	if n.Kind == yaml.SequenceNode {
		for _, item := range n.Content {
			all = append(all, scalar(item))
		}
	} else {
		all = strings.Split(scalar(n), ",")
	}
	tags, seen := []string{}, map[string]bool{}
	for _, v := range all {
		if v = strings.TrimSpace(v); v != "" && !seen[strings.ToLower(v)] && len(tags) < maxTags {
			seen[strings.ToLower(v)] = true
			tags = append(tags, v)
		}
	}
	return tags
}

// line returns s as one line without control characters, truncated to maxLine.
func line(s string) string {
	s = strings.ToValidUTF8(s, "\ufffd")
	s = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case !unicode.IsGraphic(r):
			return -1
		}
		return r
	}, s)
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > maxLine {
		return string(r[:maxLine]) + "…"
	}
	return s
}

// parseTime parses a date or time. Without a zone it is UTC.
func parseTime(s string) (time.Time, bool) {
	for _, form := range []string{time.DateOnly, time.RFC3339, time.DateTime, "2006-01-02T15:04:05",
		"2006-01-02 15:04", "2006-01-02T15:04", "2006-01-02 15:04:05 -0700", "2006/01/02", "2006-01", "2006"} {
		if t, err := time.Parse(form, s); err == nil && t.Year() > 0 {
			return t.UTC(), true
		}
	}
	return time.Time{}, false
}

// heading returns the text of the first heading of a markdown text, or "" if there is none. It
// ignores fenced code.
func heading(body string) string {
	fence := ""
	for l := range strings.Lines(body) {
		l = strings.TrimRight(l, "\r\n")
		text := strings.TrimLeft(l, " ")
		if len(l)-len(text) > 3 {
			continue
		}
		marks := text[:len(text)-len(strings.TrimLeft(text, "`~"))]
		switch {
		case fence != "":
			if strings.HasPrefix(marks, fence) && strings.TrimSpace(strings.TrimLeft(text, marks[:1])) == "" {
				fence = ""
			}
		case len(marks) >= 3:
			fence = marks
		case strings.HasPrefix(text, "#"):
			after := strings.TrimLeft(text, "#")
			if len(text)-len(after) > 6 || after != "" && after[0] != ' ' && after[0] != '\t' {
				continue
			}
			after = strings.TrimSpace(after)
			if bare := strings.TrimRight(after, "#"); bare == "" || strings.HasSuffix(bare, " ") {
				after = bare // closing marks
			}
			if after = line(after); after != "" {
				return after
			}
		}
	}
	return ""
}

// text returns front matter in the form written to a file.
func (m FrontMatter) text() (string, error) {
	out := struct {
		Title    string   `yaml:"title,omitempty"`
		Category string   `yaml:"category,omitempty"`
		Tags     []string `yaml:"tags,flow,omitempty"`
		Created  string   `yaml:"created,omitempty"`
	}{Title: line(m.Title), Category: line(m.Category)}
	for _, t := range m.Tags {
		out.Tags = append(out.Tags, line(t))
	}
	if !m.Created.IsZero() {
		out.Created = m.Created.UTC().Format(time.RFC3339)
	}
	body, err := yaml.Marshal(out)
	return "---\n" + string(body) + "---\n", err
}

// Body returns the text of a file without its front matter.
func Body(text string) string {
	_, body, _ := parse(text)
	return body
}
