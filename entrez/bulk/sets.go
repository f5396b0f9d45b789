package bulk

import (
	"cmp"
	"net/url"
	"slices"
	"strings"
	"time"

	"biomcp/entrez/httpclient"
	"biomcp/entrez/layout"
)

// A Set is a data set that is published as files.
type Set struct {
	Name   string // word for it in `biomcp sync`: "gtr"
	Label  string // name in messages
	Source *httpclient.Source
	Files  []File
	Stale  time.Duration // age at which it is reported stale
	// MaxBytes limits the size of each file as sent, MaxUnpacked its size after decompression.
	MaxBytes, MaxUnpacked int64
	Page                  string // web page to look at if the files have moved
	Seen                  string // who read the files at their addresses, and when
	Mirror                string // another address of the folder, for a failure; "" if none is known
	Outlook               string // what is expected of the source, for a failure; "" if nothing is
	Licence               Licence
}

// A Licence states the terms of use of a set.
type Licence struct {
	Name string // short name: "CC0 1.0"
	Note string // publisher and conditions
	URL  string // address of the terms
}

func (l Licence) String() string { return l.Name + ", " + l.Note + " (" + l.URL + ")" }

// A File is one file of a set. "{year}" in Path stands for the year of a yearly edition.
type File struct {
	Name   string // name in messages: "test_version.gz"
	Path   string // relative to the source's address
	Params url.Values
	Form   httpclient.Form

	Page, Seen string // those of the file if they differ from the set's

	// Columns and NoHeader are as in [layout.File]. Simulators send only these columns. Reply lists the JSON or XML
	// fields that are read, in the form of [httpclient.Dependency].
	Columns, Reply string
	NoHeader       bool
	// Signature is text that identifies the file: it occurs in the first 64 KB or, for a yearly edition,
	// in the listing of its folder. If Signature is empty, all required columns identify it.
	Signature string

	// Order makes the file a PostgREST table that is read in pages, in the order of these columns, which no two rows
	// share. Rows is the number of rows to read; 0 means all. Reply lists the columns.
	Order string
	Rows  int
}

// Layout returns the name and the columns of the file.
func (f File) Layout() layout.File {
	columns := f.Columns
	if f.Order != "" {
		columns = strings.ReplaceAll(f.Reply, " ", "|")
	}
	return layout.File{Name: f.Name, Columns: columns, NoHeader: f.NoHeader}
}

// Query returns the parameters of a request for the file, or for a page of it without the place of the page.
func (f File) Query() url.Values {
	if f.Order == "" {
		return f.Params
	}
	return url.Values{"select": {strings.ReplaceAll(f.Reply, " ", ",")}, "order": {f.Order}}
}

// File returns the file of that name. It panics if the set has no such file.
func (s *Set) File(name string) File {
	return s.Files[slices.IndexFunc(s.Files, func(f File) bool { return f.Name == name })]
}

// Layouts returns the layouts of the files.
func (s *Set) Layouts() (all []layout.File) {
	for _, f := range s.Files {
		all = append(all, f.Layout())
	}
	return all
}

const (
	day = 24 * time.Hour
	kib = 1 << 10
	mib = 1 << 20
)

// Texts that several sets share.
const (
	whoExports   = "issue 235 of github.com/genomoncology/biomcp, 2026-04-09"
	publicDomain = "public domain of the United States"
)

// Licences of several sets.
var (
	clinVarTerms = Licence{publicDomain, "provided by NCBI, not for direct diagnostic use",
		"https://www.ncbi.nlm.nih.gov/clinvar/docs/maintenance_use/"}
	whoTerms = Licence{"© World Health Organization", "used under its terms",
		"https://www.who.int/about/policies/terms-of-use"}
)

