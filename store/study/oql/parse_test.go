package oql

import (
	"errors"
	"reflect"
	"strings"
	"testing"
)

// queries holds texts for each construct of the grammar, with their canonical form.
var queries = []struct{ text, want string }{
	{"TP53", "TP53"},
	{"tp53 kras\nEGFR", "TP53; KRAS; EGFR"},
	{"TP53,KRAS;EGFR;", "TP53; KRAS; EGFR"},
	{"TP53: MUT", "TP53: MUT"},
	{"TP53 :MUT AMP", "TP53: MUT AMP"},
	{"TP53:mut,amp , homdel", "TP53: MUT AMP HOMDEL"},
	{"CCNE1: amp GAIN Diploid HetLoss HOMDEL", "CCNE1: AMP GAIN DIPLOID HETLOSS HOMDEL"},
	{"CCNE1: CNA >= GAIN", "CCNE1: CNA>=GAIN"},
	{"CCNE1: CNA<=HETLOSS CNA > DIPLOID cna<AMP", "CCNE1: CNA<=HETLOSS CNA>DIPLOID CNA<AMP"},
	{"CCNE1: CNA = AMP CNA >= 1", "CCNE1: AMP CNA>=GAIN"},
	{"BRAF: MUT = V600E", "BRAF: MUT=V600E"},
	{"BRAF: V600E", "BRAF: MUT=V600E"},
	{"BRAF: MUT=p.V600E", "BRAF: MUT=V600E"},
	{"BRAF: MUT = V600", "BRAF: MUT=V600"},
	{"BRAF: MUT != V600", "BRAF: MUT!=V600"},
	{"EGFR: MUT != T790M", "EGFR: MUT!=T790M"},
	{"EGFR: MUT = E746_A750del", "EGFR: MUT=E746_A750del"},
	{"TP53: MUT = TRUNC INFRAME", "TP53: MUT=TRUNC MUT=INFRAME"},
	{"TP53: missense nonsense nonstart nonstop frameshift inframe splice trunc promoter",
		"TP53: MUT=MISSENSE MUT=NONSENSE MUT=NONSTART MUT=NONSTOP MUT=FRAMESHIFT MUT=INFRAME MUT=SPLICE MUT=TRUNC MUT=PROMOTER"},
	{"TP53: X125_splice R213Tfs*34 *394Qext*17 E746_A750delinsV p.Val600Glu v600e",
		"TP53: MUT=X125_splice MUT=R213Tfs*34 MUT=*394Qext*17 MUT=E746_A750delinsV MUT=Val600Glu MUT=v600e"},
	{"TP53: R175H, R273H", "TP53: MUT=R175H MUT=R273H"},
	{"TP53: MUT, KRAS: AMP, EGFR", "TP53: MUT; KRAS: AMP; EGFR"},
	{"TP53: MUT KRAS: AMP", "TP53: MUT; KRAS: AMP"},
	{"KRAS: (12-13)", "KRAS: MUT_(12-13)"},
	{"KRAS: (12-13*) (12-) (-13*)", "KRAS: MUT_(12-13*) MUT_(12-) MUT_(-13*)"},
	{"NOTCH1: TRUNC_(2000-) (1-100)_MISSENSE", "NOTCH1: MUT=TRUNC_(2000-) MUT=MISSENSE_(1-100)"},
	{"CCNE1: EXP > 2", "CCNE1: EXP>2"},
	{"CCNE1: EXP<=-2.5 PROT > .5 PROT<-1 EXP >= 3", "CCNE1: EXP<=-2.5 PROT>0.5 PROT<-1 EXP>=3"},
	{"EGFR_PY992: PROT > 2", "EGFR_PY992: PROT>2"},
	{"ALK: fusion", "ALK: FUSION"},
	{"TMPRSS2::ERG", "TMPRSS2: FUSION::ERG"},
	{"TMPRSS2::", "TMPRSS2: FUSION::"},
	{"::ERG", "ERG: ::FUSION"},
	{"TMPRSS2::-", "TMPRSS2: FUSION::-"},
	{"-::ERG", "ERG: -::FUSION"},
	{"TMPRSS2::ERG: DRIVER_SOMATIC", "TMPRSS2: FUSION::ERG_DRIVER_SOMATIC"},
	{"ALK: EML4::FUSION FUSION::ROS1 DRIVER_FUSION FUSION_GERMLINE", "ALK: EML4::FUSION FUSION::ROS1 FUSION_DRIVER FUSION_GERMLINE"},
	{"EGFR: DRIVER", "EGFR: DRIVER"},
	{"EGFR: MUT_DRIVER DRIVER_MUT AMP_DRIVER DRIVER_HOMDEL CNA_DRIVER", "EGFR: MUT_DRIVER MUT_DRIVER AMP_DRIVER HOMDEL_DRIVER CNA_DRIVER"},
	{"BRCA1: GERMLINE", "BRCA1: MUT_GERMLINE"},
	{"BRCA1: TRUNC_GERMLINE GERMLINE_TRUNC", "BRCA1: MUT=TRUNC_GERMLINE MUT=TRUNC_GERMLINE"},
	{"BRCA1: MUT = MISSENSE_SOMATIC NONSENSE_GERMLINE_DRIVER", "BRCA1: MUT=MISSENSE_SOMATIC MUT=NONSENSE_DRIVER_GERMLINE"},
	{"BRCA1: GERMLINE_DRIVER MUT=DRIVER", "BRCA1: MUT_DRIVER_GERMLINE MUT_DRIVER"},
	{"DATATYPES: AMP GAIN EXP > 1.5; CDKN2A MDM2; TP53: MUT", "CDKN2A: AMP GAIN EXP>1.5; MDM2: AMP GAIN EXP>1.5; TP53: MUT"},
	{"TP53\nDATATYPES: MUT\nKRAS", "TP53; KRAS: MUT"},
	{`["CDK INHIBITORS" CDKN2A CDKN2B] [MDM2 MDM4]`, `["CDK INHIBITORS" CDKN2A; CDKN2B]; [MDM2; MDM4]`},
	{`["RB" RB1: MUT HOMDEL; CCNE1: AMP] TP53`, `["RB" RB1: MUT HOMDEL; CCNE1: AMP]; TP53`},
	{"HLA-A NKX2-1: MUT", "HLA-A; NKX2-1: MUT"},
	{"H19 F11R", "H19; F11R"},
}

