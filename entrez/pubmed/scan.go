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

// Item is one thing a PubMed file says: either an article or, with Article nil, the
// PMIDs that are deleted from PubMed (DeleteCitation, DeleteDocument). Raw is the
// record element as in the input, from "<" to ">"; it is valid until the
// next iteration, all else is the caller's.
type Item struct {
	Article *Article
	Deleted []string
	Raw     []byte
}

// Scan reads PubMed XML in UTF-8: a PubmedArticleSet, PubmedBookArticleSet or
// BookDocumentSet, several of them on end, or bare records. Memory is bounded by
// the longest record, which may have 8 MiB.
//
// A *RecordError comes with the Raw of the record where that is known and is
// for a record that is lost; scanning goes on. Any other error is the last:
// *FormatError, *ReplyError, *TruncatedError, or what r returned, wrapped. r is
// read by one range only.
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

// NewReader reads r, unpacked if it begins as gzip does. Several gzip files on end
// are read as one.
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
