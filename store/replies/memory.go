package replies

import (
	"os"
	"sync"
	"time"
)

// memoryCache caches the most recently read replies in memory, for a process that serves many calls. Any
// change of the file, by this process or another, invalidates it. Its methods are safe for
// concurrent use.
type memoryCache struct {
	mu      sync.Mutex
	version version // file version of the replies
	bodies  map[string]cachedReply
	bytes   int
}

// cachedReply is a reply with its expiry in Unix seconds.
type cachedReply struct {
	body    []byte
	expires int64
}

const (
	maxRecent     = 16 << 20 // total bytes
	maxRecentBody = 1 << 20  // bytes of one reply
	// settleTime is the time for which the file must have been unchanged before its replies are cached. A
	// writer changes the file a moment before others see its changes.
	settleTime = time.Second
)

// version identifies the contents of the database by the file info of its journal, through which
// every change goes (sqlite.org/wal.html), or of the database itself if there is no journal.
type version struct{ os.FileInfo }

// versionOf returns the version of the database file at path. ok is false if it changed less than
// calm ago. A server calls it for every request, so it accesses the disk only once or twice.
func versionOf(path string, now time.Time) (version, bool) {
	file, err := os.Stat(path + "-wal")
	if err != nil {
		if file, err = os.Stat(path); err != nil {
			return version{}, false
		}
	}
	return version{file}, now.Sub(file.ModTime()) > settleTime
}

func (v version) equal(o version) bool {
	if v.FileInfo == nil || o.FileInfo == nil {
		return v == o
	}
	return v.Size() == o.Size() && v.ModTime().Equal(o.ModTime()) && os.SameFile(v.FileInfo, o.FileInfo)
}

// get returns the unexpired reply cached for a key in this version.
func (r *memoryCache) get(v version, key string, now time.Time) (body []byte, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.version.equal(v) {
		return nil, false
	}
	d, ok := r.bodies[key]
	return d.body, ok && d.expires > now.Unix()
}

// put caches a reply of this version. It evicts arbitrary others if there are too many.
func (r *memoryCache) put(v version, key string, d cachedReply) {
	if len(d.body) > maxRecentBody {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.bodies == nil || !r.version.equal(v) {
		r.version, r.bodies, r.bytes = v, map[string]cachedReply{}, 0
	}
	r.bytes += len(d.body) - len(r.bodies[key].body)
	r.bodies[key] = d
	for other, o := range r.bodies {
		if r.bytes <= maxRecent {
			break
		}
		if other != key {
			delete(r.bodies, other)
			r.bytes -= len(o.body)
		}
	}
}
