package entrez_test

import "testing"

func TestSummaryTitleAndDate(t *testing.T) {
	for name, c := range map[string]struct{ doc, title, date string }{
		"title in German alone":  {`"title":"[Not Available].","vernaculartitle":"Über Hefe.","doctype":"citation","pubdate":"2001 Mar"`, "Über Hefe.", "2001 Mar"},
		"no title at all":        {`"title":"","vernaculartitle":"Über Hefe.","pubdate":"2001"`, "Über Hefe.", "2001"},
		"translated":             {`"title":"[On yeast].","vernaculartitle":"Über Hefe.","pubdate":"2001"`, "[On yeast].", "2001"},
		"chapter":                {`"title":"A chapter","booktitle":"A book","doctype":"chapter","pubdate":"1993","docdate":"2001/03/26 00:00"`, "A chapter", "2001 Mar 26"},
		"chapter, date in words": {`"title":"A chapter","booktitle":"A book","doctype":"chapter","pubdate":"1993","docdate":"2001 Mar 26"`, "A chapter", "2001 Mar 26"},
		"chapter without a date": {`"title":"A chapter","booktitle":"A book","doctype":"chapter","pubdate":"1993","docdate":""`, "A chapter", "1993"},
		"book":                   {`"title":"","booktitle":"A book","doctype":"book","pubdate":"1993","docdate":"2001/03/26 00:00"`, "A book", "1993"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := answer(t, 200, []byte(`{"result":{"uids":["1"],"1":{"uid":"1",`+c.doc+`}}}`)).Summaries(t.Context(), []string{"1"})
			if err != nil || len(got.Items) != 1 {
				t.Fatal(got, err)
			}
			if s := got.Items[0]; s.Title != c.title || s.PubDate != c.date {
				t.Errorf("%s: title %q, date %q", name, s.Title, s.PubDate)
			}
		})
	}
}
