// Package pagesum ends each page of an SQLite file with a checksum of its number and contents. A
// page that was changed, cleared, swapped or doubled is damage when SQLite reads it, whatever it
// holds: rows, an index, or the inner nodes of a table.
//
//	db, err := sql.Open("sqlite", "file:corpus.db?vfs="+pagesum.FileSystem())
//
// FileSystem returns a file system of SQLite (https://sqlite.org/vfs.html) that writes checksums
// into the bytes that SQLite leaves unused at the end of a page, as its extension cksumvfs does. A
// new file has checksums; a file that was made without them stays without. The write-ahead journal
// has checksums of its own. A program without this package can read such a file but must not write
// to it.
package pagesum

import (
	"encoding/binary"
	"hash/crc32"
	"io"

	"biomcp/store/disk"
)

const (
	PageSize = 8192 // page size of every file
	Reserved = 8    // bytes at the end of a page: the mark and the checksum

	mark       = 0x73756d31 // "sum1"
	reservedAt = 20         // offset in the file header of the number of reserved bytes
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// sum returns the checksum of a page.
func sum(page []byte, number int64) uint32 {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], uint64(number))
	return crc32.Update(crc32.Checksum(b[:], castagnoli), castagnoli, page[:len(page)-4])
}

// Seal writes the checksum of a page, whose number counts from 1.
func Seal(page []byte, number int64) {
	end := page[len(page)-Reserved:]
	binary.BigEndian.PutUint32(end, mark)
	binary.BigEndian.PutUint32(end[4:], sum(page, number))
}

// Valid reports whether the checksum of a page is right.
func Valid(page []byte, number int64) bool {
	return isMarked(page) && binary.BigEndian.Uint32(page[len(page)-4:]) == sum(page, number)
}

// Present reports whether the file with the given first page has checksums. The header and the end
// of the page each tell, so that damage to one of them does not switch the checksums off.
func Present(first []byte) bool { return first[reservedAt] == Reserved || isMarked(first) }

func isMarked(page []byte) bool {
	return binary.BigEndian.Uint32(page[len(page)-Reserved:]) == mark
}

// HasMark reports whether the first page of a file ends with the mark of a checksum.
func HasMark(path string) bool {
	f, err := disk.OpenRaw(path)
	if err != nil {
		return false
	}
	defer f.Close()
	page := make([]byte, PageSize)
	_, err = io.ReadFull(io.NewSectionReader(f, 0, PageSize), page)
	return err == nil && isMarked(page)
}
