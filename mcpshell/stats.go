package mcpshell

import (
	"cmp"
	"slices"
	"sync"
	"time"
)

// Stats holds counts since a shell was made.
type Stats struct {
	Sessions int   // open now
	Calls    int64 // tool calls
	Uptime   time.Duration
}

// Stats returns the current counts.
func (s *Shell) Stats() Stats {
	s.counts.mu.Lock()
	defer s.counts.mu.Unlock()
	return Stats{Sessions: s.counts.sessions, Calls: s.counts.calls, Uptime: time.Since(s.counts.since)}
}

// buckets lists the upper bounds of the histogram of durations, in seconds.
var buckets = []float64{0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60}

// counts counts calls and sessions. A family is a command of the tree, so there are few.
type counts struct {
	since time.Time

	mu        sync.Mutex
	sessions  int
	calls     int64
	outcomes  map[callLabels]int64  // by family, outcome and code
	durations map[string]*histogram // durations by family
	subjects  map[callLabels]int64  // by outcome and subject, which is stored as the family
}

type callLabels struct{ family, outcome, code string }

type histogram struct {
	counts []int64 // per bucket, and at the end above the last bound
	sum    float64 // seconds
}

func newCounts() *counts {
	return &counts{
		since:     time.Now(),
		outcomes:  map[callLabels]int64{},
		durations: map[string]*histogram{},
		subjects:  map[callLabels]int64{},
	}
}

// maxSubjects is the maximum number of counted pairs of subject and outcome. Further pairs are
// counted together as otherSubjects.
const (
	maxSubjects   = 4096
	otherSubjects = "(others)"
)

func (c *counts) addCall(l callLabels, subject string, took time.Duration) {
	l.family = cmp.Or(l.family, "none") // the line names no command
	c.mu.Lock()
	defer c.mu.Unlock()
	c.calls++
	c.outcomes[l]++
	subjectLabels := callLabels{family: subject, outcome: l.outcome}
	if _, counted := c.subjects[subjectLabels]; !counted && len(c.subjects) >= maxSubjects {
		subjectLabels.family = otherSubjects
	}
	c.subjects[subjectLabels]++
	h := c.durations[l.family]
	if h == nil {
		h = &histogram{counts: make([]int64, len(buckets)+1)}
		c.durations[l.family] = h
	}
	i, _ := slices.BinarySearch(buckets, took.Seconds())
	h.counts[i]++
	h.sum += took.Seconds()
}

func (c *counts) addSessions(by int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.sessions += by
}
