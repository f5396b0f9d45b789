package cli

import (
	"context"
	"sync"

	"biomcp/cli/command"
	"biomcp/entrez/polite"
	"biomcp/mcpshell"
)

// answers stores recent answers to agents, of commands that compute them only from replies of
// sources ([command.Command.FromReplies]). A stored answer is valid for every caller as long as
// the response cache holds the same replies. If the answers exceed maxAnswers bytes, arbitrary
// ones are dropped.
type answers struct {
	links bool // answers link to papers of the corpus, which changes, so none is stored

	mu    sync.Mutex
	of    map[string]*keptAnswer // by command line
	bytes int
}

// keptAnswer is one stored answer.
type keptAnswer struct {
	family string
	typed  bool // the line had --json
	json   bool // the reply is JSON
	reply  mcpshell.Reply
	from   polite.Replies
	size   int // bytes of the line, the reply and its sources
}

const (
	maxAnswers    = 4 << 20   // bytes of all stored answers
	maxKeptAnswer = 256 << 10 // bytes of one of them
)

// to returns the stored answer to a line, or nil.
func (k *answers) to(line string) *keptAnswer {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.of[line]
}

// keep stores the answer to a line unless it is too large.
func (k *answers) keep(line string, a *keptAnswer) {
	a.size = len(line) + len(a.reply.Text) + len(a.reply.Stderr) + a.from.Size()
	if a.size > maxKeptAnswer {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.of == nil {
		k.of = map[string]*keptAnswer{}
	}
	if old := k.of[line]; old != nil {
		k.bytes -= old.size
	}
	k.of[line] = a
	k.bytes += a.size
	for other, o := range k.of {
		if k.bytes <= maxAnswers {
			break
		}
		if other != line {
			delete(k.of, other)
			k.bytes -= o.size
		}
	}
}

// holds reports whether a is still valid and has the requested format. It returns false if a is
// nil.
func (a *keptAnswer) holds(ctx context.Context, app *command.App, json bool) bool {
	return a != nil && a.json == json && app.Network().Holds(ctx, a.from)
}
