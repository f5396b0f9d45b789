package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"biomcp/cli/command"
	"biomcp/cli/result"
	"biomcp/entrez/pattern"
	"biomcp/entrez/record"
	"biomcp/mcpshell"
)

// researchTools are the two tools that hosts of research call by name, with the arguments and
// answers of platform.openai.com/docs/mcp ("Building MCP servers for ChatGPT and API
// integrations"): each is a command of this program in another form.
func researchTools(parse mcpshell.Parser) []mcpshell.Tool {
	return []mcpshell.Tool{
		{
			Name: "search", Title: "Search PubMed", Argument: "query", About: "words, or a query with PubMed's own fields and Boolean operators",
			Description: "Searches PubMed. Each result has an id for fetch, the title and the address of an article, the most relevant first; a retracted article is marked in its title.",
			Output:      json.RawMessage(foundSchema),
			Parse: func(query string) mcpshell.Call {
				return reshaped(parse([]string{"search", "article", "--limit", "20", "--", query}), searchResults)
			},
		},
		{
			Name: "fetch", Title: "Read an article", Argument: "id", About: "a PMID, as search gives it, a PMCID or a DOI",
			Description: "Reads the record of one article in PubMed: authors, journal, abstract, headings. A retraction comes first.",
			Output:      json.RawMessage(documentSchema),
			Parse: func(id string) mcpshell.Call {
				whole := parse([]string{"get", "article", "--", id})
				return reshaped(parse([]string{"get", "article", "--", id, "abstract"}), func(ctx context.Context, answer []byte) (any, error) {
					return fetched(answer, whole.Run(ctx, false))
				})
			},
		},
	}
}

// toolsFlag is --tools.
func toolsFlag(f *command.Flags) {
	f.EnumList("tools", "", "tools besides biomcp, for hosts of research that call them by name; answers then link to documents of the corpus", "search", "fetch")
}

// reshaped is a call whose answer, in JSON, is given the form of a tool; a form may be another
// reply, which takes its place.
func reshaped(c mcpshell.Call, form func(ctx context.Context, answer []byte) (any, error)) mcpshell.Call {
	run := c.Run
	c.Run = func(ctx context.Context, _ bool) mcpshell.Reply {
		reply := run(ctx, true)
		if reply.IsError {
			return reply
		}
		value, err := form(ctx, []byte(reply.Text))
		if other, is := value.(mcpshell.Reply); is {
			return other
		}
		if err == nil {
			reply.Structured, err = json.Marshal(value)
		}
		if err != nil {
			out := result.Outcome{Failure: failureOf(ctx, err)}
			return replyOf(out, true, 0, mcpshell.SVG)
		}
		return mcpshell.Reply{Text: string(reply.Structured), Structured: reply.Structured, Notices: reply.Notices}
	}
	return c
}

// listedArticle is what the forms need of an article.
type listedArticle struct {
	PMID, Title, URL string
	DOI, PMCID       *string
	Retracted        bool
}

func (a listedArticle) title() string {
	if a.Retracted {
		return "RETRACTED: " + a.Title
	}
	return a.Title
}

type foundArticle struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	URL   string `json:"url"`
}

const foundSchema = `{"type":"object","required":["results"],"properties":{"results":{"type":"array","items":{"type":"object","required":["id","title","url"],` +
	`"properties":{"id":{"type":"string"},"title":{"type":"string"},"url":{"type":"string"}}}},"notices":{"type":"array","items":{"type":"string"}}}}`

func searchResults(_ context.Context, answer []byte) (any, error) {
	var hits struct {
		Results []listedArticle
		Notices []string
	}
	if err := json.Unmarshal(answer, &hits); err != nil {
		return nil, err
	}
	found := struct {
		Results []foundArticle `json:"results"`
		Notices []string       `json:"notices,omitempty"` // such as of a dropped phrase: a host may show nothing but this answer
	}{[]foundArticle{}, hits.Notices}
	for _, a := range hits.Results {
		found.Results = append(found.Results, foundArticle{a.PMID, a.title(), "https://pubmed.ncbi.nlm.nih.gov/" + a.PMID + "/"})
	}
	return found, nil
}

type fetchedArticle struct {
	foundArticle
	Text     string            `json:"text"`
	Metadata map[string]string `json:"metadata"`
}

const documentSchema = `{"type":"object","required":["id","title","text","url","metadata"],"properties":{"id":{"type":"string"},"title":{"type":"string"},"text":{"type":"string"},` +
	`"url":{"type":"string"},"metadata":{"type":"object","additionalProperties":{"type":"string"}}}}`

// fetched is an article: its ids by the JSON of a command, and its text as a pipe gets it.
func fetched(answer []byte, whole mcpshell.Reply) (any, error) {
	var got struct{ Articles []listedArticle }
	if err := json.Unmarshal(answer, &got); err != nil {
		return nil, err
	}
	if len(got.Articles) != 1 {
		return nil, result.Invalid(fmt.Sprintf("fetch takes the id of one article, not of %d", len(got.Articles)))
	}
	if whole.IsError {
		return whole, nil // which says why
	}
	a := got.Articles[0]
	about := map[string]string{"pmid": a.PMID, "retracted": strconv.FormatBool(a.Retracted)}
	for name, id := range map[string]*string{"doi": a.DOI, "pmcid": a.PMCID} {
		if id != nil {
			about[name] = *id
		}
	}
	return fetchedArticle{foundArticle{a.PMID, a.title(), a.URL}, whole.Text, about}, nil
}

// maxPaperLinks is how many documents of the corpus one answer links to.
const maxPaperLinks = 20

// namedPMID is a PMID in the JSON of an answer.
var namedPMID = pattern.Lazy(`"pmid":"(\d{1,8})"`)

// paperLinks are the papers that an answer names and the corpus holds, which its resources
// then give, in the order of the answer.
func paperLinks(ctx context.Context, app *command.App, out result.Outcome) (list []mcpshell.Resource) {
	if out.Result == nil || out.Result.Payload == nil {
		return nil
	}
	data, err := json.Marshal(out.Result.Payload)
	if err != nil {
		return nil // rendering it says so
	}
	var named []record.PMID
	for _, m := range namedPMID().FindAllSubmatch(data, -1) {
		if p, err := record.ParsePMID(string(m[1])); err == nil && !slices.Contains(named, p) {
			named = append(named, p)
		}
	}
	corpus, err := app.Corpus(ctx)
	if len(named) == 0 || err != nil {
		return nil
	}
	held, _ := corpus.States(ctx, named) // without them there are no links
	for _, p := range named {
		if s := held[p]; s.Version > 0 && !s.Deleted && len(list) < maxPaperLinks {
			list = append(list, mcpshell.Resource{URI: paperURI + p.String(), Name: "PMID " + p.String(), Description: "The document of the local corpus", MIME: jsonMIME})
		}
	}
	return list
}
