// Package cbioportaltest simulates cBioPortal's datahub with small hand-made studies; no such
// patients exist. It supports range requests, and replies like an Amazon S3 bucket if a file
// does not exist. It also simulates the portal's gene panels; for an unknown panel it replies
// like GlobalExceptionHandler.java of cBioPortal/cbioportal.
//
//	hub := cbioportaltest.New()
//	hub.Set("hostile", archive)
//	hub.AddTo(server)
package cbioportaltest

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	_ "embed"
	"fmt"
	"hash/crc32"
	"maps"
	"net/http"
	"net/http/httptest"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/tidwall/gjson"
	"golang.org/x/tools/txtar"

	"biomcp/entrez/cbioportal"
	"biomcp/entrez/sourcetest"
)

// The IDs of the studies of a new Datahub. Second has no licence and names a gene panel that
// only the portal knows. Third is in the form in which the datahub ships studies: a panel
// matrix without case lists, three columns with one name, a renamed gene. Fourth names a panel
// that does not exist.
const (
	First  = "synthetic_hub_2026"
	Second = "synthetic_panel_2026"
	Third  = "synthetic_shipped_2026"
	Fourth = "synthetic_lost_2026"
)

//go:embed studies.txtar
var studies []byte

//go:embed panels.json
var panels []byte

// A Datahub holds archives by study ID and the portal's replies by gene panel ID.
type Datahub struct {
	mu       sync.Mutex
	archives map[string][]byte
	panels   map[string][]byte
}

// New returns a Datahub with the studies First to Fourth.
func New() *Datahub {
	d := &Datahub{archives: map[string][]byte{}, panels: map[string][]byte{}}
	for _, p := range gjson.ParseBytes(panels).Array() {
		d.panels[p.Get("genePanelId").String()] = []byte(p.Raw)
	}
	for _, id := range []string{First, Second, Third, Fourth} {
		d.archives[id] = Study(id)
	}
	return d
}

// Set adds or replaces the archive of a study; nil removes it.
func (d *Datahub) Set(id string, archive []byte) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.archives[id] = archive; archive == nil {
		delete(d.archives, id)
	}
}

// SetPanel adds or replaces the portal's reply for a gene panel.
func (d *Datahub) SetPanel(id string, reply []byte) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.panels[id] = reply
}

// AddTo adds the simulated services to a server: the datahub with the endpoints "list" and
// "archive", and the portal with "panels", "panel" and "portal-studies".
func (d *Datahub) AddTo(s *sourcetest.Server) {
	s.Add(sourcetest.Service{Source: &cbioportal.Source, Path: "/datahub/", Endpoints: []sourcetest.Endpoint{
		{Name: "list", Path: "study_list.json", Answer: d.list},
		{Name: "archive", Path: "{file}", Answer: d.archive},
	}})
	s.Add(sourcetest.Service{Source: &cbioportal.Portal, Path: "/portal/", Endpoints: []sourcetest.Endpoint{
		{Name: "panels", Path: "gene-panels", Answer: d.listPanels},
		{Name: "portal-studies", Path: "studies", Answer: d.listStudies},
		{Name: "panel", Path: "gene-panels/{id}", Answer: d.panel},
	}})
}

// listPanels replies without the genes, as the projections ID and SUMMARY do.
func (d *Datahub) listPanels(*sourcetest.Call) sourcetest.Reply {
	d.mu.Lock()
	defer d.mu.Unlock()
	list := []map[string]string{}
	for _, id := range slices.Sorted(maps.Keys(d.panels)) {
		list = append(list, map[string]string{"genePanelId": id})
	}
	return sourcetest.JSON(http.StatusOK, list)
}

// listStudies replies with the projection ID of the studies: those of the datahub and one without an
// archive.
func (d *Datahub) listStudies(c *sourcetest.Call) sourcetest.Reply {
	d.mu.Lock()
	defer d.mu.Unlock()
	list := []map[string]string{{"studyId": "synthetic_portal_only"}}
	for _, id := range slices.Sorted(maps.Keys(d.archives)) {
		list = append(list, map[string]string{"studyId": id})
	}
	if n, err := strconv.Atoi(c.Get("pageSize")); err == nil {
		list = list[:min(n, len(list))]
	}
	return sourcetest.JSON(http.StatusOK, list)
}

func (d *Datahub) panel(c *sourcetest.Call) sourcetest.Reply {
	d.mu.Lock()
	defer d.mu.Unlock()
	id := path.Base(c.Path)
	if body, ok := d.panels[id]; ok {
		return sourcetest.Reply{Status: http.StatusOK, Type: sourcetest.JSONType, Body: body}
	}
	return sourcetest.JSON(http.StatusNotFound, map[string]string{"message": "Gene panel not found: " + id})
}

func (d *Datahub) list(*sourcetest.Call) sourcetest.Reply {
	d.mu.Lock()
	defer d.mu.Unlock()
	return sourcetest.JSON(http.StatusOK, slices.Sorted(maps.Keys(d.archives)))
}

func (d *Datahub) archive(c *sourcetest.Call) sourcetest.Reply {
	d.mu.Lock()
	body, ok := d.archives[strings.TrimSuffix(strings.TrimPrefix(c.Path, "/datahub/"), ".tar.gz")]
	d.mu.Unlock()
	if !ok {
		return sourcetest.Reply{Status: http.StatusForbidden, Type: "application/xml",
			Body: []byte(`<?xml version="1.0"?><Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>`)}
	}
	rec := httptest.NewRecorder()
	rec.Header().Set("ETag", fmt.Sprintf(`"%08x"`, crc32.ChecksumIEEE(body)))
	http.ServeContent(rec, &http.Request{Method: http.MethodGet, Header: c.Header}, "", time.Time{},
		bytes.NewReader(body))
	return sourcetest.Reply{Status: rec.Code, Type: "application/gzip", Body: rec.Body.Bytes(), Header: rec.Header()}
}

// Study returns the archive of a study of a new Datahub.
func Study(id string) []byte {
	var files []txtar.File
	for _, f := range txtar.Parse(studies).Files {
		if strings.HasPrefix(f.Name, id+"/") {
			files = append(files, f)
		}
	}
	return Pack(files...)
}

// Pack returns a gzipped tar archive of files.
func Pack(files ...txtar.File) []byte {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	t := tar.NewWriter(z)
	for _, f := range files {
		must(t.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: f.Name, Mode: 0o644, Size: int64(len(f.Data))}))
		_, err := t.Write(f.Data)
		must(err)
	}
	must(t.Close())
	must(z.Close())
	return packed.Bytes()
}

func must(err error) {
	if err != nil {
		panic(err) // cannot happen: a bytes.Buffer never fails
	}
}
