package entreztest

import "strings"

// A kind determines how a search field is searched.
type kind int

const (
	wordField  kind = iota // words and phrases of running text, in some segments
	termField              // whole terms, compared in folded form
	nameField              // author names; initials and forenames are truncated automatically
	dateField              // days
	numField               // UID
	fieldIsAny             // All Fields
)

// A field is one search field of db=pubmed, with EInfo's name (capture of einfo.fcgi?db=pubmed;
// PubMed User Guide, "Search field tags").
type field struct {
	code, name, description string
	kind                    kind
	segments                segment // segments of a wordField
	hierarchy               bool
	hidden                  bool
	loose                   bool   // EInfo says it is not a single token, although terms are compared whole here
	tags                    string // other spellings, separated by |
}

var fields = []*field{
	{code: "ALL", name: "All Fields", description: "All terms from all searchable fields",
		kind: fieldIsAny, segments: segAny, tags: "all"},
	{code: "UID", name: "UID", description: "Unique number assigned to publication",
		kind: numField, hidden: true, tags: "pmid"},
	{code: "FILT", name: "Filter", description: "Limits the records",
		kind: termField, tags: "sb|filter|subset|filters"},
	{code: "TITL", name: "Title", description: "Words in title of publication",
		kind: wordField, segments: segTitle, tags: "ti"},
	{code: "MESH", name: "MeSH Terms", description: "Medical Subject Headings assigned to publication",
		kind: termField, hierarchy: true, tags: "mh|mesh|mesh term"},
	{code: "MAJR", name: "MeSH Major Topic", description: "MeSH terms of major importance to publication",
		kind: termField, hierarchy: true, tags: "majr|mesh major topics"},
	{code: "JOUR", name: "Journal", description: "Journal abbreviation of publication",
		kind: termField, tags: "ta|jour|jo|so|is|issn|journal title"},
	{code: "AFFL", name: "Affiliation", description: "Author's institutional affiliation and address",
		kind: wordField, segments: segAffiliation, tags: "ad|affl"},
	{code: "ECNO", name: "EC/RN Number", description: "EC number for enzyme or CAS registry number",
		kind: termField, tags: "rn|ecno|registry number"},
	{code: "SUBS", name: "Supplementary Concept", description: "CAS chemical name or MEDLINE Substance Name",
		kind: termField, tags: "nm|substance name"},
	{code: "PDAT", name: "Date - Publication", description: "Date of publication",
		kind: dateField, tags: "dp|pdat|publication date|date of publication"},
	{code: "EDAT", name: "Date - Entry", description: "Date publication first accessible through Entrez",
		kind: dateField, tags: "edat|entrez date|entry date"},
	{code: "VOL", name: "Volume", description: "Volume number of publication", kind: termField, tags: "vi"},
	{code: "PAGE", name: "Pagination", description: "Page number(s) of publication",
		kind: termField, tags: "pg|page|first page"},
	{code: "PTYP", name: "Publication Type", description: "Type of publication (e.g., review)",
		kind: termField, hierarchy: true, tags: "pt|ptyp"},
	{code: "LANG", name: "Language", description: "Language of publication", kind: termField, tags: "la|lang"},
	{code: "ISS", name: "Issue", description: "Issue number of publication", kind: termField, tags: "ip"},
	{code: "SUBH", name: "MeSH Subheading", description: "Additional specificity for MeSH term",
		kind: termField, hierarchy: true, tags: "sh|mesh subheadings|subheading"},
	{code: "SI", name: "Secondary Source ID", description: "Cross-reference from publication to other databases",
		kind: termField, tags: "si"},
	{code: "MHDA", name: "Date - MeSH", description: "Date publication was indexed with MeSH terms",
		kind: dateField, tags: "mhda|mesh date"},
	{code: "TIAB", name: "Title/Abstract", description: "Free text associated with Abstract/Title",
		kind: wordField, segments: segTitle | segAbstract | segKeyword, tags: "tiab"},
	{code: "OTRM", name: "Other Term", description: "Other terms associated with publication",
		kind: wordField, segments: segKeyword, tags: "ot"},
	{code: "COLN", name: "Author - Corporate", description: "Corporate Author of publication",
		kind: termField, loose: true, tags: "cn|corporate author"},
	{code: "CNTY", name: "Place of Publication", description: "Country of publication",
		kind: termField, hidden: true, loose: true, tags: "pl"},
	{code: "PAPX", name: "Pharmacological Action", description: "MeSH pharmacological action pre-explosions",
		kind: termField, tags: "pa"},
	{code: "GRNT", name: "Grants and Funding", description: "NIH Grant Numbers",
		kind: termField, tags: "gr|grant number|grants"},
	{code: "MDAT", name: "Date - Modification", description: "Date of last modification",
		kind: dateField, tags: "lr|mdat|modification date|date - last revised"},
	{code: "CDAT", name: "Date - Completion", description: "Date of completion",
		kind: dateField, tags: "dcom|completion date"},
	{code: "PID", name: "Publisher ID", description: "Publisher ID",
		kind: termField, hidden: true, tags: "article identifier|aid|doi|pmc|pmcid|pii|location id|lid"},
	{code: "FAUT", name: "Author - First", description: "First Author of publication",
		kind: nameField, tags: "1au|first author|first author name"},
	{code: "FULL", name: "Author", description: "Full Author Name(s) of publication",
		kind: nameField, tags: "au|fau|full author name|author - full"},
	{code: "FINV", name: "Investigator", description: "Full name of investigator",
		kind: nameField, tags: "ir|fir|full investigator name"},
	{code: "TT", name: "Transliterated Title", description: "Words in transliterated title of publication",
		kind: wordField, segments: segVernacular, tags: "tt"},
	{code: "LAUT", name: "Author - Last", description: "Last Author of publication",
		kind: nameField, tags: "lastau|last author|last author name"},
	{code: "PPDT", name: "Print Publication Date", description: "Date of print publication",
		kind: dateField, hidden: true, tags: "ppdat"},
	{code: "EPDT", name: "Electronic Publication Date", description: "Date of Electronic publication",
		kind: dateField, hidden: true, tags: "epdat"},
	{code: "CRDT", name: "Date - Create", description: "Date publication first accessible through Entrez",
		kind: dateField, tags: "crdt|create date"},
	{code: "BOOK", name: "Book", description: "ID of the book that contains the document", kind: termField},
	{code: "ED", name: "Editor", description: "Section's Editor", kind: nameField},
	{code: "ISBN", name: "ISBN", description: "ISBN", kind: termField},
	{code: "PUBN", name: "Publisher", description: "Publisher's name", kind: termField},
	{code: "AUID", name: "Author - Identifier", description: "Author Identifier",
		kind: termField, tags: "auid|author identifier"},
	{code: "PS", name: "Subject - Personal Name", description: "Personal Name as Subject",
		kind: nameField, tags: "ps|personal name as subject"},
	{code: "COIS", name: "Conflict of Interest Statements", description: "Conflict of Interest Statements",
		kind: wordField, segments: segCoi, tags: "cois"},
	{code: "WORD", name: "Text Word", description: "Free text associated with publication",
		kind: wordField, segments: segTitle | segAbstract | segKeyword | segVernacular | segHeading, tags: "tw|text words"},
}

// singleToken reports whether EInfo lists the field as a single token.
func (f *field) singleToken() bool { return f.kind != wordField && f.kind != fieldIsAny && !f.loose }

var (
	fieldByTag  = map[string]*field{}
	fieldByCode = map[string]*field{}
)

func init() {
	for _, f := range fields {
		fieldByCode[f.code] = f
		fieldByTag[strings.ToLower(f.code)] = f
		fieldByTag[strings.ToLower(f.name)] = f
		for _, tag := range strings.Split(f.tags, "|") {
			if tag != "" {
				fieldByTag[tag] = f
			}
		}
	}
}

// fieldFor parses the text between the brackets of a tag: a name in any of its spellings, and a
// modifier (noexp, ~3, __jid...). It returns a nil field if the name is unknown.
func fieldFor(tag string) (f *field, modifier string) {
	name, modifier, _ := strings.Cut(tag, ":")
	name = strings.Join(strings.Fields(strings.ToLower(name)), " ")
	return fieldByTag[name], strings.ToLower(strings.TrimSpace(modifier))
}
