package intake

import (
	"bufio"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"

	"biomcp/entrez/record"
	"biomcp/store"
	"biomcp/store/storetest"
)

// Imports of files as PubMed distributes them, 30,000 records each, made up with
// PubMed's word statistics; making them is not measured. Run one with
//
//	go test ./rag/intake -run=^$ -bench=Import_100k -benchtime=1x -timeout=30m
func BenchmarkImport_10k(b *testing.B)  { benchmarkImport(b, 10_000, false) }
func BenchmarkImport_100k(b *testing.B) { benchmarkImport(b, 100_000, false) }

// With vectors: all of the records are embedded after the model is fitted on them.
func BenchmarkImportVectors_10k(b *testing.B)  { benchmarkImport(b, 10_000, true) }
func BenchmarkImportVectors_100k(b *testing.B) { benchmarkImport(b, 100_000, true) }

// The million needs 5 GB on the disk and some minutes; it is run by its name.
func BenchmarkImport_1M(b *testing.B)        { benchmarkImport(b, 1_000_000, false) }
func BenchmarkImportVectors_1M(b *testing.B) { benchmarkImport(b, 1_000_000, true) }

// BenchmarkReimport_100k imports records that are stored already.
func BenchmarkReimport_100k(b *testing.B) {
	folder := syntheticBaseline(b, 100_000)
	o := Options{Store: openStore(b, b.TempDir()), NoVectors: true}
	if _, err := Import(b.Context(), o, folder); err != nil {
		b.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(folder, "*.gz"))
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		r, err := Import(b.Context(), o, files...)
		if err != nil || r.Skipped != 100_000 {
			b.Fatal(counts(r), err)
		}
	}
	b.ReportMetric(100_000*float64(b.N)/b.Elapsed().Seconds(), "records/s")
}

func benchmarkImport(b *testing.B, n int, vectors bool) {
	if n > 100_000 && !strings.Contains(flag.Lookup("test.bench").Value.String(), "1M") {
		b.Skip("run it by its name: -bench=_1M")
	}
	debug.SetMemoryLimit(MemoryLimit) // as the program does
	folder := syntheticBaseline(b, n)
	var bytes int64
	cpu := 0.0
	b.ResetTimer()
	for range b.N {
		b.StopTimer()
		dir := b.TempDir()
		o := Options{Store: openStore(b, dir), NoVectors: !vectors}
		resetPeak()
		cpu -= cpuSeconds()
		b.StartTimer()
		r, err := Import(b.Context(), o, folder)
		if err != nil || r.Inserted != n {
			b.Fatal(counts(r), err)
		}
		b.StopTimer()
		cpu += cpuSeconds()
		if err := o.Store.Close(); err != nil {
			b.Fatal(err)
		}
		if bytes = sizeOf(b, dir); bytes == 0 {
			b.Fatal("nothing on the disk")
		}
		b.StartTimer()
	}
	b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "records/s")
	b.ReportMetric(cpu*1e6/float64(n)/float64(b.N), "cpu-µs/record")
	b.ReportMetric(float64(bytes)/float64(n), "bytes/doc")
	b.ReportMetric(peakMB(), "peak-MB")
}

// syntheticBaseline writes n synthetic records to gzipped files of 30,000 each.
func syntheticBaseline(b *testing.B, n int) string {
	b.Helper()
	dir := b.TempDir()
	g := storetest.New(1)
	for i := 0; i < n; i += 30_000 {
		writeFile(b, filepath.Join(dir, fmt.Sprintf("pubmed26n%04d.xml.gz", i/30_000+1)), g, i, min(n, i+30_000))
	}
	return dir
}

