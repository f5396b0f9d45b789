// Package pubmedfilestest simulates NLM's file server: Apache's index pages, files with range requests and
// validators, and checksums. The test supplies the records.
//
//	files := pubmedfilestest.New()
//	files.Put("baseline", "pubmed26n0001.xml.gz", packed)
//	files.AddTo(server)
package pubmedfilestest

import (
	"bytes"
	"cmp"
	"crypto/md5" // as the server publishes
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"biomcp/entrez/pubmedfiles"
	"biomcp/entrez/sourcetest"
)

// Files holds the files of the server.
type Files struct {
	// OnRequest, if not nil, is called before each reply with the path of the request, such as
	// "baseline/pubmed26n0001.xml.gz".
	OnRequest func(path string)

	mu    sync.Mutex
	files map[string]file // by path
}

type file struct {
	body     []byte
	sum      string // checksum in its .md5 file; "" means the right one
	size     string // size in the index, such as "19M"; "" means the actual size
	modified time.Time
}

// New returns a server without files.
func New() *Files { return &Files{files: map[string]file{}} }

// Put adds or replaces a file of a folder, "baseline" or "updatefiles", and its checksum. Its modification time is
// one minute after the newest of the other files.
func (f *Files) Put(folder, name string, body []byte) {
	f.mu.Lock()
	defer f.mu.Unlock()
	last := time.Date(2026, 1, 2, 3, 0, 0, 0, time.UTC)
	for _, old := range f.files {
		if old.modified.After(last) {
			last = old.modified
		}
	}
	f.files[folder+"/"+name] = file{body: body, modified: last.Add(time.Minute)}
}

// SetMD5 replaces the published checksum of a file; "" restores the right one.
func (f *Files) SetMD5(folder, name, sum string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	h := f.files[folder+"/"+name]
	h.sum = sum
	f.files[folder+"/"+name] = h
}

// SetSize replaces the size of a file in the index, in Apache's form: "19M".
func (f *Files) SetSize(folder, name, size string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	h := f.files[folder+"/"+name]
	h.size = size
	f.files[folder+"/"+name] = h
}

// Remove removes the files of a folder whose names have the prefix.
func (f *Files) Remove(folder, prefix string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	maps.DeleteFunc(f.files, func(path string, _ file) bool { return strings.HasPrefix(path, folder+"/"+prefix) })
}

// All returns the sorted names of the files in both folders, and their bodies by name.
func (f *Files) All() (names []string, bodies map[string][]byte) {
	f.mu.Lock()
	defer f.mu.Unlock()
	bodies = map[string][]byte{}
	for filePath, h := range f.files {
		bodies[path.Base(filePath)] = h.body
	}
	return slices.Sorted(maps.Keys(bodies)), bodies
}

const base = "/pubmed/"

// AddTo makes the server simulate the file server with two endpoints: "index", and "file", which also serves
// checksums.
func (f *Files) AddTo(s *sourcetest.Server) {
	s.Add(sourcetest.Service{Source: &pubmedfiles.Source, Path: base, Endpoints: []sourcetest.Endpoint{
		{Name: "index", Path: "{folder}/{$}", Answer: f.serveIndex},
		{Name: "file", Path: "{folder}/{file}", Answer: f.serveFile},
	}})
}

// requestPath returns the path of a request below base, and reports it to f.Asked.
func (f *Files) requestPath(c *sourcetest.Call) string {
	requested := strings.TrimPrefix(c.Path, base)
	if f.OnRequest != nil {
		f.OnRequest(requested)
	}
	return requested
}

// serveIndex writes an index page as Apache's mod_autoindex does.
func (f *Files) serveIndex(c *sourcetest.Call) sourcetest.Reply {
	folder := f.requestPath(c)
	f.mu.Lock()
	defer f.mu.Unlock()
	var page strings.Builder
	title := "Index of " + base + strings.TrimSuffix(folder, "/")
	fmt.Fprintf(&page, "<!DOCTYPE HTML PUBLIC \"-//W3C//DTD HTML 3.2 Final//EN\">\n"+
		"<html>\n <head>\n  <title>%s</title>\n </head>\n <body>\n<h1>%s</h1>\n", title, title)
	page.WriteString("<pre>Name                           Last modified      Size  <hr>" +
		"<a href=\"/pubmed/\">Parent Directory</a>                                    -   \n")
	fmt.Fprintf(&page, "<a href=\"README.txt\">README.txt</a>                     2026-01-02 03:00  4.5K  \n")
	for _, filePath := range slices.Sorted(maps.Keys(f.files)) {
		name, ok := strings.CutPrefix(filePath, folder)
		if !ok {
			continue
		}
		h := f.files[filePath]
		modified := h.modified.Format("2006-01-02 15:04")
		fileSize := cmp.Or(h.size, formatSize(len(h.body)))
		fmt.Fprintf(&page, "<a href=\"%s\">%s</a>           %s  %s  \n", name, name, modified, fileSize)
		fmt.Fprintf(&page, "<a href=\"%s.md5\">%s.md5</a>       %s   60   \n", name, name, modified)
	}
	page.WriteString("<hr></pre>\n</body></html>\n")
	return sourcetest.Reply{Status: http.StatusOK, Type: sourcetest.HTMLType, Body: []byte(page.String())}
}

// formatSize formats a number of bytes as Apache does.
func formatSize(n int) string {
	switch k := float64(n) / 1024; {
	case n < 1024:
		return fmt.Sprint(n)
	case k < 10:
		return fmt.Sprintf("%.1fK", k)
	case k < 1024:
		return fmt.Sprintf("%.0fK", k)
	case k < 10*1024:
		return fmt.Sprintf("%.1fM", k/1024)
	default:
		return fmt.Sprintf("%.0fM", k/1024)
	}
}

// serveFile sends a file, or its checksum.
func (f *Files) serveFile(c *sourcetest.Call) sourcetest.Reply {
	requested := f.requestPath(c)
	f.mu.Lock()
	filePath, isChecksum := strings.CutSuffix(requested, ".md5")
	h, ok := f.files[filePath]
	f.mu.Unlock()
	switch actual := md5.Sum(h.body); {
	case !ok:
		return sourcetest.Page(http.StatusNotFound, "404 Not Found", "The requested URL was not found on this server.")
	case isChecksum:
		sum := h.sum
		if sum == "" {
			sum = fmt.Sprintf("%x", actual)
		}
		text := "MD5(" + path.Base(filePath) + ")= " + sum + "\n"
		return sourcetest.Reply{Status: http.StatusOK, Type: sourcetest.TextType, Body: []byte(text)}
	default:
		rec := httptest.NewRecorder()
		rec.Header().Set("ETag", fmt.Sprintf(`"%x"`, actual[:8]))
		request := &http.Request{Method: http.MethodGet, Header: c.Header}
		http.ServeContent(rec, request, "", h.modified, bytes.NewReader(h.body))
		return sourcetest.Reply{
			Status: rec.Code, Type: "application/x-gzip", Body: rec.Body.Bytes(), Header: rec.Header(),
		}
	}
}
