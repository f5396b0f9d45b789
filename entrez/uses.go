package entrez

import "biomcp/entrez/polite"

// manual is where NCBI describes the parameters of the E-utilities.
const manual = "document, https://www.ncbi.nlm.nih.gov/books/NBK25499/"

// uses are what is relied on of the E-utilities.
var uses = []polite.Use{
	{Path: "esearch.fcgi", Params: "db term retmode retstart retmax sort usehistory WebEnv mindate maxdate datetype", Seen: manual},
	{Path: "esummary.fcgi", Params: "db id retmode version", Seen: manual},
	{Path: "efetch.fcgi", Params: "db id retmode rettype retstart retmax WebEnv query_key", Seen: manual},
	{Path: "efetch.fcgi", Params: "is_variationid", Seen: "document, https://www.ncbi.nlm.nih.gov/clinvar/docs/maintenance_use/"},
	{Path: "elink.fcgi", Params: "dbfrom db id linkname cmd retmode", Seen: manual},
	{Path: "einfo.fcgi", Params: "db version retmode", Seen: manual},
	{Path: "espell.fcgi", Params: "db term", Seen: manual},
	{Path: "epost.fcgi", Params: "db id", Seen: manual},
	{Path: "ecitmatch.cgi", Params: "db retmode rettype bdata", Seen: manual},
}
