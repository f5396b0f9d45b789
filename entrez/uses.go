package entrez

import (
	"net/url"

	"biomcp/entrez/httpclient"
	"biomcp/entrez/pattern"
	"biomcp/entrez/pubmed"
)

// manual is NCBI's description of the E-utilities' parameters.
const manual = "document, https://www.ncbi.nlm.nih.gov/books/NBK25499/"

// refusal is the element in which NCBI reports an error, and refusals the evidence for it.
const refusal, refusals = "ERROR", "capture of ESearch"

// uses lists what the program relies on in the E-utilities. The elements of full texts in JATS are
// not listed, because an unknown element is read as its text.
var uses = []httpclient.Dependency{
	{Path: "esearch.fcgi", Params: "db term retmode retstart retmax sort", Decoded: (*searchReply)(nil), Evidence: manual},
	{
		Path: "esearch.fcgi", Params: "db=pubmed", Evidence: "document, " +
			"https://pubmed.ncbi.nlm.nih.gov/help/#search-tags; capture of EInfo",
		Tags: "AID,crdt,edat,lr,mdat,pdat,dp,uid,si,Title,Title/Abstract,Author,Author - First,Author - " +
			"Last,Affiliation,Journal,MeSH Terms,MeSH Terms:noexp,Publication " +
			"Type,Language,Filter,sb,Volume,Pagination",
	},
	{Path: "esearch.fcgi", Params: "db=pmc", Tags: "uid", Evidence: "not seen"},
	{Path: "esearch.fcgi", Params: "db=gene", Tags: "PREF,ORGN,PROP",
		Evidence: "two public clients; NCBI's cookbook of EDirect has [preferred symbol]"},
	{Path: "esearch.fcgi", Params: "db=gene", Tags: "GENE,GFN,TID,CHR,CPOS,DIS,GO,All Fields", Evidence: "not seen"},
	{Path: "esearch.fcgi", Params: "db=clinvar", Tags: "Variant name,CSPDI,VRID,gene,CHR,CPOS,C37,Molecular " +
		"consequence,Properties,DIS,DCUI", Evidence: "three public clients, 2026-10"},
	{Path: "esearch.fcgi", Params: "db=medgen", Tags: "gene,clinical features,uid",
		Evidence: "document, https://www.ncbi.nlm.nih.gov/medgen/docs/help/, for gene; the others not seen"},
	{Path: "esearch.fcgi", Params: "db=gtr", Tags: "SYMB,DISNAME,DCUI", Evidence: "a public client that measured them"},
	{Path: "esummary.fcgi", Params: "db id retmode version",
		Reply: "error esummaryresult result.uids result.*.{uid,error}", Evidence: manual},
	{Path: "esummary.fcgi", Reply: refusal, Evidence: "three public repositories, 2026, of replies over 10 MB"},
	{Path: "esummary.fcgi", Params: "db=pubmed", Reply: articleParts, Evidence: "capture of ESummary of pubmed"},
	{Path: "esummary.fcgi", Params: "db=pmc", Reply: articleParts, Evidence: pmcSummaries},
	{Path: "esummary.fcgi", Params: "db=mesh", Reply: termParts, Evidence: "capture of ESummary of mesh"},
	{
		Path: "esummary.fcgi", Params: "db=gene", Evidence: "capture of ESummary of gene",
		Reply: "result.*.{name,description,maplocation,otheraliases,otherdesignations,mim,summary,status," +
			"currentid,orgname,taxid} result.*.organism.{scientificname,taxid} " +
			"result.*.locationhist.{assemblyaccver,chraccver,chrstart,chrstop} " +
			"result.*.genomicinfo.{chrloc,chraccver,chrstart,chrstop,exoncount}",
	},
	{
		Path: "esummary.fcgi", Params: "db=clinvar", Evidence: "capture of ESummary of clinvar",
		Reply: "result.*.{accession,title,obj_type,protein_change,molecular_consequence_list} " +
			"result.*.genes.symbol result.*.supporting_submissions.scv result.*.variation_set.canonical_spdi " +
			"result.*.variation_set.variation_xrefs.{db_source,db_id} " +
			"result.*.variation_set.variation_loc.{assembly_name,chr,start,stop,ref,alt} " +
			classificationReply("germline") + classificationReply("oncogenicity") +
			classificationReply("clinical_impact"),
	},
	{Path: "esummary.fcgi", Params: "db=medgen",
		Reply:    "result.*.{conceptid,title,conceptmeta,semantictype,merged,suppressed}",
		Evidence: "capture of ESummary of medgen"},
	{
		Path: "esummary.fcgi", Params: "db=gtr", Evidence: "a public client that measured them; no capture",
		Reply: "result.*.{accession,testname,testtype,method,offerer,offererlocation} " +
			"result.*.genelist.{analytetype,name} result.*.analytes.{analytetype,name} " +
			"result.*.conditionlist.{name,cui}",
	},
	{Path: "esummary.fcgi", Params: "db=snp",
		Reply: "result.*.{snp_id,chrpos,chrpos_prev_assm,spdi,fxn_class,snp_class,docsum} result.*.genes.name " +
			"result.*.global_mafs.{study,freq}", Evidence: "captures of ESummary of snp, the last of 2026"},
	{Path: "efetch.fcgi", Params: "db id retmode rettype", Evidence: manual},
	{Path: "efetch.fcgi", Params: "db=pubmed", Reply: pubmed.Fields,
		Evidence: "captures of EFetch of pubmed; DTD pubmed_250101"},
	{Path: "efetch.fcgi", Params: "db=pmc", Evidence: pmcTexts},
	{
		Path: "efetch.fcgi", Params: "db=clinvar is_variationid",
		Evidence: "document, https://www.ncbi.nlm.nih.gov/clinvar/docs/maintenance_use/; captures of VCV records, 2026; " +
			"NCBI's samples of functional data, https://github.com/ncbi/clinvar, 2026-06",
		Reply: "ClinVarResult-Set ClinVarVariationRelease VariationArchive @VariationID ClassifiedRecord " +
			"IncludedRecord SimpleAllele HGVSlist HGVS NucleotideExpression @MANESelect " +
			"@sequenceAccessionVersion XRefList XRef @ID @DB " +
			"Location SequenceLocation @Assembly @Chr @positionVCF @referenceAlleleVCF @alternateAlleleVCF " +
			"RCVList RCVAccession @Accession ClassifiedConditionList ClassifiedCondition RCVClassifications " +
			"GermlineClassification OncogenicityClassification SomaticClinicalImpact NoClassification " +
			"ReviewStatus Description " +
			"@DateLastEvaluated @SubmissionCount Classifications Explanation DescriptionHistory @Dated " +
			"ClinicalAssertionList ClinicalAssertion ClinVarAccession @SubmitterName Classification Comment " +
			"@DrugForTherapeuticAssertion @ClinicalImpactAssertionType @ClinicalImpactClinicalSignificance " +
			"ObservedInList ObservedIn Method MethodType AssayType FunctionalData FunctionalEffect " +
			"FunctionalConsequence FunctionalConsequenceComment Result " +
			"TraitSet Trait Name ElementValue @Type TraitMappingList TraitMapping @ClinicalAssertionID " +
			"MedGen @Name",
	},
	{Path: "elink.fcgi", Params: "dbfrom db id linkname cmd retmode", Decoded: (*linkReply)(nil), Evidence: manual},
	{Path: "einfo.fcgi", Params: "db version retmode", Decoded: (*infoReply)(nil), Evidence: manual},
	{Path: "einfo.fcgi", Decoded: (*databaseNames)(nil), Evidence: manual},
	{Path: "espell.fcgi", Params: "db term", Decoded: (*spellReply)(nil), Evidence: manual},
	{Path: "esearch.fcgi", Reply: refusal, Evidence: refusals},
	{Path: "efetch.fcgi", Params: "db=clinvar", Reply: refusal, Evidence: refusals},
	{Path: "efetch.fcgi", Params: "db=pubmed", Reply: refusal, Evidence: refusals},
	{Path: "elink.fcgi", Reply: refusal, Evidence: refusals},
	{Path: "einfo.fcgi", Reply: refusal, Evidence: refusals}, {Path: "espell.fcgi", Reply: refusal, Evidence: refusals},
	{Path: "ecitmatch.cgi", Params: "db retmode rettype bdata", Evidence: manual},
}

// classificationReply returns the parts that are read of one kind of ClinVar classification.
func classificationReply(kind string) string {
	at := "result.*." + kind + "_classification."
	return at + "{description,review_status,last_evaluated} " + at + "trait_set.trait_name " + at +
		"trait_set.trait_xrefs.{db_source,db_id} "
}

// tagsOf returns the tags in a term.
func tagsOf(params url.Values) (tags []string) {
	for _, m := range tag().FindAllStringSubmatch(quotedForm().ReplaceAllString(params.Get("term"), ""), -1) {
		tags = append(tags, m[1])
	}
	return tags
}

var tag = pattern.Lazy(`\[([^\[\]]+)\]`)
