package layout

import (
	"reflect"
	"testing"
)

func TestList(t *testing.T) {
	got := File{Columns: "uuid or sgc_id|date?|name"}.List()
	want := []Column{{[]string{"uuid", "sgc_id"}, false}, {[]string{"date"}, true}, {[]string{"name"}, false}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if got := (File{}).List(); got != nil {
		t.Errorf("a file without columns: got %v, want none", got)
	}
}
