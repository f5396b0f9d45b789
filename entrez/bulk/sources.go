package bulk

import (
	"maps"
	"slices"
	"strings"

	"biomcp/entrez/polite"
)

// The sources. Each has its own pace, also where two share a host.
var (
	gtrFiles = source("gtr_files", "GTR's files", "https://ftp.ncbi.nlm.nih.gov/pub/GTR/data/", "test_version.gz")
	whoIVD   = source("who_ivd", "WHO's list of diagnostics", "https://extranet.who.int/prequal/", "vitro-diagnostics/prequalified/in-vitro-diagnostics/export")
	ema      = source("ema", "EMA's files", "https://www.ema.europa.eu/en/documents/report/", "dhpc-output-json-report_en.json")
	who      = source("who", "WHO's lists of medicines", "https://extranet.who.int/prequal/", "vaccines/prequalified/export")
	cvx      = source("cvx", "CDC's vaccine codes", "https://www2.cdc.gov/vaccines/iis/iisstandards/downloads/", "mvx.txt")
	mesh     = source("mesh", "MeSH files", "https://nlmpubs.nlm.nih.gov/projects/mesh/MESH_FILES/", "xmlmesh/")
	hgnc     = source("hgnc", "HGNC's files", "https://storage.googleapis.com/public-download-files/hgnc/tsv/tsv/", "hgnc_complete_set.txt")
)

// source is a source of files, which is asked whether it has one to see that it answers.
func source(name, label, address, path string) polite.Source {
	return polite.Source{
		Name: name, Label: label, Address: address, Rate: polite.Rate{Lane: name, PerSecond: 1}, Judge: polite.Absent("no longer has the file at this address"), // institutions change their sites
		Ping: polite.NewCall(polite.Endpoint{Op: "file", Path: path, Form: polite.Head}),
	}
}

// Sources is every source of files.
func Sources() (list []*polite.Source) {
	for _, s := range Sets() {
		list = append(list, s.Source)
	}
	return list
}

func init() {
	for _, s := range Sets() {
		s.Source.Uses = []polite.Use{{Path: s.Source.Ping.Path, Seen: "document, " + s.Page}}
		for _, f := range s.Files {
			u := polite.Use{Path: strings.ReplaceAll(f.Path, "{year}", "*"), Params: strings.Join(slices.Sorted(maps.Keys(f.Params)), " "), Seen: "document, " + s.Page}
			if u != s.Source.Uses[0] {
				s.Source.Uses = append(s.Source.Uses, u)
			}
		}
	}
}
