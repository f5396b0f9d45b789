package pagesum

import (
	"testing"
	"unsafe"

	"modernc.org/libc"
	"modernc.org/libc/sys/types"
	sqlite3 "modernc.org/sqlite/lib"
)

// A file whose first page cannot be read is not opened: it may be a file without checksums.
func TestUnreadableFirstPageIsAnError(t *testing.T) {
	FileSystem()
	tls := libc.NewTLS()
	defer tls.Close()
	dir := t.TempDir() // reading a folder fails
	name := libc.Xcalloc(tls, 1, types.Size_t(len(dir)+8))
	file := libc.Xcalloc(tls, 1, types.Size_t(strict.FszOsFile))
	defer libc.Xfree(tls, name)
	defer libc.Xfree(tls, file)
	copy(unsafe.Slice(pointerTo[byte](name), len(dir)), dir)
	const flags = sqlite3.SQLITE_OPEN_MAIN_DB | sqlite3.SQLITE_OPEN_READONLY
	rc := open(tls, uintptr(unsafe.Pointer(&strict)), name, file, flags, 0)
	if rc != sqlite3.SQLITE_IOERR_READ {
		t.Errorf("open returned %d, want %d", rc, sqlite3.SQLITE_IOERR_READ)
	}
	if methods := pointerTo[sqlite3.Tsqlite3_file](file).FpMethods; methods != 0 {
		t.Error("the file is still open")
	}
}

// Both file systems may be registered while others read.
func TestFileSystemsAreRegisteredAtOnce(t *testing.T) {
	done := make(chan string, 2)
	go func() { done <- Lenient() }()
	go func() { done <- FileSystem() }()
	if a, b := <-done, <-done; a == b {
		t.Errorf("both are named %s", a)
	}
}