func TestParseQuery(t *testing.T) {
	for _, c := range queries {
		q, err := ParseQuery(c.text)
		if err != nil {
			t.Errorf("%q: want a query, got the error %v", c.text, err)
			continue
		}
		if got := q.String(); got != c.want {
			t.Errorf("%q: want %s, got %s", c.text, c.want, got)
		}
		again, err := ParseQuery(q.String())
		if err != nil || !reflect.DeepEqual(q, again) {
			t.Errorf("%q: want the query again from its text %s, got %v, %v", c.text, q, again, err)
		}
	}
}

// expressions holds texts of expressions with their canonical form.
var expressions = []struct{ text, want string }{
	{"TP53", "TP53"},
	{"TP53: MUT & KRAS: MUT", "TP53: MUT & KRAS: MUT"},
	{"TP53 and not kras", "TP53 & !KRAS"},
	{"TP53: MUT AND (KRAS | !EGFR: AMP)", "TP53: MUT & (KRAS | !EGFR: AMP)"},
	{"!(TP53 & KRAS)", "!(TP53 & KRAS)"},
	{"!!TP53", "!!TP53"},
	{"TP53 & KRAS | EGFR", "TP53 & KRAS | EGFR"},
	{"TP53; KRAS: AMP", "TP53 | KRAS: AMP"},
	{"TP53: MUT\n& KRAS", "TP53: MUT & KRAS"},
	{"TP53 KRAS & EGFR", "(TP53 | KRAS) & EGFR"},
	{"TP53 || KRAS && EGFR;", "TP53 | KRAS & EGFR"},
	{"DATATYPES: MUT; TP53 | KRAS", "TP53: MUT | KRAS: MUT"},
	{`["P" TP53 KRAS] & EGFR`, "(TP53 | KRAS) & EGFR"},
	{"AGE>=60", "AGE>=60"},
	{"age >= 60 & sex = Female", "AGE>=60 & SEX=Female"},
	{"CANCER_TYPE = Breast Cancer & TP53", `CANCER_TYPE="Breast Cancer" & TP53`},
	{"SEX=Male and TP53: MUT or AGE>=60 And KRAS", "SEX=Male & TP53: MUT | AGE>=60 & KRAS"},
	{"(AGE>=60 AND sex!=male)or KRAS", "AGE>=60 & SEX!=male | KRAS"},
	{"GRADE=Not Reported & STATE=\"or\"", `GRADE="Not Reported" & STATE="or"`},
	{"samples(black and white.txt) and TP53", `samples("black and white.txt") & TP53`},
	{"!(TP53 KRAS)", "!(TP53 | KRAS)"},
	{`!["P" TP53 KRAS] & !TP53; KRAS`, "!(TP53 | KRAS) & !TP53 | KRAS"},
	{`STAGE != "I & II" | AGE<-1.5`, `STAGE!="I & II" | AGE<-1.5`},
	{`NOTE='say "yes"'`, `NOTE="say \"yes\""`},
	{"AGE≥60 & AGE==61", "AGE>=60 & AGE=61"},
	{"samples(ids.txt)", "samples(ids.txt)"},
	{`!samples("my ids.txt") & TP53: MUT`, `!samples("my ids.txt") & TP53: MUT`},
	{"KRAS: (12-13) & (TP53: (1-100*) | EGFR)", "KRAS: MUT_(12-13) & (TP53: MUT_(1-100*) | EGFR)"},
	{"TMPRSS2::ERG | ALK: FUSION", "TMPRSS2: FUSION::ERG | ALK: FUSION"},
	{"TP53: EXP > 2 & AGE < 50", "TP53: EXP>2 & AGE<50"},
}

