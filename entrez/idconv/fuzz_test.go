package idconv

import "testing"

func FuzzParse(f *testing.F) {
	for _, s := range []string{
		`{"status":"ok","records":[{"pmid":1,"pmcid":"PMC2","doi":"10.1/x","requested-id":"1"},{"requested-id":"3","status":"error","errmsg":"no"}]}`,
		`{"status":"error","message":"no"}`, "", "{", "[]", "null", "\xff\xfe",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		if found, problem, err := parseConverted(body); err == nil && found == nil && problem == "" {
			t.Error("neither records nor a problem")
		}
	})
}
