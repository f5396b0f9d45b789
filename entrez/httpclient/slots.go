package httpclient

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

// ledger holds the request times of a group that all processes of the machine share. Times are
// wall-clock nanoseconds, because processes share no other clock.
type ledger struct {
	next         int64   // when the next free slot begins
	backoffUntil int64   // no slot begins before this; set by the service's Retry-After
	sentTimes    []int64 // when the last requests were sent, oldest first
}

// A ledger is stored as one line of text in a single write:
//
//	biomcp-pace 2 <crc32 of the rest> <next> <backoff> <sent> <sent> ...
//
// The line is padded with spaces to ledgerSize, so that each version overwrites the one
// before. Any other content (an old format, a truncated write, a foreign file) is read as
// an empty ledger and overwritten.
const (
	ledgerMark = "biomcp-pace 2"
	ledgerSize = 512
)

func (b ledger) encode() []byte {
	var text strings.Builder
	fmt.Fprint(&text, b.next, " ", b.backoffUntil)
	for _, t := range b.sentTimes {
		text.WriteString(" " + strconv.FormatInt(t, 10))
	}
	line := fmt.Sprintf("%s %08x %s", ledgerMark, crc32.ChecksumIEEE([]byte(text.String())), text.String())
	return []byte(fmt.Sprintf("%-*s\n", ledgerSize-1, line))
}

func decodeLedger(data []byte) (ledger, bool) {
	rest, ok := strings.CutPrefix(strings.TrimSpace(string(data)), ledgerMark+" ")
	if !ok {
		return ledger{}, false
	}
	sum, rest, _ := strings.Cut(rest, " ")
	if sum != fmt.Sprintf("%08x", crc32.ChecksumIEEE([]byte(rest))) {
		return ledger{}, false
	}
	var b ledger
	for i, word := range strings.Fields(rest) {
		t, err := strconv.ParseInt(word, 10, 64)
		if err != nil {
			return ledger{}, false
		}
		switch i {
		case 0:
			b.next = t
		case 1:
			b.backoffUntil = t
		default:
			b.sentTimes = append(b.sentTimes, t)
		}
	}
	return b, true
}

// maxQueueTime is how far ahead a slot can be, and longestHold how long a Retry-After is obeyed. A
// ledger that exceeds them was written under another clock, since no request takes a slot after the
// deadline of its call.
const (
	maxQueueTime = DefaultDeadline
	maxBackoff   = time.Hour
)

// backoffLeft returns the rest of the wait that the service requested.
func (b *ledger) backoffLeft(now int64) time.Duration {
	if d := time.Duration(b.backoffUntil - now); d > 0 && d <= maxBackoff {
		return d
	}
	return 0
}

// reserve takes the next slot. It returns ok false if the slot begins after limit; a limit of 0
// means none.
func (b *ledger) reserve(now, limit int64, spacing time.Duration) (slot int64, ok bool) {
	slot = b.next
	if slot < now || slot > now+int64(maxQueueTime) {
		slot = now
	}
	slot = max(slot, now+int64(b.backoffLeft(now)))
	if limit != 0 && slot > limit {
		return slot, false
	}
	b.next = slot + int64(spacing)
	return slot, true
}

// send records a request at now, or returns how long to wait so that at most limit requests fall
// into any window.
func (b *ledger) send(now int64, limit int, window time.Duration) time.Duration {
	for i, t := range b.sentTimes {
		if t > now { // the clock was set back
			b.sentTimes[i] = now
		}
	}
	if n := len(b.sentTimes) - limit; n >= 0 {
		if wait := b.sentTimes[n] + int64(window) - now; wait > 0 {
			return time.Duration(wait)
		}
		b.sentTimes = b.sentTimes[n+1:]
	}
	b.sentTimes = append(b.sentTimes, now)
	return 0
}

// lockTimeout is how long to wait for the lock. A running process holds it only for two small
// reads and a write, so after that time the holder must have stopped.
const lockTimeout = 2 * time.Second

// editFile changes the ledger in dir/name under its lock. The lock is held only during the edit,
// never while a request waits. A process killed here leaves either the old line or the new one,
// because a signal does not split a single small write.
func editFile(ctx context.Context, dir, name string, edit func(*ledger)) (ledger, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return ledger{}, err
	}
	path := filepath.Join(dir, name)
	lock := flock.New(path + ".lock")
	patient, cancel := context.WithTimeout(ctx, lockTimeout)
	defer cancel()
	if _, err := lock.TryLockContext(patient, 2*time.Millisecond); err != nil {
		return ledger{}, err
	}
	defer lock.Close() // unlocks

	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return ledger{}, err
	}
	defer f.Close()
	data := make([]byte, ledgerSize)
	n, _ := f.ReadAt(data, 0) // a short or unreadable file is an empty ledger
	b, _ := decodeLedger(data[:n])
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
