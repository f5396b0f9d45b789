package bulk

import (
	"net/url"
	"time"

	"biomcp/entrez/polite"
)

// Set is a data set that is published as files.
type Set struct {
	Name   string // "gtr": the word of `biomcp sync`
	Label  string // in messages
	Source *polite.Source
	Files  []File
	Stale  time.Duration // the age from which it is said to be old
	// MaxBytes and MaxUnpacked bound each file, as it is sent and as it is read.
	MaxBytes, MaxUnpacked int64
	Page                  string // where a person finds the files when they have moved
	Licence               string // with its address
}

// File is one file of a set. "{year}" in its path is the year of a yearly edition,
// this one or the last.
type File struct {
	Name   string // in messages: "test_version.gz"
	Path   string // under the source's address
	Params url.Values
	Form   polite.Form
}

const (
	day = 24 * time.Hour
	kib = 1 << 10
	mib = 1 << 20
)

// What institutions ask of those who use their data.
const (
	publicDomain = "public domain of the United States, provided by "
	whoTerms     = "© World Health Organization, used under its terms (https://www.who.int/about/policies/terms-of-use)"
)

// The data sets, in the order of the documentation.
var (
	GTR = &Set{
		Name: "gtr", Label: "Genetic Testing Registry", Source: &gtrFiles, Stale: 7 * day, MaxBytes: 100 * mib, MaxUnpacked: 512 * mib,
		Files: []File{
			{Name: "test_condition_gene.txt", Path: "test_condition_gene.txt"},
			{Name: "test_version.gz", Path: "test_version.gz", Form: polite.Gzip},
		},
		Page:    "https://ftp.ncbi.nlm.nih.gov/pub/GTR/",
		Licence: publicDomain + "NCBI; what laboratories say of their tests is theirs (https://www.ncbi.nlm.nih.gov/home/about/policies/)",
	}
	WHOIVD = &Set{
		Name: "who-ivd", Label: "WHO prequalified in vitro diagnostics", Source: &whoIVD, Stale: 3 * day, MaxBytes: 2 * mib, MaxUnpacked: 2 * mib,
		Files:   []File{export("in-vitro-diagnostics", "vitro-diagnostics/prequalified/in-vitro-diagnostics/export", true)},
		Page:    "https://extranet.who.int/prequal/vitro-diagnostics/prequalified/in-vitro-diagnostics",
		Licence: whoTerms,
	}
	EMA = &Set{
		Name: "ema", Label: "European Medicines Agency", Source: &ema, Stale: 3 * day, MaxBytes: 32 * mib, MaxUnpacked: 32 * mib,
		Files: []File{
			report("medicines", "medicines-output-medicines_json-report_en.json"),
			report("post-authorisation", "medicines-output-post_authorisation_json-report_en.json"),
			report("referrals", "referrals-output-json-report_en.json"),
			report("psusa", "medicines-output-periodic_safety_update_report_single_assessments-output-json-report_en.json"),
			report("dhpc", "dhpc-output-json-report_en.json"),
			report("shortages", "shortages-output-json-report_en.json"),
		},
		Page:    "https://www.ema.europa.eu/en/medicines/download-medicine-data",
		Licence: "© European Medicines Agency, reused with acknowledgement (https://www.ema.europa.eu/en/about-us/legal-notice)",
	}
	WHO = &Set{
		Name: "who", Label: "WHO prequalified medicines and vaccines", Source: &who, Stale: 3 * day, MaxBytes: 4 * mib, MaxUnpacked: 4 * mib,
		Files: []File{
			export("finished-pharmaceutical-products", "medicines/prequalified/finished-pharmaceutical-products/export", true),
			export("active-pharmaceutical-ingredients", "medicines/prequalified/active-pharmaceutical-ingredients/export", true),
			export("vaccines", "vaccines/prequalified/export", false),
		},
		Page:    "https://extranet.who.int/prequal/medicines/prequalified/finished-pharmaceutical-products",
		Licence: whoTerms,
	}
	CVX = &Set{
		Name: "cvx", Label: "CDC vaccine codes", Source: &cvx, Stale: 30 * day, MaxBytes: 256 * kib, MaxUnpacked: 256 * kib,
		Files: []File{
			{Name: "cvx.txt", Path: "cvx.txt"}, {Name: "TRADENAME.txt", Path: "TRADENAME.txt"}, {Name: "mvx.txt", Path: "mvx.txt"},
		},
		Page:    "https://www2.cdc.gov/vaccines/iis/iisstandards/vaccines.asp?rpt=cvx",
		Licence: publicDomain + "the Centers for Disease Control and Prevention, acknowledged (https://www.cdc.gov/other/agencymaterials.html)",
	}
	MeSH = &Set{
		Name: "mesh", Label: "MeSH descriptors", Source: &mesh, Stale: 365 * day, MaxBytes: 200 * mib, MaxUnpacked: 1024 * mib,
		Files:   []File{{Name: "desc.gz", Path: "xmlmesh/desc{year}.gz", Form: polite.Gzip}},
		Page:    "https://www.nlm.nih.gov/databases/download/mesh.html",
		Licence: publicDomain + "the National Library of Medicine (https://www.nlm.nih.gov/databases/download/terms_and_conditions_mesh.html)",
	}
	HGNC = &Set{
		Name: "hgnc", Label: "HGNC, names of human genes", Source: &hgnc, Stale: 90 * day, MaxBytes: 64 * mib, MaxUnpacked: 64 * mib,
		Files:   []File{{Name: "hgnc_complete_set.txt", Path: "hgnc_complete_set.txt"}},
		Page:    "https://www.genenames.org/download/archive/",
		Licence: "CC0, provided by the HUGO Gene Nomenclature Committee (https://www.genenames.org/about/license/)",
	}
)

// Sets is every data set.
func Sets() []*Set { return []*Set{GTR, WHOIVD, EMA, WHO, CVX, MeSH, HGNC} }

func report(name, path string) File { return File{Name: name + ".json", Path: path, Form: polite.JSON} }

// export is a table that WHO's site writes when it is asked; format says that CSV has
// to be asked for.
func export(name, path string, format bool) File {
	f := File{Name: name + ".csv", Path: path}
	if format {
		f.Params = url.Values{"page": {""}, "_format": {"csv"}}
	}
	return f
}