// The data sets, in the order of the documentation. [CPIC] is another.
var (
	GTR = &Set{
		Name: "gtr", Label: "Genetic Testing Registry", Source: &gtrFiles,
		Stale: 7 * day, MaxBytes: 100 * mib, MaxUnpacked: 512 * mib,
		Files: []File{
			{
				Name: "test_condition_gene.txt", Path: "test_condition_gene.txt",
				Columns: "accession_version|object|object_name|gtr_identifier|gene_symbol|test_type?",
			},
			{
				Name: "test_version.gz", Path: "test_version.gz", Form: httpclient.Gzip,
				Columns: "test_accession_ver|now_current|lab_test_name|name_of_laboratory|facility_country|methods|genes|" +
					"test_type?|name_of_institution?|manufacturer_test_name?|test_currstat?|method_categories?",
			},
		},
		Page: "https://ftp.ncbi.nlm.nih.gov/pub/GTR/",
		Licence: Licence{publicDomain, "provided by NCBI; what laboratories say of their tests is theirs",
			"https://www.ncbi.nlm.nih.gov/home/about/policies/"},
	}
	WHOIVD = &Set{
		Name: "who-ivd", Label: "WHO prequalified in vitro diagnostics", Source: &whoIVD,
		Stale: 3 * day, MaxBytes: 2 * mib, MaxUnpacked: 2 * mib,
		Files: []File{export("in-vitro-diagnostics", "vitro-diagnostics/prequalified/in-vitro-diagnostics/export", true,
			"product name|product code|pathogen/disease/marker|manufacturer name|"+
				"assay format?|regulatory version?|year prequalification?")},
		Page:    "https://extranet.who.int/prequal/vitro-diagnostics/prequalified/in-vitro-diagnostics",
		Seen:    whoExports,
		Licence: whoTerms,
	}
	EMA = &Set{
		Name: "ema", Label: "European Medicines Agency", Source: &ema,
		Stale: 3 * day, MaxBytes: 32 * mib, MaxUnpacked: 32 * mib,
		Files: []File{
			report("medicines", "medicines-output-medicines_json-report_en.json", "name_of_medicine"),
			report("post-authorisation", "medicines-output-post_authorisation_json-report_en.json", "name_of_medicine"),
			report("referrals", "referrals-output-json-report_en.json", "referral_name"),
			report("psusa",
				"medicines-output-periodic_safety_update_report_single_assessments-output-json-report_en.json",
				"procedure_number"),
			report("dhpc", "dhpc-output-json-report_en.json", "dhpc_type"),
			report("shortages", "shortages-output-json-report_en.json", "medicine_affected"),
		},
		Page: "https://www.ema.europa.eu/en/medicines/download-medicine-data",
		Licence: Licence{"© European Medicines Agency", "reused with acknowledgement",
			"https://www.ema.europa.eu/en/about-us/legal-notice"},
	}
	WHOMedicines = &Set{
		Name: "who", Label: "WHO prequalified medicines and vaccines", Source: &whoMedicines,
		Stale: 3 * day, MaxBytes: 4 * mib, MaxUnpacked: 4 * mib,
		Files: []File{
			export("finished-pharmaceutical-products",
				"medicines/prequalified/finished-pharmaceutical-products/export", true,
				"who reference number|inn, dosage form and strength|applicant|product type?|therapeutic area?|"+
					"dosage form?|basis of listing?|basis of alternative listing?|date of prequalification?"),
			export("active-pharmaceutical-ingredients",
				"medicines/prequalified/active-pharmaceutical-ingredients/export", true,
				"who product id|inn|therapeutic area?|applicant organization?|grade?|date of prequalification?"),
			export("vaccines", "vaccines/prequalified/export", false,
				"vaccine type|commercial name|manufacturer|presentation?|no. of doses?|responsible nra?|"+
					"date of prequalification?").
				withEvidence("https://extranet.who.int/prequal/vaccines/prequalified-vaccines",
					"the list in five public sources, 2026; this export in one public client, genomoncology/biomcp"),
		},
		Page:    "https://extranet.who.int/prequal/medicines/prequalified/finished-pharmaceutical-products",
		Seen:    whoExports,
		Licence: whoTerms,
	}
	CVX = &Set{
		Name: "cvx", Label: "CDC vaccine codes", Source: &cvx,
		Stale: 30 * day, MaxBytes: 256 * kib, MaxUnpacked: 256 * kib,
		Files: []File{
			{
				Name: "cvx.txt", Path: "cvx.txt",
				Columns: "cvx|short|full|notes|status|nonvaccine?|date?", NoHeader: true, Signature: "|MMR|",
			},
			{
				Name: "TRADENAME.txt", Path: "TRADENAME.txt",
				Columns: "product|short|cvx|manufacturer|mvx|status|product status|date?", NoHeader: true, Signature: "|MSD",
			},
			{Name: "mvx.txt", Path: "mvx.txt", Columns: "mvx|name|notes|status|date?", NoHeader: true, Signature: "MSD|"},
		},
		Page:   "https://www2.cdc.gov/vaccines/iis/iisstandards/vaccines.asp?rpt=cvx",
		Seen:   "five public clients, 2026; ten older ones have the files at www2a.cdc.gov",
		Mirror: cdcMirror,
		Licence: Licence{publicDomain, "provided by the Centers for Disease Control and Prevention, acknowledged",
			"https://www.cdc.gov/other/agencymaterials.html"},
	}
	MeSH = &Set{
		Name: "mesh", Label: "MeSH descriptors", Source: &mesh,
		Stale: 365 * day, MaxBytes: 200 * mib, MaxUnpacked: 1024 * mib,
		Files: []File{{
			Name: "desc.gz", Path: "xmlmesh/desc{year}.gz", Form: httpclient.Gzip, Signature: "desc20",
			Reply: "DescriptorRecordSet DescriptorRecord @DescriptorClass DescriptorUI DescriptorName String " +
				"TreeNumberList TreeNumber ConceptList Concept @PreferredConceptYN ScopeNote TermList Term",
		}},
		Page: "https://www.nlm.nih.gov/databases/download/mesh.html",
		Seen: "public clients, 2026: desc2026.gz has 16.8 MB",
		Licence: Licence{publicDomain, "provided by the National Library of Medicine",
			"https://www.nlm.nih.gov/databases/download/terms_and_conditions_mesh.html"},
	}
	HGNC = &Set{
		Name: "hgnc", Label: "HGNC, names of human genes", Source: &hgnc,
		Stale: 90 * day, MaxBytes: 64 * mib, MaxUnpacked: 64 * mib,
		Files: []File{{
			Name: "hgnc_complete_set.txt", Path: "hgnc_complete_set.txt",
			Columns: "hgnc_id|symbol|name|status|alias_symbol|prev_symbol|entrez_id",
		}},
		Page: "https://www.genenames.org/download/archive/",
		Licence: Licence{"CC0", "provided by the HUGO Gene Nomenclature Committee",
			"https://www.genenames.org/about/license/"},
	}
	// HPO is not CC BY: its terms allow use if the consortium is acknowledged, the version is shown and the content is
	// not changed. They are quoted in https://build.fhir.org/ig/HL7/UTG/CodeSystem-HPO.html.
	HPO = &Set{
		Name: "hpo", Label: "Human Phenotype Ontology", Source: &hpo,
		Stale: 90 * day, MaxBytes: 128 * mib, MaxUnpacked: 128 * mib,
		Files: []File{
			{Name: "hp.obo", Path: "hp.obo", Signature: "format-version:"},
			{
				Name: "phenotype.hpoa", Path: "phenotype.hpoa", Signature: "\thpo_id\t",
				Columns: "database_id|disease_name|qualifier|hpo_id|reference|frequency|aspect|onset?|sex?",
			},
		},
		Page: "https://hpo.jax.org/data/annotations",
		Seen: "docs/annotations/phenotype_hpoa.md and hp.obo of 2026-09-01 in " +
			"github.com/obophenotype/human-phenotype-ontology; both addresses in ten public clients",
		Licence: Licence{"© Human Phenotype Ontology Consortium and the Monarch Initiative",
			"used unchanged, with acknowledgement and version", "https://hpo.jax.org/license"},
	}
)

