package replies

import (
	"os"
	"sync"
	"time"
)

// recent holds the replies read last in memory, for a process that serves many
// calls. After any change of the file, by this process or another, replies are read
// again. All its methods may be called concurrently.
type recent struct {
	mu     sync.Mutex
	of     version // of the file that the replies are from
	bodies map[string]dated
	bytes  int
}

// dated is a reply and when its time has passed, in Unix seconds.
type dated struct {
	body    []byte
	expires int64
}

const (
	maxRecent     = 16 << 20 // bytes of all replies that are held
	maxRecentBody = 1 << 20  // bytes of one of them
	// calm is how long the file must have been unchanged before what is read of it
	// is held: a writer changes the file a moment before others see what it wrote.
	calm = time.Second
)

// version is a file of the database at one time, which no other content has: its journal,
// through which every change goes (sqlite.org/wal.html), or without one the database itself.
type version struct{ os.FileInfo }

// versionOf is the version of the database file at path, ok only where it has not
// changed for a while. It is asked for in every call of a server, and so asks the disk once.
func versionOf(path string, now time.Time) (version, bool) {
	file, err := os.Stat(path + "-wal")
	if err != nil {
		if file, err = os.Stat(path); err != nil {
			return version{}, false
		}
	}
	return version{file}, now.Sub(file.ModTime()) > calm
}

func (v version) is(o version) bool {
	if v.FileInfo == nil || o.FileInfo == nil {
		return v == o
	}
	return v.Size() == o.Size() && v.ModTime().Equal(o.ModTime()) && os.SameFile(v.FileInfo, o.FileInfo)
}

// get is the reply of a key that is held of this version and whose time has not
// passed.
func (r *recent) get(v version, key string, now time.Time) (body []byte, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.of.is(v) {
		return nil, false
	}
	d, ok := r.bodies[key]
	return d.body, ok && d.expires > now.Unix()
}

// hold keeps a reply of this version; where there are too many, some others go.
func (r *recent) hold(v version, key string, d dated) {
	if len(d.body) > maxRecentBody {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.bodies == nil || !r.of.is(v) {
		r.of, r.bodies, r.bytes = v, map[string]dated{}, 0
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
