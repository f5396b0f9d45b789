// Package disktest is a disk for tests: it is full, or the process is killed, at any
// write of SQLite, which it counts. It syncs nothing, as a process that is killed loses
// nothing that it wrote.
//
//	d := disktest.Watch(t, dir)
//	d.FullAt(7, 3)   // the seventh write from now finds no room, nor do the two after it
//	d.KillAt(7, to)  // what the seventh leaves half done is copied to a folder
//	d.Calm()
package disktest

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	sqlite3 "modernc.org/sqlite/lib"
)

// Disk is what lies below a folder.
type Disk struct {
	t      testing.TB
	folder string

	mu     sync.Mutex
	writes int
	full   int    // the write from which on there is no room, 0: none
	room   int    // the write from which on there is room again
	kill   int    // the write at which the process is killed, 0: none
	to     string // where its files are copied
	killed bool
}

// Watch makes a folder a Disk until the test ends.
func Watch(t testing.TB, folder string) *Disk {
	t.Helper()
	register()
	folder, err := filepath.Abs(folder)
	if err != nil {
		t.Fatal(err)
	}
	d := &Disk{t: t, folder: folder}
	disks.Store(d, nil)
	t.Cleanup(func() { disks.Delete(d) })
	return d
}

var disks sync.Map // of *Disk

// of returns the disk on which a file lies, nil if it is none of a test's.
func of(path string) (found *Disk) {
	disks.Range(func(key, _ any) bool {
		if d := key.(*Disk); strings.HasPrefix(path, d.folder+string(filepath.Separator)) {
			found = d
		}
		return found == nil
	})
	return found
}

// Writes is how many there were since Calm.
func (d *Disk) Writes() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.writes
}

// FullAt leaves no room for the nth write from now on and those after it, so many in all.
func (d *Disk) FullAt(n, writes int) {
	d.Calm()
	d.mu.Lock()
	defer d.mu.Unlock()
	d.full, d.room = n, n+writes
}

// KillAt copies what lies on the disk, when the nth write from now on is half done, to a
// new folder, and lets no later one reach the disk.
func (d *Disk) KillAt(n int, to string) {
	d.Calm()
	d.mu.Lock()
	defer d.mu.Unlock()
	d.kill, d.to = n, to
}

// Killed reports whether the write of KillAt has come.
func (d *Disk) Killed() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.killed
}

// Calm lets every write succeed from now on.
func (d *Disk) Calm() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.writes, d.full, d.kill, d.killed = 0, 0, 0, false
}

// change counts a change of the disk. It returns the result of SQLite if there must be none;
// half makes half of it.
func (d *Disk) change(half func()) int32 {
	if d == nil {
		return sqlite3.SQLITE_OK
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.writes++
	switch {
	case d.killed:
		return sqlite3.SQLITE_IOERR_WRITE
	case d.kill > 0 && d.writes >= d.kill:
		half()
		d.killed = true
		if err := os.CopyFS(d.to, os.DirFS(d.folder)); err != nil {
			d.t.Error(err)
		}
		return sqlite3.SQLITE_IOERR_WRITE
	case d.full > 0 && d.writes >= d.full && d.writes < d.room:
		return sqlite3.SQLITE_FULL
	}
	return sqlite3.SQLITE_OK
}
