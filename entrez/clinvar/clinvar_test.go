package clinvar

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"biomcp/entrez"
	"biomcp/entrez/ncbi"
)

// captured reads a captured reply, or skips the test if the captures are not here.
func captured(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("../../../shared/data/breadth/clinvar", name))
	if err != nil {
		t.Skip("SKIPPED: the captured replies are not here")
	}
	if strings.HasSuffix(name, ".gz") {
		r, err := gzip.NewReader(bytes.NewReader(data))
		if err == nil {
			data, err = io.ReadAll(r)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return data
}

func TestStars(t *testing.T) {
	for status, want := range map[string]int{
		"practice guideline": 4, "reviewed by expert panel": 3, "criteria provided, multiple submitters, no conflicts": 2,
		"criteria provided, multiple submitters": 2, "criteria provided, conflicting classifications": 1, "Criteria provided, single submitter ": 1,
		"no assertion criteria provided": 0, "": 0,
	} {
		t.Run(status, func(t *testing.T) {
			if got := Stars(status); got != want {
				t.Errorf("%s: %d", status, got)
			}
		})
	}
}

func TestCapturedSummaries(t *testing.T) {
	var reply struct{ Result map[string]json.RawMessage }
	if err := json.Unmarshal(captured(t, "esummary_MED13_five.json"), &reply); err != nil {
		t.Fatal(err)
	}
	read := func(uid string) *Record {
		return ParseSummary(entrez.Doc{UID: uid, Object: ncbi.Parse(reply.Result[uid])})
	}
	dup := read("4526888")
	c := dup.Germline
	if got, want := fmt.Sprint(c.Description, " ", c.Stars, " ", c.Evaluated), "Pathogenic 1 2025-11-07"; got != want {
		t.Errorf("classification %q, want %q", got, want)
	}
	if got, want := c.Conditions[0].CUI, "C5231400"; got != want {
		t.Errorf("condition %q, want %q", got, want)
	}
	if want := "NC_000017.11:62010660:TT:TTT"; dup.SPDI != want {
		t.Errorf("SPDI %q, want %q", dup.SPDI, want)
	}
	if len(dup.Locations) != 2 || dup.Locations[1].Assembly != "GRCh37" {
		t.Errorf("locations %+v, want two, the second on GRCh37", dup.Locations)
	}
	if dup.Genes[0] != "MED13" {
		t.Errorf("genes %q, want MED13 first", dup.Genes)
	}
	if dup.Submissions != 1 {
		t.Errorf("%d submissions, want 1", dup.Submissions)
	}
	none := read("4425193") // ten submissions, no classification
	if none.Classifications != (Classifications{}) {
		t.Errorf("classifications %+v, want none", none.Classifications)
	}
	if word := none.Germline.Word(); word != "" {
		t.Errorf("word of a missing classification: %q", word)
	}
	if none.Submissions != 10 {
		t.Errorf("%d submissions, want 10", none.Submissions)
	}
}

// Synthetic, in the shape of a captured summary.
func TestSummary(t *testing.T) {
	const doc = `{"uid":"90500001","obj_type":"Duplication","accession":"VCV090500001","title":"NM_900001.1(INVG):c.10dup (p.Leu4fs)","protein_change":"L4fs, L9fs",
		"variation_set":[{"canonical_spdi":"NC_000017.11:900:TT:TTT","variation_xrefs":[{"db_source":"ClinGen","db_id":"CA900003"},{"db_source":"dbSNP","db_id":"90000003"},{"db_source":"OMIM","db_id":"1.2"}],
			"variation_loc":[{"assembly_name":"GRCh38","chr":"17","start":"901","stop":"902","ref":"","alt":""},{"assembly_name":"GRCh37","chr":"17","start":"801","stop":"802"},{"assembly_name":"","chr":"17","start":"1","stop":"1"},{"assembly_name":"NCBI36","chr":"17","start":"","stop":""}]}],
		"supporting_submissions":{"scv":["SCV900000001","SCV900000002"],"rcv":["RCV900000001"]},
		"germline_classification":{"description":"Pathogenic","last_evaluated":"2025/11/07 00:00","review_status":"criteria provided, single submitter",
			"trait_set":[{"trait_name":"Invented syndrome","trait_xrefs":[{"db_source":"Orphanet","db_id":"900"},{"db_source":"MedGen","db_id":"C9000001"}]}]},
		"clinical_impact_classification":{"description":"Tier I - Strong","last_evaluated":"1/01/01 00:00","review_status":"reviewed by expert panel","trait_set":[]},
		"oncogenicity_classification":{"description":"","last_evaluated":"1/01/01 00:00","review_status":"","trait_set":[]},
		"genes":[{"symbol":"INVG","geneid":"900"}],"molecular_consequence_list":["frameshift variant"]}`
	got := ParseSummary(entrez.Doc{UID: "90500001", Object: ncbi.Parse([]byte(doc))})
	want := &Record{
		ID: "90500001", Accession: "VCV090500001", Title: "NM_900001.1(INVG):c.10dup (p.Leu4fs)", Type: "Duplication", SPDI: "NC_000017.11:900:TT:TTT",
		ProteinChanges: []string{"L4fs", "L9fs"}, RSID: "rs90000003", CAID: "CA900003", Genes: []string{"INVG"},
		Locations:    []Location{{"GRCh38", "17", 901, 902, "", ""}, {"GRCh37", "17", 801, 802, "", ""}},
		Consequences: []string{"frameshift variant"}, Submissions: 2,
		Classifications: Classifications{
			Germline:       &Classification{"Pathogenic", 1, "criteria provided, single submitter", "2025-11-07", []Condition{{"Invented syndrome", "C9000001"}}},
			ClinicalImpact: &Classification{"Tier I - Strong", 3, "reviewed by expert panel", "", []Condition{}},
		},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	for _, c := range []struct {
		of   Classifications
		want string
	}{
		{got.Classifications, "germline 1, clinical impact 3"}, {Classifications{Germline: got.Germline}, "1"},
		{Classifications{Oncogenicity: got.Germline, ClinicalImpact: got.Germline}, "1"}, {Classifications{}, ""},
	} {
		if text := c.of.StarsText(); text != c.want {
			t.Errorf("stars: got %q, want %q", text, c.want)
		}
	}
	if one, none := got.Germline.StarsOrNil(), got.Oncogenicity.StarsOrNil(); one == nil || *one != 1 || none != nil {
		t.Errorf("stars of germline and oncogenicity: got %v, %v, want 1 and nil", one, none)
	}
	if got.Stars() != 3 || got.Germline.Word() != "Pathogenic" || got.Oncogenicity.Word() != "" {
		t.Errorf("%d stars, %q, %q", got.Stars(), got.Germline.Word(), got.Oncogenicity.Word())
	}
}

// Synthetic, in the shape of a captured record of efetch rettype=vcv.
const record = `<?xml version="1.0" encoding="UTF-8" ?><ClinVarResult-Set><VariationArchive VariationID="90500001" Accession="VCV090500001"><%s>
	<SimpleAllele>
		<Location><SequenceLocation Assembly="GRCh38" Chr="17" positionVCF="901" referenceAlleleVCF="T" alternateAlleleVCF="TT"/><SequenceLocation Assembly="GRCh37" Chr="17" positionVCF="801" referenceAlleleVCF="T" alternateAlleleVCF="TT"/></Location>
		<HGVSlist>
			<HGVS><NucleotideExpression sequenceAccessionVersion="NM_900002.1"/></HGVS>
			<HGVS><NucleotideExpression sequenceAccessionVersion="NM_900001.1" MANESelect="true"/></HGVS>
		</HGVSlist>
		<XRefList><XRef ID="CA900003" DB="ClinGen"/><XRef ID="1.2" DB="OMIM"/></XRefList>
	</SimpleAllele>
	<RCVList><RCVAccession Accession="RCV900000001"><ClassifiedConditionList><ClassifiedCondition DB="MedGen" ID="C9000001">Invented syndrome</ClassifiedCondition></ClassifiedConditionList>
		<RCVClassifications><GermlineClassification><ReviewStatus>reviewed by expert panel</ReviewStatus><Description DateLastEvaluated="2024-05-01" SubmissionCount="2">Pathogenic</Description></GermlineClassification>
		<SomaticClinicalImpact><ReviewStatus>no assertion criteria provided</ReviewStatus><Description ClinicalImpactAssertionType="prognostic" ClinicalImpactClinicalSignificance="poor outcome" SubmissionCount="1">Tier I - Strong</Description></SomaticClinicalImpact></RCVClassifications></RCVAccession></RCVList>
	<Classifications><GermlineClassification><Explanation>Pathogenic(1); Benign(1)</Explanation><DescriptionHistory Dated="2020-01-02"><Description>Uncertain significance</Description></DescriptionHistory></GermlineClassification></Classifications>
	<ClinicalAssertionList>
		<ClinicalAssertion ID="1"><ClinVarAccession Accession="SCV900000001" SubmitterName="Invented Lab"/>
			<Classification DateLastEvaluated="2024-05-01"><ReviewStatus>criteria provided, single submitter</ReviewStatus><GermlineClassification>Pathogenic</GermlineClassification><Comment>Seen in an invented family.</Comment></Classification>
			<TraitSet><Trait><Name><ElementValue Type="Alternate">Other name</ElementValue></Name><Name><ElementValue Type="Preferred">Invented syndrome</ElementValue></Name></Trait></TraitSet></ClinicalAssertion>
		<ClinicalAssertion ID="2"><ClinVarAccession Accession="SCV900000002" SubmitterName="Made-up Clinic"/>
			<Classification><ReviewStatus>no assertion criteria provided</ReviewStatus><SomaticClinicalImpact ClinicalImpactAssertionType="therapeutic" ClinicalImpactClinicalSignificance="resistance" DrugForTherapeuticAssertion="Fictinib">Tier I - Strong</SomaticClinicalImpact></Classification></ClinicalAssertion>
		<ClinicalAssertion ID="3"><ClinVarAccession Accession="SCV900000003" SubmitterName="Made-up Clinic"/>
			<Classification><ReviewStatus>flagged submission</ReviewStatus><OncogenicityClassification>Oncogenic</OncogenicityClassification></Classification>
			<ObservedInList><ObservedIn><Method><MethodType>clinical testing</MethodType></Method></ObservedIn></ObservedInList>
			<Comment Type="FlaggedComment">Notes: None</Comment><Comment Type="FlaggedComment">Reason: Older invented claim</Comment></ClinicalAssertion>
		<ClinicalAssertion ID="4"><ClinVarAccession Accession="SCV900000004" SubmitterName="Invented Assay Group"/>
			<Classification><ReviewStatus>no classification provided</ReviewStatus><NoClassification>evidence_only</NoClassification></Classification>
			<ObservedInList><ObservedIn Type="Functional"><Method><MethodType>in vitro</MethodType><AssayType>invented assay</AssayType></Method>
				<FunctionalData><FunctionalEffect>functionally abnormal</FunctionalEffect><FunctionalConsequence>LOSS_OF_FUNCTION</FunctionalConsequence><FunctionalConsequenceComment>It failed.</FunctionalConsequenceComment><Result>-1.5</Result></FunctionalData>
				<FunctionalData><FunctionalEffect>functionally normal</FunctionalEffect></FunctionalData></ObservedIn></ObservedInList></ClinicalAssertion>
	</ClinicalAssertionList>
	<TraitMappingList><TraitMapping ClinicalAssertionID="2"><MedGen Name="Invented tumour"/></TraitMapping></TraitMappingList>
	</%[1]s></VariationArchive></ClinVarResult-Set>`

func TestRecord(t *testing.T) {
	for _, element := range []string{"ClassifiedRecord", "IncludedRecord"} {
		t.Run(element, func(t *testing.T) {
			got, err := ParseVCV(fmt.Appendf(nil, record, element))
			url := Page("90500001")
			want := &VCV{
				MANE: "NM_900001.1", CAID: "CA900003", GnomAD: "17-901-T-TT",
				Conditions: []ConditionClassification{{Accession: "RCV900000001", Condition: "Invented syndrome", CUI: "C9000001", Kind: "germline", Description: "Pathogenic", Stars: 3, ReviewStatus: "reviewed by expert panel", Evaluated: "2024-05-01", Submissions: "2"},
					{Accession: "RCV900000001", Condition: "Invented syndrome", CUI: "C9000001", Kind: "clinical impact", Description: "Tier I - Strong", Impact: "prognostic: poor outcome", ReviewStatus: "no assertion criteria provided", Submissions: "1"}},
				PastClassifications: []PastClassification{{Kind: "germline", Description: "Uncertain significance", Until: "2020-01-02"}},
				Conflicts:           []Conflict{{"germline", "Pathogenic(1); Benign(1)"}},
				Submissions: []Submission{
					{Accession: "SCV900000001", Submitter: "Invented Lab", Kind: "germline", Description: "Pathogenic", ReviewStatus: "criteria provided, single submitter", Stars: 1, Evaluated: "2024-05-01", Condition: "Invented syndrome", Comment: "Seen in an invented family.", URL: url, Functional: []FunctionalEvidence{}},
					{Accession: "SCV900000002", Submitter: "Made-up Clinic", Kind: "clinical impact", Description: "Tier I - Strong", Impact: "therapeutic: resistance", ReviewStatus: "no assertion criteria provided", Condition: "Invented tumour", Drug: "Fictinib", URL: url, Functional: []FunctionalEvidence{}},
					{Accession: "SCV900000003", Submitter: "Made-up Clinic", Kind: "oncogenicity", Description: "Oncogenic", ReviewStatus: FlaggedStatus, Flag: "Older invented claim", CollectionMethod: "clinical testing", URL: url, Functional: []FunctionalEvidence{}},
					{Accession: "SCV900000004", Submitter: "Invented Assay Group", Kind: "no classification", Description: "evidence only", ReviewStatus: "no classification provided", CollectionMethod: "in vitro", URL: url, Functional: []FunctionalEvidence{
						{"functionally abnormal", "LOSS_OF_FUNCTION", "-1.5", "in vitro", "invented assay", "It failed."},
						{Effect: "functionally normal", Method: "in vitro", Assay: "invented assay"},
					}},
				},
			}
			if err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%+v, %v", got, err)
			}
		})
	}
	for name, body := range map[string]string{
		"no record": `<ClinVarResult-Set/>`, "neither": `<ClinVarResult-Set><VariationArchive VariationID="1"/></ClinVarResult-Set>`, "cut off": record[:400],
	} {
		t.Run(name, func(t *testing.T) {
			if got, err := ParseVCV([]byte(body)); err == nil {
				t.Errorf("%+v", got)
			}
		})
	}
}

func TestCapturedRecords(t *testing.T) {
	for name, want := range map[string]struct {
		submissions int
		mane        string
	}{
		"VCV000013961.xml.gz": {41, "NM_004333.6"},
		"VCV000025511.xml":    {0, ""},
		"VCV001264328.xml":    {1, ""},
		"VCV000424711.xml":    {1, ""},
		"VCV000040200.xml.gz": {1, ""},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := ParseVCV(captured(t, name))
			if err != nil {
				t.Fatal(err)
			}
			if len(got.Submissions) < min(want.submissions, 1) || want.mane != "" && got.MANE != want.mane {
				t.Errorf("%d submissions, MANE %q", len(got.Submissions), got.MANE)
			}
			for _, s := range got.Submissions {
				if id := strings.TrimLeft(name[3:12], "0"); s.Accession == "" || s.Submitter == "" || s.URL != Page(id) {
					t.Errorf("%+v", s)
				}
			}
		})
	}
	got, err := ParseVCV(captured(t, "VCV000013961.xml.gz"))
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[string]int{}
	drug := ""
	for _, s := range got.Submissions {
		kinds[s.Kind]++
		if s.Drug != "" {
			drug = s.Drug + ", " + s.Impact
		}
	}
	for _, kind := range Kinds[:3] { // the record is older than submissions without a classification
		if kinds[kind] == 0 {
			t.Errorf("no submissions on %s", kind)
		}
	}
	if want := "Dabrafenib;Trametinib, therapeutic: sensitivity/response"; drug != want {
		t.Errorf("drug and impact %q, want %q", drug, want)
	}
}

