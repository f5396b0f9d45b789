package pubmed

import (
	"encoding/json"
	"testing"
)

func TestUnknownPartsOfADateAreNull(t *testing.T) {
	for _, c := range []struct {
		date PubDate
		want string
	}{
		{PubDate{Year: 2024, Month: 5, Day: 11}, `{"year":2024,"month":5,"day":11,"season":null,"medline_date":null}`},
		{PubDate{Year: 2024, Season: "Spring"}, `{"year":2024,"month":null,"day":null,"season":"Spring","medline_date":null}`},
		{PubDate{Year: 1998, MedlineDate: "1998 Dec-1999 Jan"}, `{"year":1998,"month":null,"day":null,"season":null,"medline_date":"1998 Dec-1999 Jan"}`},
		{PubDate{}, `{"year":null,"month":null,"day":null,"season":null,"medline_date":null}`},
	} {
		t.Run(c.want, func(t *testing.T) {
			body, err := json.Marshal(c.date)
			if err != nil || string(body) != c.want {
				t.Errorf("%+v is %s, %v", c.date, body, err)
			}
			var back PubDate
			if json.Unmarshal(body, &back) != nil || back != c.date {
				t.Errorf("%s is read as %+v", body, back)
			}
		})
	}
}
