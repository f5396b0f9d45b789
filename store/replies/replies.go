package replies

import (
	"context"
	"database/sql"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/gofrs/flock"
	"github.com/klauspost/compress/zstd"

	"biomcp/store/disk"
)

// Cache is an open cache file, which several processes may share. Its methods are safe for
// concurrent use. It also keeps recently read replies in memory until the file changes.
type Cache struct {
	path     string
	now      func() time.Time
	maxBytes int64        // maximum size of the file in bytes
	inUse    *flock.Flock // shared while the file is open, exclusive while it is replaced
	mu       sync.RWMutex // write-locked only while a damaged file is replaced
	db       *sql.DB

	recent memoryCache
}

// In schema, body is compressed with zstd, and stored and expires are Unix seconds. The file uses
// auto_vacuum so that cleaning shrinks it.
const schema = `
CREATE TABLE IF NOT EXISTS reply (
  key     TEXT PRIMARY KEY,
  source  TEXT NOT NULL,
  stored  INTEGER NOT NULL,
  expires INTEGER NOT NULL,
  body    BLOB NOT NULL);
CREATE INDEX IF NOT EXISTS reply_expires ON reply(expires);
CREATE INDEX IF NOT EXISTS reply_stored ON reply(stored, length(body), source);`

const layout = 1

const defaultMaxBytes = 2 << 30 // maximum size of the file

const fileType disk.FileType = 0x62696f72 // "bior"

// writeWait is the maximum wait for another writer. It is short, as doing without the cache costs
// little.
const writeWait = 5 * time.Second

// Open opens the response cache at path and creates the folder and the file if they are missing. It
// first renames a damaged file to path + ".corrupt". If it returns an error, callers should work
// without a cache.
func Open(path string) (*Cache, error) {
	const op = "open cache"
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, disk.Wrap(context.TODO(), op, err)
	}
	c := &Cache{path: path, now: time.Now, maxBytes: defaultMaxBytes, inUse: flock.New(path + ".lock")}
	if err := c.inUse.RLock(); err != nil {
		return nil, disk.Wrap(context.TODO(), op, err)
	}
	err := c.open(false)
	if disk.IsKind(err, disk.Corrupt) {
		err = c.setAside(false)
	}
	if err != nil {
		c.inUse.Close()
		return nil, err
	}
	return c, nil
}

// open opens the file. If thorough is set, it also checks every page.
func (c *Cache) open(thorough bool) error {
	const op = "open cache"
	if err := fileType.Check(context.TODO(), op, c.path); err != nil {
		return err
	}
	db, err := disk.Open(c.path, "rwc", "busy_timeout(250)", "synchronous(OFF)", "journal_size_limit(4194304)",
		"cache_size(-4096)")
	if err != nil {
		return disk.Wrap(context.TODO(), op, err)
	}
	db.SetMaxOpenConns(1) // the settings of Establish belong to one connection until the file is written
	ctx := context.Background()
	var version int
	if err = fileType.Establish(ctx, db, 4096); err == nil {
		err = db.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version)
	}
	if err == nil && version != layout {
		err = disk.InTx(ctx, db, writeWait, func(tx *sql.Conn) error {
			// Check again: another process may have been faster.
			err := tx.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version)
			if err == nil && version != layout {
				_, err = tx.ExecContext(ctx, "DROP TABLE IF EXISTS reply;"+schema+"PRAGMA user_version=1")
			}
			return err
		})
	}
	if err == nil && thorough {
		var verdict string
		if err = db.QueryRow("PRAGMA quick_check(1)").Scan(&verdict); err == nil && verdict != "ok" {
			err = disk.NewError(disk.Corrupt, op, "the file is damaged")
		}
	}
	if err != nil {
		db.Close()
		return disk.Wrap(context.TODO(), op, err)
	}
	db.SetMaxOpenConns(4)
	db.SetMaxIdleConns(4) // opening a connection costs more than a query
	c.db = db
	return nil
}

