package pagesum

import (
	"encoding/binary"
	"sync"
	"unsafe"

	"modernc.org/libc"
	"modernc.org/libc/sys/types"
	_ "modernc.org/sqlite" // initialises the library
	sqlite3 "modernc.org/sqlite/lib"
)

// The functions of SQLite's file system that this package calls or replaces.
type (
	openFunc   = func(tls *libc.TLS, vfs, name, file uintptr, flags int32, out uintptr) int32
	closeFunc  = func(tls *libc.TLS, file uintptr) int32
	deleteFunc = func(tls *libc.TLS, vfs, name uintptr, sync int32) int32
	readFunc   = func(tls *libc.TLS, file, to uintptr, amount int32, offset int64) int32
	writeFunc  = func(tls *libc.TLS, file, from uintptr, amount int32, offset int64) int32
)

// pointerTo converts an address of SQLite to a pointer.
func pointerTo[T any](address uintptr) *T { return *(**T)(unsafe.Pointer(&address)) }

// address returns the function pointer that SQLite uses for f.
func address[F any](f F) uintptr { return *(*uintptr)(unsafe.Pointer(&f)) }

// call returns the function at an address.
func call[F any](address uintptr) F { return *(*F)(unsafe.Pointer(&address)) }

// openFile is the state of an open database file. SQLite stores it behind its own state.
type openFile struct {
	methods   uintptr // address of the sqlite3.Tsqlite3_io_methods of the file system below
	sums      bool    // whether the file has checksums
	unchecked bool    // whether reads ignore them
}

var (
	strict, lenient sqlite3.Tsqlite3_vfs
	methods         sync.Map // address of our sqlite3.Tsqlite3_io_methods by that of those below
)

// stateAt returns the offset of the openFile behind the state of a file.
var stateAt = sync.OnceValue(func() uintptr {
	tls := libc.NewTLS()
	defer tls.Close()
	_, vfs := below(tls)
	return (uintptr(vfs.FszOsFile) + 7) &^ 7
})

// FileSystem registers the file system and returns its name.
var FileSystem = sync.OnceValue(func() string { return register(&strict, "pagesum") })

// Lenient is like FileSystem, but its reads ignore the checksums, for a program that repairs the
// file. Writes set them.
var Lenient = sync.OnceValue(func() string { return register(&lenient, "pagesum-lenient") })

func register(vfs *sqlite3.Tsqlite3_vfs, name string) string {
	tls := libc.NewTLS()
	defer tls.Close()
	_, *vfs = below(tls)
	text, err := libc.CString(name)
	if err != nil {
		panic(err) // out of memory
	}
	vfs.FszOsFile = int32(stateAt() + unsafe.Sizeof(openFile{}))
	vfs.FzName, vfs.FxOpen, vfs.FxDelete = text, address(open), address(remove)
	if sqlite3.Xsqlite3_vfs_register(tls, uintptr(unsafe.Pointer(vfs)), 0) != sqlite3.SQLITE_OK {
		panic("SQLite rejected the file system")
	}
	return name
}

// below returns the default file system, which stores the files, and its address.
func below(tls *libc.TLS) (uintptr, sqlite3.Tsqlite3_vfs) {
	at := sqlite3.Xsqlite3_vfs_find(tls, 0)
	return at, *pointerTo[sqlite3.Tsqlite3_vfs](at)
}

func remove(tls *libc.TLS, _, name uintptr, sync int32) int32 {
	at, vfs := below(tls)
	return call[deleteFunc](vfs.FxDelete)(tls, at, name, sync)
}

