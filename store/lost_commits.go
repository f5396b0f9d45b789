package store

import (
	"path/filepath"

	"biomcp/store/rows"
)

// lostCommits counts what the file lacks of the transactions that were committed to it.
type lostCommits struct{ commits, documents int64 }

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