// setAside renames a damaged file and creates a new one, unless another process has just done so.
// SQLite finds a journal by its name, so the file may be renamed only if no process has it open:
// every Cache holds a shared lock, and setAside takes it exclusively. If thorough is set, it looks
// for damage beyond the first page.
func (c *Cache) setAside(thorough bool) error {
	const op = "replace damaged cache"
	ctx := context.Background()
	for attempt := range 50 {
		if err := c.inUse.Unlock(); err != nil {
			return disk.Wrap(ctx, op, err)
		}
		// Other processes may hold the lock for the same check.
		time.Sleep(time.Duration(rand.IntN(1+attempt)) * time.Millisecond)
		alone, err := c.inUse.TryLock()
		if err != nil {
			return disk.Wrap(ctx, op, err)
		}
		if alone {
			if err := c.replace(); err != nil {
				return err
			}
			if err := c.inUse.Unlock(); err != nil {
				return disk.Wrap(ctx, op, err)
			}
		}
		if err := c.inUse.RLock(); err != nil {
			return disk.Wrap(ctx, op, err)
		}
		if err = c.open(thorough && !alone); !disk.IsKind(err, disk.Corrupt) {
			return err
		}
	}
	return disk.NewError(disk.Corrupt, op, "the file is damaged, and in use by another process")
}

// replace renames a damaged file. The caller holds the exclusive lock.
func (c *Cache) replace() error {
	err := c.open(true)
	if err == nil {
		return c.db.Close()
	}
	if !disk.IsKind(err, disk.Corrupt) {
		return err
	}
	os.Remove(c.path + "-wal")
	os.Remove(c.path + "-shm")
	return disk.Wrap(context.TODO(), "replace damaged cache", os.Rename(c.path, c.path+".corrupt"))
}

// use runs f on the open file. If f finds damage, use replaces the file and runs f again, so a
// cache repairs itself.
func (c *Cache) use(ctx context.Context, op string, f func(*sql.DB) error) error {
	c.mu.RLock()
	db := c.db
	err := disk.Wrap(ctx, op, f(db))
	c.mu.RUnlock()
	if !disk.IsKind(err, disk.Corrupt) {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.db == db { // otherwise another caller has just replaced it
		db.Close()
		if err := c.setAside(true); err != nil {
			return err
		}
	}
	return disk.Wrap(ctx, op, f(c.db))
}

func (c *Cache) inTx(ctx context.Context, op string, f func(*sql.Conn) error) error {
	return c.use(ctx, op, func(db *sql.DB) error { return disk.InTx(ctx, db, writeWait, f) })
}

// Close closes the file.
func (c *Cache) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return errors.Join(c.db.Close(), c.inUse.Close())
}

// Get returns the unexpired body stored under key and whether there is one. The caller must not
// modify it. A damaged entry counts as missing.
func (c *Cache) Get(ctx context.Context, key string) ([]byte, bool, error) {
	now := time.Now()
	v, settled := versionOf(c.path, now)
	if settled {
		if body, ok := c.recent.get(v, key, c.now()); ok {
			return body, true, nil
		}
	}
	at := c.now()
	// An entry stored under a clock that ran ahead would not expire for that long.
	const selectReply = "SELECT body, expires FROM reply WHERE key=? AND expires>? AND stored<=?"
	body, expires, ok, err := c.read(ctx, selectReply, key, at.Unix(), at.Add(time.Hour).Unix())
	if settled && ok {
		c.recent.put(v, key, cachedReply{body, expires})
	}
	return body, ok, err
}

// read returns a body and a time in Unix seconds.
func (c *Cache) read(ctx context.Context, query string, args ...any) (body []byte, at int64, ok bool, err error) {
	var packed []byte
	err = c.use(ctx, "read cache", func(db *sql.DB) error {
		err := db.QueryRowContext(ctx, query, args...).Scan(&packed, &at)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		return err
	})
	if err != nil || packed == nil {
		return nil, 0, false, err
	}
	body, err = decoder().DecodeAll(packed, nil)
	return body, at, err == nil, nil
}

