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

// researchTools returns the two tools that research clients call by name, search and fetch,
// each of which runs a biomcp command. Arguments and answers follow
// platform.openai.com/docs/mcp ("Building MCP servers for ChatGPT and API integrations").
func researchTools(parse mcpshell.Parser) []mcpshell.Tool {
	return []mcpshell.Tool{
		{
			Name: "search", Title: "Search PubMed", Argument: "query",
			ArgumentHelp: "words, or a query with PubMed's own fields and Boolean operators",
			Description: "Searches PubMed. Each result has an id for fetch, the title and the address of an article, " +
				"the most relevant first; a retracted article is marked in its title.",
			Output: json.RawMessage(searchSchema),
			Parse: func(query string) mcpshell.Call {
				return convertAnswer(parse([]string{"search", "article", "--limit", "20", "--", query}), searchResults)
			},
		},
		{
			Name: "fetch", Title: "Read an article", Argument: "id",
			ArgumentHelp: "a PMID, as search gives it, a PMCID or a DOI",
			Description: "Reads the record of one article in PubMed: authors, journal, abstract, headings. A " +
				"retraction comes first.",
			Output: json.RawMessage(documentSchema),
			Parse: func(id string) mcpshell.Call {
				whole := parse([]string{"get", "article", "--", id})
				return convertAnswer(parse([]string{"get", "article", "--", id, "abstract"}),
					func(ctx context.Context, answer []byte) (any, error) {
						return fetchResult(answer, whole.Run(ctx, false))
					})
			},
		},
	}
}

// toolsFlag declares the flag --tools.
func toolsFlag(f *command.Flags) {
	f.EnumList("tools", "", "additional tools, for research clients that call them by name; answers then link to "+
		"documents of the corpus", "search", "fetch")
}

// convertAnswer returns a call that converts the JSON answer of c with form. If form returns a
// reply, that reply is the answer.
func convertAnswer(c mcpshell.Call, convert func(ctx context.Context, answer []byte) (any, error)) mcpshell.Call {
	run := c.Run
	c.Run = func(ctx context.Context, _ bool) mcpshell.Reply {
		reply := run(ctx, true)
		if reply.IsError {
			return reply
		}
		value, err := convert(ctx, []byte(reply.Text))
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

// listedArticle holds the members of an article that the tools need.
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

type searchHit struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	URL   string `json:"url"`
}

const searchSchema = `{"type":"object","required":["results"],"properties":{"results":{"type":"array",` +
	`"items":{"type":"object","required":["id","title","url"],` +
	`"properties":{"id":{"type":"string"},"title":{"type":"string"},"url":{"type":"string"}}}},` +
	`"notices":{"type":"array","items":{"type":"string"}}}}`

// searchResults converts the answer of a search to that of the tool search.
func searchResults(_ context.Context, answer []byte) (any, error) {
	var hits struct {
		Results []listedArticle
		Notices []string
	}
	if err := json.Unmarshal(answer, &hits); err != nil {
		return nil, err
	}
	found := struct {
		Results []searchHit `json:"results"`
		Notices []string    `json:"notices,omitempty"` // a client may show nothing but this answer
	}{[]searchHit{}, hits.Notices}
	for _, a := range hits.Results {
		found.Results = append(found.Results,
			searchHit{a.PMID, a.title(), "https://pubmed.ncbi.nlm.nih.gov/" + a.PMID + "/"})
	}
	return found, nil
}

type articleDocument struct {
	searchHit
	Text     string            `json:"text"`
	Metadata map[string]string `json:"metadata"`
}

const documentSchema = `{"type":"object","required":["id","title","text","url","metadata"],` +
	`"properties":{"id":{"type":"string"},"title":{"type":"string"},"text":{"type":"string"},` +
	`"url":{"type":"string"},"metadata":{"type":"object","additionalProperties":{"type":"string"}}}}`

// fetchResult returns the answer of the tool fetch: ids from the JSON answer of a command, and the
// text that a pipe receives.
func fetchResult(answer []byte, whole mcpshell.Reply) (any, error) {
	var got struct{ Articles []listedArticle }
	if err := json.Unmarshal(answer, &got); err != nil {
		return nil, err
	}
	if len(got.Articles) != 1 {
		return nil, result.Invalid(fmt.Sprintf("fetch takes the id of one article, not of %d", len(got.Articles)))
	}
	if whole.IsError {
		return whole, nil // the text states the reason
	}
	a := got.Articles[0]
	about := map[string]string{"pmid": a.PMID, "retracted": strconv.FormatBool(a.Retracted)}
	if a.DOI != nil {
		about["doi"] = *a.DOI
	}
	if a.PMCID != nil {
		about["pmcid"] = *a.PMCID
	}
	return articleDocument{searchHit{a.PMID, a.title(), a.URL}, whole.Text, about}, nil
}

// maxPaperLinks is the maximum number of corpus documents that one answer links to.
const maxPaperLinks = 20

// pmidPattern matches a PMID in the JSON of an answer.
var pmidPattern = pattern.Lazy(`"pmid":"(\d{1,8})"`)

// paperLinks returns links to the papers that an answer names and the corpus holds, in the
// order of the answer.
func paperLinks(ctx context.Context, app *command.App, out result.Outcome) (list []mcpshell.Resource) {
	if out.Result == nil || out.Result.Payload == nil {
		return nil
	}
	data, err := json.Marshal(out.Result.Payload)
	if err != nil {
		return nil // rendering reports the error
	}
	var named []record.PMID
	for _, m := range pmidPattern().FindAllSubmatch(data, -1) {
		if p, err := record.ParsePMID(string(m[1])); err == nil && !slices.Contains(named, p) {
			named = append(named, p)
		}
	}
	corpus, err := app.Corpus(ctx)
	if len(named) == 0 || err != nil {
		return nil
	}
	states, _ := corpus.States(ctx, named) // on an error there are no links
	for _, p := range named {
		if s := states[p]; s.Version > 0 && !s.Deleted && len(list) < maxPaperLinks {
			list = append(list, mcpshell.Resource{URI: paperURI + p.String(), Name: "PMID " + p.String(),
				Description: "The document of the local corpus", MIME: jsonMIME})
		}
	}
	return list
}