func TestParseExpr(t *testing.T) {
	for _, c := range expressions {
		x, err := ParseExpr(c.text)
		if err != nil {
			t.Errorf("%q: want an expression, got the error %v", c.text, err)
			continue
		}
		if got := x.String(); got != c.want {
			t.Errorf("%q: want %s, got %s", c.text, c.want, got)
		}
		again, err := ParseExpr(x.String())
		if err != nil || !reflect.DeepEqual(x, again) {
			t.Errorf("%q: want the expression again from its text %s, got %v, %v", c.text, x, again, err)
		}
	}
}

// Each error names the place, and the corrected text if there is one, which can be read.
func TestParseErrors(t *testing.T) {
	for _, c := range []struct {
		text         string
		line, column int
		corrected    string
	}{
		{"", 1, 1, ""},
		{"TP53 &", 1, 7, ""},
		{"TP53 & & KRAS", 1, 8, ""},
		{"(TP53", 1, 1, ""},
		{"TP53)", 1, 5, "TP53"},
		{"TP53 R273H", 1, 6, "TP53: R273H"},
		{"TP53 MUT", 1, 6, "TP53: MUT"},
		{"TP53: MUTATED & KRAS", 1, 7, "TP53: MUT & KRAS"},
		{"KRAS |\nTP53: DEL", 2, 7, "KRAS |\nTP53: HOMDEL"},
		{"TP53:", 1, 6, "TP53"},
		{"TP53: EXP", 1, 7, ""},
		{"TP53: EXP > high", 1, 13, ""},
		{"TP53: CNA", 1, 7, "TP53: CNA >= GAIN"},
		{"TP53: CNA >= MUT", 1, 14, ""},
		{"TP53: MUT > 5", 1, 7, ""},
		{"TP53: MUT = AMP", 1, 13, "TP53: AMP"},
		{"TP53: AMP_GERMLINE", 1, 7, ""},
		{"TP53: MUT_GERMLINE_SOMATIC", 1, 7, ""},
		{"TP53: MUT_DRIVER_DRIVER", 1, 11, ""},
		{"TP53: (20-10)", 1, 7, ""},
		{"TP53: FUSION_(1-2)", 1, 7, ""},
		{"TP53: EML4::ALK", 1, 7, ""},
		{"AGE >=", 1, 7, ""},
		{"EXP > 2", 1, 1, ""},
		{`SEX="Female`, 1, 5, `SEX="Female"`},
		{"samples()", 1, 1, ""},
		{"TP53: MUT = V0", 1, 7, ""},
		{strings.Repeat("(", 300) + "TP53", 1, 102, ""},
	} {
		x, err := ParseExpr(c.text)
		var e *Error
		if !errors.As(err, &e) {
			t.Errorf("%q: want an error, got %v, %v", c.text, x, err)
			continue
		}
		if e.Line != c.line || e.Column != c.column || e.Corrected != c.corrected {
			t.Errorf("%q: want line %d, column %d, corrected %q, got %d, %d, %q (%v)",
				c.text, c.line, c.column, c.corrected, e.Line, e.Column, e.Corrected, e)
		}
		if _, err := ParseExpr(e.Corrected); e.Corrected != "" && err != nil {
			t.Errorf("%q: want a corrected text that can be read, got %v of %q", c.text, err, e.Corrected)
		}
	}
	for _, text := range []string{"", "TP53 & KRAS", "TP53 or KRAS", "[", "[]", `["x TP53]`, "[TP53", "TP53]", "DATATYPES", "TP53=1"} {
		if q, err := ParseQuery(text); err == nil {
			t.Errorf("the query %q: want an error, got %s", text, q)
		}
	}
}

