package command

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"biomcp/entrez"
	"biomcp/entrez/httpclient"
	"biomcp/rag"
	"biomcp/rag/library"
	"biomcp/rag/static"
	"biomcp/store"
	"biomcp/store/replies"
)

// An App holds the resources that commands share: the environment, the clock, the clients
// and the files. It opens each of them on first use. A process has one App. Its
// methods may be called from several goroutines at once.
type App struct {
	Env     Env
	Version string
	Now     func() time.Time
	Log     *slog.Logger

	// OpenEngine connects to a Weaviate server. It is required if Env.Index is weaviate.
	OpenEngine func(rag.EngineConfig) (rag.Engine, error)

	network lazy[*httpclient.Client]
	cache   lazy[*replies.Cache]
	reader  lazy[*store.Store]
	writer  lazy[*store.Store]
	remote  lazy[*rag.Remote]
	table   lazy[*static.Table]
	library lazy[*library.Searcher]
	closers []io.Closer
	mu      sync.Mutex

	uncached atomic.Bool
}

// A once opens a value on first use and keeps it. It retries after an error, since a server may
// later find a file that is missing now.
type lazy[T any] struct {
	mu    sync.Mutex
	open  bool
	value T
}

// get returns the value and opens it if necessary.
func (o *lazy[T]) get(open func() (T, error)) (T, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.open {
		return o.value, nil
	}
	value, err := open()
	if err == nil {
		o.value, o.open = value, true
	}
	return value, err
}

// drop forgets an open value if stale reports true for it, and passes it to retire.
func (o *lazy[T]) drop(stale func(T) bool, retire func(T)) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.open && stale(o.value) {
		retire(o.value)
		var none T
		o.value, o.open = none, false
	}
}

// Network returns the client for all sources. If the environment has an invalid value, every call
// of the client returns a *result.Failure that explains it.
func (a *App) Network() *httpclient.Client {
	client, _ := a.network.get(func() (*httpclient.Client, error) {
		if err := a.Env.networkProblem; err != nil {
			return httpclient.FailingClient(err), nil
		}
		cfg := a.Env.Network
		cfg.SlotDir, cfg.Logger = a.Env.CacheDir, a.Log
		cfg.SpareDir = filepath.Join(os.TempDir(), fmt.Sprintf("biomcp-pace-%d", os.Getuid()))
		// Without a cache the program is slower but still correct.
		if cache, err := a.Cache(); err != nil {
			a.uncached.Store(true)
			a.Log.Info("responses are not cached", "error", err)
		} else {
			cfg.Cache = cache
		}
		client, err := httpclient.New(cfg)
		if err != nil {
			client = httpclient.FailingClient(err)
		}
		return client, nil
	})
	return client
}

// Uncached reports whether the client of Network has no cache because it could not be opened.
func (a *App) Uncached() bool { return a.uncached.Load() }

// Entrez returns the client for the E-utilities.
func (a *App) Entrez() *entrez.Client { return entrez.New(a.Network()) }

// Cache opens the response cache.
func (a *App) Cache() (*replies.Cache, error) {
	return a.cache.get(func() (*replies.Cache, error) {
		dir, err := a.CacheDir()
		if err != nil {
			return nil, err
		}
		c, err := replies.Open(filepath.Join(dir, "responses.db"))
		if err == nil {
			a.onClose(c)
		}
		return c, err
	})
}

// CacheDir returns the folder of the response cache.
func (a *App) CacheDir() (string, error) { return a.Env.CacheDir, a.Env.cacheProb }

// onClose registers c to be closed by Close.
func (a *App) onClose(c io.Closer) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.closers = append(a.closers, c)
}

// retire closes a corpus after the last call that uses it has released it.
func (a *App) retire(s *store.Store) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.closers = slices.DeleteFunc(a.closers, func(c io.Closer) bool { return c == io.Closer(s) })
	runtime.SetFinalizer(s, (*store.Store).Close)
}

// Close closes all open resources in reverse order.
func (a *App) Close() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	var errs []error
	for _, c := range slices.Backward(a.closers) {
		errs = append(errs, c.Close())
	}
	a.closers = nil
	return errors.Join(errs...)
}
