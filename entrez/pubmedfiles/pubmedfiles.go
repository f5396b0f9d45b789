package pubmedfiles

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"time"

	"biomcp/entrez/pattern"
	"biomcp/entrez/polite"
)

// Source is the file server. It takes no key, and asks for a few connections at once.
var Source = polite.Source{
	Name: "pubmed_files", Label: "PubMed's file server", Address: "https://ftp.ncbi.nlm.nih.gov/pubmed/",
	Rate: polite.Rate{Lane: "pubmed_files", PerSecond: 10}, Judge: judge, Ping: polite.NewCall(index(baseline)),
	Knowns: []polite.Known{{Call: polite.NewCall(index(baseline)), Facts: []polite.Fact{{Path: "n0001.xml.gz"}, {Path: "n0001.xml.gz.md5"}}, Seen: documented}},
	Uses: []polite.Use{
		{Path: baseline, Seen: documented}, {Path: baseline + "*", Seen: documented},
		{Path: updates, Seen: documented}, {Path: updates + "*", Seen: documented},
	},
}

// MaxConnections is how many files may be asked for at once.
const MaxConnections = 4

// Terms is what NLM asks of those who download its data.
const Terms = "Courtesy of the U.S. National Library of Medicine. Its terms and conditions hold for what is downloaded: " +
	"https://www.nlm.nih.gov/databases/download/terms_and_conditions.html. The data may not be the most current; NLM does not endorse what is made with it; " +
	"abstracts may be under the copyright of their publishers."

const documented = "document, https://pubmed.ncbi.nlm.nih.gov/download/"

// The folders of the server.
const (
	baseline = "baseline/"
	updates  = "updatefiles/"
)

func index(folder string) polite.Endpoint {
	return polite.Endpoint{Op: "index of files", Path: folder, Form: polite.Page}
}

// judge knows what is missing, and a page that is no index.
func judge(r polite.Reply) *polite.Verdict {
	switch {
	case r.Status == http.StatusNotFound:
		return &polite.Verdict{Kind: polite.NotFound, Text: "has no such file"}
	case r.Status == http.StatusOK && r.Form == polite.Page && r.Whole() && !bytes.Contains(r.Body, []byte("<title>Index of ")):
		return &polite.Verdict{Kind: polite.Upstream, Text: "answered with a web page instead of an index of files"}
	}
	return nil
}

// File is a file as the server lists it.
type File struct {
	Name         string // pubmed26n0001.xml.gz
	Year, Number int    // 26, 1
	Modified     time.Time
	Size         int64 // in bytes, rounded as the server shows it ("19M")

	folder string
}

// Index is the files of the newest baseline, and its update files, each in the
// order of their numbers.
type Index struct {
	Year              int
	Baseline, Updates []File
}

// Lacks says what the index lacks, "" if it lists all files of the year: numbered from 1
// without a gap, the update files after the baseline. While a new baseline is put there it
// does not.
func (i Index) Lacks() string {
	next := 1
	for _, f := range slices.Concat(i.Baseline, i.Updates) {
		if f.Number != next {
			return fmt.Sprintf("the server lists no file pubmed%02dn%04d, but %s", i.Year, next, f.Name)
		}
		next++
	}
	if len(i.Updates) == 0 {
		return fmt.Sprintf("the server lists no update file of 20%02d yet: its baseline, %d files so far, may not be complete", i.Year, len(i.Baseline))
	}
	return ""
}

// Client asks the file server. It is safe for use by many goroutines.
type Client struct{ service *polite.Service }

// New is a client that asks through c.
func New(c *polite.Client) *Client { return &Client{c.To(&Source)} }

// Index asks which files there are. Update files of another year than the baseline's
// are left out. A server that is not asked by https must be on this machine.
func (c *Client) Index(ctx context.Context) (Index, error) {
	var out Index
	if at := c.service.Address(polite.NewCall(index(baseline))); at.Scheme != "https" && !isLoopback(at.Hostname()) {
		return out, polite.Invalidf("%s is asked by https only, but on this machine: %s", Source.Label, Source.Variable())
	}
	for folder, list := range map[string]*[]File{baseline: &out.Baseline, updates: &out.Updates} {
		call := polite.NewCall(index(folder))
		body, err := c.service.Do(polite.WithoutCache(ctx), call)
		if err != nil {
			return Index{}, err
		}
		*list = parse(body, folder)
		if folder == baseline && len(*list) == 0 {
			return Index{}, call.Unreadable(errors.New("the index names no file of the baseline"))
		}
	}
	for _, f := range out.Baseline {
		out.Year = max(out.Year, f.Year)
	}
	other := func(f File) bool { return f.Year != out.Year }
	out.Baseline, out.Updates = slices.DeleteFunc(out.Baseline, other), slices.DeleteFunc(out.Updates, other)
	return out, nil
}

// isLoopback also holds for names that no network has (RFC 6761 6.4).
func isLoopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || strings.HasSuffix(host, ".invalid") || err == nil && ip.IsLoopback()
}

// A line of Apache's index: a link, the time of the last change and a size. Only
// names of this form are ever asked for.
var (
	line = pattern.Lazy(`<a href="(pubmed(\d\d)n(\d{4})\.xml\.gz)">[^<]*</a>\s+(\d{4}-\d\d-\d\d \d\d:\d\d)\s+(\d+(?:\.\d+)?)([KMG]?)`)
	sum  = pattern.Lazy(`^MD5\s?\(([^()]+)\)\s?=\s?([0-9a-fA-F]{32})\s*$`)
)

func parse(page []byte, folder string) []File {
	files := []File{}
	for _, m := range line().FindAllSubmatch(page, -1) {
		f := File{Name: string(m[1]), folder: folder}
		f.Year, _ = strconv.Atoi(string(m[2])) // digits
		f.Number, _ = strconv.Atoi(string(m[3]))
		size, err := strconv.ParseFloat(string(m[5]), 64)
		modified, timeErr := time.Parse("2006-01-02 15:04", string(m[4]))
		if err != nil || timeErr != nil {
			continue
		}
		f.Modified, f.Size = modified, int64(size*float64(int64(1)<<(10*strings.Index(" KMG", cmp.Or(string(m[6]), " ")))))
		files = append(files, f)
	}
	slices.SortFunc(files, func(a, b File) int { return strings.Compare(a.Name, b.Name) })
	return slices.CompactFunc(files, func(a, b File) bool { return a.Name == b.Name })
}

// MD5 asks for the checksum of a file, in hexadecimal digits. It is for damage, not
// for trust.
func (c *Client) MD5(ctx context.Context, f File) (string, error) {
	call := polite.NewCall(polite.Endpoint{Op: "checksum", Path: f.folder + f.Name + ".md5", MaxBytes: 4 << 10})
	body, err := c.service.Do(polite.WithoutCache(ctx), call)
	if err != nil {
		return "", err
	}
	m := sum().FindSubmatch(bytes.TrimSpace(body))
	if m == nil || string(m[1]) != f.Name {
		return "", call.Unreadable(errors.New("it is not the checksum of " + f.Name))
	}
	return strings.ToLower(string(m[2])), nil
}

// Save puts a file of at most 1 GiB on the disk, and goes on with one that an earlier
// Save began. The error is *polite.FileError where the disk fails.
func (c *Client) Save(ctx context.Context, f File, to *polite.File) error {
	call := polite.NewCall(polite.Endpoint{Op: "file of PubMed", Path: f.folder + f.Name, Form: polite.Gzip, MaxBytes: 1 << 30})
	return c.service.Save(ctx, call, to)
}
