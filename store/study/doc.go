// Package study reads cohort studies in cBioPortal's folder format, and makes of them
// what an analysis needs: who was profiled for a gene, who has a mutation, follow-up,
// groups.
//
// Estimators and tests are in package stats below it; wording, tables and charts are
// the caller's. Package archive below it puts studies in place, and removes them.
//
//	s, err := study.Library{Dir: studies, Cache: cache}.Study("laml_maftools")
//	g, err := s.GeneMutations("DNMT3A", false)  // g.Samples of g.On.N, g.On.Basis
//	e, err := s.Endpoint("os")
//	f, err := s.FollowUp(e)
//	c := study.Join(f, g.Cohort(), nil, nil)        // c.Obs, c.Group, c.Excluded
//	test, err := stats.LogRank(c.Obs, c.Group, nil)
//
// # Format
//
// https://docs.cbioportal.org/file-formats/. Data files are found through the meta
// files, whose data_filename names them; each may be packed with gzip, with or
// without .gz in its name. Lines with # are comments above the header only. Missing
// fields at the end of a row are empty; a row with more fields than the header is
// Malformed unless they are empty. In a matrix of genes by samples a row must be
// complete. Of columns of one name, whatever the case, the first is shown; a question
// that needs it is refused, but for what describes a mutation: there the first counts. Lines
// end with LF or CR LF; what is not UTF-8 is taken for Latin-1. Sample and patient ids are
// compared exactly, except for barcodes of TCGA, which are cut to the sample (sampleID); genes by
// their Entrez ids where files give them, else by their symbols in upper case (genes.go).
//
// A file that breaks the format is an error of kind Malformed with file, line and
// column, when something asks for it; other questions are answered.
//
// # Units
//
// Samples and patients are numbers everywhere: their places in Samples. A patient is
// mutated if a profiled sample is; expression of a patient's samples is averaged, as are
// numbers of an attribute, and one whose samples are in different groups of copy number, or of
// an attribute, is in none; follow-up comes from one sample (FollowUp). Rates are over samples profiled for the gene (Profiled), which the basis explains.
//
// # Speed
//
// The first question to a table of mutations or a matrix reads it. What later ones need
// is kept in the cache folder (index.go): for mutations four numbers a row, for a
// matrix where the row of each gene begins. The index is made again when the file's
// size or time changed, or if its hash did where the time leaves a doubt. Clinical
// files, lists and panels are read each time. bench_test.go measures this on studies
// that studytest makes.
package study