// writeXML writes a synthetic document with the elements of a real record that the scanner
// skips: affiliations and references, about 8 kB in all.
func writeXML(w *bufio.Writer, d *store.Document) {
	date := func(d string) string {
		return "<Year>" + d[:4] + "</Year><Month>" + d[5:7] + "</Month><Day>" + d[8:10] + "</Day>"
	}
	pmid := d.PMID.String()
	fmt.Fprintf(w, `<PubmedArticle><MedlineCitation Status="MEDLINE" IndexingMethod="Automated" Owner="NLM"><PMID Version="1">%s</PMID><DateRevised>%s</DateRevised>`, pmid, date(d.LR))
	fmt.Fprintf(w, `<Article PubModel="Print-Electronic"><Journal><ISSN IssnType="Print">%s</ISSN><JournalIssue CitedMedium="Internet"><Volume>%s</Volume><Issue>%s</Issue><PubDate>%s</PubDate></JournalIssue><Title>%s</Title><ISOAbbreviation>%s</ISOAbbreviation></Journal>`,
		d.Journal.ISSN, d.Journal.Volume, d.Journal.Issue, date(d.PDat), d.Journal.Title, d.Journal.ISOAbbreviation)
	fmt.Fprintf(w, `<ArticleTitle>%s</ArticleTitle><Pagination><MedlinePgn>%s</MedlinePgn></Pagination><ELocationID EIdType="doi" ValidYN="Y">%s</ELocationID><Abstract><AbstractText>%s</AbstractText></Abstract><AuthorList CompleteYN="Y">`,
		d.Title, d.Journal.Pages, d.DOI, d.Abstract)
	for _, a := range d.Authors {
		fmt.Fprintf(w, `<Author ValidYN="Y"><LastName>%s</LastName><ForeName>%s</ForeName><Initials>%s</Initials><AffiliationInfo><Affiliation>Department of %s, University of %s, %s 12345, Nowhere. Electronic address: %s@example.org.</Affiliation></AffiliationInfo></Author>`,
			a.LastName, a.ForeName, a.Initials, a.ForeName, a.LastName, a.LastName, a.LastName)
	}
	fmt.Fprint(w, `</AuthorList><Language>eng</Language><PublicationTypeList>`)
	for _, t := range d.PubTypes {
		fmt.Fprintf(w, `<PublicationType UI="D016428">%s</PublicationType>`, t)
	}
	fmt.Fprintf(w, `</PublicationTypeList></Article><MedlineJournalInfo><Country>Nowhere</Country><MedlineTA>%s</MedlineTA><NlmUniqueID>%s</NlmUniqueID></MedlineJournalInfo><MeshHeadingList>`, d.Journal.MedlineTA, d.Journal.NLMID)
	for _, m := range d.Mesh {
		fmt.Fprintf(w, `<MeshHeading><DescriptorName UI="%s" MajorTopicYN="N">%s</DescriptorName>`, m.UI, m.Descriptor)
		for _, q := range m.Qualifiers {
			fmt.Fprintf(w, `<QualifierName UI="Q000000" MajorTopicYN="N">%s</QualifierName>`, q.Name)
		}
		fmt.Fprint(w, `</MeshHeading>`)
	}
	fmt.Fprintf(w, `</MeshHeadingList></MedlineCitation><PubmedData><History><PubMedPubDate PubStatus="entrez">%s<Hour>4</Hour><Minute>0</Minute></PubMedPubDate><PubMedPubDate PubStatus="pubmed">%s<Hour>6</Hour><Minute>0</Minute></PubMedPubDate></History><PublicationStatus>ppublish</PublicationStatus><ArticleIdList><ArticleId IdType="pubmed">%s</ArticleId><ArticleId IdType="doi">%s</ArticleId></ArticleIdList><ReferenceList>`,
		date(d.CRDT), date(d.EDAT), pmid, d.DOI)
	for i := range 10 {
		fmt.Fprintf(w, `<Reference><Citation>%s. %s. 2019;%d:%s</Citation><ArticleIdList><ArticleId IdType="pubmed">%d</ArticleId></ArticleIdList></Reference>`,
			d.Title, d.Journal.ISOAbbreviation, i, d.Journal.Pages, d.PMID+record.PMID(i))
	}
	fmt.Fprint(w, "</ReferenceList></PubmedData></PubmedArticle>\n")
}

func sizeOf(b *testing.B, dir string) (n int64) {
	b.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		b.Fatal(err)
	}
	for _, e := range entries {
		if info, err := e.Info(); err == nil && !e.IsDir() {
			n += info.Size()
		}
	}
	return n
}

// cpuSeconds is the processor time of the process (Linux; 0 elsewhere): on a busy
// machine it says more than the clock.
func cpuSeconds() float64 {
	stat, err := os.ReadFile("/proc/self/stat")
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
	ticks := 0.0
	for _, f := range fields[11:13] { // utime and stime, in hundredths
		n, err := strconv.ParseFloat(f, 64)
		if err != nil {
			return 0
		}
		ticks += n
	}
	return ticks / 100
}

// resetPeak makes the kernel forget the peak so far; if it cannot, the peak
// is for the whole process.
func resetPeak() { _ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) }

// peakMB is the greatest resident memory of the process (Linux), 0 elsewhere.
func peakMB() float64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	_, after, _ := strings.Cut(string(status), "VmHWM:")
	fields := strings.Fields(after)
	if len(fields) == 0 {
		return 0
	}
	kb, err := strconv.ParseFloat(fields[0], 64)
	if err != nil {
		return 0
	}
	return kb / 1024
}