// ClinVar is not among the local tables of package store/table: package store/clinvartable keeps it.
var ClinVar = &Set{
	Name: "clinvar", Label: "ClinVar", Source: &clinVar,
	Stale: 30 * day, MaxBytes: 4096 * mib, MaxUnpacked: 65536 * mib,
	Files: []File{{
		Name: "variant_summary.txt.gz", Path: "variant_summary.txt.gz", Form: httpclient.Gzip,
		Columns: "alleleid|type|name|genesymbol|clinicalsignificance|lastevaluated|rs# (dbsnp)|rcvaccession|" +
			"phenotypeids|phenotypelist|originsimple|assembly|chromosome|start|stop|reviewstatus|numbersubmitters|" +
			"variationid|positionvcf|referenceallelevcf|alternateallelevcf|somaticclinicalimpact|" +
			"somaticclinicalimpactlastevaluated|reviewstatusclinicalimpact|oncogenicity|oncogenicitylastevaluated|" +
			"reviewstatusoncogenicity|cytogenetic?|nsv/esv (dbvar)?|otherids?",
	}},
	Page:    "https://ftp.ncbi.nlm.nih.gov/pub/clinvar/tab_delimited/",
	Seen:    "public clients, 2026: 421 MB, 8,907,105 lines; its 43 columns in one of them",
	Licence: clinVarTerms,
}

