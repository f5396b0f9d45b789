package entreztest

import "strings"

const epostProlog = `<?xml version="1.0" encoding="UTF-8" ?>
<!DOCTYPE ePostResult PUBLIC "-//NLM//DTD epost 20090526//EN" "https://eutils.ncbi.nlm.nih.gov/eutils/dtd/20090526/epost.dtd">`

func epostError(messages ...string) reply {
	var b strings.Builder
	for _, m := range messages {
		b.WriteString("\n\t" + tag("ERROR", m))
	}
	return xmlReply(epostProlog + "<ePostResult>" + b.String() + "</ePostResult>\n")
}

// epost answers epost.fcgi (captures epost1 to epost3). Like NCBI it also stores unknown IDs.
func (s *Server) epost(c *call) reply {
	db := c.db()
	switch db {
	case "pubmed", "pmc", "mesh":
	default:
		return xmlReply(epostProlog +
			"\n<ePostResult>\n\t" + tag("ERROR", "Invalid db name specified: "+db) + "\n</ePostResult>\n")
	}
	var ids []string
	omitted := false
	for _, id := range c.ids() {
		if strings.Trim(id, "0123456789") != "" || atoi32(id) == 0 {
			omitted = true
			continue
		}
		ids = append(ids, id)
	}
	if len(ids) == 0 {
		messages := []string{"Empty ID list; Nothing to store"}
		if omitted {
			messages = append(messages,
				"Some IDs have invalid value and were omitted. Maximum ID value 18446744073709551615")
		}
		return epostError(messages...)
	}
	if len(ids) > maxFetchIDs {
		return epostError("Too many UIDs in request. Maximum number of UIDs is 10000.")
	}
	env, key := s.history.put(c.get("WebEnv"), resultSet{db: db, ids: ids, text: "#posted"})
	return xmlReply(epostProlog +
		"<ePostResult>\n\t" + tag("QueryKey", key) + "\n\t" + tag("WebEnv", env) + "\n</ePostResult>\n")
}
