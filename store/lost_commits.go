package store

import (
	"maps"
	"path/filepath"
	"slices"
	"time"

	"biomcp/entrez/record"
	"biomcp/store/rows"
)

// lostCommits counts what the file lacks of the transactions that were committed to it.
type lostCommits struct{ commits, documents int64 }

// found collects the losses that a repair finds.
type found struct {
	pmids       map[record.PMID]bool
	records     int64 // further records
	commits     lostCommits
	keys        map[string]bool // query keys
	audit, jobs int64
}

// losses reports the losses. Each list of PMIDs is cut.
func (f *found) losses() Losses {
	pmids := slices.Sorted(maps.Keys(f.pmids))
	return Losses{
		Records: int64(len(pmids)) + max(f.records, f.commits.documents),
		PMIDs:   append([]record.PMID{}, pmids[:min(len(pmids), keptPMIDs)]...),
		Commits: f.commits.commits, QueryKeys: slices.AppendSeq([]string{}, maps.Keys(f.keys)),
		Audit: f.audit, Jobs: f.jobs,
	}
}

// outstanding returns the losses that the repaired corpus remembers.
func (f *found) outstanding(now time.Time) Outstanding {
	o := Outstanding{PMIDs: slices.Collect(maps.Keys(f.pmids)), Records: max(f.records, f.commits.documents),
		Changes: f.commits.commits, QueryKeys: map[string]int64{}}
	for key := range f.keys {
		o.QueryKeys[key] = now.Unix()
	}
	return o
}

// lacks compares the last transaction of the corpus in a folder with the one that now is.
func lacks(dir string, now rows.Commit) lostCommits {
	saved := rows.ReadCommit(filepath.Join(dir, commitFile))
	n := now.Lacks(saved)
	if n == 0 {
		return lostCommits{}
	}
	return lostCommits{n, max(0, saved.Documents-now.Documents)}
}

// checkCommits records a fault if transactions are missing. A lenient check precedes a repair.
func (k *check) checkCommits() error {
	if !k.s.o.lenient {
		return nil // Open has compared them
	}
	now, err := k.r.LastCommit()
	if err != nil {
		return k.recordIfFault("the number of the last change", err)
	}
	if k.commits = lacks(k.s.o.Dir, now); k.commits.commits > 0 {
		k.addFault("the last %d changes are missing", k.commits.commits)
	}
	return nil
}