// ClinVarSubmissions is kept as ClinVar is. The header follows lines of comments.
var ClinVarSubmissions = &Set{
	Name: "clinvar-submissions", Label: "ClinVar's submissions", Source: &clinVarSubmissions,
	Stale: 30 * day, MaxBytes: 4096 * mib, MaxUnpacked: 65536 * mib,
	Files: []File{{
		Name: "submission_summary.txt.gz", Path: "submission_summary.txt.gz", Form: httpclient.Gzip,
		Signature: "ClinicalSignificance\tDateLastEvaluated\tDescription\t",
		Columns: "variationid|clinicalsignificance|datelastevaluated|description|submittedphenotypeinfo|" +
			"reportedphenotypeinfo|reviewstatus|collectionmethod|submitter|scv|explanationofinterpretation|" +
			"somaticclinicalimpact?|oncogenicity?",
	}},
	Page:    ClinVar.Page,
	Seen:    "public clients, 2026: 359 to 387 MB; its 15 and 16 columns in two of them",
	Licence: clinVarTerms,
}

// Sets returns all data sets.
func Sets() []*Set {
	return []*Set{GTR, WHOIVD, EMA, WHOMedicines, CVX, MeSH, ClinVar, ClinVarSubmissions, HGNC, CPIC, CIViC, ClinGen,
		GenCC, HPO}
}

// report describes one of EMA's JSON reports. Their fields differ; requiredField is in every record of this one.
func report(name, path, requiredField string) File {
	return File{
		Name: name + ".json", Path: path, Form: httpclient.JSON, Signature: `"` + requiredField + `"`,
		Reply: "data.{name_of_medicine,medicine_name,medicine_affected,referral_name,title,medicinal_product," +
			"active_substance,active_substances,active_substances_in_scope_of_procedure," +
			"international_non_proprietary_name_common_name,international_non_proprietary_name_inn_common_name," +
			"international_non_proprietary_name_inn_or_common_name,international_non_proprietary_name," +
			"ema_product_number,procedure_number,reference_number,category,medicine_status,current_status," +
			"supply_shortage_status,regulatory_outcome,post_authorisation_procedure_status,status," +
			"referral_type,dhpc_type,procedure_type,therapeutic_area_mesh,therapeutic_area,therapeutic_indication," +
			"atc_code_human,atc_code,atcvet_code_veterinary," +
			"marketing_authorisation_developer_applicant_holder,marketing_authorisation_holder," +
			"marketing_authorisation_holder_company_name,marketing_authorisation_date,opinion_date," +
			"procedure_start_date,dissemination_date,start_of_shortage_date,first_published_date," +
			"medicine_url,referral_url,psusa_url,dhpc_url,shortage_url,url}",
	}
}

// withEvidence returns f with its own page, and with the reader of that page and the date.
func (f File) withEvidence(page, seen string) File {
	f.Page, f.Seen = page, seen
	return f
}

// evidence returns the page of a file and who read it.
func (s *Set) evidence(f File) string {
	seen := cmp.Or(f.Seen, s.Seen)
	if seen != "" {
		seen = "; " + seen
	}
	return "document, " + cmp.Or(f.Page, s.Page) + seen
}

// export describes a table that WHO's site exports on request. If format is true, the request must ask for CSV.
func export(name, path string, format bool, columns string) File {
	f := File{Name: name + ".csv", Path: path, Columns: columns}
	if format {
		f.Params = url.Values{"page": {""}, "_format": {"csv"}}
	}
	return f
}
