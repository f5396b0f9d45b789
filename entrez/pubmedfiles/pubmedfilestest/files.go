// Package pubmedfilestest simulates NLM's file server: index pages as Apache writes
// them, files with ranges and validators, and checksums. The records are the test's.
//
//	files := pubmedfilestest.New()
//	files.Put("baseline", "pubmed26n0001.xml.gz", packed)
//	files.AddTo(server)
package pubmedfilestest

import (
	"bytes"
	"cmp"
	"crypto/md5" // what the server has
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

// Files is what the server holds.
type Files struct {
	// Asked, where given, is called before each request is answered with the path
	// of what was asked for: "baseline/pubmed26n0001.xml.gz".
	Asked func(path string)

	mu   sync.Mutex
	held map[string]held // by path
}

type held struct {
	body     []byte
	sum      string // of its .md5, where it is not its own
	size     string // in the index, where it is not its own
	modified time.Time
}

// New is a server without files.
func New() *Files { return &Files{held: map[string]held{}} }

// Put adds or replaces a file of a folder, "baseline" or "updatefiles", with its
// checksum. What is put is changed a minute later than what was put before it.
func (f *Files) Put(folder, name string, body []byte) {
	f.mu.Lock()
	defer f.mu.Unlock()
	last := time.Date(2026, 1, 2, 3, 0, 0, 0, time.UTC)
	for _, h := range f.held {
		if h.modified.After(last) {
			last = h.modified
		}
	}
	f.held[folder+"/"+name] = held{body: body, modified: last.Add(time.Minute)}
}

// SetMD5 makes the checksum of a file another one; "" gives it its own again.
func (f *Files) SetMD5(folder, name, sum string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	h := f.held[folder+"/"+name]
	h.sum = sum
	f.held[folder+"/"+name] = h
}

// SetSize makes the size of a file in the index another one, as Apache shows it: "19M".
func (f *Files) SetSize(folder, name, size string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	h := f.held[folder+"/"+name]
	h.size = size
	f.held[folder+"/"+name] = h
}

// Remove removes the files of a folder whose names begin so.
func (f *Files) Remove(folder, begins string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	maps.DeleteFunc(f.held, func(at string, _ held) bool { return strings.HasPrefix(at, folder+"/"+begins) })
}

// All are the files of both folders in the order of their names, by name.
func (f *Files) All() (names []string, bodies map[string][]byte) {
	f.mu.Lock()
	defer f.mu.Unlock()
	bodies = map[string][]byte{}
	for at, h := range f.held {
		bodies[path.Base(at)] = h.body
	}
	return slices.Sorted(maps.Keys(bodies)), bodies
}

const base = "/pubmed/"

// AddTo makes the server simulate the file server, with the endpoints "index" and
// "file", which checksums belong to.
func (f *Files) AddTo(s *sourcetest.Server) {
	s.Add(sourcetest.Service{Source: &pubmedfiles.Source, Path: base, Endpoints: []sourcetest.Endpoint{
		{Name: "index", Path: "{folder}/{$}", Answer: f.index},
		{Name: "file", Path: "{folder}/{file}", Answer: f.file},
	}})
}

func (f *Files) asked(c *sourcetest.Call) string {
	at := strings.TrimPrefix(c.Path, base)
	if f.Asked != nil {
		f.Asked(at)
	}
	return at
}

// index is a page of Apache's mod_autoindex.
func (f *Files) index(c *sourcetest.Call) sourcetest.Reply {
	folder := f.asked(c)
	f.mu.Lock()
	defer f.mu.Unlock()
	var page strings.Builder
	title := "Index of " + base + strings.TrimSuffix(folder, "/")
	fmt.Fprintf(&page, "<!DOCTYPE HTML PUBLIC \"-//W3C//DTD HTML 3.2 Final//EN\">\n<html>\n <head>\n  <title>%s</title>\n </head>\n <body>\n<h1>%s</h1>\n", title, title)
	page.WriteString("<pre>Name                           Last modified      Size  <hr><a href=\"/pubmed/\">Parent Directory</a>                                    -   \n")
	fmt.Fprintf(&page, "<a href=\"README.txt\">README.txt</a>                     2026-01-02 03:00  4.5K  \n")
	for _, at := range slices.Sorted(maps.Keys(f.held)) {
		name, ok := strings.CutPrefix(at, folder)
		if !ok {
			continue
		}
		h := f.held[at]
		when := h.modified.Format("2006-01-02 15:04")
		fmt.Fprintf(&page, "<a href=\"%s\">%s</a>           %s  %s  \n", name, name, when, cmp.Or(h.size, size(len(h.body))))
		fmt.Fprintf(&page, "<a href=\"%s.md5\">%s.md5</a>       %s   60   \n", name, name, when)
	}
	page.WriteString("<hr></pre>\n</body></html>\n")
	return sourcetest.Reply{Status: http.StatusOK, Type: sourcetest.HTMLType, Body: []byte(page.String())}
}

// size is a number of bytes as Apache shows it.
func size(n int) string {
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

func (f *Files) file(c *sourcetest.Call) sourcetest.Reply {
	at := f.asked(c)
	f.mu.Lock()
	file, ofSum := strings.CutSuffix(at, ".md5")
	h, ok := f.held[file]
	f.mu.Unlock()
	switch own := md5.Sum(h.body); {
	case !ok:
		return sourcetest.Page(http.StatusNotFound, "404 Not Found", "The requested URL was not found on this server.")
	case ofSum:
		sum := h.sum
		if sum == "" {
			sum = fmt.Sprintf("%x", own)
		}
		return sourcetest.Reply{Status: http.StatusOK, Type: sourcetest.TextType, Body: []byte("MD5(" + path.Base(file) + ")= " + sum + "\n")}
	default:
		rec := httptest.NewRecorder()
		rec.Header().Set("ETag", fmt.Sprintf(`"%x"`, own[:8]))
		http.ServeContent(rec, &http.Request{Method: http.MethodGet, Header: c.Header}, "", h.modified, bytes.NewReader(h.body))
		return sourcetest.Reply{Status: rec.Code, Type: "application/x-gzip", Body: rec.Body.Bytes(), Header: rec.Header()}
	}
}
