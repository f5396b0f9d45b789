package idconv_test

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"

	"biomcp/entrez/httpclient"
	"biomcp/entrez/idconv"
	"biomcp/entrez/ncbi"
)

// Any reply with status ok gives PMIDs, and any other gives an error.
func FuzzConvert(f *testing.F) {
	for _, s := range []string{
		`{"status":"ok","records":[{"pmid":1,"pmcid":"PMC2","doi":"10.1/x","requested-id":"1"},{"requested-id":"3","status":"error","errmsg":"no"}]}`,
		`{"status":"error","message":"no"}`, `{"records":[]}`, "", "{", "[]", "null", "\xff\xfe",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		synctest.Test(t, func(t *testing.T) {
			found, err := idconv.Convert(t.Context(), client(t, httpclient.Config{Transport: one{200, string(body)}}), []string{"1", "PMC2"})
			switch e := new(httpclient.Error); {
			case err == nil && (len(found) != 2 || ncbi.Parse(body).Text("status") != "ok"):
				t.Errorf("%q of a reply that is not ok", found)
			case err != nil && (!errors.As(err, &e) || strings.TrimSpace(e.Message) == ""):
				t.Errorf("no problem is named: %v", err)
			}
		})
	})
}
