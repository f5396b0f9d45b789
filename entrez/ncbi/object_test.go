package ncbi

import (
	"slices"
	"testing"

	"github.com/tidwall/gjson"
)

// NCBI writes an empty value in many ways; each is read as empty.
func TestObjectReadsWhatIsThere(t *testing.T) {
	o := Object{gjson.Parse(`{"text":"a","number":1.50,"list":["b",2," ",[]],"empty":[],"none":null,"split":"x, ,y","rows":[{"id":7}],"object":{"id":8}}`)}
	for path, want := range map[string]string{"text": "a", "number": "1.50", "list": "", "empty": "", "none": "", "absent": "", "object.id": "8", "rows.0.id": "7"} {
		t.Run(path, func(t *testing.T) {
			if got := o.Text(path); got != want {
				t.Errorf("%s: %q, not %q", path, got, want)
			}
		})
	}
	for path, want := range map[string][]string{"text": {"a"}, "list": {"b", "2"}, "empty": {}, "none": {}, "absent": {}} {
		t.Run(path, func(t *testing.T) {
			if got := o.Texts(path); got == nil || !slices.Equal(got, want) {
				t.Errorf("%s: %#v, not %q", path, got, want)
			}
		})
	}
	if got := o.Split("split", ","); !slices.Equal(got, []string{"x", "y"}) {
		t.Errorf("%q", got)
	}
	if rows := o.Each("rows"); len(rows) != 1 || rows[0].Text("id") != "7" {
		t.Errorf("%v", rows)
	}
	if len(o.Each("object"))+len(o.Each("text"))+len(o.Each("absent")) > 0 {
		t.Error("what is no list has members")
	}
}
