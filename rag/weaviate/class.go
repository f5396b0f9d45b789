package weaviate

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"net/http"

	"github.com/weaviate/weaviate-go-client/v4/weaviate/cluster"
	"github.com/weaviate/weaviate-go-client/v4/weaviate/except"
	"github.com/weaviate/weaviate-go-client/v4/weaviate/fault"
	"github.com/weaviate/weaviate/entities/models"

	"biomcp/store"
)

// Check reads the class and compares it with the one that this program creates. It returns an
// error of kind Missing if there is no class, and of kind Invariant if the class differs. A
// class that passed is not read again. Check ignores the dimension of the vectors, because word
// searches do not depend on it.
func (x *Index) Check(ctx context.Context) error {
	x.checking.Lock()
	defer x.checking.Unlock()
	if x.checked != nil {
		return nil
	}
	class, err := x.read(ctx)
	if err == nil {
		err = x.compare(class)
	}
	if err == nil {
		x.checked = class
	}
	return err
}

const opCheck = "check class" // the Op of errors

// read reads the class from the server.
func (x *Index) read(ctx context.Context) (class *foundClass, err error) {
	err = x.call(ctx, opCheck, func(ctx context.Context) error {
		reply, err := x.connection.RunREST(ctx, "/schema/"+x.class, http.MethodGet, nil)
		if err == nil && reply.StatusCode == http.StatusNotFound {
			return newError(Missing, opCheck, "the server has no class %s", x.class)
		}
		if err := except.CheckResponseDataErrorAndStatusCode(reply, err, http.StatusOK); err != nil {
			return err
		}
		class, err = readClass(reply.Body)
		return err
	})
	return class, err
}

// A foundClass is a class as the server describes it.
type foundClass struct {
	models.Class
	raw      map[string]any
	blockMax bool // the server ranks words by BlockMax-WAND
}

func readClass(body []byte) (*foundClass, error) {
	var c foundClass
	var more struct {
		InvertedIndexConfig struct{ UsingBlockMaxWAND bool }
	}
	for _, part := range []any{&c.Class, &c.raw, &more} {
		if err := json.Unmarshal(body, part); err != nil {
			return nil, err
		}
	}
	c.blockMax = more.InvertedIndexConfig.UsingBlockMaxWAND
	return &c, nil
}

// needsFillers reports whether the server uses the number of distinct words as the length of a
// text. Since version 1.30, with BlockMax-WAND, it uses the number of all words.
func (x *Index) needsFillers() bool {
	x.checking.Lock()
	defer x.checking.Unlock()
	return x.checked == nil || !x.checked.blockMax
}

// classNote returns the note of the class, or the zero note before Check. The caller must hold
// x.checking.
func (x *Index) classNote() (n note) {
	if x.checked != nil {
		n, _ = readNote(x.checked.Description)
	}
	return n
}

func (x *Index) otherDim(have int, m model) error {
	return newError(Invariant, opCheck, "the class %s has vectors of dimension %d, the model %s has dimension %d",
		x.class, have, m.name, m.dim)
}

// Ensure creates the class if it does not exist, and otherwise checks it. It returns an error
// of kind Invariant if the class has another schema, or vectors of another dimension.
func (x *Index) Ensure(ctx context.Context) error {
	err := x.Check(ctx)
	if IsKind(err, Missing) {
		err = x.create(ctx)
	}
	if err != nil {
		return err
	}
	return x.storeDims(ctx)
}

func (x *Index) create(ctx context.Context) error {
	nodes := x.nodes(ctx)
	class := x.newClass(x.modelOf(passage).dim, x.modelOf(local).dim, nodes)
	err := x.call(ctx, "create class", func(ctx context.Context) error {
		return x.schema.ClassCreator().WithClass(class).Do(ctx)
	})
	if e, ok := errors.AsType[*Error](err); ok && e.Status == http.StatusUnprocessableEntity {
		if again := x.Check(ctx); !IsKind(again, Missing) { // another process created it first
			return again
		}
	}
	if err != nil {
		return err
	}
	return x.Check(ctx)
}

// nodes returns the number of nodes, or 1 if the server does not report it.
func (x *Index) nodes(ctx context.Context) (n int) {
	err := x.call(ctx, "count nodes", func(ctx context.Context) error {
		nodes, err := cluster.New(x.connection).NodesStatusGetter().Do(ctx)
		if err == nil {
			n = len(nodes.Nodes)
		}
		return err
	})
	if err != nil {
		return 1
	}
	return max(n, 1)
}

// storeDims stores the dimensions of our vectors in the class, if it has no dimensions yet.
func (x *Index) storeDims(ctx context.Context) error {
	x.checking.Lock()
	defer x.checking.Unlock()
	old := x.classNote()
	next := old
	for v, dim := range []*int{&next.Dim, &next.Local} {
		switch m := x.models[v]; {
		case m.dim == 0:
		case *dim == 0:
			*dim = m.dim
		case *dim != m.dim:
			return x.otherDim(*dim, m)
		}
	}
	if next == old {
		return nil
	}
	class := maps.Clone(x.checked.raw) // keeps fields of later server versions
	class["description"] = next.description()
	err := x.call(ctx, "store dimension", func(ctx context.Context) error {
		reply, err := x.connection.RunREST(ctx, "/schema/"+x.class, http.MethodPut, class)
		return except.CheckResponseDataErrorAndStatusCode(reply, err, http.StatusOK)
	})
	if err == nil {
		changed := *x.checked
		changed.raw, changed.Description = class, next.description()
		x.checked = &changed
	}
	return err
}

// UseModels prepares the class for putting all documents again with the vectors of model used
// and, unless its name is "", of the corpus's own model second. If the class differs from the
// one that this version creates, or has vectors of another dimension, UseModels removes it with
// all its objects. Otherwise each Put overwrites the vectors of earlier models, and searches
// ignore those not yet overwritten. For a class that another program created, UseModels returns
// an error of kind Invariant.
func (x *Index) UseModels(ctx context.Context, used, second store.Model) error {
	next := [...]model{{used.Name, used.Dim}, {second.Name, second.Dim}}
	class, err := x.read(ctx)
	switch {
	case IsKind(err, Missing):
	case err != nil:
		return err
	default:
		have, ours := readNote(class.Description)
		unfit := x.compare(class)
		if unfit != nil && !ours {
			return unfit
		}
		drop := unfit != nil
		for v, m := range next {
			dim := have.dim(vector(v))
			drop = drop || m.dim != 0 && dim != 0 && dim != m.dim
		}
		if drop {
			if err := x.Drop(ctx); err != nil {
				return err
			}
		}
	}
	x.checking.Lock()
	defer x.checking.Unlock()
	x.models = next
	return nil
}

// Drop removes the class with all its objects. It returns nil if the class does not exist.
func (x *Index) Drop(ctx context.Context) error {
	x.checking.Lock()
	defer x.checking.Unlock()
	x.checked = nil
	return x.call(ctx, "remove class", func(ctx context.Context) error {
		err := x.schema.ClassDeleter().WithClassName(x.class).Do(ctx)
		if reply, ok := errors.AsType[*fault.WeaviateClientError](err); ok && reply.StatusCode == http.StatusNotFound {
			return nil
		}
		return err
	})
}
