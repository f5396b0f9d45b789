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

// Check reads the class and compares it with the one that this program creates. It
// fails with Missing if there is none, with Invariant if it differs. A class that
// passed is not read again. Check ignores the dimension of the vectors, since
// searches by words do not depend on it.
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

// needsFillers reports whether the server uses the number of different words as the
// length of a text, as before BlockMax-WAND (version 1.30), which uses the number of
// all words.
func (x *Index) needsFillers() bool {
	x.checking.Lock()
	defer x.checking.Unlock()
	return x.checked == nil || !x.checked.blockMax
}

// storedDim returns the dimension of the vectors in the class, 0 while there are
// none. x.checking is held.
func (x *Index) storedDim() int {
	if x.checked == nil {
		return 0
	}
	have, _ := readNote(x.checked.Description)
	return have.Dim
}

func (x *Index) otherDim(have int) error {
	return newError(Invariant, opCheck, "the class %s has vectors of dimension %d, the model %s has dimension %d", x.class, have, x.model, x.dim)
}

// vectors returns the model and the dimension of the vectors of this Index.
func (x *Index) vectors() (model string, dim int) {
	x.checking.Lock()
	defer x.checking.Unlock()
	return x.model, x.dim
}

// Ensure creates the class if it is missing, with Config.Copies of each object. An
// existing class is checked: Ensure fails with Invariant if it has another schema, or
// vectors of another dimension.
func (x *Index) Ensure(ctx context.Context) error {
	err := x.Check(ctx)
	if IsKind(err, Missing) {
		err = x.create(ctx)
	}
	if err != nil {
		return err
	}
	return x.storeDim(ctx)
}

func (x *Index) create(ctx context.Context) error {
	nodes := x.nodes(ctx)
	_, dim := x.vectors()
	err := x.call(ctx, "create class", func(ctx context.Context) error {
		return x.schema.ClassCreator().WithClass(x.newClass(dim, nodes)).Do(ctx)
	})
	if e := (*Error)(nil); errors.As(err, &e) && e.Status == http.StatusUnprocessableEntity {
		if again := x.Check(ctx); !IsKind(again, Missing) { // another process created it first
			return again
		}
	}
	if err != nil {
		return err
	}
	return x.Check(ctx)
}

// nodes returns the number of nodes, 1 if the server does not report it.
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

// storeDim stores the dimension of our vectors in a class that has none yet.
func (x *Index) storeDim(ctx context.Context) error {
	x.checking.Lock()
	defer x.checking.Unlock()
	switch have := x.storedDim(); {
	case x.dim == 0 || have == x.dim:
		return nil
	case have != 0:
		return x.otherDim(have)
	}
	class := maps.Clone(x.checked.raw) // with the fields of later server versions
	class["description"] = description(x.dim)
	err := x.call(ctx, "store dimension", func(ctx context.Context) error {
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

// UseModel prepares the class for putting all documents again, with vectors of a model.
// If another version of this program created the class, or its vectors have another
// dimension, UseModel removes it with all its objects. Otherwise each Put overwrites
// vectors of the previous model; those not yet overwritten are not searched. UseModel
// fails with Invariant if this program did not create the class.
func (x *Index) UseModel(ctx context.Context, model string, dim int) error {
	class, err := x.read(ctx)
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

// Drop removes the class with all its objects. It is no error if there is none.
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
