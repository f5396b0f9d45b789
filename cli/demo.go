package cli

import (
	"context"
	_ "embed"
	"os"
	"path/filepath"
	"strings"

	"biomcp/cli/command"
	"biomcp/cli/result"
	"biomcp/cli/words"
	"biomcp/store/study/example"
)

// sample is synthetic PubMed XML, labelled so: no such articles exist.
//
//go:embed demo/sample.xml
var sample []byte

func demo() *command.Command {
	return &command.Command{
		Use: "demo", Purpose: command.Start,
		Synonyms: []string{"example", "tutorial", "quickstart", "quick-start", "try"},
		Short:    "Show a corpus and a cohort, offline, on bundled samples",
		Help: command.Help{
			Purpose: "Imports a sample of synthetic records into a temporary folder, searches it by words and " +
				"meaning, and shows a document; then the survival of a synthetic cohort, as a chart. Each command is " +
				"printed, so that it can be repeated with --keep; without it the folder is removed.",
			Output: "The commands with their answers.",
			Surprises: "The samples are synthetic: no such articles and patients exist. Your own corpus is not " +
				"touched, and no request is sent.",
		},
		Effect: command.Stores,
		Flags:  func(f *command.Flags) { f.Bool("keep", false, "keep the temporary folder with the samples") },
		Examples: []command.Example{
			{Line: "biomcp demo", Explanation: "a first answer in a few seconds"},
			{Line: "biomcp demo --keep", Explanation: "a first answer, and samples to continue with"},
		},
		Run: runDemo,
	}
}

// demoSteps are the commands of the demo. SAMPLE stands for the path of the sample file.
var demoSteps = [][]string{
	{"sync", "pubmed", "--from", "SAMPLE"},
	{"search", "corpus", "antioxidant from mushrooms", "--top-k", "3"},
	{"search", "corpus", "statin safety", "--top-k", "2", "--exclude-retracted"},
	{"get", "document", "pmid:90200001"},
	{"study", "survival", "--study", example.ID, "--gene", "TP53",
		"--chart", "survival", "--terminal", "--cols", "80", "--rows", "26"},
}

// demoRun is the answer of `demo`.
type demoRun struct {
	Folder string     `json:"folder"` // null if it was removed
	Steps  []demoStep `json:"steps"`
}

type demoStep struct {
	Command string         `json:"command"`
	Answer  result.Payload `json:"answer"`

	leading, trailing []string // notices before and after the answer
}

func runDemo(ctx context.Context, in *command.Input) (*result.Result, error) {
	dir, err := os.MkdirTemp("", "biomcp-demo-")
	if err != nil {
		return nil, &result.Failure{Code: result.Store, Message: "no temporary folder can be created",
			Try: result.Argv{"health"}}
	}
	if !in.Bool("keep") {
		defer os.RemoveAll(dir)
	}
	file := filepath.Join(dir, "sample.xml")
	if err := os.WriteFile(file, sample, 0o600); err != nil {
		return nil, &result.Failure{Code: result.Store, Message: "the temporary folder cannot be written",
			Try: result.Argv{"health"}}
	}
	if _, err := example.Write(filepath.Join(dir, "data", "studies")); err != nil {
		return nil, &result.Failure{Code: result.Store, Message: "the temporary folder cannot be written",
			Try: result.Argv{"health"}}
	}
	app := &command.App{Env: in.App.Env.WithDirs(filepath.Join(dir, "data"), filepath.Join(dir, "cache")),
		Version: in.App.Version, Now: in.App.Now, Log: in.App.Log, OpenEngine: in.App.OpenEngine}
	run := demoRun{}
	if in.Bool("keep") {
		run.Folder = dir
	}
	for _, step := range demoSteps {
		args := result.Map(step, func(w string) string { return strings.ReplaceAll(w, "SAMPLE", file) })
		out := Run(ctx, app, command.IO{Err: in.IO.Err}, args, command.Person)
		if out.Failure != nil {
			return nil, out.Failure
		}
		step := demoStep{Command: result.Argv(args).String(), Answer: out.Result.Payload}
		step.leading, step.trailing = out.Result.SplitNotices()
		run.Steps = append(run.Steps, step)
	}
	if err := app.Close(); err != nil {
		return nil, err
	}
	return &result.Result{Payload: run, Next: []result.Argv{{"sync", "pubmed", "--help"},
		{"search", "corpus", "--help"}, {"study", "--help"}, {"list"}}}, nil
}

func (d demoRun) Doc() result.Doc {
	repeat := "They were in a temporary folder, which has been removed; demo --keep keeps it."
	if d.Folder != "" {
		repeat = "To repeat a command on them, first set the folder:"
	}
	doc := result.Doc{
		result.Heading{Level: 1, Text: "A corpus and a cohort on your own disk"},
		result.Para{Text: "Records and patients are synthetic: none of them exist. " + repeat},
	}
	if d.Folder != "" {
		doc = append(doc, result.Fence{Lang: "sh",
			Text: "export BIOMCP_DATA_DIR=" + words.Quote([]string{filepath.Join(d.Folder, "data")})})
	}
	for _, s := range d.Steps {
		doc = append(doc, result.Heading{Level: 2, Text: "Typed"}, result.Fence{Lang: "sh", Text: s.Command})
		doc = append(doc, result.Alerts(s.leading)...)
		for _, b := range s.Answer.Doc() {
			if h, ok := b.(result.Heading); ok {
				b = result.Heading{Level: h.Level + 2, Text: h.Text}
			}
			doc = append(doc, b)
		}
		doc = append(doc, result.Alerts(s.trailing)...)
	}
	return doc
}
