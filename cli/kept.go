package cli

import (
	"context"
	"sync"

	"biomcp/cli/command"
	"biomcp/entrez/polite"
	"biomcp/mcpshell"
)

// answers are the answers to the lines that agents asked last, of commands that make them
// from replies of sources alone ([command.Command.FromReplies]). One is given again as
// long as the response cache has the same replies, for every caller. Where there are too
// many, some go.
type answers struct {
	links bool // to papers; the corpus changes, and so no such answer is kept

	mu    sync.Mutex
	of    map[string]*keptAnswer // by the line
	bytes int
}

// keptAnswer is one of them.
type keptAnswer struct {
	family string
	typed  bool // --json was
	json   bool // the reply is
	reply  mcpshell.Reply
	from   polite.Replies
	size   int // in bytes, with what it was made from
}

const (
	maxAnswers    = 4 << 20 // bytes of all answers that are kept
	maxKeptAnswer = 256 << 10
)

// to is the answer to a line, nil if none is kept.
func (k *answers) to(line string) *keptAnswer {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.of[line]
}

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

// holds reports whether this is still the answer, in JSON or not.
func (a *keptAnswer) holds(ctx context.Context, app *command.App, json bool) bool {
	return a != nil && a.json == json && app.Network().Holds(ctx, a.from)
}
