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

// An Example is a worked example.
type Example struct {
	Number               int // the number in the file name
	Slug, Title, Summary string
	Text                 string  // markdown, beginning with the title
	Ladder               *Ladder // nil if there is no ladder file

	values   map[string]string // default names by kind
	sections func() []section
}

// A section is a section of an answer and the words that ask for it.
type section struct {
	name  string // "" for the card of the record
	words *regexp.Regexp
}

// A Ladder holds the commands of a worked example in order, from its slug.ladder.json.
type Ladder struct {
	Workflow      string   `json:"workflow"`
	Rationale     string   `json:"rationale"` // the reason for the order
	Playbook      string   `json:"playbook"`  // the command that prints the whole example
	SpecificWords []string `json:"about"`     // words of the commands that are specific to the example
	Steps         []Step   `json:"ladder"`
}

// A Step is one command of a ladder and a description of its answer.
type Step struct {
	Step        int    `json:"step"` // from 1
	Command     string `json:"command"`
	Description string `json:"what_it_gives"`
}

// front is the front matter of a worked example.
type front struct {
	Title   string
	Summary string
	// Sections lists pairs of a section name and a pattern of the words that ask for it.
	// The sections that a question asks for replace the placeholder {sections}.
	Sections [][2]string
	Example  map[string]string
}

// Catalogue returns all worked examples, ordered by number.
var Catalogue = sync.OnceValue(func() []*Example {
	names, err := fs.Glob(files, "use-cases/*.md")
	if err != nil {
		panic(err)
	}
	var all []*Example
	for _, name := range names {
		e, err := read(name)
		if err != nil {
			panic(fmt.Sprintf("%s: %v", name, err)) // the files are embedded in the program
		}
		all = append(all, e)
	}
	return all
})

// read parses a worked example and its ladder.
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

// DefaultArg returns the default name of a kind, such as "id" or "gene", for a question that names none.
// It returns "" if the worked example has no such default.
func (e *Example) DefaultArg(kind string) string { return e.values[kind] }

// DefaultKinds returns the sorted kinds for which the worked example has default names.
func (e *Example) DefaultKinds() []string { return slices.Sorted(maps.Keys(e.values)) }

// File returns the worked example as a skill file for the folder of an agent.
func (e *Example) File() string {
	return fmt.Sprintf("---\nname: %s\ndescription: %s\n---\n%s", e.Slug, strconv.Quote(e.Summary), e.Text)
}

// Description returns the description of SKILL.md, which tells an agent when to read it.
func Description() string {
	var f struct{ Description string }
	matter, _ := split(skill())
	if err := yaml.Unmarshal([]byte(matter), &f); err != nil {
		panic(err) // the file is embedded in the program
	}
	return f.Description
}

// Find returns the worked example with the given slug or number, or nil.
func Find(name string) *Example {
	n, err := strconv.Atoi(name)
	for _, e := range Catalogue() {
		if e.Slug == name || err == nil && e.Number == n {
			return e
		}
	}
	return nil
}

// File returns SKILL.md as a skill file for the folder of an agent, with its front matter.
func File() string {
	matter, _ := split(skill())
	return "---\n" + matter + "\n---\n" + Overview()
}

// Overview returns the text of SKILL.md without front matter.
func Overview() string {
	_, text := split(skill())
	var b strings.Builder
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "<!--") { // a mark around text that package build writes
			b.WriteString(line)
		}
	}
	return b.String()
}

// skill returns the content of SKILL.md.
func skill() string {
	body, err := files.ReadFile("SKILL.md")
	if err != nil {
		panic(err) // the file is embedded in the program
	}
	return string(body)
}
