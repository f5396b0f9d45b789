package entreztest

import (
	"cmp"
	"net/http"
	"strconv"
	"strings"

	"biomcp/entrez/sourcetest"
)

// faultReply returns the reply to a fault in NCBI's own form, or false if NCBI has none for it.
func (s *Server) faultReply(in *sourcetest.Call) (reply, bool) {
	c := &call{in}
	switch c.Fault.Kind {
	case Limit429:
		return limitBody(http.StatusTooManyRequests, c), true
	case Limit200:
		return limitBody(http.StatusOK, c), true
	case BadKey:
		return badKey(c.Client), true
	case URITooLarge:
		return uriTooLarge(), true
	case HTML500:
		return sourcetest.Page(500, "NCBI/eutils202 - WWW Error 500 Diagnostic", "Error 500: Internal Server Error"), true
	case EmptyXML:
		return xmlReply(`<?xml version="1.0" encoding="UTF-8" ?>` + "\n"), true
	case CppException:
		return textReply("NCBI C++ Exception:\n    Error: (CEutilsException) \"eutils.cpp\", line 311: query() --- " +
			"connection to the search backend was reset\n"), true
	case Error200:
		text := cmp.Or(c.Fault.Text, "Search Backend failed: Database is not supported: "+c.db())
		return errorIn200(c.Endpoint, c, text), true
	case RawNewline:
		return rawJSONError(c.Endpoint, c.Endpoint+"result", retstartError), true
	case DeadWebEnv:
		return deadWebEnv(c.Endpoint, c), true
	}
	return reply{}, false
}

// limitBody returns the reply above the rate limit, which is always JSON (capture
// esearch_json_25d287820236).
func limitBody(status int, c *call) reply {
	return jsonReply(status, struct {
		Error string `json:"error"`
		Key   string `json:"api-key"`
		Count string `json:"count"`
		Limit string `json:"limit"`
	}{"API rate limit exceeded", c.Client, strconv.Itoa(max(c.Count, c.Limit+1)), strconv.Itoa(c.Limit)})
}

// badKey returns the reply to an invalid API key. Like NCBI it repeats the key.
func badKey(key string) reply {
	return jsonReply(http.StatusBadRequest, struct {
		Error  string `json:"error"`
		Key    string `json:"api-key"`
		Type   string `json:"type"`
		Status string `json:"status"`
	}{"API key invalid", key, "invalid", "unknown"})
}

// errorIn200 returns an error in the endpoint's own wrapper, as JSON if the request asked for JSON
// and the endpoint has it.
func errorIn200(name string, c *call, text string) reply {
	if c.json() {
		switch name {
		case "esearch", "einfo":
			return rawJSONError(name, name+"result", text)
		case "esummary":
			return jsonReply(http.StatusOK, struct {
				Header header   `json:"header"`
				Result []string `json:"esummaryresult"`
			}{headerOf(name), []string{text}})
		case "elink":
			return jsonReply(http.StatusOK, struct {
				Header header `json:"header"`
				Error  string `json:"ERROR"`
			}{headerOf(name), text})
		}
	}
	switch name {
	case "esearch":
		return esearchError(&call{&sourcetest.Call{}}, text)
	case "esummary":
		return xmlReply(esummaryProlog + "<eSummaryResult>\n\t" + tag("ERROR", text) + "\n</eSummaryResult>\n")
	case "efetch":
		return efetchError(http.StatusOK, text)
	case "elink":
		return xmlReply(elinkProlog + "<eLinkResult>\n\n\t" + tag("ERROR", text) + "\n</eLinkResult>\n")
	case "einfo":
		return xmlReply(einfoProlog + "<eInfoResult>\n\t" + tag("ERROR", text) + "\n</eInfoResult>\n")
	case "epost":
		return epostError(text)
	case "espell":
		return espellReply(c.db(), c.get("term"), "", "", text)
	case "ecitmatch":
		return textReply(text + "\n")
	}
	return jsonReply(http.StatusOK, struct {
		Status  string `json:"status"`
		Message string `json:"message"`
	}{"error", text})
}

func deadWebEnv(name string, c *call) reply {
	key := c.or("query_key", "1")
	if name == "efetch" {
		return efetchError(http.StatusBadRequest,
			"Cannot retrieve history data. query_key: "+key+", WebEnv: "+c.get("WebEnv")+
				", retstart: "+strconv.Itoa(c.number("retstart", 0))+
				", retmax: "+strconv.Itoa(c.number("retmax", maxFetchIDs)),
			"Can't fetch uids from history because of: NCBI C++ Exception:\n    Error: "+
				"UNK_MODULE(CException::eInvalid) \"UNK_FILE\", line 18446744073709551615: UNK_FUNC --- ")
	}
	return errorIn200(name, c, "Unable to obtain query #"+key)
}

// uriTooLarge returns the page of NCBI's web server for an address above its limit.
func uriTooLarge() reply {
	const page = `<?xml version="1.0" encoding="ISO-8859-1"?>
<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN"
  "http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd">
<html xmlns="http://www.w3.org/1999/xhtml" lang="en" xml:lang="en">
<head><title>TITLE</title></head>
<body><h1>TITLE</h1><p>The URL is longer than this server takes.</p><h2>Error 414</h2></body>
</html>
`
	body := strings.ReplaceAll(page, "TITLE", "Submitted URI too large!")
	return reply{Status: http.StatusRequestURITooLong, Type: sourcetest.HTMLType, Body: []byte(body)}
}
