package cli

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"biomcp/cli/command"
	"biomcp/cli/result"
	"biomcp/mcpshell"
)

// counts is a test payload that takes one of the possible forms of an answer.
type counts struct {
	N   int `json:"n"`
	doc result.Doc
}

func (c counts) Doc() result.Doc { return c.doc }

type boundCounts struct{ counts }

func (boundCounts) SchemaBound() {}

const toySVG = `<svg xmlns="http://www.w3.org/2000/svg"><title>β</title></svg>`

// formsTree returns a tree with one command per form of an answer, each with a notice.
func formsTree() *command.Tree {
	table := result.Table{Columns: result.Columns("Gene", ">N"), Rows: [][]string{{"BRCA1", "3"}}, Main: true}
	figure := func(svg string, err error) result.Doc {
		return result.Doc{result.Heading{Level: 1, Text: "Counts"}, result.Figure{
			Title: "Mutations", Alt: "BRCA1 3", Data: table, SVG: func() ([]byte, error) { return []byte(svg), err },
		}}
	}
	forms := map[string]result.Result{
		"plain":    {Payload: counts{3, result.Doc{table}}},
		"verbatim": {Payload: counts{3, result.Doc{result.Verbatim{Text: "N  - 3"}}}},
		"bound":    {Payload: boundCounts{counts{3, result.Doc{table}}}},
		"chart":    {Payload: counts{3, figure(toySVG, nil)}},
		"undrawn":  {Payload: counts{3, figure("", errors.New("no font"))}},
		"workflow": {Payload: counts{3, nil}, Meta: result.Meta{Workflow: &result.Workflow{Name: "count", Steps: []result.WorkflowStep{
			{Command: result.Argv{"plain"}, Description: "the counts"}, {Command: result.Argv{"chart", "two words"}, Description: "a picture"},
		}}}},
		"alias": {},
	}
	var commands []*command.Command
	for name, r := range forms {
		r.Notices = []string{"said by " + name}
		commands = append(commands, &command.Command{
			Use: name, Short: "Toy", Effect: command.Reads, Examples: []command.Example{{Line: "biomcp " + name, Explanation: "x"}},
			Run: func(context.Context, *command.Input) (*result.Result, error) {
				if name != "alias" {
					return &r, nil
				}
				failure := result.Missing("P53 is an alias, not a symbol", "plain")
				failure.Meta.Alias = &result.AliasResolution{Kind: "canonical", Entity: "gene", Query: "P53", Canonical: "TP53", Sources: []string{"NCBI Gene"}}
				failure.Next = []result.Argv{{"plain"}}
				return nil, failure
			},
		})
	}
	return command.NewTree(&command.Command{Use: "biomcp", Short: "Toy", Noun: "command", Commands: commands})
}

// rendered returns the output of the program for an outcome.
func rendered(t *testing.T, out result.Outcome, f result.Format) (stdout, stderr string) {
	t.Helper()
	var a, b bytes.Buffer
	if err := result.Render(&a, &b, out, f); err != nil {
		t.Fatal(err)
	}
	return a.String(), b.String()
}

type content struct {
	Type, Text, Data, MIMEType string
	Meta                       struct{ Title, Alt string } `json:"_meta"`
}

