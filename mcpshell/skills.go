package mcpshell

import (
	"context"
	"crypto/sha256"
	"fmt"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// A Prompt is a message that a client's user can choose to send. Text builds it from the
// arguments, which are all optional.
type Prompt struct {
	Name, Title, Description string
	Arguments                []Argument
	Text                     func(arguments map[string]string) string
}

// An Argument is a parameter of a prompt.
type Argument struct{ Name, Description string }

// prompts converts the prompts to mcp-go's type.
func prompts(list []Prompt) (all []server.ServerPrompt) {
	for _, p := range list {
		entry := mcp.Prompt{Name: p.Name, Title: p.Title, Description: p.Description}
		for _, a := range p.Arguments {
			entry.Arguments = append(entry.Arguments, mcp.PromptArgument{Name: a.Name, Description: a.Description})
		}
		handler := func(_ context.Context, r mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
			text := mcp.NewTextContent(p.Text(r.Params.Arguments))
			messages := []mcp.PromptMessage{mcp.NewPromptMessage(mcp.RoleUser, text)}
			return mcp.NewGetPromptResult(p.Description, messages), nil
		}
		all = append(all, server.ServerPrompt{Prompt: entry, Handler: handler})
	}
	return all
}

// A Skill is a file with instructions for an agent (https://agentskills.io/specification). The
// [Library] reads it at URI. Its front matter holds the name and the description, and the
// second-to-last part of the URI equals the name.
type Skill struct{ URI, Name, Description, Text string }

// These names belong to the extension that serves skills
// (github.com/modelcontextprotocol/ext-skills, specification/stable/skills.mdx, SEP-2640).
const (
	skillsExtension  = "io.modelcontextprotocol/skills"
	methodSkillsList = mcp.MCPMethod("skills/list")
	methodSkillsGet  = mcp.MCPMethod("skills/get")
)

// skillEntry is the JSON form of a skill.
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
		digest := fmt.Sprintf("sha256:%x", sha256.Sum256([]byte(s.Text)))
		e := skillEntry{URI: s.URI, Files: []skillFile{{s.URI, digest, len(s.Text)}}}
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
	return nil, &mcp.JSONRPCErrorDetails{
		Code:    mcp.INVALID_PARAMS,
		Message: "Unknown skill: " + uri,
		Data:    map[string]string{"uri": truncate(uri)},
	}
}
