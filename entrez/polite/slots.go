package polite

import (
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/gofrs/flock"
)

// book is what the processes of one machine share about a lane.
// Times are wall-clock nanoseconds: it is the only clock they share.
type book struct {
	next int64   // when the next free slot begins
	hold int64   // no slot begins before this: the service asked to wait (Retry-After)
	left []int64 // when the last requests left, oldest first
}

// A book is one line of text, one write long:
//
//	biomcp-pace 2 <crc32 of the rest> <next> <hold> <left> <left> ...
//
// padded with spaces to bookSize, so that each version covers the one before.
// Anything else (an old format, a cut-off write, a stranger's file) is read as
// an empty book and overwritten.
const (
	bookMark = "biomcp-pace 2"
	bookSize = 512
)

func (b book) encode() []byte {
	var text strings.Builder
	fmt.Fprint(&text, b.next, " ", b.hold)
	for _, t := range b.left {
		text.WriteString(" " + strconv.FormatInt(t, 10))
	}
	line := fmt.Sprintf("%s %08x %s", bookMark, crc32.ChecksumIEEE([]byte(text.String())), text.String())
	return []byte(fmt.Sprintf("%-*s\n", bookSize-1, line))
}

func decodeBook(data []byte) (book, bool) {
	rest, ok := strings.CutPrefix(strings.TrimSpace(string(data)), bookMark+" ")
	if !ok {
		return book{}, false
	}
	sum, rest, _ := strings.Cut(rest, " ")
	if sum != fmt.Sprintf("%08x", crc32.ChecksumIEEE([]byte(rest))) {
		return book{}, false
	}
	var b book
	for i, word := range strings.Fields(rest) {
		t, err := strconv.ParseInt(word, 10, 64)
		if err != nil {
			return book{}, false
		}
		switch i {
		case 0:
			b.next = t
		case 1:
			b.hold = t
		default:
			b.left = append(b.left, t)
		}
	}
	return b, true
}

// longestQueue bounds how far ahead a slot can be, and longestHold how long a
// service is not asked because it said so. A book that says more was written under
// another clock: nobody takes a slot past the deadline of a call.
const (
	longestQueue = DefaultDeadline
	longestHold  = time.Hour
)

// held is how long the service asked to wait, from now on.
func (b *book) held(now int64) time.Duration {
	if d := time.Duration(b.hold - now); d > 0 && d <= longestHold {
		return d
	}
	return 0
}

// reserve takes the next slot, unless it begins after limit (0: no limit).
func (b *book) reserve(now, limit int64, spacing time.Duration) (slot int64, ok bool) {
	slot = b.next
	if slot < now || slot > now+int64(longestQueue) {
		slot = now
	}
	slot = max(slot, now+int64(b.held(now)))
	if limit != 0 && slot > limit {
		return slot, false
	}
	b.next = slot + int64(spacing)
	return slot, true
}

// send notes a request now, or says how long to wait until one more keeps the
// rule of at most limit requests in any window.
func (b *book) send(now int64, limit int, window time.Duration) time.Duration {
	for i, t := range b.left {
		if t > now { // the clock was set back
			b.left[i] = now
		}
	}
	if n := len(b.left) - limit; n >= 0 {
		if wait := b.left[n] + int64(window) - now; wait > 0 {
			return time.Duration(wait)
		}
		b.left = b.left[n+1:]
	}
	b.left = append(b.left, now)
	return 0
}

// lockPatience is how long we wait for the lock, which nobody holds for longer
// than two small reads and a write. Past it the holder is stopped, not slow.
const lockPatience = 2 * time.Second

// editFile changes the book in dir/name under its lock. The lock is held for
// the edit alone, never while anybody waits. A process killed here leaves the
// old line or the new one: a single small write is not torn by a signal.
func editFile(ctx context.Context, dir, name string, edit func(*book)) (book, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return book{}, err
	}
	path := filepath.Join(dir, name)
	lock := flock.New(path + ".lock")
	patient, cancel := context.WithTimeout(ctx, lockPatience)
	defer cancel()
	if _, err := lock.TryLockContext(patient, 2*time.Millisecond); err != nil {
		return book{}, err
	}
	defer lock.Close() // unlocks

	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return book{}, err
	}
	defer f.Close()
	data := make([]byte, bookSize)
	n, _ := f.ReadAt(data, 0) // shorter, or unreadable: an empty book
	b, _ := decodeBook(data[:n])
	edit(&b)
	_, err = f.WriteAt(b.encode(), 0)
	return b, err
}

// plain is an error's text without the path in it.
func plain(err error) string {
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		return p.Err.Error()
	}
	return err.Error()
}
