package mcpshell

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"

	"biomcp/rag/library"
	files "biomcp/store/library"
)

const researchMIME = "text/markdown"

// researchTime is the form of times in metadata: UTC, with milliseconds.
const researchTime = "2006-01-02T15:04:05.000Z"

// metadata is what Research Portal says of a file besides its name. Category is nil
// where neither the file nor its project has one.
type metadata struct {
	ProjectID   string   `json:"projectId"`
	ProjectName string   `json:"projectName"` // the same: the title is in the resource's name
	FileName    string   `json:"fileName"`
	Category    *string  `json:"category"`
	Tags        []string `json:"tags"`
	CreatedAt   string   `json:"createdAt"`
	ModifiedAt  string   `json:"modifiedAt"`
}

func metadataOf(f *files.File) metadata {
	m := metadata{
		ProjectID: f.Project, ProjectName: f.Project, FileName: f.Name, Tags: f.Tags,
		CreatedAt: f.Created.UTC().Format(researchTime), ModifiedAt: f.Modified.UTC().Format(researchTime),
	}
	if f.Category != "" {
		m.Category = &f.Category
	}
	return m
}

// ResearchResource is a file of the research library as a resource of MCP, with its
// metadata as _meta.
func ResearchResource(f *files.File) Resource {
	m := metadataOf(f)
	return Resource{
		URI: f.URI(), Name: f.Label(), Description: "Research file from project: " + f.Project, MIME: researchMIME, Modified: f.Modified,
		Meta: map[string]any{
			"projectId": m.ProjectID, "projectName": m.ProjectName, "fileName": m.FileName, "category": m.Category, "tags": m.Tags,
			"createdAt": m.CreatedAt, "modifiedAt": m.ModifiedAt,
		},
	}
}

// researchList is the result of resources/list and resources/search.
type researchList struct {
	Resources  []researchEntry `json:"resources"`
	NextCursor *string         `json:"nextCursor"` // always null: the list is whole
}

type researchEntry struct {
	URI         string   `json:"uri"`
	Name        string   `json:"name"`
	Description string   `json:"description"`
	MIMEType    string   `json:"mimeType"`
	Metadata    metadata `json:"metadata"`
}

func findResearch(ctx context.Context, s *library.Searcher, q library.Query) (any, error) {
	found, err := s.Search(ctx, q)
	if err != nil {
		return nil, err
	}
	list := researchList{Resources: []researchEntry{}}
	for i := range found.Hits {
		f := &found.Hits[i].File
		r := ResearchResource(f)
		list.Resources = append(list.Resources, researchEntry{r.URI, r.Name, r.Description, r.MIME, metadataOf(f)})
	}
	return list, nil
}

const (
	// keepAlive is how often a stream without news says that it is open.
	keepAlive = 15 * time.Second
	// maxStreams is how many streams may be open.
	maxStreams = 256
	// writeTime is how long a client may take for what is written to a stream.
	writeTime = 10 * time.Second
)

// connected is the first event of a stream. %s is the name and the version.
const connected = `{"jsonrpc":"2.0","method":"server/connected","params":{"serverInfo":{"name":%q,"version":%q,"capabilities":{"resources":true,"tools":false,"prompts":false}}}}`

// streamResearch greets a client and keeps its stream open until either side ends it.
func (s *Shell) streamResearch(w http.ResponseWriter, r *http.Request) {
	if accept := strings.Join(r.Header.Values("Accept"), ","); accept != "" && !strings.Contains(accept, "text/event-stream") && !strings.Contains(accept, "*/*") && !strings.Contains(accept, "text/*") {
		http.Error(w, "the stream has the type text/event-stream", http.StatusNotAcceptable)
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
	h := w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-cache, no-transform")
	h.Set("X-Accel-Buffering", "no") // a proxy that waits for more loses the stream
	control := http.NewResponseController(w)
	send := func(text string) bool {
		// Where no deadline can be set, the connection's own holds.
		_ = control.SetWriteDeadline(time.Now().Add(writeTime))
		_, err := fmt.Fprint(w, text)
		return err == nil && control.Flush() == nil
	}
	tick := time.NewTicker(keepAlive)
	defer tick.Stop()
	for open := send("data: " + fmt.Sprintf(connected, s.info.Name, s.info.Version) + "\n\n"); open; {
		select {
		case <-r.Context().Done():
			return
		case <-tick.C:
			open = send(": keepalive\n\n")
		}
	}
}
