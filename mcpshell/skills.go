package mcpshell

import (
	"context"
	"crypto/sha256"
	"fmt"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// Prompt is a message that a client's user can choose to send. Text makes it of the arguments,
// none of which is required.
type Prompt struct {
	Name, Title, Description string
	Arguments                []Argument
	Text                     func(arguments map[string]string) string
}

// Argument is what a user can say in a prompt.
type Argument struct{ Name, Description string }

// prompts are the prompts in the form of mcp-go.
func prompts(list []Prompt) (all []server.ServerPrompt) {
	for _, p := range list {
		entry := mcp.Prompt{Name: p.Name, Title: p.Title, Description: p.Description}
		for _, a := range p.Arguments {
			entry.Arguments = append(entry.Arguments, mcp.PromptArgument{Name: a.Name, Description: a.Description})
		}
		all = append(all, server.ServerPrompt{Prompt: entry, Handler: func(_ context.Context, r mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
			return mcp.NewGetPromptResult(p.Description, []mcp.PromptMessage{mcp.NewPromptMessage(mcp.RoleUser, mcp.NewTextContent(p.Text(r.Params.Arguments)))}), nil
		}})
	}
	return all
}

// Skill is instructions for an agent (https://agentskills.io/specification) in one file, which
// the [Library] reads at the URI; its front matter has the name and the description. The last
// part of the URI but one is the name.
type Skill struct{ URI, Name, Description, Text string }

// The methods of the extension that serves skills, as
// github.com/modelcontextprotocol/ext-skills, specification/stable/skills.mdx (SEP-2640), has it.
const (
	skillsExtension  = "io.modelcontextprotocol/skills"
	methodSkillsList = mcp.MCPMethod("skills/list")
	methodSkillsGet  = mcp.MCPMethod("skills/get")
)

// skillEntry is a skill as clients see it.
type skillEntry struct {
	URI   string `json:"uri"`
	Front struct {
		Name        string `json:"name"`
		Description string `json:"description"`
	} `json:"frontmatter"`
	Files []skillFile `json:"resources"`
}

type skillFile struct {
	URI    string `json:"uri"`
	Digest string `json:"digest"`
	Size   int    `json:"size"` // in bytes
}

type skillList struct {
	mcp.CacheableResult
	Skills []skillEntry `json:"skills"`
}

type skillFound struct {
	mcp.CacheableResult
	Skill skillEntry `json:"skill"`
}

func entries(list []Skill) []skillEntry {
	all := []skillEntry{}
	for _, s := range list {
		e := skillEntry{URI: s.URI, Files: []skillFile{{s.URI, fmt.Sprintf("sha256:%x", sha256.Sum256([]byte(s.Text))), len(s.Text)}}}
		e.Front.Name, e.Front.Description = s.Name, s.Description
		all = append(all, e)
	}
	return all
}

// skill answers skills/get.
func (s *Shell) skill(uri string) (mcp.ResultMetadata, *mcp.JSONRPCErrorDetails) {
	for _, e := range s.skills {
		if e.URI == uri {
			return &skillFound{Skill: e}, nil
		}
	}
	return nil, &mcp.JSONRPCErrorDetails{Code: mcp.INVALID_PARAMS, Message: "Unknown skill: " + uri, Data: map[string]string{"uri": bounded(uri)}}
}
