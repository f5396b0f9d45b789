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
	"biomcp/entrez/polite"
	"biomcp/rag"
	"biomcp/rag/library"
	"biomcp/rag/static"
	"biomcp/store"
	"biomcp/store/replies"
)

// App is what commands share: the environment, the clock, the clients and the
// files, each opened when it is first asked for. One App serves one process,
// also one that answers many calls at once.
type App struct {
	Env     Env
	Version string
	Now     func() time.Time
	Log     *slog.Logger

	network once[*polite.Client]
	cache   once[*replies.Cache]
	read    once[*store.Store]
	write   once[*store.Store]
	remote  once[*rag.Remote]
	table   once[*static.Table]
	library once[*library.Searcher]
	closer  []io.Closer
	mu      sync.Mutex

	uncached atomic.Bool
}

// once opens something at most once. A failure is not remembered: what is
// missing now may be there when a server is asked again.
type once[T any] struct {
	mu    sync.Mutex
	open  bool
	value T
}

func (o *once[T]) get(open func() (T, error)) (T, error) {
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

// drop forgets what was opened where stale says so, and hands it to retire.
func (o *once[T]) drop(stale func(T) bool, retire func(T)) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.open && stale(o.value) {
		retire(o.value)
		var none T
		o.value, o.open = none, false
	}
}

// Network is the client for all sources. Where the environment is wrong each of its calls
// fails, with a *result.Failure that says so.
func (a *App) Network() *polite.Client {
	client, _ := a.network.get(func() (*polite.Client, error) {
		if err := a.Env.networkProblem; err != nil {
			return polite.Unusable(err), nil
		}
		cfg := a.Env.Network
		cfg.SlotDir, cfg.Logger = a.Env.CacheDir, a.Log
		cfg.SpareDir = filepath.Join(os.TempDir(), fmt.Sprintf("biomcp-pace-%d", os.Getuid()))
		// Without a cache the program is slower and as right.
		if cache, err := a.Cache(); err != nil {
			a.uncached.Store(true)
			a.Log.Info("responses are not cached", "error", err)
		} else {
			cfg.Cache = cache
		}
		client, err := polite.New(cfg)
		if err != nil {
			client = polite.Unusable(err)
		}
		return client, nil
	})
	return client
}

// Uncached reports that Network works without a cache, which cannot be opened.
func (a *App) Uncached() bool { return a.uncached.Load() }

// Entrez is the client for the E-utilities.
func (a *App) Entrez() *entrez.Client { return entrez.New(a.Network()) }

// Cache is the response cache.
func (a *App) Cache() (*replies.Cache, error) {
	return a.cache.get(func() (*replies.Cache, error) {
		dir, err := a.CacheDir()
		if err != nil {
			return nil, err
		}
		c, err := replies.Open(filepath.Join(dir, "responses.db"))
		if err == nil {
			a.closing(c)
		}
		return c, err
	})
}

// CacheDir is the folder of the response cache.
func (a *App) CacheDir() (string, error) { return a.Env.CacheDir, a.Env.cacheProb }

func (a *App) closing(c io.Closer) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.closer = append(a.closer, c)
}

// retire closes a corpus once the last call that uses it has let go of it.
func (a *App) retire(s *store.Store) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.closer = slices.DeleteFunc(a.closer, func(c io.Closer) bool { return c == io.Closer(s) })
	runtime.SetFinalizer(s, (*store.Store).Close)
}

// Close closes what was opened, the last first.
func (a *App) Close() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	var errs []error
	for _, c := range slices.Backward(a.closer) {
		errs = append(errs, c.Close())
	}
	a.closer = nil
	return errors.Join(errs...)
}
