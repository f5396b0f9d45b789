package intake

import (
	"context"
	"fmt"
	"time"

	"biomcp/entrez/fault"
	"biomcp/store"
)

// A WatermarkError reports a watermark on a day that has not begun. A delta from there would
// find nothing.
type WatermarkError struct {
	Key, Watermark string
	Right          string // time up to which everything is stored
}

func (e *WatermarkError) Error() string {
	return fmt.Sprintf("the watermark of %q, %s, is in the future: check the clock, or set the watermark to %s",
		e.Key, e.Watermark, e.Right)
}

// Meaning returns the code Invariant and the command that sets the watermark right.
func (e *WatermarkError) Meaning() fault.Meaning {
	return fault.Meaning{Code: fault.Invariant, Next: []string{"sync", "checkpoint", e.Key, e.Right}}
}

// noWatermark is earlier than every date of PubMed.
const noWatermark = "1700-01-01T00:00:00Z"

// CheckWatermark returns a *WatermarkError if a watermark of key lies on a day after now. Its
// Right is the start of the last finished sync of the key.
func CheckWatermark(ctx context.Context, corpus *store.Store, key, watermark string, now time.Time) error {
	if watermark < rfc3339(now.UTC().Truncate(24*time.Hour).AddDate(0, 0, 1)) {
		return nil
	}
	keys, err := corpus.QueryKeys(ctx)
	if err != nil {
		return err
	}
	e := &WatermarkError{Key: key, Watermark: watermark, Right: noWatermark}
	for _, k := range keys {
		if at := time.Unix(k.FinishedRound, 0); k.Key == key && k.FinishedRound > 0 && !at.After(now) {
			e.Right = rfc3339(at)
		}
	}
	return e
}
