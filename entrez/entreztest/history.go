package entreztest

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"sync"
)

// history is the history server. It keeps result sets by WebEnv and query key.
type history struct {
	mu      sync.Mutex
	envs    map[string]*webEnv
	order   []string
	created int
}

type webEnv struct{ sets []resultSet }

type resultSet struct {
	db   string
	ids  []string
	text string // translation, for #n in later queries
}

const maxEnvs = 1000 // the oldest are dropped, as at NCBI after some hours

func newHistory() *history { return &history{envs: map[string]*webEnv{}} }

// put stores a set in the given environment, or in a new one, and returns its address.
func (h *history) put(env string, set resultSet) (name, key string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	e := h.envs[env]
	if e == nil {
		h.created++
		sum := sha256.Sum256([]byte("webenv " + strconv.Itoa(h.created)))
		env = "MCID_" + hex.EncodeToString(sum[:12])
		e = &webEnv{}
		h.envs[env] = e
		h.order = append(h.order, env)
		if len(h.order) > maxEnvs {
			delete(h.envs, h.order[0])
			h.order = h.order[1:]
		}
	}
	e.sets = append(e.sets, set)
	return env, strconv.Itoa(len(e.sets))
}

func (h *history) get(env, key string) (resultSet, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	n, err := strconv.Atoi(key)
	if err != nil || h.envs[env] == nil || n < 1 || n > len(h.envs[env].sets) {
		return resultSet{}, false
	}
	return h.envs[env].sets[n-1], true
}

// clear removes all sets, so that every WebEnv is invalid.
func (h *history) clear() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.envs, h.order = map[string]*webEnv{}, nil
}
