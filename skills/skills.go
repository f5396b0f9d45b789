package skills

import (
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"
)

//go:embed SKILL.md use-cases
var files embed.FS

// Example is a worked example.
type Example struct {
	Number               int // from its file's name
	Slug, Title, Summary string
	Text                 string  // markdown, which begins with the title
	Ladder               *Ladder // nil if it has none

	values   map[string]string
	sections func() []section
}

// section is a section of an answer, "" for its card, and the words that ask for it.
type section struct {
	name  string
	words *regexp.Regexp
}

// Ladder is the commands of a worked example in order, from its slug.ladder.json.
type Ladder struct {
	Workflow  string   `json:"workflow"`
	Rationale string   `json:"rationale"` // why in this order
	Playbook  string   `json:"playbook"`  // the command that prints the whole example
	About     []string `json:"about"`     // the words of the example in the commands, which another question has not
	Steps     []Step   `json:"ladder"`
}

// Step is one command of a ladder and what it gives.
type Step struct {
	Step    int    `json:"step"` // from 1
	Command string `json:"command"`
	Gives   string `json:"what_it_gives"`
}

// front is the front matter of a worked example.
type front struct {
	Title   string
	Summary string
	// Sections are the name of each section and the pattern of words that asks for it:
	// those of a question are in the place {sections}.
	Sections [][2]string
	Example  map[string]string
}

// Catalogue is every worked example by number.
var Catalogue = sync.OnceValue(func() []*Example {
	names, err := fs.Glob(files, "use-cases/*.md")
	if err != nil {
		panic(err)
	}
	var all []*Example
	for _, name := range names {
		e, err := read(name)
		if err != nil {
			panic(fmt.Sprintf("%s: %v", name, err)) // the files are part of the program
		}
		all = append(all, e)
	}
	return all
})

func read(name string) (*Example, error) {
	number, slug, _ := strings.Cut(strings.TrimSuffix(path.Base(name), ".md"), "-")
	n, err := strconv.Atoi(number)
	if err != nil {
		return nil, err
	}
	body, err := files.ReadFile(name)
	if err != nil {
		return nil, err
	}
	matter, text := split(string(body))
	var f front
	if err := yaml.Unmarshal([]byte(matter), &f); err != nil {
		return nil, err
	}
	e := &Example{Number: n, Slug: slug, Title: f.Title, Summary: f.Summary, Text: text, values: f.Example}
	e.sections = sync.OnceValue(func() (list []section) {
		for _, s := range f.Sections {
			list = append(list, section{s[0], regexp.MustCompile(s[1])})
		}
		return list
	})
	ladder, err := files.ReadFile("use-cases/" + slug + ".ladder.json")
	if errors.Is(err, fs.ErrNotExist) {
		return e, nil
	} else if err != nil {
		return nil, err
	}
	e.Ladder = &Ladder{}
	return e, json.Unmarshal(ladder, e.Ladder)
}

// split separates the front matter of a file from its text.
func split(body string) (matter, text string) {
	matter, text, _ = strings.Cut(strings.TrimPrefix(body, "---\n"), "\n---\n")
	return matter, text
}

// Lends is what the worked example itself is about, in the place of a name: an id, a gene.
func (e *Example) Lends(kind string) string { return e.values[kind] }

// Kinds are what the worked example has names of, sorted.
func (e *Example) Kinds() []string { return slices.Sorted(maps.Keys(e.values)) }

// File is the worked example as an agent's folder holds it.
func (e *Example) File() string {
	return fmt.Sprintf("---\nname: %s\ndescription: %s\n---\n%s", e.Slug, strconv.Quote(e.Summary), e.Text)
}

// About is when an agent should read SKILL.md.
func About() string {
	var f struct{ Description string }
	matter, _ := split(skill())
	if err := yaml.Unmarshal([]byte(matter), &f); err != nil {
		panic(err) // it is part of the program
	}
	return f.Description
}

// Find returns a worked example by its slug or number, nil if there is none.
func Find(name string) *Example {
	n, err := strconv.Atoi(name)
	for _, e := range Catalogue() {
		if e.Slug == name || err == nil && e.Number == n {
			return e
		}
	}
	return nil
}

// File is SKILL.md as an agent's folder holds it, with the front matter by which an
// agent knows when to read it.
func File() string {
	matter, _ := split(skill())
	return "---\n" + matter + "\n---\n" + Overview()
}

// Overview is the text of SKILL.md.
func Overview() string {
	_, text := split(skill())
	var b strings.Builder
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "<!--") { // the marks of what package build writes
			b.WriteString(line)
		}
	}
	return b.String()
}

func skill() string {
	body, err := files.ReadFile("SKILL.md")
	if err != nil {
		panic(err) // it is part of the program
	}
	return string(body)
}
