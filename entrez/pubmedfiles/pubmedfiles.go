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

	"biomcp/entrez/httpclient"
	"biomcp/entrez/pattern"
)

// Source is the file server. It takes no API key and asks clients to open only a few connections at once.
var Source = httpclient.Source{
	Name: "pubmed_files", Label: "PubMed's file server", Address: "https://ftp.ncbi.nlm.nih.gov/pubmed/",
	Rate: httpclient.Rate{Group: "pubmed_files", PerSecond: 10}, CheckReply: judge, Ping: httpclient.NewCall(index(baseline)),
	Expectations: func() []httpclient.Expectation {
		return []httpclient.Expectation{{
			Call:  httpclient.NewCall(index(baseline)),
			Facts: []httpclient.Fact{{Path: "n0001.xml.gz"}, {Path: "n0001.xml.gz.md5"}}, Evidence: documented,
		}}
	},
	Dependencies: []httpclient.Dependency{
		{Path: baseline, Evidence: documented}, {Path: baseline + "*", Evidence: documented},
		{Path: updates, Evidence: documented}, {Path: updates + "*", Evidence: documented},
	},
}

// MaxConnections is the maximum number of concurrent requests for files.
const MaxConnections = 4

// Terms summarizes NLM's conditions for the use of downloaded data.
const Terms = "Courtesy of the U.S. National Library of Medicine. " +
	"Its terms and conditions hold for what is downloaded: " +
	"https://www.nlm.nih.gov/databases/download/terms_and_conditions.html. " +
	"The data may not be the most current; NLM does not endorse what is made with it; " +
	"abstracts may be under the copyright of their publishers."

const documented = "document, https://pubmed.ncbi.nlm.nih.gov/download/"

// The folders of the server.
const (
	baseline = "baseline/"
	updates  = "updatefiles/"
)

func index(folder string) httpclient.Endpoint {
	return httpclient.Endpoint{Op: "index of files", Path: folder, Form: httpclient.Page}
}

// judge recognizes a missing file, and a page that is not an index of files.
func judge(r httpclient.Reply) *httpclient.Verdict {
	switch {
	case r.Status == http.StatusNotFound:
		return &httpclient.Verdict{Kind: httpclient.Upstream, Text: "has no such file"}
	case r.Status != http.StatusOK || r.Form != httpclient.Page || !r.Complete():
		return nil
	case !bytes.Contains(r.Body, []byte("<title>Index of ")):
		return &httpclient.Verdict{Kind: httpclient.Upstream, Text: "answered with a web page instead of an index of files"}
	}
	return nil
}

// A File is one file in the server's listing.
type File struct {
	Name         string // pubmed26n0001.xml.gz
	Year, Number int    // 26, 1
	Modified     time.Time
	Size         int64 // in bytes, rounded as the listing shows it ("19M")

	folder string
}

// An Index lists the files of the newest baseline and its update files, each sorted by number.
type Index struct {
	Year              int
	Baseline, Updates []File
}

// Last returns the greatest number of a listed file.
func (i Index) Last() int {
	last := 0
	for _, f := range slices.Concat(i.Baseline, i.Updates) {
		last = max(last, f.Number)
	}
	return last
}

// Missing describes what is missing from the index among the files from..to, or returns "" if it lists all of
// them. A zero to means no limit. The files of a year are numbered from 1 without a gap, update files after the
// baseline.
func (i Index) Missing(from, to int) string {
	next := max(from, 1)
	for _, f := range slices.Concat(i.Baseline, i.Updates) {
		if f.Number < next {
			continue
		}
		if to != 0 && next > to {
			return ""
		}
		if f.Number != next {
			return fmt.Sprintf("the server lists no file pubmed%02dn%04d, but %s", i.Year, next, f.Name)
		}
		next++
	}
	return ""
}

// Unfinished says that the baseline may not be complete, or returns "". NLM publishes the baseline of a year in
// December and its first update file weeks later; until then nothing tells how many files the baseline has.
func (i Index) Unfinished() string {
	if len(i.Updates) > 0 {
		return ""
	}
	return fmt.Sprintf("the server lists no update file of 20%02d yet: "+
		"its baseline, %d files so far, may not be complete",
		i.Year, len(i.Baseline))
}

