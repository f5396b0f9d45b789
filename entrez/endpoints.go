package entrez

import (
	"time"

	"biomcp/entrez/polite"
)

// Service is one of the services asked; its text names it to people.
type Service string

const (
	Entrez      Service = "NCBI E-utilities"
	IDConverter Service = "PMC ID converter"
	PubTator    Service = "PubTator3"
)

// lane is what shares a limit. The E-utilities count by address (or by key), and
// NCBI states no limit of its own for the ID converter, so that without a key
// both go together, the careful reading. PubTator3 states 3 a second of its own.
func (s Service) lane() string {
	if s == PubTator {
		return "pubtator"
	}
	return "ncbi"
}

// An endpoint is one address with what may be expected of its answers.
type endpoint struct {
	service Service
	op      string // NCBI's name for it
	file    string // under the service's base
	form    polite.Form
	most    int64         // bytes read of one answer
	ttl     time.Duration // how long an answer is kept
}

const (
	hour = time.Hour
	day  = 24 * time.Hour
	mb   = 1 << 20

	perRecord = mb / 4
)

// Every call and how long its answer holds. A search is out of date when
// something was published; a record changes seldom, and when it does a week is
// bearable (a sync never reads the cache). Summaries and links carry counts and
// neighbours that grow daily. A name, an id or a spelling once resolved stays so
// for longer than a day, but costs little to ask again. Annotations are computed
// anew a few times a year. EPost's answer is a session on NCBI's side and is
// never kept. The bounds are several times the largest honest answer, and as low
// as that allows, for a bomb of gzip is unpacked up to them: 9,999 ids are 0.2 MB.
// A record is 20 kB, but one with three thousand authors and their addresses 1 MB;
// an EFetch may be perRecord for each, and Fetch halves what is longer.
var (
	esearch   = endpoint{Entrez, "ESearch", "esearch.fcgi", polite.XML, 8 * mb, hour}
	esummary  = endpoint{Entrez, "ESummary", "esummary.fcgi", polite.JSON, 32 * mb, day}
	efetch    = endpoint{Entrez, "EFetch", "efetch.fcgi", polite.XML, 32 * mb, 7 * day}
	elink     = endpoint{Entrez, "ELink", "elink.fcgi", polite.XML, 32 * mb, day}
	einfo     = endpoint{Entrez, "EInfo", "einfo.fcgi", polite.XML, 4 * mb, day}
	espell    = endpoint{Entrez, "ESpell", "espell.fcgi", polite.XML, 4 * mb, day}
	epost     = endpoint{Entrez, "EPost", "epost.fcgi", polite.XML, 4 * mb, 0}
	ecitmatch = endpoint{Entrez, "ECitMatch", "ecitmatch.cgi", polite.Text, 4 * mb, day}
	idconv    = endpoint{IDConverter, "ID conversion", "", polite.JSON, 4 * mb, day}
	bioc      = endpoint{PubTator, "annotations", "publications/export/biocjson", polite.JSON, 64 * mb, 7 * day}
)
