package skills

import (
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
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

	cues   func() cues // compiled when they are first used
	first  [][][]string
	frame  map[string]bool
	values map[string]string
	flags  [][2]string

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

// cues are patterns of words in a question: those of which one is enough, those of
// which several are, those with which the example does not fit, and those without any
// of which it does not.
type cues struct{ strong, weak, not, needs []*regexp.Regexp }

// front is the front matter of a worked example.
type front struct {
	Title   string
	Summary string
	Cues    struct{ Strong, Weak, Not, Needs []string }
	// Sections are the name of each section and the pattern of words that asks for it:
	// those of a question are in the place {sections} of First.
	Sections [][2]string
	First    [][][]string
	// Flags are a kind of name and the flag that takes it: those that a question names
	// are in the place {flags} of First.
	Flags   [][2]string
	Frame   string // words that ask, and are not what is asked about
	Example map[string]string
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
	e := &Example{Number: n, Slug: slug, Title: f.Title, Summary: f.Summary, Text: text, first: f.First, frame: set(f.Frame), values: f.Example, flags: f.Flags}
	e.cues = sync.OnceValue(func() cues {
		return cues{compile(f.Cues.Strong), compile(f.Cues.Weak), compile(f.Cues.Not), compile(f.Cues.Needs)}
	})
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

func compile(patterns []string) (list []*regexp.Regexp) {
	for _, p := range patterns {
		list = append(list, regexp.MustCompile(p))
	}
	return list
}

// split separates the front matter of a file from its text.
func split(body string) (matter, text string) {
	matter, text, _ = strings.Cut(strings.TrimPrefix(body, "---\n"), "\n---\n")
	return matter, text
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
