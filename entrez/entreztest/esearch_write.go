package entreztest

import (
	"net/http"
	"strconv"
	"strings"

	"biomcp/entrez/sourcetest"
)

const esearchProlog = `<?xml version="1.0" encoding="UTF-8" ?>
<!DOCTYPE eSearchResult PUBLIC "-//NLM//DTD esearch 20060628//EN" "https://eutils.ncbi.nlm.nih.gov/eutils/dtd/20060628/esearch.dtd">
`

func esearchError(c *call, message string) reply {
	if c.json() {
		return rawJSONError("esearch", "esearchresult", message)
	}
	return xmlReply(esearchProlog + "<eSearchResult>" + tag("ERROR", message) + "</eSearchResult>\n")
}

// rawJSONError returns a JSON error as NCBI builds it. NCBI does not escape line breaks in the
// text, which makes the document invalid.
func rawJSONError(name, result, message string) reply {
	quoted := strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(message)
	header := `{"header":{"type":"` + name + `","version":"0.3"},`
	body := header + `"` + result + `":{"ERROR":"` + quoted + `"}}`
	return reply{Status: http.StatusOK, Type: sourcetest.JSONType, Body: []byte(body)}
}

// xml returns eSearchResult (DTD eSearch_020511; captures esearch1 to esearch8).
func (f *found) xml(countOnly bool) reply {
	var b strings.Builder
	b.WriteString(esearchProlog + "<eSearchResult>" + tag("Count", strconv.Itoa(f.count)))
	if countOnly {
		return xmlReply(b.String() + "</eSearchResult>\n")
	}
	b.WriteString(tag("RetMax", strconv.Itoa(len(f.ids))) + tag("RetStart", strconv.Itoa(f.retStart)))
	if f.webEnv != "" {
		b.WriteString(tag("QueryKey", f.queryKey) + tag("WebEnv", f.webEnv))
	}
	if len(f.ids) == 0 {
		b.WriteString("<IdList/>")
	} else {
		b.WriteString("<IdList>\n")
		for _, id := range f.ids {
			b.WriteString(tag("Id", id) + "\n")
		}
		b.WriteString("</IdList>")
	}
	if len(f.search.translations) == 0 {
		b.WriteString("<TranslationSet/>")
	} else {
		b.WriteString("<TranslationSet>")
		for _, t := range f.search.translations {
			b.WriteString("<Translation>     " + tag("From", t.From) + "     " + tag("To", t.To) + "    </Translation>")
		}
		b.WriteString("</TranslationSet>")
	}
	b.WriteString(tag("QueryTranslation", f.translation))
	if len(f.search.notFound)+len(f.search.fieldsNotFound) > 0 {
		b.WriteString("<ErrorList>" + tags("PhraseNotFound", f.search.notFound) +
			tags("FieldNotFound", f.search.fieldsNotFound) + "</ErrorList>")
	}
	if len(f.search.ignored)+len(f.search.quotedNotFound)+len(f.messages) > 0 {
		b.WriteString("<WarningList>" + tags("PhraseIgnored", f.search.ignored) +
			tags("QuotedPhraseNotFound", f.search.quotedNotFound) + tags("OutputMessage", f.messages) + "</WarningList>")
	}
	return xmlReply(b.String() + "</eSearchResult>\n")
}

// tags returns an element for each text.
func tags(name string, texts []string) string {
	var b strings.Builder
	for _, t := range texts {
		b.WriteString(tag(name, t))
	}
	return b.String()
}

type esearchJSON struct {
	Header header `json:"header"`
	Result any    `json:"esearchresult"`
}

type esearchResult struct {
	Count            string        `json:"count"`
	RetMax           string        `json:"retmax"`
	RetStart         string        `json:"retstart"`
	QueryKey         string        `json:"querykey,omitempty"`
	WebEnv           string        `json:"webenv,omitempty"`
	IDs              []string      `json:"idlist"`
	Translations     []Translation `json:"translationset"`
	QueryTranslation string        `json:"querytranslation"`
	Errors           *errorList    `json:"errorlist,omitempty"`
	Warnings         *warningList  `json:"warninglist,omitempty"`
}

type errorList struct {
	PhrasesNotFound []string `json:"phrasesnotfound"`
	FieldsNotFound  []string `json:"fieldsnotfound"`
}

type warningList struct {
	PhrasesIgnored        []string `json:"phrasesignored"`
	QuotedPhrasesNotFound []string `json:"quotedphrasesnotfound"`
	OutputMessages        []string `json:"outputmessages"`
}

// json returns the esearchresult object (captures esearch_json_*).
func (f *found) json(countOnly bool) reply {
	if countOnly {
		return jsonReply(http.StatusOK, esearchJSON{headerOf("esearch"), struct {
			Count string `json:"count"`
		}{strconv.Itoa(f.count)}})
	}
	q := f.search
	r := esearchResult{
		Count: strconv.Itoa(f.count), RetMax: strconv.Itoa(len(f.ids)), RetStart: strconv.Itoa(f.retStart),
		QueryKey: f.queryKey, WebEnv: f.webEnv, IDs: nonNil(f.ids), Translations: nonNil(q.translations),
		QueryTranslation: f.translation,
	}
	if len(q.notFound)+len(q.fieldsNotFound) > 0 {
		r.Errors = &errorList{nonNil(q.notFound), nonNil(q.fieldsNotFound)}
	}
	if len(q.ignored)+len(q.quotedNotFound)+len(f.messages) > 0 {
		r.Warnings = &warningList{nonNil(q.ignored), nonNil(q.quotedNotFound), nonNil(f.messages)}
	}
	return jsonReply(http.StatusOK, esearchJSON{headerOf("esearch"), r})
}

// nonNil returns s, or an empty list if s is nil, so that JSON shows [].
func nonNil[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}
