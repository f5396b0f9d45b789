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
)

func TestTableOfEntryTerms(t *testing.T) {
	var zipped bytes.Buffer
	z := gzip.NewWriter(&zipped)
	io.WriteString(z, madeXML)
	z.Close()
	for name, c := range map[string]struct{ source, want string }{
		"table": {madeTable, fromTable}, "XML": {madeXML, fromXML}, "compressed XML": {zipped.String(), fromXML},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			source, out := filepath.Join(dir, "source"), filepath.Join(dir, "out.gz")
			if err := os.WriteFile(source, []byte(c.source), 0o600); err != nil {
				t.Fatal(err)
			}
			words := filepath.Join(dir, "words")
			if err := os.WriteFile(words, []byte(english), 0o600); err != nil {
				t.Fatal(err)
			}
			if err := run([]string{source, words, "made up", out}); err != nil {
				t.Fatal(err)
			}
			packed, err := os.ReadFile(out)
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
			if string(text) != c.want {
				t.Errorf("got\n%s\nwant\n%s", text, c.want)
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
	for _, bad := range [][]string{nil, {"one"}, {filepath.Join(t.TempDir(), "absent"), "words", "v", "out"}} {
		if run(bad) == nil {
			t.Errorf("run(%q): want an error", bad)
		}
	}
}