// callTool sends one command to a server, as a client does.
func callTool(t *testing.T, parse mcpshell.Parser, line string, asJSON bool) (blocks []content, notices []string, failed bool) {
	t.Helper()
	args, err := json.Marshal(map[string]any{"command": line, "json": asJSON})
	if err != nil {
		t.Fatal(err)
	}
	request := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"biomcp","arguments":` + string(args) + `}}` + "\n"
	var out bytes.Buffer
	if err := mcpshell.New(mcpshell.Options{Parse: parse}).ServeStdio(t.Context(), strings.NewReader(request), &out); err != nil {
		t.Fatal(err)
	}
	var reply struct {
		Result struct {
			Content []content
			IsError bool
			Meta    struct{ Notices []string } `json:"_meta"`
		}
	}
	if err := json.Unmarshal(out.Bytes(), &reply); err != nil {
		t.Fatal(err, out.String())
	}
	return reply.Result.Content, reply.Result.Meta.Notices, reply.Result.IsError
}

// TestNoticesReachEveryFormat checks the notices of every form of an answer on a terminal, on a
// pipe, with --json and over MCP.
func TestNoticesReachEveryFormat(t *testing.T) {
	app := toyApp()
	parser := func(words []string) mcpshell.Call { return new(answerCache).call(app, formsTree, words) }
	for _, form := range []string{"plain", "verbatim", "bound", "chart", "undrawn", "workflow"} {
		t.Run(form, func(t *testing.T) {
			want := "said by " + form
			out := runIn(t.Context(), formsTree(), app, command.IO{Err: io.Discard}, []string{form}, command.Agent)
			for _, f := range []result.Format{{}, {JSON: true}, {Terminal: true, Width: 80}} {
				stdout, stderr := rendered(t, out, f)
				if strings.Count(stdout+stderr, want) != 1 {
					t.Errorf("%s %+v: the notice is not said once: %s%s", form, f, stdout, stderr)
				}
			}
			for _, asJSON := range []bool{false, true} {
				stdout, stderr := rendered(t, out, result.Format{JSON: asJSON})
				blocks, notices, failed := callTool(t, parser, form, asJSON)
				if failed || blocks[0].Text != stdout {
					t.Errorf("%s, JSON %v: over MCP %q, on a pipe %q", form, asJSON, blocks[0].Text, stdout)
				}
				var all strings.Builder
				for _, b := range blocks {
					all.WriteString(b.Text)
				}
				if strings.Count(all.String(), want) != 1 {
					t.Errorf("%s, JSON %v: an agent reads %q", form, asJSON, all.String())
				}
				if (stderr != "") != slices.Contains(notices, want) {
					t.Errorf("%s, JSON %v: _meta.notices %q, stderr %q", form, asJSON, notices, stderr)
				}
				if stderr != "" && (len(blocks) != 2 || blocks[1].Text != stderr) {
					t.Errorf("%s, JSON %v: %+v", form, asJSON, blocks)
				}
			}
		})
	}
}

func TestFigureIsAnImageOverMCP(t *testing.T) {
	parser := func(words []string) mcpshell.Call { return new(answerCache).call(toyApp(), formsTree, words) }
	for _, asJSON := range []bool{false, true} {
		blocks, _, _ := callTool(t, parser, "chart", asJSON)
		if len(blocks) != 2 || blocks[0].Type != "text" || !strings.Contains(blocks[0].Text, "said by chart") {
			t.Fatalf("%+v", blocks)
		}
		svg, err := base64.StdEncoding.DecodeString(blocks[1].Data)
		if b := blocks[1]; err != nil || b.Type != "image" || b.MIMEType != "image/svg+xml" || string(svg) != toySVG || b.Meta.Title != "Mutations" || b.Meta.Alt != "BRCA1 3" {
			t.Errorf("%+v, %v", b, err)
		}
	}
	blocks, notices, failed := callTool(t, parser, "undrawn", false)
	if want := `the picture "Mutations" could not be drawn; its data is in the text`; failed || len(blocks) != 2 || !slices.Equal(notices, []string{want}) || !strings.Contains(blocks[0].Text, "| BRCA1 | 3 |") {
		t.Errorf("%v %q %+v", failed, notices, blocks)
	}
	out := runIn(t.Context(), formsTree(), toyApp(), command.IO{}, []string{"chart"}, command.Person)
	if pipe, _ := rendered(t, out, result.Format{}); !strings.HasSuffix(pipe, "# Counts\n\n| Gene | N |\n| --- | ---: |\n| BRCA1 | 3 |\n") {
		t.Errorf("on a pipe: %s", pipe)
	}
	if terminal, _ := rendered(t, out, result.Format{Terminal: true}); !strings.Contains(terminal, "Mutations: BRCA1 3") {
		t.Errorf("in a terminal: %s", terminal)
	}
}

func TestMetaOfAnswersAndFailures(t *testing.T) {
	parser := func(words []string) mcpshell.Call { return new(answerCache).call(toyApp(), formsTree, words) }
	blocks, _, _ := callTool(t, parser, "workflow --json", false)
	var answer struct {
		Meta map[string]json.RawMessage `json:"_meta"`
	}
	if err := json.Unmarshal([]byte(blocks[0].Text), &answer); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"workflow":        `"count"`,
		"ladder":          `[{"step":1,"command":"biomcp plain","what_it_gives":"the counts"},{"step":2,"command":"biomcp chart 'two words'","what_it_gives":"a picture"}]`,
		"next_commands":   `[]`,
		"section_sources": `[]`,
	} {
		t.Run(name, func(t *testing.T) {
			var got bytes.Buffer
			if err := json.Compact(&got, answer.Meta[name]); err != nil || got.String() != want {
				t.Errorf("_meta.%s is %s, %v", name, got.String(), err)
			}
		})
	}
	// Over MCP, an alias is JSON text even without --json.
	want := `{"error":{"code":"NOT_FOUND","message":"P53 is an alias, not a symbol","details":{"try":"biomcp plain"}},` +
		`"_meta":{"alias_resolution":{"kind":"canonical","requested_entity":"gene","query":"P53","canonical":"TP53","sources":["NCBI Gene"]},"next_commands":["biomcp plain"]}}`
	blocks, _, failed := callTool(t, parser, "alias", false)
	var got bytes.Buffer
	if err := json.Compact(&got, []byte(blocks[0].Text)); err != nil || !failed || got.String() != want {
		t.Errorf("%v %s", err, blocks[0].Text)
	}
	out := runIn(t.Context(), formsTree(), toyApp(), command.IO{}, []string{"alias"}, command.Person)
	if stdout, stderr := rendered(t, out, result.Format{}); stdout != "" || stderr != "error: P53 is an alias, not a symbol\ntry:   biomcp plain\n" {
		t.Errorf("a person reads %q %q", stdout, stderr)
	}
}

func TestMissingArticleIsANoticeOverMCP(t *testing.T) {
	blocks, notices, failed := callTool(t, Parser(ncbiApp(t, synthetic(t))), "get article 90100001 99999999 citation --style bibtex", false)
	if failed || len(blocks) != 2 || !strings.HasPrefix(blocks[0].Text, "@article{") || strings.Contains(blocks[0].Text, "99999999") {
		t.Fatalf("%v %+v", failed, blocks)
	}
	if blocks[1].Text != "notice: "+notices[0]+"\n" || !strings.Contains(notices[0], "99999999") {
		t.Errorf("%q, _meta %q", blocks[1].Text, notices)
	}
}

// laidOut counts the calls of its Doc method.
type laidOut struct {
	counts
	times *int
}

func (l laidOut) Doc() result.Doc {
	*l.times++
	return l.doc
}

func TestBlocksOfAnAnswerAreMadeOnce(t *testing.T) {
	times := 0
	reply := replyOf(result.Outcome{Result: &result.Result{Payload: laidOut{counts{3, result.Doc{result.Para{Text: "three"}}}, &times}}}, false, maxAnswer, mcpshell.SVG)
	if times != 1 || reply.Text != "three\n" {
		t.Errorf("made %d times: %q", times, reply.Text)
	}
}
