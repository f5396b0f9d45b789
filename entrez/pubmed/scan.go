package pubmed

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"iter"

	"github.com/klauspost/compress/gzip"

	"biomcp/entrez/record"
)

// An Item is an article or, if Article is nil, a list of PMIDs that are deleted from PubMed
// (DeleteCitation, DeleteDocument). Raw is the record element in the input, from "<" to ">". It is
// valid only until the next iteration; the other fields remain valid.
type Item struct {
	Article *Article
	Deleted []string
	Raw     []byte
}

// Scan reads PubMed XML in UTF-8: one or more of PubmedArticleSet, PubmedBookArticleSet and
// BookDocumentSet, or records without a set. Memory is limited by the longest record, which may
// have 8 MiB.
//
// A *RecordError reports a record that cannot be read, and comes with its Raw if known; the scan
// continues. Any other error is the last: *FormatError, *ReplyError, *TruncatedError, or an error
// of r, wrapped. The returned iterator can be used only once, since it consumes r.
func Scan(r io.Reader) iter.Seq2[Item, error] { return scan(r, maxRecord) }

func scan(r io.Reader, limit int) iter.Seq2[Item, error] {
	return func(yield func(Item, error) bool) {
		f := newFramer(r, limit)
		var d decoder
		for {
			rec, err := f.next()
			if err == io.EOF {
				return
			}
			var broken *RecordError
			if err != nil {
				if !yield(Item{}, err) || !errors.As(err, &broken) {
					return
				}
				continue
			}
			article, deleted, err := d.decode(rec)
			if article != nil && err == nil || len(deleted) > 0 {
				if !yield(Item{Article: article, Deleted: deleted, Raw: rec}, nil) {
					return
				}
			}
			if err != nil {
				broken = &RecordError{Offset: f.base + int64(f.pos-len(rec)), Reason: err.Error()}
				if article != nil && record.ValidPMID(article.PMID) {
					broken.PMID = article.PMID
				} else if article != nil {
					broken.PMID = guessPMID(rec)
				}
				f.retry(rec)
				if !yield(Item{Raw: rec}, broken) {
					return
				}
			}
		}
	}
}

// NewReader returns a reader of r that decompresses gzip data. It reads several concatenated gzip
// files as one.
func NewReader(r io.Reader) (io.Reader, error) {
	b := bufio.NewReaderSize(r, 64<<10)
	magic, err := b.Peek(2)
	if err != nil && err != io.EOF {
		return nil, fmt.Errorf("reading PubMed XML failed: %w", err)
	}
	if string(magic) != "\x1f\x8b" {
		return b, nil
	}
	z, err := gzip.NewReader(b)
	if err != nil {
		return nil, fmt.Errorf("reading gzip failed: %w", err)
	}
	return z, nil
}
