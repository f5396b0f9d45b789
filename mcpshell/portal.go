package mcpshell

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"biomcp/entrez/record"
	"biomcp/rag/library"
	files "biomcp/store/library"
)

const researchMIME = "text/markdown"

// researchTime is the time format of the metadata: UTC with milliseconds.
const researchTime = "2006-01-02T15:04:05.000Z"

// ResearchResource returns a file of the research library as an MCP resource. Its Meta has the
// fields of Research Portal. The category is nil if neither the file nor its project has one.
func ResearchResource(f *files.File) Resource {
	return Resource{
		URI:         f.URI(),
		Name:        f.Label(),
		Description: "Research file from project: " + f.Project,
		MIME:        researchMIME,
		Modified:    f.Modified,
		Meta: map[string]any{
			"projectId":   f.Project,
			"projectName": f.Project,
			"fileName":    f.Name,
			"category":    record.NilIfZero(f.Category),
			"tags":        f.Tags,
			"createdAt":   f.Created.UTC().Format(researchTime),
			"modifiedAt":  f.Modified.UTC().Format(researchTime),
		},
	}
}

// researchList is the result of resources/list and resources/search.
type researchList struct {
	Resources  []researchEntry `json:"resources"`
	NextCursor *string         `json:"nextCursor"` // always null: the list has one page
}

type researchEntry struct {
	URI         string         `json:"uri"`
	Name        string         `json:"name"`
	Description string         `json:"description"`
	MIMEType    string         `json:"mimeType"`
	Metadata    map[string]any `json:"metadata"`
}

func findResearch(ctx context.Context, s *library.Searcher, q library.Query) (any, error) {
	found, err := s.Search(ctx, q)
	if err != nil {
		return nil, err
	}
	list := researchList{Resources: []researchEntry{}}
	for i := range found.Hits {
		r := ResearchResource(&found.Hits[i].File)
		list.Resources = append(list.Resources, researchEntry{r.URI, r.Name, r.Description, r.MIME, r.Meta})
	}
	return list, nil
}

const (
	// keepAlive is the time between keep-alive comments on an idle stream.
	keepAlive = 15 * time.Second
	// maxStreams is the maximum number of open streams.
	maxStreams = 256
)

// connected is a format for the first event of a stream. Its arguments are the server's name and
// version.
const connected = `{"jsonrpc":"2.0","method":"server/connected","params":{"serverInfo":{"name":%q,"version":%q,` +
	`"capabilities":{"resources":true,"tools":false,"prompts":false}}}}`

// streamResearch sends the first event and keeps the stream open until either side ends it.
func (s *Shell) streamResearch(w http.ResponseWriter, r *http.Request) {
	if !accepts(r.Header, eventStream) {
		http.Error(w, "the stream has the type "+eventStream, http.StatusNotAcceptable)
		return
	}
	select {
	case s.streams <- struct{}{}:
		defer func() { <-s.streams }()
	default:
		w.Header().Set("Retry-After", "30")
		http.Error(w, "too many streams are open", http.StatusServiceUnavailable)
		return
	}
	out := startEvents(w)
	tick := time.NewTicker(keepAlive)
	defer tick.Stop()
	for err := out.send("data: " + fmt.Sprintf(connected, s.info.Name, s.info.Version) + "\n\n"); err == nil; {
		select {
		case <-r.Context().Done():
			return
		case <-tick.C:
			err = out.send(": keepalive\n\n")
		}
	}
}