func TestRecordOfSeveralChangesHasTheIDsOfNone(t *testing.T) {
	doc := `{"uid":"90400020","accession":"VCV090400020","title":"NM_000771.4(CYP2C9):c.[1075A>C;1080C>G]","protein_change":"I359L, D360E","variation_set":[
		{"canonical_spdi":"NC_000010.11:94981295:A:C","variation_xrefs":[{"db_source":"dbSNP","db_id":"90000021"},{"db_source":"ClinGen","db_id":"CA900001"}],"variation_loc":[{"assembly_name":"GRCh38","chr":"10","start":"94981296","stop":"94981296"}]},
		{"canonical_spdi":"NC_000010.11:94981300:C:G","variation_xrefs":[{"db_source":"dbSNP","db_id":"90000022"},{"db_source":"ClinGen","db_id":"CA900002"}],"variation_loc":[{"assembly_name":"GRCh38","chr":"10","start":"94981301","stop":"94981301"}]}]}`
	r := ParseSummary(entrez.Doc{UID: "90400020", Object: ncbi.Parse([]byte(doc))})
	if r.SPDI+r.RSID+r.CAID != "" {
		t.Errorf("IDs %q, %q, %q, want none", r.SPDI, r.RSID, r.CAID)
	}
	if r.Locations == nil || len(r.Locations) > 0 {
		t.Errorf("locations %#v, want an empty list", r.Locations)
	}
	if r.ProteinChanges == nil || len(r.ProteinChanges) > 0 {
		t.Errorf("protein changes %#v, want an empty list", r.ProteinChanges)
	}
}

func TestEmptyDateIsNone(t *testing.T) {
	for text, want := range map[string]string{"1/01/01 00:00": "", "2025/11/07 00:00": "2025-11-07", "": "", "0": ""} {
		t.Run(text, func(t *testing.T) {
			if got := Date(text); got != want {
				t.Errorf("%q: %q", text, got)
			}
		})
	}
}
