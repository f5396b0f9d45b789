package bulk

import (
	"maps"
	"slices"
	"strings"
	"sync"

	"biomcp/entrez/httpclient"
)

// The sources. Each has its own rate limit, even if two share a host.
var (
	gtrFiles = source("gtr_files", "GTR's files",
		"https://ftp.ncbi.nlm.nih.gov/pub/GTR/data/", "test_version.gz")
	whoIVD = source("who_ivd", "WHO's list of diagnostics",
		"https://extranet.who.int/prequal/", "vitro-diagnostics/prequalified/in-vitro-diagnostics/export")
	ema = source("ema", "EMA's files",
		"https://www.ema.europa.eu/en/documents/report/", "dhpc-output-json-report_en.json")
	whoMedicines = source("who", "WHO's lists of medicines",
		"https://extranet.who.int/prequal/", "vaccines/prequalified/export")
	cvx = withMirror(source("cvx", "CDC's vaccine codes",
		"https://www2.cdc.gov/vaccines/iis/iisstandards/downloads/", "mvx.txt"), cdcMirror)
	mesh = source("mesh", "MeSH files",
		"https://nlmpubs.nlm.nih.gov/projects/mesh/MESH_FILES/", "xmlmesh/")
	hgnc = source("hgnc", "HGNC's files",
		"https://storage.googleapis.com/public-download-files/hgnc/tsv/tsv/", "hgnc_complete_set.txt")
	clinVar = source("clinvar_files", "ClinVar's files",
		"https://ftp.ncbi.nlm.nih.gov/pub/clinvar/tab_delimited/", "variant_summary.txt.gz")
	clinVarSubmissions = source("clinvar_submissions", "ClinVar's submissions",
		"https://ftp.ncbi.nlm.nih.gov/pub/clinvar/tab_delimited/", "submission_summary.txt.gz")
	// GitHub redirects to the newest release, and then to the host of its files.
	hpo = onHosts(source("hpo", "HPO's files",
		"https://github.com/obophenotype/human-phenotype-ontology/releases/latest/download/", "phenotype.hpoa"),
		"release-assets.githubusercontent.com", "objects.githubusercontent.com")
)

// source describes a source of files. A HEAD request for path shows whether it answers.
func source(name, label, address, path string) httpclient.Source {
	return httpclient.Source{
		Name: name, Label: label, Address: address, Rate: httpclient.Rate{Group: name, PerSecond: 1},
		// Institutions move files when they change their sites.
		CheckReply: httpclient.NotFoundOn404("no longer has the file at this address"),
		Ping:       httpclient.NewCall(httpclient.Endpoint{Op: "file", Path: path, Form: httpclient.Head}),
	}
}

// cdcMirror is the folder that ten clients before 2026 read.
const cdcMirror = "https://www2a.cdc.gov/vaccines/iis/iisstandards/downloads/"

// withMirror returns a source whose failures name another address of its folder.
func withMirror(s httpclient.Source, folder string) httpclient.Source {
	s.Advice = func(e *httpclient.Error) string {
		if !e.Outage() && e.Kind != httpclient.Unreachable {
			return ""
		}
		return "older clients have the files at " + folder + "; " + s.Variable() + " sets the address"
	}
	return s
}

// onHosts returns a source that may redirect to other hosts.
func onHosts(s httpclient.Source, hosts ...string) httpclient.Source {
	s.FileHosts = hosts
	return s
}

// Sources returns the source of each set, in the order of [Sets].
func Sources() (list []*httpclient.Source) {
	declare()
	for _, s := range Sets() {
		list = append(list, s.Source)
	}
	return list
}

// declare adds to each source the requests that its set makes. Only the contract and its tests read them.
var declare = sync.OnceFunc(func() {
	for _, s := range Sets() {
		for _, f := range s.Files {
			params := slices.Sorted(maps.Keys(f.Query()))
			if f.Order != "" {
				params = append(params, "limit", "offset")
			}
			s.Source.Dependencies = append(s.Source.Dependencies, httpclient.Dependency{
				Path:    strings.ReplaceAll(f.Path, "{year}", "*"),
				Params:  strings.Join(params, " "),
				Columns: f.Columns, Reply: f.Reply, Evidence: s.evidence(f),
			})
		}
		s.Source.Expectations = func() (all []httpclient.Expectation) {
			for _, f := range s.Files {
				all = append(all, f.probe(s.evidence(f)))
			}
			return all
		}
	}
	folder := httpclient.Dependency{Path: mesh.Ping.Path, Evidence: MeSH.evidence(MeSH.Files[0])}
	mesh.Dependencies = append(mesh.Dependencies, folder)
})

// probe returns a request for the first 64 KB of the file, or for the folder of a yearly edition, with the
// facts that its reply must contain. seen says where the form of the file is documented.
func (f File) probe(seen string) httpclient.Expectation {
	endpoint := httpclient.Endpoint{Op: f.Name, Path: f.Path, ReadLimit: 64 * kib}
	k := httpclient.Expectation{Call: httpclient.NewCall(endpoint), Evidence: seen}
	maps.Copy(k.Call.Params, f.Query())
	if f.Order != "" {
		k.Call.Set("limit", "1")
	}
	if i := strings.Index(f.Path, "{year}"); i >= 0 {
		folder := f.Path[:strings.LastIndexByte(f.Path[:i], '/')+1]
		k.Call.Path, k.Call.Form, k.Call.ReadLimit = folder, httpclient.Page, 0
	}
	if f.Signature != "" {
		k.Facts = []httpclient.Fact{{Path: f.Signature}}
		return k
	}
	k.Table = true
	for _, c := range f.Layout().List() {
		if !c.Optional && len(c.Names) == 1 {
			k.Facts = append(k.Facts, httpclient.Fact{Path: c.Names[0]})
		}
	}
	return k
}
