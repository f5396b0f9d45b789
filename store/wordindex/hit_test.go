package wordindex

import (
	"biomcp/store/rows"
	"testing"
)

func TestHitColumn(t *testing.T) {
	want := hit{20240229, 1<<32 - 1, 1<<31 | 7, 1<<24 - 1}
	b := want.append(nil)
	if len(b) != hitWidth || readHit(b) != want {
		t.Errorf("%x: %+v", b, readHit(b))
	}
	if size := columnHit.Width * columnHit.PageLen; size > rows.PageSize-50 || size < rows.PageSize*9/10 {
		t.Errorf("a page is %d bytes, one of SQLite %d", size, rows.PageSize)
	}
}
