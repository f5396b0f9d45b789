package entrez

import (
	"context"
	"slices"
	"strings"
	"sync"
	"unicode"

	"biomcp/entrez/pattern"
	"biomcp/entrez/record"
)

// harmlessMessages lists the beginnings of messages that do not concern the query.
var harmlessMessages = []string{"No items found", "Restrictions achieved", "Unknown sort schema"}

// DroppedTerms returns every part of the query that was not searched for as written. Such a search is
// broader than intended.
func (f *SearchResult) DroppedTerms() []record.DroppedTerm {
	out := []record.DroppedTerm{}
	add := func(action string, notSearched bool, phrases ...string) {
		for _, p := range phrases {
			out = append(out, record.DroppedTerm{Phrase: p, Action: action, NotSearched: notSearched})
		}
	}
	lost := func(w string) bool { return !slices.Contains(words(f.Translation), w) }
	for _, p := range f.PhrasesNotFound {
		what := "does not know"
		if f.Count > 0 || slices.ContainsFunc(words(p), lost) {
			what += ", and dropped from the search"
		}
		add(what, f.Count > 0, p)
	}
	add("does not know the field, and ignored it", false, f.FieldsNotFound...)
	for _, p := range f.QuotedPhrasesNotFound {
		gone := slices.ContainsFunc(words(tagForm().ReplaceAllString(p, "")), lost)
		did := "searched for its words separately"
		if gone {
			did = "dropped it from the search"
		}
		add("does not know the phrase, and "+did, gone && f.Count > 0, p)
	}
	for _, p := range f.PhrasesIgnored { // stop words
		out = append(out, record.DroppedTerm{Phrase: p, Action: "does not search for, and ignored", NotSearched: true, OnlyStopWords: true})
	}
	for _, m := range f.Messages {
		about := func(start string) bool { return strings.HasPrefix(m, start) }
		reported := about("Quoted phrase not found") && len(f.QuotedPhrasesNotFound) > 0
		if !slices.ContainsFunc(harmlessMessages, about) && !reported {
			out = append(out, record.DroppedTerm{Action: "says: " + m})
		}
	}
	return out
}

// words returns the words of a query or a phrase in lower case.
func words(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text),
		func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

var (
	tagForm    = pattern.Lazy(`\[([^\[\]"]*)\]`)
	quotedForm = pattern.Lazy(`"[^"]*"`)
)

// pubmedTags returns the tags in PubMed's User Guide ("Search field tags") that EInfo does not
// list: short forms and older names.
var pubmedTags = sync.OnceValue(func() []string {
	return strings.Split("ad,affiliation,aid,all,au,auid,author,1au,lastau,author - first,author - "+
		"last,book,cn,cois,crdt,dcom,doi,dp,ed,edat,"+
		"epdat,fau,filter,fir,first author,gr,grant "+
		"number,investigator,ip,ir,isbn,issn,jid,jour,la,language,last author,lid,lr,majr,mdat,mesh,mesh "+
		"terms,mh,mhda,"+
		"nm,ot,pa,pdat,pg,pii,pl,pmc,pmcid,pmid,ppdat,ps,pt,pubn,publication "+
		"type,publisher,rn,sb,sh,si,so,stat,subheading,subset,substance name,ta,text word,text words,"+
		"ti,tiab,title,title/abstract,tt,tw,uid,vi,volume,issue,pagination,page,journal,transliterated "+
		"title,other term,entrez date,publication date,create date,mesh major topic,mesh subheading", ",")
})

// UnknownTags returns the field tags of a query that a database does not have, as written, and the
// names that it has. NCBI ignores an unknown tag without a message, which makes the search broader.
// UnknownTags calls EInfo only if a tag is not one of those documented for PubMed.
func (c *Client) UnknownTags(ctx context.Context, db, query string) (unknown, names []string, err error) {
	var documented, open []string
	if db == "pubmed" {
		documented = pubmedTags()
	}
	for _, m := range tagForm().FindAllStringSubmatch(quotedForm().ReplaceAllString(query, `""`), -1) {
		if !slices.Contains(documented, tagName(m[1])) && !slices.Contains(open, m[1]) {
			open = append(open, m[1])
		}
	}
	if len(open) == 0 {
		return nil, nil, nil
	}
	info, err := c.Info(ctx, db)
	if err != nil {
		return nil, nil, err
	}
	names = slices.Clone(documented)
	for _, f := range info.Fields {
		names = append(names, strings.ToLower(f.Name), strings.ToLower(f.FullName))
	}
	return slices.DeleteFunc(open, func(tag string) bool { return slices.Contains(names, tagName(tag)) }), names, nil
}

// tagName returns a tag in lower case without its modifier (:noexp, :~3).
func tagName(tag string) string {
	name, _, _ := strings.Cut(tag, ":")
	return strings.Join(strings.Fields(strings.ToLower(name)), " ")
}
