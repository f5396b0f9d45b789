package cli

import (
	"regexp"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"biomcp/skills"
)

// The form is as https://agentskills.io/specification has it.
func TestSkillsOfTheServer(t *testing.T) {
	l := library{}
	name := regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
	list := l.Skills()
	if len(list) != 1+len(skills.Catalogue()) {
		t.Errorf("%d skills", len(list))
	}
	for _, s := range list {
		t.Run(s.Name, func(t *testing.T) {
			var front map[string]string
			matter, text, ok := strings.Cut(strings.TrimPrefix(s.Text, "---\n"), "\n---\n")
			if err := yaml.Unmarshal([]byte(matter), &front); err != nil || !ok || len(front) != 2 || front["name"] != s.Name || front["description"] != s.Description || !strings.HasPrefix(text, "# ") {
				t.Errorf("%v\n%.200s", err, s.Text)
			}
			if !name.MatchString(s.Name) || len(s.Name) > 64 || s.Description == "" || len(s.Description) > 1024 || s.URI != "skill://"+s.Name+"/SKILL.md" {
				t.Errorf("%q %q, at %s", s.Name, s.Description, s.URI)
			}
			if r, found, err := l.Read(t.Context(), s.URI); !found || err != nil || r.Text != s.Text || r.MIME != markdownMIME {
				t.Errorf("read: %v %v %.100s", found, err, r.Text)
			}
		})
	}
}

func TestPromptsOfTheServer(t *testing.T) {
	for _, p := range (library{}).Prompts() {
		t.Run(p.Name, func(t *testing.T) {
			e, given := skills.Find(p.Name), map[string]string{"other": "unused"}
			if got := p.Text(given); !strings.HasSuffix(got, "\n\n"+e.Text) || strings.Contains(got, "unused") {
				t.Errorf("%.200s", got)
			}
			for _, a := range p.Arguments {
				given[a.Name] = "my own " + a.Name
				if a.Description != "for example "+e.DefaultArg(a.Name) || e.DefaultArg(a.Name) == "" {
					t.Errorf("%+v is not of the example", a)
				}
			}
			got := p.Text(given)
			for _, a := range p.Arguments {
				if !strings.Contains(got, `- `+a.Name+`: "my own `+a.Name+`"`) || !strings.HasSuffix(got, e.Text) {
					t.Errorf("no %s in %.300s", a.Name, got)
				}
			}
			if p.Title == "" || p.Description == "" || len(p.Arguments) == 0 {
				t.Errorf("%+v", p)
			}
		})
	}
}
