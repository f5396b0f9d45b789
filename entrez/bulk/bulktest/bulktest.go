// Package bulktest simulates the sites that publish data sets as files. The files are small and written by hand;
// the tests, laboratories and products in them are fictitious. The sites answer range and conditional requests.
//
//	sites := bulktest.New()
//	sites.Set(bulk.CVX, "cvx.txt", body)
//	sites.AddTo(server)
package bulktest

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"encoding/csv"
	"fmt"
	"hash/crc32"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/tidwall/gjson"
	"golang.org/x/tools/txtar"

	"biomcp/entrez/bulk"
	"biomcp/entrez/cpic/cpictest"
	"biomcp/entrez/httpclient"
	"biomcp/entrez/sourcetest"
)

//go:embed files.txtar
var files []byte

// Edition is the year of each yearly edition on the sites.
const Edition = 2026

// Sites holds the files of all sets.
type Sites struct {
	MaxRows int // rows of a PostgREST table that the server sends at most; 0 means no limit

	mu       sync.Mutex
	bodies   map[string][]byte // key: set and file, "cvx/cvx.txt"
	modified time.Time         // Last-Modified of all files
}

// New returns sites with every file of every set.
func New() *Sites {
	s := &Sites{bodies: map[string][]byte{}, modified: time.Date(Edition, 11, 22, 3, 0, 0, 0, time.UTC)}
	for _, f := range txtar.Parse(files).Files {
		s.bodies[f.Name] = bytes.Clone(f.Data)
	}
	return s
}

// Set replaces the text of a file, which is compressed when sent if the set publishes it compressed. A nil body
// removes the file.
func (s *Sites) Set(set *bulk.Set, file string, body []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.bodies[set.Name+"/"+file] = body
}

// SetModified sets the time at which the sites say that their files changed.
func (s *Sites) SetModified(at time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.modified = at
}

// Text returns the text of a file.
func (s *Sites) Text(set *bulk.Set, file string) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.bodies[set.Name+"/"+file]
}

// Sent returns the text of a file as the sites send it: only the fields or columns that its set declares. A PostgREST
// table is in the form in which it is saved.
func (s *Sites) Sent(set *bulk.Set, file string) []byte {
	switch body, f := s.Text(set, file), set.File(file); {
	case body != nil && f.Order != "":
		reply := cpictest.Table(&sourcetest.Call{Form: f.Query()}, f.Path, body, f.Rows)
		rows := []string{}
		for _, row := range gjson.ParseBytes(reply.Body).Array() {
			rows = append(rows, row.Raw)
		}
		return []byte("[" + strings.Join(rows, ",\n") + "]\n")
	case body == nil, f.Columns == "" && f.Reply == "", f.Columns != "" && f.Signature != "":
		return body
	case f.Reply != "":
		reply := sourcetest.Reply{Status: http.StatusOK, Type: sourcetest.XMLType, Body: body}
		return sourcetest.KeepDeclared([]httpclient.Dependency{{Reply: f.Reply}}, reply).Body
	default:
		return onlyColumns(body, f)
	}
}

// onlyColumns removes the columns that f does not declare from a table.
func onlyColumns(body []byte, f bulk.File) []byte {
	rows := rowsOf(body, strings.HasSuffix(f.Name, ".csv"))
	if len(rows) == 0 {
		return body
	}
	var declared []string
	for _, c := range f.Layout().List() {
		declared = append(declared, c.Names...)
	}
	var keep []int
	for i, name := range rows[0] {
		if slices.Contains(declared, strings.ToLower(strings.Trim(name, "# \ufeff"))) {
			keep = append(keep, i)
		}
	}
	if len(keep) == 0 || len(keep) == len(rows[0]) {
		return body
	}
	for i, row := range rows {
		rows[i] = nil
		for _, k := range keep {
			if k < len(row) {
				rows[i] = append(rows[i], row[k])
			}
		}
	}
	var out bytes.Buffer
	if strings.HasSuffix(f.Name, ".csv") {
		_ = csv.NewWriter(&out).WriteAll(rows) // a bytes.Buffer never fails
		return out.Bytes()
	}
	for _, row := range rows { // without quoting
		out.WriteString(strings.Join(row, "\t") + "\n")
	}
	if !bytes.HasSuffix(body, []byte("\n")) { // cut off
		out.Truncate(out.Len() - 1)
	}
	return out.Bytes()
}

