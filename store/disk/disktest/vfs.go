package disktest

import (
	"sync"
	"unsafe"

	"modernc.org/libc"
	sqlite3 "modernc.org/sqlite/lib"
)

// The functions of SQLite's file system that a Disk intercepts.
type (
	opening    = func(tls *libc.TLS, vfs, name, file uintptr, flags int32, out uintptr) int32
	deleting   = func(tls *libc.TLS, vfs, name uintptr, sync int32) int32
	closing    = func(tls *libc.TLS, file uintptr) int32
	writing    = func(tls *libc.TLS, file, from uintptr, amount int32, offset int64) int32
	truncating = func(tls *libc.TLS, file uintptr, size int64) int32
)

// at converts an address of SQLite to a pointer.
func at[T any](address uintptr) *T { return *(**T)(unsafe.Pointer(&address)) }

// address returns the function pointer that SQLite uses for f.
func address[F any](f F) uintptr { return *(*uintptr)(unsafe.Pointer(&f)) }

// call returns the function at an address.
func call[F any](address uintptr) F { return *(*F)(unsafe.Pointer(&address)) }

// The structures that SQLite uses from now on.
var (
	own, ours sqlite3.Tsqlite3_vfs
	methods   sync.Map // SQLite's own *sqlite3.Tsqlite3_io_methods by ours
	before    sync.Map // ours by SQLite's own
	files     sync.Map // *Disk by the address of an open file
)

var register = sync.OnceFunc(func() {
	tls := libc.NewTLS()
	defer tls.Close()
	own = *at[sqlite3.Tsqlite3_vfs](sqlite3.Xsqlite3_vfs_find(tls, 0))
	ours = own
	name, err := libc.CString("disktest")
	if err != nil {
		panic(err) // out of memory
	}
	ours.FzName, ours.FxOpen, ours.FxDelete = name, address(open), address(remove)
	if sqlite3.Xsqlite3_vfs_register(tls, uintptr(unsafe.Pointer(&ours)), 1) != sqlite3.SQLITE_OK {
		panic("SQLite takes no file system")
	}
})

func open(tls *libc.TLS, vfs, name, file uintptr, flags int32, out uintptr) int32 {
	rc := call[opening](own.FxOpen)(tls, uintptr(unsafe.Pointer(&own)), name, file, flags, out)
	if rc != sqlite3.SQLITE_OK || name == 0 {
		return rc
	}
	d := of(libc.GoString(name))
	if d == nil {
		return rc
	}
	f := at[sqlite3.Tsqlite3_file](file)
	mine := new(sqlite3.Tsqlite3_io_methods)
	if known, ok := before.Load(f.FpMethods); ok {
		mine = known.(*sqlite3.Tsqlite3_io_methods)
	} else {
		theirs := at[sqlite3.Tsqlite3_io_methods](f.FpMethods)
		*mine = *theirs
		mine.FxClose, mine.FxWrite, mine.FxTruncate, mine.FxSync = address(shut), address(write), address(truncate), address(flush)
		before.Store(f.FpMethods, mine)
		methods.Store(mine, theirs)
	}
	f.FpMethods = uintptr(unsafe.Pointer(mine))
	files.Store(file, d)
	return rc
}

// theirs returns SQLite's own methods of an open file, and its Disk.
func theirs(file uintptr) (*sqlite3.Tsqlite3_io_methods, *Disk) {
	m, _ := methods.Load(at[sqlite3.Tsqlite3_io_methods](at[sqlite3.Tsqlite3_file](file).FpMethods))
	d, _ := files.Load(file)
	return m.(*sqlite3.Tsqlite3_io_methods), d.(*Disk)
}

func shut(tls *libc.TLS, file uintptr) int32 {
	m, _ := theirs(file)
	files.Delete(file)
	return call[closing](m.FxClose)(tls, file)
}

func write(tls *libc.TLS, file, from uintptr, amount int32, offset int64) int32 {
	m, d := theirs(file)
	put := call[writing](m.FxWrite)
	if rc := d.change(func() { put(tls, file, from, amount/2, offset) }); rc != sqlite3.SQLITE_OK {
		return rc
	}
	return put(tls, file, from, amount, offset)
}

func truncate(tls *libc.TLS, file uintptr, size int64) int32 {
	m, d := theirs(file)
	if rc := d.change(func() {}); rc != sqlite3.SQLITE_OK && rc != sqlite3.SQLITE_FULL {
		return rc
	}
	return call[truncating](m.FxTruncate)(tls, file, size)
}

func flush(*libc.TLS, uintptr, int32) int32 { return sqlite3.SQLITE_OK }

func remove(tls *libc.TLS, vfs, name uintptr, sync int32) int32 {
	if rc := of(libc.GoString(name)).change(func() {}); rc != sqlite3.SQLITE_OK && rc != sqlite3.SQLITE_FULL {
		return rc
	}
	return call[deleting](own.FxDelete)(tls, uintptr(unsafe.Pointer(&own)), name, 0)
}
