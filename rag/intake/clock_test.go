package intake

import (
	"errors"
	"testing"
	"time"
)

// If the clock goes back by years, a sync does not move the watermark or remove anything, and
// reports why it does not search. When the clock is right again, the next sync continues.
func TestAClockThatGoesBack(t *testing.T) {
	bubble(t, func(r *rig) {
		r.sync()
		r.wantWatermark("2024-05-11T06:00:00Z")
		now := r.o.Now
		r.o.Now = func() time.Time { return now().AddDate(-3, 0, 0) }
		var future *WatermarkError
		if report, err := Delta(t.Context(), r.o, r.cl, r.q); !errors.As(err, &future) || report.Deleted > 0 {
			t.Errorf("%s, %v; want a WatermarkError", counts(report), err)
		}
		r.wantWatermark("2024-05-11T06:00:00Z")
		r.o.Now = now
		r.later(1)
		r.add(pubmedRecord{pmid: 77, edat: "2024-05-12", crdt: "2024-05-12", lr: "2024-05-12"})
		wantCounts(t, r.sync(), "1 inserted, 0 updated, 10 skipped, 0 deleted")
		if got := len(pmids(t, r.o.Store)); got != 11 {
			t.Errorf("%d documents", got)
		}
	}, many(1, 10)...)
	mirroring(t, func(t *testing.T, r *mirrorRig) {
		r.base(26, three()...)
		watermark := r.run().Watermark
		now := r.o.Now
		r.o.Now = func() time.Time { return now().AddDate(-9, 0, 0) }
		r.files.Put("updatefiles", name(26, 4), []byte(gzipped(set(many(900, 1)))))
		if report := r.fails("is in the future"); report.Inserted != 1 {
			t.Errorf("inserted %d, want 1", report.Inserted)
		}
		if at, _, err := r.o.Store.Checkpoint(t.Context(), MirrorKey); at != watermark || err != nil {
			t.Errorf("watermark %q, %v; want %q", at, err, watermark)
		}
	})
}
