package main

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	_ "biomcp/build/testgc"
)

// Synthetic headings, as the table without a header and as NLM's XML.
const (
	madeTable = "D1\tSynthetic Infarction\tInvented Attack|Attack, Invented|Synthetic Infarctions|Shared Term|Infarction\tC14.1|C23.2\t\n" +
		"D2\tMadeupol\tInventol|Shared  Term|a b c d e f g\tD02.1\t\n" +
		"D3\tOddness\tStrangeness|Inventol acid\tF01.2\t\n" +
		"D6\tInvented Service\tSRV|Doing|Afterwards Doing|After Doing\tN01\t\n" +
		"D7\tMade Growth\tLump\tC04\t\n" +
		"D8\tBlueol\tBlue\tD03\t\n" +
		"D9\tBlue Sickness\t\tC05\t\n" +
		"D4\tElsewhere\tAbroad\tZ01\t\n" +
		"D006801\tHumans\tMan\tB01\t\n"
	madeXML = `<?xml version="1.0"?><DescriptorRecordSet LanguageCode="eng">
<DescriptorRecord DescriptorClass="1"><DescriptorUI>D1</DescriptorUI><DescriptorName><String>Synthetic Infarction</String></DescriptorName>
<TreeNumberList><TreeNumber>C14.1</TreeNumber></TreeNumberList>
<ConceptList><Concept PreferredConceptYN="Y"><TermList><Term><String>Synthetic Infarction</String></Term><Term><String>Invented Attack</String></Term></TermList></Concept></ConceptList></DescriptorRecord>
<DescriptorRecord DescriptorClass="3"><DescriptorUI>D5</DescriptorUI><DescriptorName><String>Tag</String></DescriptorName>
<TreeNumberList><TreeNumber>B01</TreeNumber></TreeNumberList>
<ConceptList><Concept PreferredConceptYN="Y"><TermList><Term><String>Label</String></Term></TermList></Concept></ConceptList></DescriptorRecord>
</DescriptorRecordSet>`
	// srv and doing are English words; blue begins a heading that is not a chemical.
	english   = "srv doing lump"
	fromTable = "made up\nafter doing\tblue\tdoing\tsrv\n" +
		"Invented Service\tN\nMade Growth\tC\nMadeupol\tD\nOddness\tF\nSynthetic Infarction\tC\n\n" +
		"SRV\t0\nafterwards doing\t0\ninvented attack\t54\ninventol\t33\ninventol acid\t44\nlump\t19\noddness\t44\nstrangeness\t44\n"
	fromXML = "made up\n\nSynthetic Infarction\tC\n\ninvented attack\t0\n"
	// mappings has a name that is an entry term, one that is a name, and one of another vocabulary.
	mappings = "MESH\tD7\tMade Growth\tDOID\tDOID:1\tmade swelling\nMESH\tD7\tMade Growth\tDOID\tDOID:2\tabroad\n" +
		"MESH\tD7\tMade Growth\tDOID\tDOID:3\tElsewhere\nMESH\tD7\tMade Growth\tHP\tHP:1\tother swelling\n"
	headingsOfTable = "Blue Sickness\t|blue sickness|\nBlueol\t|blueol|blue|\nElsewhere\t|elsewhere|abroad|\nHumans\t|human|man|\n" +
		"Invented Service\t|invented service|srv|doing|after doing|\nMade Growth\t|growth made|made swelling|\n" +
		"Madeupol\t|madeupol|a b c d e f g|\nOddness\t|oddness|\nSynthetic Infarction\t|infarction synthetic|infarction|\n"
	headingsOfXML = "Synthetic Infarction\t|infarction synthetic|\nTag\t|tag|label|\n"
)

func TestTableOfEntryTerms(t *testing.T) {
	var zipped bytes.Buffer
	z := gzip.NewWriter(&zipped)
	io.WriteString(z, madeXML)
	z.Close()
	for name, c := range map[string]struct{ source, want, headings string }{
		"table": {madeTable, fromTable, headingsOfTable}, "XML": {madeXML, fromXML, headingsOfXML},
		"compressed XML": {zipped.String(), fromXML, headingsOfXML},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			var args []string
			for i, text := range []string{c.source, english, mappings} {
				args = append(args, filepath.Join(dir, string(rune('a'+i))))
				if err := os.WriteFile(args[i], []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if err := run(append(args, "made up", dir)); err != nil {
				t.Fatal(err)
			}
			for file, want := range map[string]string{"entryterms.txt.gz": c.want, "headings.txt.gz": c.headings} {
				packed, err := os.ReadFile(filepath.Join(dir, file))
				if err != nil {
					t.Fatal(err)
				}
				z, err := gzip.NewReader(bytes.NewReader(packed))
				if err != nil {
					t.Fatal(err)
				}
				text, err := io.ReadAll(z)
				if err != nil {
					t.Fatal(err)
				}
				if string(text) != want {
					t.Errorf("%s: got\n%s\nwant\n%s", file, text, want)
				}
			}
		})
	}
}

func TestBadSourcesAreRefused(t *testing.T) {
	for _, text := range []string{"", "D1\tonly two\n", "<html></html>", "\x1f\x8bno gzip", strings.TrimSuffix(madeXML, "</DescriptorRecordSet>")} {
		if _, err := read(strings.NewReader(text)); err == nil {
			t.Errorf("%.30q: want an error", text)
		}
	}
	for _, bad := range [][]string{nil, {"one"}, {filepath.Join(t.TempDir(), "absent"), "words", "mappings", "v", "out"}} {
		if run(bad) == nil {
			t.Errorf("run(%q): want an error", bad)
		}
	}
}
