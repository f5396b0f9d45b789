package intake

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"biomcp/entrez"
	"biomcp/rag"
)

// A panic in a goroutine of a sync reaches the caller of the sync.
func TestPanicReachesTheCaller(t *testing.T) {
	recovered := func(t *testing.T, run func()) {
		t.Helper()
		defer func() {
			if p := fmt.Sprint(recover()); !strings.Contains(p, "a bug") {
				t.Errorf("recovered %.100q", p)
			}
		}()
		run()
		t.Error("it returned")
	}
	t.Run("embedder", func(t *testing.T) {
		o := options(t)
		o.Embedder = buggyEmbedder{&service{dim: 8}}
		recovered(t, func() { Import(t.Context(), o, inFile(t, many(1, 300))) })
		o.Embedder, o.NoVectors = nil, true
		importing(t, o, inFile(t, many(1, 3000)))
		o.Embedder, o.NoVectors = buggyEmbedder{&service{dim: 8}}, false
		recovered(t, func() { UpdateVectors(t.Context(), o, false) })
	})
	t.Run("NCBI", func(t *testing.T) {
		bubble(t, func(r *rig) {
			r.cl = buggyNCBI{r.cl}
			recovered(t, func() { Delta(r.t.Context(), r.o, r.cl, r.q) })
		}, many(1, 700)...)
	})
}

type buggyEmbedder struct{ *service }

func (b buggyEmbedder) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	if len(texts) > 1 { // one asks for the dimension
		panic("a bug")
	}
	return b.service.Embed(ctx, texts)
}

type buggyNCBI struct{ NCBI }

func (buggyNCBI) Fetch(context.Context, []string) (*entrez.FetchResult, error) { panic("a bug") }

var _ rag.Embedder = buggyEmbedder{}
