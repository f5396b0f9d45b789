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

// book holds the request times of a lane that all processes of the machine share. Times are
// wall-clock nanoseconds, because processes share no other clock.
type book struct {
	next int64   // when the next free slot begins
	hold int64   // no slot begins before this; set by the service's Retry-After
	left []int64 // when the last requests were sent, oldest first
}

// A book is stored as one line of text in a single write:
//
//	biomcp-pace 2 <crc32 of the rest> <next> <hold> <left> <left> ...
//
// The line is padded with spaces to bookSize, so that each version overwrites the one
// before. Any other content (an old format, a truncated write, a foreign file) is read as
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

// longestQueue is how far ahead a slot can be, and longestHold how long a Retry-After is obeyed. A
// book that exceeds them was written under another clock, since no request takes a slot after the
// deadline of its call.
const (
	longestQueue = DefaultDeadline
	longestHold  = time.Hour
)

// held returns the rest of the wait that the service requested.
func (b *book) held(now int64) time.Duration {
	if d := time.Duration(b.hold - now); d > 0 && d <= longestHold {
		return d
	}
	return 0
}

// reserve takes the next slot. It returns ok false if the slot begins after limit; a limit of 0
// means none.
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

// send records a request at now, or returns how long to wait so that at most limit requests fall
// into any window.
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

// lockPatience is how long to wait for the lock. A running process holds it only for two small
// reads and a write, so after that time the holder must have stopped.
const lockPatience = 2 * time.Second

// editFile changes the book in dir/name under its lock. The lock is held only during the edit,
// never while a request waits. A process killed here leaves either the old line or the new one,
// because a signal does not split a single small write.
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
	n, _ := f.ReadAt(data, 0) // a short or unreadable file is an empty book
	b, _ := decodeBook(data[:n])
	edit(&b)
	_, err = f.WriteAt(b.encode(), 0)
	return b, err
}

// plain returns the text of an error without its path.
func plain(err error) string {
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		return p.Err.Error()
	}
	return err.Error()
}
