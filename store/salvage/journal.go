package salvage

import "encoding/binary"

const (
	walHeader   = 32
	frameHeader = 24
)

// journal finds the committed pages of the journal. It verifies each by the checksums of its frame
// and the previous one. SQLite itself ignores everything after the first damaged frame.
func (f *File) journal() {
	head := make([]byte, walHeader)
	if n, _ := f.wal.ReadAt(head, 0); n < walHeader {
		return
	}
	frame := make([]byte, frameHeader+f.size)
	var order binary.ByteOrder = binary.LittleEndian
	if binary.BigEndian.Uint32(head) == 0x377f0683 {
		order = binary.BigEndian
	}
	salts := [8]byte(head[16:24])
	sum := sumOf(head[24:32])
	known := sumsOf(order, [2]uint32{}, head[:24]) == sum
	var pending map[int]int64
	damaged, unread := 0, 0
	most := f.pages // grows by one for each frame
	for at := int64(walHeader); ; at += int64(len(frame)) {
		most++
		if n, _ := f.wal.ReadAt(frame, at); n < len(frame) {
			break
		}
		page, commit := int(binary.BigEndian.Uint32(frame)), int(binary.BigEndian.Uint32(frame[4:]))
		if !known && at == walHeader { // the header is damaged, so the first frame must be trusted
			salts = [8]byte(frame[8:16])
			sum = sumOf(frame[16:24])
			damaged++
		} else {
			was := sum
			sum = sumOf(frame[16:24])
			computed := sumsOf(order, sumsOf(order, was, frame[:8]), frame[frameHeader:])
			if computed != sum || [8]byte(frame[8:16]) != salts {
				damaged++
				continue
			}
		}
		if pending == nil {
			pending = map[int]int64{}
		}
		if page > 0 && page <= most {
			pending[page] = at + frameHeader
		}
		if commit > 0 {
			for page, at := range pending {
				f.frames[page] = at
				f.pages = max(f.pages, page)
			}
			pending, unread = nil, damaged
		}
	}
	f.UnreadPages = unread
}

func sumOf(b []byte) [2]uint32 {
	return [2]uint32{binary.BigEndian.Uint32(b), binary.BigEndian.Uint32(b[4:])}
}

// sumsOf returns the journal checksum of b, continuing from the checksum s of the preceding bytes.
func sumsOf(order binary.ByteOrder, s [2]uint32, b []byte) [2]uint32 {
	for ; len(b) >= 8; b = b[8:] {
		s[0] += order.Uint32(b) + s[1]
		s[1] += order.Uint32(b[4:]) + s[0]
	}
	return s
}
