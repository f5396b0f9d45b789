package entrez

import "strings"

// Dropped is every part of the query that was not searched for.
func (f *SearchResult) Dropped() []string {
	out := []string{}
	return append(append(append(out, f.PhrasesNotFound...), f.FieldsNotFound...), f.QuotedPhrasesNotFound...)
}

// Broadened is a notice on each way in which the search was broader than asked.
func (f *SearchResult) Broadened() []string {
	var out []string
	if len(f.PhrasesNotFound) > 0 {
		text := "PubMed does not know, and dropped from the search: " + quoted(f.PhrasesNotFound)
		if f.Count > 0 {
			text += "; the hits are for the rest of the query only"
		}
		out = append(out, text)
	}
	if len(f.FieldsNotFound) > 0 {
		out = append(out, "PubMed does not know the field, and ignored it: "+quoted(f.FieldsNotFound))
	}
	if len(f.QuotedPhrasesNotFound) > 0 {
		out = append(out, "PubMed does not know the phrase, and searched for its words apart: "+quoted(f.QuotedPhrasesNotFound))
	}
	return out
}

func quoted(words []string) string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = "“" + strings.Trim(w, `"`) + "”"
	}
	return strings.Join(out, ", ")
}
