// Package clinvartable keeps ClinVar's tables variant_summary.txt and submission_summary.txt on this machine, each in a
// file of its own.
//
//	info, err := clinvartable.Replace(ctx, dir, info, file, &report, check)
//	t, err := clinvartable.Open(dir)
//	variants, err := t.Find(ctx, clinvartable.NameKey("NM_004333.6:c.1799T>A"))
//	page, err := t.Search(ctx, clinvartable.Query{MinStars: 2, Limit: 10})
//
// A line of the table is an allele on an assembly, so most variants have two lines. Lines of one variant
// may stand anywhere in the file; those that are not adjacent need memory until the end of the import.
//
// ReplaceSubmissions and OpenSubmissions do the same for submission_summary.txt, which is kept in another folder. It
// also has the submissions for haplotypes and genotypes.
//
// The table of variants has no haplotypes, submissions, canonical SPDI or functional data.
//
// # Guarantees
//
// [Replace] writes a new file and renames it when it is on the disk, so a failed or killed import leaves the
// old version. Every block has a checksum. The file also lists each change of a classification since the
// first version that was stored.
//
// # Layout
//
// The file is a sequence of blocks compressed with zstd, a directory of them and a trailer. Blocks of
// recordsPerBlock records hold all that is known of a variant. Dictionaries number the texts that repeat.
// Columns of rowsPerChunk rows hold the values by which Search filters. An index of 40-bit hashes leads from
// a name to rows; Find compares the names of the records that it read, so equal hashes do no harm.
package clinvartable
