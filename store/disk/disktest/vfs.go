package disktest

import (
	"sync"
	"unsafe"

	"modernc.org/libc"
	"modernc.org/libc/sys/types"
	sqlite3 "modernc.org/sqlite/lib"
)

// The functions of SQLite's file system that a Disk intercepts.
type (
	openFunc     = func(tls *libc.TLS, vfs, name, file uintptr, flags int32, out uintptr) int32
	deleteFunc   = func(tls *libc.TLS, vfs, name uintptr, sync int32) int32
	closeFunc    = func(tls *libc.TLS, file uintptr) int32
	writeFunc    = func(tls *libc.TLS, file, from uintptr, amount int32, offset int64) int32
	truncateFunc = func(tls *libc.TLS, file uintptr, size int64) int32
)

// pointerTo converts an address of SQLite to a pointer.
func pointerTo[T any](address uintptr) *T { return *(**T)(unsafe.Pointer(&address)) }

// address returns the function pointer that SQLite uses for f.
func address[F any](f F) uintptr { return *(*uintptr)(unsafe.Pointer(&f)) }

// call returns the function at an address.
func call[F any](address uintptr) F { return *(*F)(unsafe.Pointer(&address)) }

// The structures that SQLite uses from now on.
var (
	sqliteVFS, testVFS sqlite3.Tsqlite3_vfs
	ourMethods         sync.Map // address of ours by that of SQLite's own
	files              sync.Map // openFile by the address of the file
)

var register = sync.OnceFunc(func() {
	tls := libc.NewTLS()
	defer tls.Close()
	sqliteVFS = *pointerTo[sqlite3.Tsqlite3_vfs](sqlite3.Xsqlite3_vfs_find(tls, 0))
	testVFS = sqliteVFS
	name, err := libc.CString("disktest")
	if err != nil {
		panic(err) // out of memory
	}
	testVFS.FzName, testVFS.FxOpen, testVFS.FxDelete = name, address(open), address(remove)
	if sqlite3.Xsqlite3_vfs_register(tls, uintptr(unsafe.Pointer(&testVFS)), 1) != sqlite3.SQLITE_OK {
		panic("SQLite rejected the file system")
	}
})

func open(tls *libc.TLS, vfs, name, file uintptr, flags int32, out uintptr) int32 {
	rc := call[openFunc](sqliteVFS.FxOpen)(tls, uintptr(unsafe.Pointer(&sqliteVFS)), name, file, flags, out)
	if rc != sqlite3.SQLITE_OK || name == 0 {
		return rc
	}
	d := diskOf(libc.GoString(name))
	if d == nil {
		return rc
	}
	f := pointerTo[sqlite3.Tsqlite3_file](file)
	theirs := pointerTo[sqlite3.Tsqlite3_io_methods](f.FpMethods)
	mine, known := ourMethods.Load(f.FpMethods)
	if !known {
		own := libc.Xmalloc(tls, types.Size_t(unsafe.Sizeof(*theirs))) // memory that Go does not move
		changed := pointerTo[sqlite3.Tsqlite3_io_methods](own)
		*changed = *theirs
		changed.FxClose, changed.FxWrite = address(shut), address(write)
		changed.FxTruncate, changed.FxSync = address(truncate), address(flush)
		mine, _ = ourMethods.LoadOrStore(f.FpMethods, own)
	}
	f.FpMethods = mine.(uintptr)
	files.Store(file, openFile{theirs, d})
	return rc
}

// openFile is an open file: SQLite's own methods, and its Disk.
type openFile struct {
	methods *sqlite3.Tsqlite3_io_methods
	disk    *Disk
}

// originalMethods returns SQLite's own methods of an open file, and its Disk.
func originalMethods(file uintptr) (*sqlite3.Tsqlite3_io_methods, *Disk) {
	f, _ := files.Load(file)
	open := f.(openFile)
	return open.methods, open.disk
}

func shut(tls *libc.TLS, file uintptr) int32 {
	m, _ := originalMethods(file)
	files.Delete(file)
	return call[closeFunc](m.FxClose)(tls, file)
}

func write(tls *libc.TLS, file, from uintptr, amount int32, offset int64) int32 {
	m, d := originalMethods(file)
	put := call[writeFunc](m.FxWrite)
	if rc := d.change(func() { put(tls, file, from, amount/2, offset) }); rc != sqlite3.SQLITE_OK {
		return rc
	}
	return put(tls, file, from, amount, offset)
}

func truncate(tls *libc.TLS, file uintptr, size int64) int32 {
	m, d := originalMethods(file)
	if rc := d.change(func() {}); rc != sqlite3.SQLITE_OK && rc != sqlite3.SQLITE_FULL {
		return rc
	}
	return call[truncateFunc](m.FxTruncate)(tls, file, size)
}

func flush(*libc.TLS, uintptr, int32) int32 { return sqlite3.SQLITE_OK }

func remove(tls *libc.TLS, vfs, name uintptr, sync int32) int32 {
	if rc := diskOf(libc.GoString(name)).change(func() {}); rc != sqlite3.SQLITE_OK && rc != sqlite3.SQLITE_FULL {
		return rc
	}
	return call[deleteFunc](sqliteVFS.FxDelete)(tls, uintptr(unsafe.Pointer(&sqliteVFS)), name, 0)
}
