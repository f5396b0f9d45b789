package bulk

import (
	"net/url"

	"biomcp/entrez/httpclient"
)

// The curated classifications and evidence.
var (
	CIViC = &Set{
		Name: "civic", Label: "CIViC", Source: &civic,
		Stale: 30 * day, MaxBytes: 64 * mib, MaxUnpacked: 64 * mib,
		Files: []File{
			nightly("AcceptedClinicalEvidenceSummaries", "molecular_profile|molecular_profile_id|disease|doid|therapies|"+
				"therapy_interaction_type|evidence_type|evidence_direction|evidence_level|significance|"+
				"evidence_statement|citation_id|source_type|citation|nct_ids|rating|evidence_status|evidence_id|"+
				"variant_origin?|evidence_civic_url|is_flagged"),
			nightly("VariantSummaries", "variant_id|feature_name or gene|variant|clinvar_ids"),
			nightly("MolecularProfileSummaries", "molecular_profile_id|variant_ids"),
		},
		Page: "https://civicdb.org/releases/main",
		Seen: "files of 2026-10-01: 4,940 accepted items in 4.2 MB",
		Licence: Licence{"CC0 1.0", "provided by CIViC, Washington University in St. Louis",
			"https://docs.civicdb.org/en/latest/about/license.html"},
	}
	ClinGen = &Set{
		Name: "clingen", Label: "ClinGen", Source: &clingen,
		Stale: 30 * day, MaxBytes: 32 * mib, MaxUnpacked: 32 * mib,
		Files: []File{
			{
				Name: "gene-validity.csv", Path: "gene-validity/download", Signature: "GENE SYMBOL",
				Columns: "gene symbol|gene id (hgnc)|disease label|disease id (mondo)|moi|classification|" +
					"online report|classification date|gcep?",
			},
			{
				Name: "gene-dosage.csv", Path: "gene-dosage/download", Signature: "GENE SYMBOL",
				Columns: "gene symbol|hgnc id|haploinsufficiency|triplosensitivity|online report|date",
			},
		},
		Page:    "https://search.clinicalgenome.org/kb/downloads",
		Seen:    "files of 2026-09-05",
		Licence: Licence{"CC0 1.0", "provided by ClinGen", "https://clinicalgenome.org/docs/terms-of-use/"},
	}
	GenCC = &Set{
		Name: "gencc", Label: "GenCC", Source: &gencc,
		Stale: 30 * day, MaxBytes: 256 * mib, MaxUnpacked: 256 * mib,
		Files: []File{{
			Name: "gencc-submissions.csv", Path: "submissions-export-csv", Params: url.Values{"format": {"new"}},
			Columns: "sgc_id or uuid|version_number?|gene_curie|gene_symbol|disease_curie|disease_title|" +
				"classification_title|moi_title|submitter_title|submitted_as_date|submitted_as_public_report_url|" +
				"submitted_as_pmids",
		}},
		Page:    "https://thegencc.org/download",
		Seen:    "file of 2026-09-05: 46,548 submissions in 26.8 MB",
		Licence: Licence{"CC0 1.0", "provided by the Gene Curation Coalition", "https://thegencc.org/terms"},
	}
)

var (
	civic = source("civic", "CIViC's files",
		"https://civicdb.org/downloads/nightly/", "nightly-VariantSummaries.tsv")
	clingen = source("clingen", "ClinGen's files",
		"https://search.clinicalgenome.org/kb/", "gene-dosage/download")
	gencc = withDailyLimit(source("gencc", "GenCC's files",
		"https://thegencc.org/download/action/", "submissions-export-csv"))
)

// nightly describes one of CIViC's nightly tables.
func nightly(name, columns string) File {
	return File{Name: name + ".tsv", Path: "nightly-" + name + ".tsv", Columns: columns}
}

// withDailyLimit returns a source whose refusals for too many requests name GenCC's limit.
func withDailyLimit(s httpclient.Source) httpclient.Source {
	s.Advice = func(e *httpclient.Error) string {
		if e.Kind != httpclient.RateLimited {
			return ""
		}
		return "GenCC sends the file to one address 20 times a day; a file that is stored and unchanged " +
			"does not count, unless --force asks for it"
	}
	return s
}
