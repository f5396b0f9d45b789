package sources_test

import (
	"context"
	"errors"
	"maps"
	"path/filepath"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"biomcp/entrez/bulk"
	"biomcp/entrez/bulk/bulktest"
	"biomcp/entrez/cbioportal"
	"biomcp/entrez/entreztest"
	"biomcp/entrez/httpclient"
	"biomcp/entrez/pubmedfiles"
	"biomcp/entrez/sources/sourcestest"
	"biomcp/entrez/sourcetest"
)

// files lists the downloads of files. listed is a file in the index of PubMed's server.
func files(dir string, listed pubmedfiles.File) map[string]reader {
	to := func(name string) *httpclient.File { return &httpclient.File{Path: filepath.Join(dir, name)} }
	all := map[string]reader{
		"archive": {&cbioportal.Source, "study archive", "", func(ctx context.Context, n *httpclient.Client) error {
			return cbioportal.New(n).SaveArchive(ctx, "brca_tcga", to("archive"))
		}},
		"checksum": {&pubmedfiles.Source, "checksum", "", func(ctx context.Context, n *httpclient.Client) error {
			return failure(pubmedfiles.New(n).MD5(ctx, listed))
		}},
		"file of PubMed": {&pubmedfiles.Source, "file of PubMed", "", func(ctx context.Context, n *httpclient.Client) error {
			return pubmedfiles.New(n).Save(ctx, listed, to("pubmed"))
		}},
	}
	for _, set := range bulk.Sets() {
		f := set.Files[0]
		all[set.Name] = reader{set.Source, f.Name, "", func(ctx context.Context, n *httpclient.Client) error {
			now := time.Date(bulktest.Edition, 11, 21, 0, 0, 0, 0, time.UTC)
			_, err := bulk.Save(ctx, n, set, f, to(set.Name), now, nil)
			if moved, ok := errors.AsType[*bulk.MovedError](err); ok { // not the user's fault either
				return &httpclient.Error{Kind: httpclient.Upstream, Message: moved.Error()}
			}
			return err
		}}
	}
	return all
}

// foreign lists replies that a server in front of a service may send, or a service that is out of
// order. None of them is a statement of the service about the request.
var foreign = map[string]sourcetest.Fault{
	"HTML 404": {Kind: sourcetest.HTML404}, "HTML 403": {Kind: sourcetest.HTML403},
	"empty": {Kind: sourcetest.Empty}, "{}": {Kind: sourcetest.OtherJSON, Text: "{}"},
	"[]": {Kind: sourcetest.OtherJSON, Text: "[]"}, "null": {Kind: sourcetest.OtherJSON, Text: "null"},
}

// A reply that is not the service's own is an error of the source: no record is absent because of
// it, and the request is not invalid.
func TestForeignRepliesAreNoVerdict(t *testing.T) {
	names := slices.Concat(slices.Collect(maps.Keys(readers)), slices.Collect(maps.Keys(files("", pubmedfiles.File{}))))
	for _, name := range names {
		for reply, fault := range foreign {
			_, isRead := readers[name]
			isSet := slices.ContainsFunc(bulk.Sets(), func(set *bulk.Set) bool { return set.Name == name })
			if isSet && fault.Kind == sourcetest.OtherJSON {
				continue // the import of the file judges it
			}
			t.Run(name+" "+reply, func(t *testing.T) {
				dir := t.TempDir()
				synctest.Test(t, func(t *testing.T) {
					s := entreztest.New(t, entreztest.NoLimit(), entreztest.WithoutNetwork())
					sourcestest.AddTo(s.Server)
					if err := s.Publish(26, 1); err != nil {
						t.Fatal(err)
					}
					network := s.Network(t)
					index, err := pubmedfiles.New(network).Index(t.Context())
					if err != nil {
						t.Fatal(err)
					}
					r := readers[name]
					if !isRead {
						r = files(dir, index.Baseline[0])[name]
					}
					fault.Times = -1
					if err := s.Fail(fault); err != nil {
						t.Fatal(err)
					}
					err = r.ask(t.Context(), network)
					if reply == r.none {
						if err != nil {
							t.Errorf("error %v, want none: the service has no record", err)
						}
						return
					}
					if !httpclient.IsKind(err, httpclient.Upstream) {
						t.Errorf("error %v, want kind %s: %#v", err, httpclient.Upstream, err)
					}
				})
			})
		}
	}
}