// A Client downloads from the file server. It is safe for concurrent use.
type Client struct{ service *httpclient.Service }

// New returns a client that sends its requests through c.
func New(c *httpclient.Client) *Client { return &Client{c.Service(&Source)} }

// Index fetches the list of files. It drops update files of another year than the newest baseline. It returns an
// error if the server's address is neither https nor on this machine.
func (c *Client) Index(ctx context.Context) (Index, error) {
	var out Index
	address := c.service.Address(httpclient.NewCall(index(baseline)))
	if address.Scheme != "https" && !isLoopback(address.Hostname()) {
		return out, httpclient.Invalidf("%s requires https, unless it is on this machine: %s",
			Source.Label, Source.Variable())
	}
	for _, part := range []struct {
		folder string
		list   *[]File
	}{{baseline, &out.Baseline}, {updates, &out.Updates}} {
		call := httpclient.NewCall(index(part.folder))
		body, err := c.service.Do(httpclient.WithoutCache(ctx), call)
		if err != nil {
			return Index{}, err
		}
		*part.list = parse(body, part.folder)
		if part.folder == baseline && len(out.Baseline) == 0 {
			return Index{}, call.UnreadableError(errors.New("the index names no file of the baseline"))
		}
	}
	for _, f := range out.Baseline {
		out.Year = max(out.Year, f.Year)
	}
	ofAnotherYear := func(f File) bool { return f.Year != out.Year }
	out.Baseline = slices.DeleteFunc(out.Baseline, ofAnotherYear)
	out.Updates = slices.DeleteFunc(out.Updates, ofAnotherYear)
	return out, nil
}

// isLoopback reports whether host is this machine. It accepts names in .invalid too, which never resolve (RFC 6761,
// section 6.4).
func isLoopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || strings.HasSuffix(host, ".invalid") || err == nil && ip.IsLoopback()
}

// line matches a line of Apache's index: a link, the time of the last change and a size. The client only requests
// files whose names have this form. sum matches the content of a checksum file.
var (
	line = pattern.Lazy(`<a href="(pubmed(\d\d)n(\d{4})\.xml\.gz)">[^<]*</a>\s+` +
		`(\d{4}-\d\d-\d\d \d\d:\d\d)\s+(\d+(?:\.\d+)?)([KMG]?)`)
	sum = pattern.Lazy(`^MD5\s?\(([^()]+)\)\s?=\s?([0-9a-fA-F]{32})\s*$`)
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
		power := strings.Index(" KMG", cmp.Or(string(m[6]), " ")) // of 1024
		f.Modified, f.Size = modified, int64(size*float64(int64(1)<<(10*power)))
		files = append(files, f)
	}
	slices.SortFunc(files, func(a, b File) int { return strings.Compare(a.Name, b.Name) })
	return slices.CompactFunc(files, func(a, b File) bool { return a.Name == b.Name })
}

// MD5 fetches the checksum of a file, in hexadecimal digits. It detects damage, not tampering.
func (c *Client) MD5(ctx context.Context, f File) (string, error) {
	call := httpclient.NewCall(httpclient.Endpoint{Op: "checksum", Path: f.folder + f.Name + ".md5", MaxBytes: 4 << 10})
	body, err := c.service.Do(httpclient.WithoutCache(ctx), call)
	if err != nil {
		return "", err
	}
	m := sum().FindSubmatch(bytes.TrimSpace(body))
	if m == nil || string(m[1]) != f.Name {
		return "", call.UnreadableError(errors.New("it is not the checksum of " + f.Name))
	}
	return strings.ToLower(string(m[2])), nil
}

// Save downloads a file of at most 1 GiB, resuming a download that an earlier call began. It returns a
// *httpclient.FileError if writing to disk fails.
func (c *Client) Save(ctx context.Context, f File, to *httpclient.File) error {
	endpoint := httpclient.Endpoint{Op: "file of PubMed", Path: f.folder + f.Name, Form: httpclient.Gzip, MaxBytes: 1 << 30}
	return c.service.Save(ctx, httpclient.NewCall(endpoint), to)
}