// GetStale returns the body stored under key, even if it has expired, and the time at which it was
// stored.
func (c *Cache) GetStale(ctx context.Context, key string) ([]byte, time.Time, bool, error) {
	body, at, ok, err := c.read(ctx, "SELECT body, stored FROM reply WHERE key=?", key)
	return body, time.Unix(at, 0).UTC(), ok, err
}

// offlineAge is the time for which an expired entry is kept, for use when its source cannot be
// reached.
const offlineAge = 30 * 24 * time.Hour

// Put stores body under key until ttl has passed, replacing any earlier entry. Each call also
// deletes a few entries that expired more than offlineAge ago and, while the file is larger than 2
// GB, the oldest entries.
func (c *Cache) Put(ctx context.Context, key string, body []byte, ttl time.Duration) error {
	if ttl <= 0 {
		return nil
	}
	packed := encoder().EncodeAll(body, nil)
	source, _, _ := strings.Cut(key, " ")
	now := c.now()
	return c.inTx(ctx, "write cache", func(tx *sql.Conn) error {
		const deleteReply = "DELETE FROM reply WHERE key IN (SELECT key FROM reply WHERE expires<=? LIMIT 8)"
		if _, err := tx.ExecContext(ctx, deleteReply, now.Add(-offlineAge).Unix()); err != nil {
			return err
		}
		// Freed pages are reused, so the file does not grow.
		const deleteOldest = `DELETE FROM reply WHERE key IN (SELECT key FROM reply ORDER BY stored LIMIT 64)
			AND (SELECT (page_count-freelist_count)*page_size > ?
				FROM pragma_page_count, pragma_freelist_count, pragma_page_size)`
		_, err := tx.ExecContext(ctx, deleteOldest, c.maxBytes)
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, "INSERT OR REPLACE INTO reply(key,source,stored,expires,body) VALUES(?,?,?,?,?)",
			key, source, now.Unix(), now.Add(ttl).Unix(), packed)
		return err
	})
}

// Delete removes the entry under key.
func (c *Cache) Delete(ctx context.Context, key string) error {
	return c.inTx(ctx, "write cache", func(tx *sql.Conn) error {
		_, err := tx.ExecContext(ctx, "DELETE FROM reply WHERE key=?", key)
		return err
	})
}

// Stats describes a cache. Bytes is the size of the compressed bodies, FileBytes that of the file
// with its journal. Oldest and Newest are zero if the cache is empty.
type Stats struct {
	Entries   int64
	Expired   int64
	Bytes     int64
	FileBytes int64
	Oldest    time.Time
	Newest    time.Time
	Sources   []Source // largest first
}

// Source summarises the entries of one service.
type Source struct {
	Name    string
	Entries int64
	Bytes   int64
}

// Stats describes the contents of the cache, including expired entries.
func (c *Cache) Stats(ctx context.Context) (Stats, error) {
	s := Stats{Sources: []Source{}}
	err := c.use(ctx, "read cache", func(db *sql.DB) error { return c.count(ctx, db, &s) })
	for _, suffix := range []string{"", "-wal"} {
		if fi, err := os.Stat(c.path + suffix); err == nil {
			s.FileBytes += fi.Size()
		}
	}
	return s, err
}

func (c *Cache) count(ctx context.Context, db *sql.DB, s *Stats) error {
	rows, err := db.QueryContext(ctx, `SELECT
			source, count(*), sum(length(body)), sum(expires<=?), min(stored), max(stored)
		FROM reply GROUP BY source ORDER BY sum(length(body)) DESC, source`, c.now().Unix())
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var src Source
		var expired, oldest, newest int64
		if err := rows.Scan(&src.Name, &src.Entries, &src.Bytes, &expired, &oldest, &newest); err != nil {
			return err
		}
		s.Sources = append(s.Sources, src)
		s.Entries += src.Entries
		s.Bytes += src.Bytes
		s.Expired += expired
		if t := time.Unix(oldest, 0).UTC(); s.Oldest.IsZero() || t.Before(s.Oldest) {
			s.Oldest = t
		}
		if t := time.Unix(newest, 0).UTC(); t.After(s.Newest) {
			s.Newest = t
		}
	}
	return rows.Err()
}

