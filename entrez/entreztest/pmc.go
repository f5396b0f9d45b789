package entreztest

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"strings"
)

const pmcProlog = `<?xml version="1.0" ?>
<!DOCTYPE pmc-articleset PUBLIC "-//NLM//DTD ARTICLE SET 2.0//EN" "https://dtd.nlm.nih.gov/ncbi/pmc/articleset/nlm-articleset-2.0.dtd">
<pmc-articleset>`

var (
	pmcNumber = regexp.MustCompile(`<article-id[^>]*pub-id-type="(?:pmc|pmcid)"[^>]*>\s*(?:PMC)?(\d+)\s*<`)
	jatsBody  = regexp.MustCompile(`(?s)<body\b.*</body>`)
	jatsRoot  = []byte("<article")
)

// AddJATS adds a full text and returns the PMCID in it.
func (s *Server) AddJATS(data []byte) (pmcid string, err error) {
	front, _, _ := bytes.Cut(data, []byte("</article-meta>"))
	m := pmcNumber.FindSubmatch(front)
	start := bytes.Index(data, jatsRoot)
	if m == nil || start < 0 {
		return "", errors.New("no <article> with an article-id of type pmc")
	}
	pmcid = "PMC" + string(m[1])
	s.mu.Lock()
	defer s.mu.Unlock()
	s.jats[pmcid] = bytes.TrimSpace(bytes.Clone(data[start:]))
	delete(s.withheld, pmcid)
	return pmcid, nil
}

// Withhold makes PMC return only the front matter of an article, as it does if the publisher does
// not allow sharing the text.
func (s *Server) Withhold(pmcid string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.withheld[pmcid] = true
}

// fetchPMC answers efetch db=pmc (capture efetch_pmc) with the known articles, and with an error
// element for each unknown one.
func (s *Server) fetchPMC(c *call) reply {
	ids := c.ids()
	if key := c.get("query_key"); key != "" {
		stored, ok := s.historyIDs(c, maxFetchIDs)
		if !ok {
			return efetchError(http.StatusBadRequest, "Cannot retrieve history data. query_key: "+key)
		}
		ids = append(ids, stored...)
	}
	if len(ids) == 0 {
		return efetchError(http.StatusBadRequest, noIDs)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	var b strings.Builder
	b.WriteString(pmcProlog)
	for _, id := range ids {
		number := strings.TrimPrefix(strings.ToUpper(id), "PMC")
		text, ok := s.jats["PMC"+number]
		switch {
		case !ok:
			fmt.Fprintf(&b, `<error id="%s">The following PMCID is not available: %s</error>`, attr(number), esc(number))
		case s.withheld["PMC"+number]:
			b.Write(jatsBody.ReplaceAll(text, nil))
			b.WriteString("<!--The publisher of this article does not allow downloading of the full text in XML " +
				"form.-->")
		default:
			b.Write(text)
		}
	}
	return xmlReply(b.String() + "\n</pmc-articleset>")
}