// open opens a file. It intercepts the reads and writes of a database file, but not of a journal.
func open(tls *libc.TLS, self, name, file uintptr, flags int32, out uintptr) int32 {
	at, vfs := below(tls)
	rc := call[openFunc](vfs.FxOpen)(tls, at, name, file, flags, out)
	if rc != sqlite3.SQLITE_OK || flags&sqlite3.SQLITE_OPEN_MAIN_DB == 0 {
		return rc
	}
	f := pointerTo[sqlite3.Tsqlite3_file](file)
	theirs := pointerTo[sqlite3.Tsqlite3_io_methods](f.FpMethods)
	mine, known := methods.Load(f.FpMethods)
	if !known {
		own := libc.Xcalloc(tls, 1, types.Size_t(unsafe.Sizeof(*theirs))) // memory that Go does not move
		if own == 0 {
			call[closeFunc](theirs.FxClose)(tls, file)
			f.FpMethods = 0
			return sqlite3.SQLITE_NOMEM
		}
		changed := pointerTo[sqlite3.Tsqlite3_io_methods](own)
		*changed = *theirs
		changed.FxRead, changed.FxWrite = address(read), address(write)
		changed.FiVersion = min(changed.FiVersion, 2) // version 3 reads pages without xRead
		mine, _ = methods.LoadOrStore(f.FpMethods, own)
	}
	first := tls.Alloc(PageSize)
	defer tls.Free(PageSize)
	rc = call[readFunc](theirs.FxRead)(tls, file, first, PageSize, 0)
	if rc != sqlite3.SQLITE_OK && rc != sqlite3.SQLITE_IOERR_SHORT_READ {
		call[closeFunc](theirs.FxClose)(tls, file)
		f.FpMethods = 0 // SQLite must not close it again
		return rc
	}
	has := rc == sqlite3.SQLITE_IOERR_SHORT_READ // an empty file will have checksums
	has = has || Present(unsafe.Slice(pointerTo[byte](first), PageSize))
	*stateOf(file) = openFile{methods: f.FpMethods, sums: has, unchecked: self == uintptr(unsafe.Pointer(&lenient))}
	f.FpMethods = mine.(uintptr)
	return sqlite3.SQLITE_OK
}

func stateOf(file uintptr) *openFile { return pointerTo[openFile](file + stateAt()) }

// pageNumber returns the number of the page that is read or written, or 0 if it is not a page.
func pageNumber(amount int32, offset int64) int64 {
	if amount != PageSize || offset%PageSize != 0 {
		return 0
	}
	return offset/PageSize + 1
}

func read(tls *libc.TLS, file, to uintptr, amount int32, offset int64) int32 {
	s := stateOf(file)
	theirs := pointerTo[sqlite3.Tsqlite3_io_methods](s.methods)
	rc := call[readFunc](theirs.FxRead)(tls, file, to, amount, offset)
	data := unsafe.Slice(pointerTo[byte](to), amount)
	number := pageNumber(amount, offset)
	switch {
	case !s.sums:
	case !s.unchecked && number > 0 && isDamaged(rc, data, number):
		return sqlite3.SQLITE_CORRUPT
	case rc == sqlite3.SQLITE_IOERR_SHORT_READ && amount == headerSize && offset == 0:
		newHeader(data)
	}
	return rc
}

// isDamaged reports whether a page that was read is incomplete or has a wrong checksum. Other
// results of reading say for themselves what failed.
func isDamaged(rc int32, page []byte, number int64) bool {
	return rc == sqlite3.SQLITE_OK && !Valid(page, number) || rc == sqlite3.SQLITE_IOERR_SHORT_READ
}

// headerSize is the number of bytes that SQLite reads first when it opens a file.
const headerSize = 100

// newHeader completes the header that SQLite reads from an empty file, from which it takes the page
// size, the reserved bytes and the kind of vacuum of the file that it will write.
func newHeader(header []byte) {
	if header[0] != 0 {
		return // the file is not empty
	}
	const pageSizeAt, vacuumAt, incrementalAt = 16, 52, 64
	binary.BigEndian.PutUint16(header[pageSizeAt:], PageSize)
	header[reservedAt] = Reserved
	binary.BigEndian.PutUint32(header[vacuumAt:], 1)
	binary.BigEndian.PutUint32(header[incrementalAt:], 1)
}

func write(tls *libc.TLS, file, from uintptr, amount int32, offset int64) int32 {
	s := stateOf(file)
	if number := pageNumber(amount, offset); number > 0 && s.sums {
		Seal(unsafe.Slice(pointerTo[byte](from), amount), number)
	}
	theirs := pointerTo[sqlite3.Tsqlite3_io_methods](s.methods)
	return call[writeFunc](theirs.FxWrite)(tls, file, from, amount, offset)
}