// rowsOf returns the rows of a table; nil if they cannot be read.
func rowsOf(body []byte, quoted bool) (rows [][]string) {
	if !quoted {
		for line := range strings.Lines(string(body)) {
			rows = append(rows, strings.Split(strings.TrimRight(line, "\r\n"), "\t"))
		}
		return rows
	}
	r := csv.NewReader(bytes.NewReader(body))
	r.LazyQuotes = true
	rows, err := r.ReadAll()
	if err != nil {
		return nil
	}
	return rows
}

// AddTo makes the server simulate the sites. The endpoint of a file is its set and
// name, "cvx/cvx.txt".
func (s *Sites) AddTo(server *sourcetest.Server) {
	for _, set := range bulk.Sets() {
		v := sourcetest.Service{Source: set.Source, Path: "/" + set.Name + "/"}
		for _, f := range set.Files {
			path := strings.ReplaceAll(f.Path, "{year}", fmt.Sprint(Edition))
			v.Endpoints = append(v.Endpoints,
				sourcetest.Endpoint{Name: set.Name + "/" + f.Name, Path: path, Answer: s.answer(set, f)})
		}
		answerFolder := func(c *sourcetest.Call) sourcetest.Reply {
			if strings.HasSuffix(c.Path, "/") && c.Path != v.Path { // a folder with a yearly edition
				listing := strings.ReplaceAll(set.Files[0].Path, "{year}", fmt.Sprint(Edition))
				return sourcetest.Page(http.StatusOK, "Index", listing)
			}
			return sourcetest.Page(http.StatusNotFound, "Not found", "There is no such file.")
		}
		v.Endpoints = append(v.Endpoints, sourcetest.Endpoint{Name: set.Name, Answer: answerFolder})
		server.Add(v)
	}
}

func (s *Sites) answer(set *bulk.Set, f bulk.File) func(*sourcetest.Call) sourcetest.Reply {
	return func(c *sourcetest.Call) sourcetest.Reply {
		if f.Order != "" {
			return s.answerTable(c, f.Path, s.Text(set, f.Name))
		}
		body := s.Sent(set, f.Name)
		if body == nil {
			return sourcetest.Page(http.StatusNotFound, "Not found", "There is no such file.")
		}
		if f.Form == httpclient.Gzip {
			body = Pack(body)
		}
		rec := httptest.NewRecorder()
		rec.Header().Set("ETag", fmt.Sprintf(`"%08x"`, crc32.ChecksumIEEE(body)))
		request := &http.Request{Method: http.MethodGet, Header: c.Header}
		s.mu.Lock()
		modified := s.modified
		s.mu.Unlock()
		http.ServeContent(rec, request, "", modified, bytes.NewReader(body))
		return sourcetest.Reply{
			Status: rec.Code, Type: "application/octet-stream", Body: rec.Body.Bytes(), Header: rec.Header(),
		}
	}
}

// answerTable answers as PostgREST does. A table without a text does not exist.
func (s *Sites) answerTable(c *sourcetest.Call, table string, rows []byte) sourcetest.Reply {
	if rows == nil {
		return sourcetest.JSON(http.StatusNotFound, map[string]any{"code": "42P01", "details": nil, "hint": nil,
			"message": `relation "cpic.` + table + `" does not exist`})
	}
	return cpictest.Table(c, table, rows, s.MaxRows)
}

// Pack compresses text with gzip.
func Pack(text []byte) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = z.Write(text) // a bytes.Buffer never fails
	_ = z.Close()
	return b.Bytes()
}
