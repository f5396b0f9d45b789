package cli

import (
	"context"
	"sync"

	"biomcp/cli/command"
	"biomcp/entrez/httpclient"
	"biomcp/mcpshell"
)

// answerCache stores recent answers to agents, of commands that compute them only from replies of
// sources ([command.Command.Cacheable]). A stored answer is valid for every caller as long as
// the response cache holds the same replies. If the answers exceed maxStored bytes, arbitrary
// ones are dropped.
type answerCache struct {
	linkPapers bool // answers link to papers of the corpus, which can change, so they are not stored

	mu     sync.Mutex
	byLine map[string]*storedAnswer // by command line
	bytes  int
}

// storedAnswer is one stored answer.
type storedAnswer struct {
	family   string
	lineJSON bool // the line had --json
	json     bool // the reply is JSON
	reply    mcpshell.Reply
	replies  httpclient.Replies
	size     int // bytes of the line, the reply and its sources
}

const (
	maxStored       = 4 << 20   // bytes of all stored answers
	maxStoredAnswer = 256 << 10 // bytes of one of them
)

// lookup returns the stored answer to a line, or nil.
func (k *answerCache) lookup(line string) *storedAnswer {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.byLine[line]
}

// add stores the answer to a line unless it is too large.
func (k *answerCache) add(line string, a *storedAnswer) {
	a.size = len(line) + len(a.reply.Text) + len(a.reply.Stderr) + a.replies.Size()
	if a.size > maxStoredAnswer {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.byLine == nil {
		k.byLine = map[string]*storedAnswer{}
	}
	if old := k.byLine[line]; old != nil {
		k.bytes -= old.size
	}
	k.byLine[line] = a
	k.bytes += a.size
	for other, o := range k.byLine {
		if k.bytes <= maxStored {
			break
		}
		if other != line {
			delete(k.byLine, other)
			k.bytes -= o.size
		}
	}
}

// valid reports whether a is still valid and has the requested format. It returns false if a is
// nil.
func (a *storedAnswer) valid(ctx context.Context, app *command.App, json bool) bool {
	return a != nil && a.json == json && app.Network().StillCached(ctx, a.replies)
}
