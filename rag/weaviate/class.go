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
)

// Check asks for the class and holds it against what this program writes: Missing
// where there is none, Invariant where it is another. A class that passed is not
// asked for again. The dimension of vectors is not looked at: words are found
// whatever it is.
func (x *Index) Check(ctx context.Context) error {
	x.checking.Lock()
	defer x.checking.Unlock()
	if x.checked != nil {
		return nil
	}
	class, err := x.look(ctx)
	if err == nil {
		err = x.compare(class)
	}
	if err == nil {
		x.checked = class
	}
	return err
}

// look asks for the class.
func (x *Index) look(ctx context.Context) (class *foundClass, err error) {
	const op = "look at class"
	err = x.call(ctx, op, func(ctx context.Context) error {
		reply, err := x.connection.RunREST(ctx, "/schema/"+x.class, http.MethodGet, nil)
		if err == nil && reply.StatusCode == http.StatusNotFound {
			return newError(Missing, op, "the server has no class %s", x.class)
		}
		if err := except.CheckResponseDataErrorAndStatusCode(reply, err, http.StatusOK); err != nil {
			return err
		}
		class, err = readClass(reply.Body)
		return err
	})
	return class, err
}

// foundClass is a class as the server describes it.
type foundClass struct {
	models.Class
	raw      map[string]any
	blockMax bool // words are ranked by BlockMax-WAND
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

// fills reports whether fillers are needed for the length of a text to be the
// number of its words. BlockMax-WAND, of version 1.30 and later, takes all of
// them; what was before it, the different ones.
func (x *Index) fills() bool {
	x.checking.Lock()
	defer x.checking.Unlock()
	return x.checked == nil || !x.checked.blockMax
}

// noted is the dimension of the vectors in the class, 0 while there are none.
func (x *Index) noted() int {
	if x.checked == nil {
		return 0
	}
	have, _ := readNote(x.checked.Description)
	return have.Dim
}

func (x *Index) otherDim(have int) error {
	return newError(Invariant, "look at class", "the class %s holds vectors of %d numbers, the model %s makes such of %d", x.class, have, x.model, x.dim)
}

// vectors are the model and the dimension of our vectors.
func (x *Index) vectors() (model string, dim int) {
	x.checking.Lock()
	defer x.checking.Unlock()
	return x.model, x.dim
}

// Ensure makes the class where it is missing, with Config.Copies of each object.
// A class that is there is held against what this program writes: Invariant where
// it is of another shape, or for vectors of another dimension.
func (x *Index) Ensure(ctx context.Context) error {
	err := x.Check(ctx)
	if IsKind(err, Missing) {
		err = x.make(ctx)
	}
	if err != nil {
		return err
	}
	return x.adopt(ctx)
}

func (x *Index) make(ctx context.Context) error {
	nodes := x.nodes(ctx)
	_, dim := x.vectors()
	err := x.call(ctx, "make class", func(ctx context.Context) error {
		return x.schema.ClassCreator().WithClass(x.newClass(dim, nodes)).Do(ctx)
	})
	if e := (*Error)(nil); errors.As(err, &e) && e.Status == http.StatusUnprocessableEntity {
		if again := x.Check(ctx); !IsKind(again, Missing) { // another process was first
			return again
		}
	}
	if err != nil {
		return err
	}
	return x.Check(ctx)
}

// nodes is the number of nodes, 1 where the server does not say.
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

// adopt notes the dimension of our vectors in a class that has none yet.
func (x *Index) adopt(ctx context.Context) error {
	x.checking.Lock()
	defer x.checking.Unlock()
	switch have := x.noted(); {
	case x.dim == 0 || have == x.dim:
		return nil
	case have != 0:
		return x.otherDim(have)
	}
	class := maps.Clone(x.checked.raw) // with what a later server knows and this program does not
	class["description"] = description(x.dim)
	err := x.call(ctx, "note dimension", func(ctx context.Context) error {
		reply, err := x.connection.RunREST(ctx, "/schema/"+x.class, http.MethodPut, class)
		return except.CheckResponseDataErrorAndStatusCode(reply, err, http.StatusOK)
	})
	if err == nil {
		changed := *x.checked
		changed.raw, changed.Description = class, description(x.dim)
		x.checked = &changed
	}
	return err
}

// Renew makes ready for all documents to be put anew, with vectors of a model. A
// class of ours that cannot take them, because another version of this program
// made it or its vectors have another dimension, is removed with all it holds;
// else vectors of the model before are overwritten one by one, and found by none
// until then. Invariant where the class is not ours.
func (x *Index) Renew(ctx context.Context, model string, dim int) error {
	class, err := x.look(ctx)
	switch {
	case IsKind(err, Missing):
	case err != nil:
		return err
	default:
		have, ours := readNote(class.Description)
		unfit := x.compare(class)
		switch {
		case unfit != nil && !ours:
			return unfit
		case unfit != nil, have.Dim != 0 && dim != 0 && have.Dim != dim:
			if err := x.Drop(ctx); err != nil {
				return err
			}
		}
	}
	x.checking.Lock()
	defer x.checking.Unlock()
	x.model, x.dim = model, dim
	return nil
}

// Drop removes the class with all its objects; that it is not there is no error.
func (x *Index) Drop(ctx context.Context) error {
	x.checking.Lock()
	defer x.checking.Unlock()
	x.checked = nil
	return x.call(ctx, "remove class", func(ctx context.Context) error {
		err := x.schema.ClassDeleter().WithClassName(x.class).Do(ctx)
		if reply := (*fault.WeaviateClientError)(nil); errors.As(err, &reply) && reply.StatusCode == http.StatusNotFound {
			return nil
		}
		return err
	})
}