// studyValues holds the values of clinical attributes.
var studyValues = map[string][]string{
	"SEX": {"Male", "Female"}, "STAGE": {"I", "II", "IV", "T1:N0"}, "AGE": {"60", ">89"},
	"CANCER_TYPE": {"Head and Neck Cancer", "Head", "Adenoma, NOS", "Breast (NOS)", "not (specified)"},
}

func parseInStudy(text string) (Expr, error) {
	return ParseStudyExpr(text, func(attribute string) []string { return studyValues[attribute] })
}

// A value of the study may have words and signs of the language without quotes.
func TestValuesOfTheStudy(t *testing.T) {
	for text, want := range map[string]string{
		"CANCER_TYPE=head and neck cancer and TP53":  `CANCER_TYPE="head and neck cancer" & TP53`,
		"CANCER_TYPE!=Head and TP53":                 "CANCER_TYPE!=Head & TP53",
		"(CANCER_TYPE=Breast (NOS)) & TP53":          `CANCER_TYPE="Breast (NOS)" & TP53`,
		"CANCER_TYPE = Adenoma, NOS | STAGE!=T1:N0":  `CANCER_TYPE="Adenoma, NOS" | STAGE!="T1:N0"`,
		"CANCER_TYPE=Not (specified)":                `CANCER_TYPE="Not (specified)"`,
		"AGE=>89 or STAGE=iv":                        `AGE=">89" | STAGE=iv`,
		"AGE>=60 and TP53: MUT":                      "AGE>=60 & TP53: MUT",
		"SEX!=Mle and TP53":                          "SEX!=Mle & TP53",
		`CANCER_TYPE="Adenoma, NOS" AND SEX!="a, b"`: `CANCER_TYPE="Adenoma, NOS" & SEX!="a, b"`,
		"CANCER_TYPE=Lung Cancer":                    `CANCER_TYPE="Lung Cancer"`,
	} {
		x, err := parseInStudy(text)
		if err != nil {
			t.Errorf("%s: want %s, got the error %v", text, want, err)
			continue
		}
		if got := x.String(); got != want {
			t.Errorf("%s: want %s, got %s", text, want, got)
		}
		if again, err := parseInStudy(x.String()); err != nil || !reflect.DeepEqual(x, again) {
			t.Errorf("%s: want the expression again from %s, got %v, %v", text, x, again, err)
		}
	}
}

