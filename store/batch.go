package store

import (
	"context"
	"database/sql"
	"errors"
	"math"
	"slices"
	"sync"
	"time"
)

// State is what the corpus knows of a PMID.
type State struct {
	Version     int // ours; 0: never seen
	PMIDVersion int
	Revised     int64 // LR as the number yyyymmddhhmm
	Hash        int64 // of the content
	Deleted     bool
}

// Action is what becomes of a record that is put.
type Action int

const (
	Skip Action = iota
	Insert
	Update
)

// Decide applies the rule of the corpus: a record is skipped where it is older
// (PMID version, then LR) than what is stored, or the same; it is an update
// where it is newer or its content differs. A deleted record comes back only
// with a newer one.
func Decide(old State, doc *Document) Action {
	_, hash := encodeBody(doc)
	return decide(old, doc.PMIDVersion, dateNumber(doc.LR), hash)
}

func decide(old State, pmidVersion int, revised, hash int64) Action {
	newer := pmidVersion > old.PMIDVersion || pmidVersion == old.PMIDVersion && revised > old.Revised
	older := pmidVersion < old.PMIDVersion || pmidVersion == old.PMIDVersion && revised < old.Revised
	switch {
	case old.Version == 0, old.Deleted && newer:
		return Insert
	case old.Deleted, older:
		return Skip
	case newer, hash != old.Hash:
		return Update
	}
	return Skip
}

// dateNumber makes dates comparable: their first twelve digits as a number,
// with zeros for what is missing. "" is 0.
func dateNumber(date string) int64 {
	var n int64
	digits := 0
	for i := 0; i < len(date) && digits < 12; i++ {
		if c := date[i]; '0' <= c && c <= '9' {
			n, digits = n*10+int64(c-'0'), digits+1
		}
	}
	for ; digits > 0 && digits < 12; digits++ {
		n *= 10
	}
	return n
}

// Batch collects documents to be stored together. Its methods may be called
// concurrently; it is used up by a Commit that succeeds, and may be committed
// again after one that failed.
type Batch struct {
	s      *Store
	source string
	mu     sync.Mutex
	ops    []operation
	files  []File
	slices [][2]string
	model  int64
}

type operation struct {
	pmid        int64
	remove      bool
	pmidVersion int
	revised     int64
	hash        int64
	body        []byte
}

// Begin starts a batch of what source brings: a query key or the name of a
// file. Nothing is locked and nothing written before Commit. Some thousand
// documents make a good batch.
func (s *Store) Begin(source string) *Batch { return &Batch{s: s, source: source} }

// WithModel says under which model the vectors of the chunks are.
func (b *Batch) WithModel(id int64) *Batch {
	b.model = id
	return b
}

// Len is the number of documents put or deleted so far.
func (b *Batch) Len() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.ops)
}

// Put adds a document with its chunks. Of several puts and deletes of one PMID
// each is decided on what those before it left. doc is not kept.
func (b *Batch) Put(doc *Document) error {
	if doc.PMID < 1 || doc.PMID > math.MaxUint32 {
		return newError(Invalid, "put document", "a PMID is a number from 1 to %d", uint32(math.MaxUint32))
	}
	op := operation{pmid: doc.PMID, pmidVersion: max(doc.PMIDVersion, 1), revised: dateNumber(doc.LR)}
	op.body, op.hash = encodeBody(doc)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.ops = append(b.ops, op)
	return nil
}

// Delete removes a document and leaves a tombstone that only a newer record
// lifts: newer than the stored one and than asOf, the LR at which the deletion
// is known to hold ("" where that is not known).
func (b *Batch) Delete(pmid int64, asOf string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.ops = append(b.ops, operation{pmid: pmid, remove: true, revised: dateNumber(asOf)})
}

// FileDone notes, together with this batch, that a file was imported to its end.
func (b *Batch) FileDone(f File) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.files = append(b.files, f)
}

// SliceDone notes, together with this batch, that a part of a job is stored.
func (b *Batch) SliceDone(job, slice string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.slices = append(b.slices, [2]string{job, slice})
}

// Committed says what became of a batch. Inserted, Updated and Skipped add up
// to the puts; Deleted counts deletions of documents that were there.
type Committed struct{ Inserted, Updated, Skipped, Deleted int }

// Commit stores the batch in one transaction: after it everything is there and
// found by searches, before it, or if it fails, nothing. It then merges parts
// of the index where that is due; cancelling ctx puts merging off.
func (b *Batch) Commit(ctx context.Context) (Committed, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	var done Committed
	err := b.s.write(ctx, "commit", func(tx *sql.Conn) error {
		done = Committed{}
		return b.commit(ctx, tx, &done)
	})
	if err != nil {
		return Committed{}, err
	}
	return done, nil
}

