// Package disktest simulates a disk that becomes full, or a process that is killed, at any write of
// SQLite, and counts the writes. It skips syncing, because a killed process loses nothing that it
// has written.
//
//	d := disktest.Watch(t, dir)
//	d.FullAt(7, 3)   // the seventh write from now, and the two after it, find no space
//	d.KillAt(7, to)  // the files, with the seventh write half done, are copied to a folder
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

// Disk controls the files below a folder.
type Disk struct {
	t      testing.TB
	folder string

	mu     sync.Mutex
	writes int
	full   int    // first write without space; 0 means none
	room   int    // first write with space again
	kill   int    // write at which the process is killed; 0 means none
	to     string // folder that receives a copy of the files
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

var disks sync.Map // set of *Disk

// diskOf returns the Disk that holds a file, or nil.
func diskOf(path string) (found *Disk) {
	disks.Range(func(key, _ any) bool {
		if d := key.(*Disk); strings.HasPrefix(path, d.folder+string(filepath.Separator)) {
			found = d
		}
		return found == nil
	})
	return found
}

// Writes returns the number of writes since Reset.
func (d *Disk) Writes() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.writes
}

// FullAt makes the nth write from now on, and the following ones, writes in all, fail for lack of
// space.
func (d *Disk) FullAt(n, writes int) {
	d.Reset()
	d.mu.Lock()
	defer d.mu.Unlock()
	d.full, d.room = n, n+writes
}

// KillAt copies the files to a new folder when the nth write from now on is half done, and makes
// all later writes fail.
func (d *Disk) KillAt(n int, to string) {
	d.Reset()
	d.mu.Lock()
	defer d.mu.Unlock()
	d.kill, d.to = n, to
}

// Killed reports whether the write of KillAt has happened.
func (d *Disk) Killed() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.killed
}

// Reset makes every write succeed from now on.
func (d *Disk) Reset() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.writes, d.full, d.kill, d.killed = 0, 0, 0, false
}

// change counts a change of the disk. It returns an SQLite error code if the change must fail. half
// performs half of it.
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
