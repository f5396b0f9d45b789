package article

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"unicode"

	"biomcp/cli/command"
	"biomcp/cli/result"
	"biomcp/entrez"
	"biomcp/entrez/httpclient"
	"biomcp/entrez/idconv"
	"biomcp/entrez/pattern"
)

// articleID is an id as typed, and its interpretation.
type articleID struct {
	input, pmid, pmcid, doi string
	err                     error // why the PMID is not known, nil if no source has one
}

// isOf reports whether id, whose PMID is not known, is one of an article's other ids.
func (id *articleID) isOf(pmcid, doi string) bool {
	return id.pmid == "" && (id.pmcid != "" && id.pmcid == pmcid || id.doi != "" && strings.EqualFold(id.doi, doi))
}

var (
	pmidForm = pattern.Lazy(`^(?i:pmid:?\s*|(?:https?://)?(?:pubmed\.ncbi\.nlm\.nih\.gov|pubmed\.gov|(?:www\.)?ncbi\.nlm\.nih\.gov(?:/m)?/pubmed)/)?` +
		`(\d+)/?(?:[?#]\S*)?$`)
	pmcidForm = pattern.Lazy(`^(?i:pmcid:?\s*|(?:https?://)?(?:(?:www\.)?ncbi\.nlm\.nih\.gov/pmc|pmc\.ncbi\.nlm\.nih\.gov)/articles/)?` +
		`(?i:pmc)(\d+)(?:\.\d+)?(?:[/?#]\S*)?$`)
	doiForm = pattern.Lazy(`^(?i:doi:\s*|(?:https?://)?(?:(?:dx\.|www\.)?(doi\.org)/|([a-z][\w-]*(?:\.[\w-]+)+)/(?:\S*?[/=])?))?(10\.\d{4,9}(?:/|%2[Ff])\S+)$`)
	// Suffixes that publishers append to the DOI in an article's URL: a view such as /full or
	// .full.pdf, and on bioRxiv and medRxiv a version.
	viewOfDOI = pattern.Lazy(`(?i)(?:[/.](?:full|full-?text|abstract|e?pdf(?:\+html)?|html?|meta|summary|references|figures))+/?$`)
	version   = pattern.Lazy(`^(10\.1101/[\d.]+)v\d+$`)
)

// IsID reports whether w has the form of an article id. It may still be invalid, as 0 is.
func IsID(w string) bool {
	return pmidForm().MatchString(w) || pmcidForm().MatchString(w) || doiForm().MatchString(w)
}

// joinLabels joins a label such as PMID: with the id that follows it.
func joinLabels(list []string) (ids []string) {
	for i := 0; i < len(list); i++ {
		w := list[i]
		if i+1 < len(list) && !IsID(w) && IsID(w+list[i+1]) {
			i++
			w += list[i]
		}
		ids = append(ids, w)
	}
	return ids
}

// owns reports whether w must be an article id; a bare number may be another entity's.
func owns(w string) bool { return IsID(w) && strings.Trim(w, "0123456789") != "" }

// parseArticleIDs parses PMIDs, PMCIDs and DOIs. It accepts the usual prefixes, URLs, also
// of publishers if they contain a DOI, and PMCIDs with a version, which it drops.
func parseArticleIDs(words []string) ([]*articleID, error) {
	ids := make([]*articleID, len(words))
	for i, w := range words {
		var err error
		if ids[i], err = parseArticleID(w); err != nil {
			return nil, err
		}
	}
	return ids, nil
}

func checkArticleID(w string) error {
	_, err := parseArticleID(w)
	return err
}

// parseArticleID parses one id that satisfies IsID.
func parseArticleID(w string) (*articleID, error) {
	id := &articleID{input: w}
	if m := pmidForm().FindStringSubmatch(w); m != nil {
		n, err := trimID(m[1], "PMID")
		id.pmid = n
		return id, err
	}
	if m := pmcidForm().FindStringSubmatch(w); m != nil {
		n, err := trimID(m[1], "PMCID")
		id.pmcid = "PMC" + n
		return id, err
	}
	m := doiForm().FindStringSubmatch(w)
	id.doi = strings.TrimRight(m[3], ".,;:\"'”’") // punctuation of the surrounding sentence
	if m[2] != "" {                               // the URL of a publisher
		if end := strings.IndexAny(id.doi, "?#&"); end > 0 {
			id.doi = id.doi[:end]
		}
		id.doi = version().ReplaceAllString(viewOfDOI().ReplaceAllString(id.doi, ""), "$1")
	}
	if plain, err := url.PathUnescape(id.doi); m[1]+m[2] != "" && err == nil {
		id.doi = plain
	}
	invalid := func(r rune) bool { return r == '"' || unicode.IsSpace(r) || unicode.IsControl(r) }
	if len(id.doi) > 300 || strings.ContainsFunc(id.doi, invalid) {
		return nil, result.Invalid(fmt.Sprintf("%q is not a DOI", command.Clip(w)), "get", "article", "--help")
	}
	return id, nil
}