// CleanResult reports the entries that Clean removed, or would remove with dryRun, and those that
// remain. The sizes count compressed bodies.
type CleanResult struct {
	Removed, RemovedBytes     int64
	Remaining, RemainingBytes int64
}

// Clean removes expired entries, then those stored more than maxAge ago, then the oldest until the
// bodies fit into maxSize bytes. A limit of zero does not apply.
func (c *Cache) Clean(ctx context.Context, maxAge time.Duration, maxSize int64, dryRun bool) (CleanResult, error) {
	const op = "clean cache"
	var out CleanResult
	now := c.now()
	oldest := int64(0)
	if maxAge > 0 {
		oldest = now.Add(-maxAge).Unix()
	}
	if maxSize <= 0 {
		maxSize = 1 << 62
	}
	// Newest first, so that the running sum shows which entries fit.
	const doomed = `WITH fresh AS (
		  SELECT key, length(body) AS size, sum(length(body)) OVER (ORDER BY stored DESC, key) AS upto
		  FROM reply WHERE expires > ?1 AND stored >= ?2),
		kept AS (SELECT key, size FROM fresh WHERE upto <= ?3) `
	err := c.inTx(ctx, op, func(tx *sql.Conn) error {
		var n, size int64
		const selectTotals = "SELECT count(*), coalesce(sum(length(body)),0) FROM reply"
		if err := tx.QueryRowContext(ctx, selectTotals).Scan(&n, &size); err != nil {
			return err
		}
		const selectKept = doomed + "SELECT count(*), coalesce(sum(size),0) FROM kept"
		row := tx.QueryRowContext(ctx, selectKept, now.Unix(), oldest, maxSize)
		if err := row.Scan(&out.Remaining, &out.RemainingBytes); err != nil {
			return err
		}
		out.Removed, out.RemovedBytes = n-out.Remaining, size-out.RemainingBytes
		if dryRun {
			return nil
		}
		_, err := tx.ExecContext(ctx, doomed+"DELETE FROM reply WHERE key NOT IN (SELECT key FROM kept)",
			now.Unix(), oldest, maxSize)
		return err
	})
	if err == nil && !dryRun {
		err = c.shrink(ctx)
	}
	return out, err
}

// Clear removes every entry.
func (c *Cache) Clear(ctx context.Context) (CleanResult, error) {
	var out CleanResult
	err := c.inTx(ctx, "clear cache", func(tx *sql.Conn) error {
		const selectTotals = "SELECT count(*), coalesce(sum(length(body)),0) FROM reply"
		if err := tx.QueryRowContext(ctx, selectTotals).Scan(&out.Removed, &out.RemovedBytes); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, "DELETE FROM reply")
		return err
	})
	if err == nil {
		err = c.shrink(ctx)
	}
	return out, err
}

// shrink returns freed pages to the disk. If another process prevents that, the next cleaning does
// it.
func (c *Cache) shrink(ctx context.Context) error {
	return c.use(ctx, "clean cache", func(db *sql.DB) error {
		for _, q := range []string{"PRAGMA incremental_vacuum", "PRAGMA wal_checkpoint(TRUNCATE)"} {
			if _, err := db.ExecContext(ctx, q); err != nil && !disk.IsBusy(err) {
				return err
			}
		}
		return nil
	})
}

// The compressor and the decompressor are created on first use: an encoder allocates tables that a
// process which only prints its version does not need.
var (
	encoder = sync.OnceValue(func() *zstd.Encoder {
		e, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(1<<20))
		if err != nil {
			panic(err) // only an invalid option fails
		}
		return e
	})
	decoder = sync.OnceValue(func() *zstd.Decoder {
		d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecoderMaxMemory(256<<20))
		if err != nil {
			panic(err)
		}
		return d
	})
)