// commit writes the batch; it leaves b as it is.
func (b *Batch) commit(ctx context.Context, tx *sql.Conn, done *Committed) error {
	states, err := b.states(ctx, tx)
	if err != nil {
		return err
	}
	put, err := tx.PrepareContext(ctx, `INSERT INTO document VALUES(?,?,?,?,?,?)
		ON CONFLICT DO UPDATE SET version=excluded.version, pmid_version=excluded.pmid_version, lr=excluded.lr, hash=excluded.hash, body=excluded.body`)
	if err != nil {
		return err
	}
	defer put.Close()
	for i := range b.ops {
		op := &b.ops[i]
		old := states[op.pmid]
		now := State{Version: old.Version + 1, PMIDVersion: op.pmidVersion, Revised: op.revised, Hash: op.hash}
		var body any
		if op.remove {
			if old.Version > 0 && !old.Deleted {
				done.Deleted++
			}
			now = State{Version: max(old.Version, 1), PMIDVersion: max(old.PMIDVersion, 1), Revised: max(old.Revised, op.revised), Deleted: true}
		} else {
			switch decide(old, op.pmidVersion, op.revised, op.hash) {
			case Skip:
				done.Skipped++
				continue
			case Insert:
				done.Inserted++
			case Update:
				done.Updated++
			}
			body = plainEncoder().EncodeAll(op.body, nil)
		}
		if _, err := put.ExecContext(context.Background(), op.pmid, now.Version, now.PMIDVersion, now.Revised, now.Hash, body); err != nil {
			return err
		}
		states[op.pmid] = now
	}
	return b.progress(ctx, tx)
}

// progress writes provenance, and what the batch completes.
func (b *Batch) progress(ctx context.Context, tx *sql.Conn) error {
	if len(b.ops) > 0 && b.source != "" {
		var source int64
		if _, err := tx.ExecContext(ctx, "INSERT OR IGNORE INTO source(name) VALUES(?)", b.source); err != nil {
			return err
		}
		if err := tx.QueryRowContext(ctx, "SELECT id FROM source WHERE name=?", b.source).Scan(&source); err != nil {
			return err
		}
		came, err := tx.PrepareContext(ctx, "INSERT OR REPLACE INTO provenance VALUES(?,?,?)")
		if err != nil {
			return err
		}
		defer came.Close()
		at := b.s.o.Now().Unix()
		for i := range b.ops {
			if _, err := came.Exec(b.ops[i].pmid, source, at); err != nil {
				return err
			}
		}
	}
	for _, f := range b.files {
		if _, err := tx.ExecContext(ctx, "INSERT OR REPLACE INTO file VALUES(?,?,?,?,?)", f.Path, f.Size, f.ModTime.UnixNano(), f.Hash, b.s.now()); err != nil {
			return err
		}
	}
	for _, part := range b.slices {
		if _, err := tx.ExecContext(ctx, "INSERT OR IGNORE INTO job_slice VALUES(?,?)", part[0], part[1]); err != nil {
			return err
		}
	}
	return nil
}

const stateColumns = "version, pmid_version, lr, hash, body IS NULL FROM document WHERE pmid=?"

func (b *Batch) states(ctx context.Context, tx *sql.Conn) (map[int64]State, error) {
	get, err := tx.PrepareContext(ctx, "SELECT "+stateColumns)
	if err != nil {
		return nil, err
	}
	defer get.Close()
	states := make(map[int64]State, len(b.ops))
	for i := range b.ops {
		pmid := b.ops[i].pmid
		if _, seen := states[pmid]; seen {
			continue
		}
		var st State
		err := get.QueryRow(pmid).Scan(&st.Version, &st.PMIDVersion, &st.Revised, &st.Hash, &st.Deleted)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return nil, err
		}
		states[pmid] = st
	}
	return states, nil
}

// States returns what is known of each PMID: a look before the work of
// analysing records that Commit would skip.
func (s *Store) States(ctx context.Context, pmids []int64) (map[int64]State, error) {
	states := make(map[int64]State, len(pmids))
	err := s.read(ctx, "read documents", func(r *reader) error {
		for _, pmid := range pmids {
			var st State
			if err := r.row("SELECT "+stateColumns, []any{pmid}, &st.Version, &st.PMIDVersion, &st.Revised, &st.Hash, &st.Deleted); err != nil {
				return err
			}
			states[pmid] = st
		}
		return ctx.Err()
	})
	return states, err
}

// Brought is one line of a document's provenance.
type Brought struct {
	Source string
	At     time.Time
}

// Provenance returns which queries and files brought a document, earliest first.
func (s *Store) Provenance(ctx context.Context, pmid int64) ([]Brought, error) {
	list := []Brought{}
	err := s.read(ctx, "read provenance", func(r *reader) error {
		return r.each("SELECT name, at FROM provenance JOIN source ON source.id=source WHERE pmid=?", []any{pmid}, func(scan func(...any) error) error {
			var line Brought
			var at int64
			err := scan(&line.Source, &at)
			line.At = time.Unix(at, 0).UTC()
			list = append(list, line)
			return err
		})
	})
	slices.SortStableFunc(list, func(a, b Brought) int { return a.At.Compare(b.At) })
	return list, err
}