// trimID strips leading zeros. PMIDs have eight digits today; it rejects more than ten.
func trimID(digits, kind string) (string, error) {
	n := strings.TrimLeft(digits, "0")
	if n == "" || len(n) > 10 {
		return "", result.Invalid(fmt.Sprintf("%s is not a %s: a %[2]s has 1 to 10 digits and is not 0",
			command.Clip(digits), kind),
			"get", "article", "--help")
	}
	return n, nil
}

// resolve finds the PMIDs of PMCIDs and DOIs. It asks the ID converter, which covers PMC,
// and then searches PubMed for the remaining DOIs. If the converter does not answer, the PMCIDs are
// looked up in PMC. An id that could not be looked up has an error.
// The only error of resolve itself is context.Canceled.
func resolve(ctx context.Context, client *httpclient.Client, ids []*articleID) (notices []string, err error) {
	var ask []string
	for _, id := range ids {
		if id.pmid == "" {
			ask = append(ask, id.pmcid+id.doi)
		}
	}
	if len(ask) == 0 {
		return nil, nil
	}
	converted, convErr := idconv.Convert(ctx, client, ask)
	if errors.Is(convErr, context.Canceled) {
		return nil, convErr
	}
	pmids := map[string]string{}
	for i, pmid := range converted {
		pmids[ask[i]] = pmid
	}
	var instead []string // lookups that replace the converter's
	if convErr != nil {
		if pmids, err = resolveInPMC(ctx, client, ids); err != nil {
			return nil, err
		}
		if len(pmids) > 0 {
			instead = append(instead, "PMCIDs were looked up in PMC")
		}
	}
	var dois []string
	for _, id := range ids {
		id.pmid = cmp.Or(id.pmid, pmids[id.pmcid+id.doi])
		switch {
		case id.pmid != "":
		case id.doi != "":
			dois = append(dois, id.doi)
		default:
			id.err = convErr
		}
	}
	if convErr != nil && len(dois) > 0 {
		instead = append(instead, "DOIs were looked up in PubMed")
	}
	if len(instead) > 0 {
		notices = append(notices, "the PMC ID converter did not answer, so "+strings.Join(instead, ", and ")+" ("+
			convErr.Error()+")")
	}
	if len(dois) == 0 {
		return notices, nil
	}
	ambiguous, err := resolveInPubMed(ctx, client, ids, dois)
	return append(notices, ambiguous...), err
}

// resolveInPubMed sets the PMIDs of the ids with the given DOIs. The only error is context.Canceled.
func resolveInPubMed(
	ctx context.Context, client *httpclient.Client, ids []*articleID, dois []string,
) (notices []string, err error) {
	found, err := entrez.New(client).FindDOIs(ctx, dois)
	if errors.Is(err, context.Canceled) {
		return nil, err
	}
	for _, id := range ids {
		switch pmids := found[id.doi]; {
		case id.pmid != "" || id.doi == "":
		case err != nil:
			id.err = err
		case len(pmids) == 0:
		case len(pmids) == 1:
			id.pmid = pmids[0]
		default: // ambiguous; the user must choose
			notices = append(notices, fmt.Sprintf("several articles have the DOI %s: PMID %s", id.doi,
				strings.Join(pmids, ", ")))
		}
	}
	return notices, nil
}

// resolveInPMC returns the PMIDs of the PMCIDs among ids from PMC itself. The only error is
// context.Canceled.
func resolveInPMC(
	ctx context.Context, client *httpclient.Client, ids []*articleID,
) (pmids map[string]string, err error) {
	var pmcids []string
	for _, id := range ids {
		if id.pmid == "" && id.pmcid != "" {
			pmcids = append(pmcids, id.pmcid)
		}
	}
	if len(pmcids) == 0 {
		return nil, nil
	}
	pmids, err = entrez.New(client).FindPMCIDs(ctx, pmcids)
	if errors.Is(err, context.Canceled) {
		return nil, err
	}
	return pmids, nil
}