// Each text that joins conditions or alterations without an operator is an error. It says what to write, and the
// corrected text can be read.
func TestNothingIsSwallowed(t *testing.T) {
	for _, c := range []struct{ text, says, corrected string }{
		{"SEX!=Male, TP53", `SEX!="Male, TP53"`, "SEX!=Male & TP53"},
		{"SEX=Male TP53", `"Male TP53" is not a value of SEX`, "SEX=Male & TP53"},
		{"SEX!=Male TP53: MUT", `SEX!="Male TP53: MUT"`, "SEX!=Male & TP53: MUT"},
		{"SEX=Male (TP53 & KRAS)", "join conditions with &", "SEX=Male & (TP53 & KRAS)"},
		{"SEX=Male !TP53", "join conditions with &", "SEX=Male & !TP53"},
		{"SEX=Male NOT TP53", "join conditions with &", "SEX=Male & NOT TP53"},
		{"SEX=Male AGE>=60", "join conditions with &", "SEX=Male & AGE>=60"},
		{"SEX!=Mle, TP53", "SEX!=Mle & TP53", `SEX!="Mle, TP53"`},
		{"STAGE != iv, II", "is not a value of STAGE", "STAGE!=iv & STAGE!=II"},
		{"STAGE = iv,II & TP53", "is not a value of STAGE", "(STAGE=iv | STAGE=II) & TP53"},
		{"STAGE=T2:N0 & TP53", "in quotes", `STAGE="T2:N0" & TP53`},
		{"STAGE=or & TP53", "in quotes", `STAGE="or" & TP53`},
		{`SEX="Male" TP53`, "is missing", `SEX="Male" & TP53`},
		{"AGE>=60 TP53", `"60 TP53" is not a number; join conditions with &: AGE>=60 & TP53`, "AGE>=60 & TP53"},
		{"AGE<60, KRAS: MUT", `"60, KRAS: MUT" is not a number`, "AGE<60 & KRAS: MUT"},
		{"AGE>=60 !TP53 & KRAS", "is not a number", "AGE>=60 & !TP53 & KRAS"},
		{"AGE>=60 years", `"60 years" is not a number; write AGE>=60`, "AGE>=60"},
		{"AGE>=old", `"old" is not a number`, ""},
		{`AGE>="60 TP53"`, `"60 TP53" is not a number`, ""},
		{"TP53: MUT NOT KRAS", "write & !KRAS", "TP53: MUT & !KRAS"},
		{"TP53: MUT, not KRAS: AMP", "write & !KRAS: AMP", "TP53: MUT & !KRAS: AMP"},
		{"TP53: NOT MUT", "NOT is not an alteration", ""},
		{"TP53: MUT = NOT KRAS", "NOT is not an alteration", ""},
		{"TP53: MUT = and", "and is not an alteration", ""},
		{"TP53: MUT KRAS", "KRAS is a gene, not a protein change; write ; KRAS for either gene or & KRAS for both", "TP53: MUT; KRAS"},
		{"TP53: MUT = KRAS", "KRAS is a gene", ""},
		{"TP53: MUT=anything", `"anything" is not a protein change`, ""},
		{"TP53: wildtype AMP", `"wildtype" is not a protein change`, ""},
		{"TP53: MUT 600", `"600" is not a protein change`, ""},
		{"TP53: MDM2_DRIVER", "MDM2 is a gene", ""},
		{"TP53 NOT KRAS", "is missing", "TP53 & NOT KRAS"},
		{"(TP53 !KRAS)", "is missing", "(TP53 & !KRAS)"},
		{"(TP53) KRAS", "is missing", "(TP53) & KRAS"},
		{"!TP53 KRAS", "!(TP53 | KRAS) or !TP53 | KRAS", "!(TP53 | KRAS)"},
		{"EGFR & not TP53, KRAS: AMP | ALK", "!(TP53 | KRAS: AMP) or !TP53 | KRAS: AMP", "EGFR & not (TP53 | KRAS: AMP) | ALK"},
		{"!!TP53: MUT KRAS: MUT", "!(TP53: MUT | KRAS: MUT) or !TP53: MUT | KRAS: MUT", "!!(TP53: MUT | KRAS: MUT)"},
	} {
		x, err := parseInStudy(c.text)
		var e *Error
		if !errors.As(err, &e) {
			t.Errorf("%s: want an error, got %v, %v", c.text, x, err)
			continue
		}
		if !strings.Contains(e.Message, c.says) || e.Corrected != c.corrected {
			t.Errorf("%s: want an error with %q, corrected %q, got %q, %q", c.text, c.says, c.corrected, e.Message, e.Corrected)
		}
		if _, err := parseInStudy(e.Corrected); e.Corrected != "" && err != nil {
			t.Errorf("%s: want a corrected text that can be read, got %v of %q", c.text, err, e.Corrected)
		}
		if x, err := ParseExpr(c.text); err == nil && !strings.HasPrefix(c.text, "S") {
			t.Errorf("%s without a study: want an error, got %s", c.text, x)
		}
	}
	long := strings.Repeat("TP53: MUT &\n", 1000) + "KRAS"
	for _, text := range []string{"SEX=\"Male\" " + long, "!TP53 " + strings.Repeat("KRAS ", 1000), "TP53: NOT " + long, "SEX=Male (" + long + ")",
		"AGE>=60 " + strings.Repeat("TP53 ", 1000), "TP53: MUT " + strings.Repeat("foo", 1000), "SEX=" + strings.Repeat("a,", 1000)} {
		if _, err := parseInStudy(text); err == nil || len(err.Error()) > 500 || strings.Contains(err.Error(), "\n") {
			t.Errorf("%.20s...: want an error of one short line, got %.200v", text, err)
		}
	}
	for text, says := range map[string]string{
		"TP53: MUT AND KRAS": "combines conditions", "TP53: MUT NOT KRAS": "combines conditions", "TP53: MUT or KRAS": "combines conditions",
		"TP53: MUT KRAS": "write ; KRAS", "TP53: foo": `"foo" is not a protein change`,
	} {
		if q, err := ParseQuery(text); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("the query %s: want an error with %q, got %s, %v", text, says, q, err)
		}
	}
}

// Reading never panics, and the text of what was read gives the same again.
func FuzzParse(f *testing.F) {
	for _, c := range queries {
		f.Add(c.text)
	}
	for _, c := range expressions {
		f.Add(c.text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if x, err := ParseExpr(text); err == nil {
			if again, err := ParseExpr(x.String()); err != nil || !reflect.DeepEqual(x, again) {
				t.Errorf("%q is read as %s: want the same again, got %v, %v", text, x, again, err)
			}
		}
		if q, err := ParseQuery(text); err == nil {
			if again, err := ParseQuery(q.String()); err != nil || !reflect.DeepEqual(q, again) {
				t.Errorf("the query %q is read as %s: want the same again, got %v, %v", text, q, again, err)
			}
		}
	})
}
