package weaviate

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/weaviate/weaviate-go-client/v4/weaviate/batch"
	"github.com/weaviate/weaviate-go-client/v4/weaviate/connection"
	"github.com/weaviate/weaviate-go-client/v4/weaviate/graphql"
	"github.com/weaviate/weaviate-go-client/v4/weaviate/schema"
	"github.com/weaviate/weaviate/entities/models"

	"biomcp/entrez/httpclient"
	"biomcp/rag"
)

// DefaultClass is the class used if Config.Class is empty.
const DefaultClass = "PubMedChunk"

// Config configures an Index.
type Config = rag.EngineConfig

// An Index is a class of a Weaviate server. Its methods may be called concurrently.
type Index struct {
	class   string
	host    string
	key     string
	timeout time.Duration

	connection *connection.Connection
	graphql    *graphql.API
	batch      *batch.API
	schema     *schema.API

	// storing is held while a batch is stored, so that searches of this process see whole
	// documents.
	storing sync.RWMutex

	checking sync.Mutex
	checked  *foundClass // nil until the class has passed Check
	models   [2]model    // models of the vectors passage and local
}

// Open calls New and returns interfaces, for command.App.
func Open(c rag.EngineConfig) (rag.Engine, error) {
	x, err := New(c)
	if err != nil {
		return nil, err
	}
	return x, nil
}

// New returns an Index. It sends nothing to the server.
func New(c Config) (*Index, error) {
	scheme, host, err := address(c.URL)
	if err != nil {
		return nil, err
	}
	class, err := className(c.Class)
	if err != nil {
		return nil, err
	}
	negative := c.Dim < 0 || c.LocalDim < 0
	incomplete := (c.Model == "") != (c.Dim == 0) || (c.Local == "") != (c.LocalDim == 0)
	if negative || incomplete {
		return nil, newError(Invalid, "open", "a model requires the dimension of its vectors, and a dimension a model")
	}
	c.Timeout = cmp.Or(c.Timeout, 30*time.Second)
	if c.HTTP == nil {
		c.HTTP = httpclient.NewTransport(nil)
	}
	client := &http.Client{
		Transport: &transport{c.HTTP, c.APIKey, c.Timeout / 10},
		// The key is sent to the configured server only.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	// The parts of the client are created here, because weaviate.NewClient requests the version
	// of the server without a deadline.
	con := connection.NewConnection(scheme, host, client, 0, nil)
	// The client's finalizer waits for a goroutine that was not started, and would
	// block all other finalizers of the process.
	runtime.SetFinalizer(con, nil)
	return &Index{
		class: class, models: [2]model{{c.Model, c.Dim}, {c.Local, c.LocalDim}},
		host: host, key: c.APIKey, timeout: c.Timeout,
		connection: con, graphql: graphql.New(con), batch: batch.New(con, nil, nil), schema: schema.New(con),
	}, nil
}

func address(text string) (scheme, host string, err error) {
	if !strings.Contains(text, "://") {
		text = "http://" + text
	}
	u, parseErr := url.Parse(text)
	switch {
	case parseErr != nil, u.Host == "", u.Scheme != "http" && u.Scheme != "https", u.RawQuery != "", u.Fragment != "":
		return "", "", newError(Invalid, "open", "the address must have the form http://host:8080")
	case u.User != nil:
		return "", "", newError(Invalid, "open",
			"the address must not contain a user or key: set the API key separately")
	}
	path := strings.TrimSuffix(strings.TrimSuffix(u.Path, "/"), "/v1")
	return u.Scheme, u.Host + path, nil
}

func className(name string) (string, error) {
	if name == "" {
		return DefaultClass, nil
	}
	name = strings.ToUpper(name[:1]) + name[1:] // as the server does
	for i, r := range name {
		letter := r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z'
		if !letter && (i == 0 || r != '_' && (r < '0' || r > '9')) || i > 200 {
			return "", newError(Invalid, "open",
				"the name of a class has letters, digits and _, and begins with a letter")
		}
	}
	return name, nil
}

// call runs f with the deadline for one call.
func (x *Index) call(ctx context.Context, op string, f func(context.Context) error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	inner, cancel := context.WithTimeout(ctx, x.timeout)
	defer cancel()
	_, done := httpclient.Await(ctx, "Weaviate at "+x.host)
	defer done()
	return x.failure(ctx, op, f(inner))
}

// callWithRetries runs try like call, and repeats it while it returns again.
func (x *Index) callWithRetries(ctx context.Context, op string, try func(context.Context) (again bool, err error)) error {
	return x.call(ctx, op, func(ctx context.Context) (failure error) {
		_ = retries.Do(ctx, func(int) (again bool, _ time.Duration) {
			again, failure = try(ctx)
			return again, 0
		})
		return failure
	})
}

// A row is one object of a reply.
type row map[string]any

func (r row) text(name string) string {
	s, _ := r[name].(string)
	return s
}

func (r row) number(name string) float64 {
	n, _ := r[name].(float64)
	return n
}

func (r row) row(name string) row {
	m, _ := r[name].(map[string]any)
	return m
}

// An answer is the result of a GraphQL query: for Get and Aggregate, the rows by the names in
// the query.
type answer map[string]map[string][]row

// query runs a GraphQL query. It repeats the query after a temporary failure of a cluster that
// is losing a node, which the server reports as an error within the reply.
func (x *Index) query(ctx context.Context, op, query string) (found answer, err error) {
	err = x.callWithRetries(ctx, op, func(ctx context.Context) (again bool, err error) {
		reply, err := x.graphql.Raw().WithQuery(query).Do(ctx)
		switch {
		case err != nil:
			return false, err
		case len(reply.Errors) > 0:
			err = x.queryFailure(op, reply.Errors)
			return IsKind(err, Failed), err
		}
		found, err = rows(reply.Data)
		return false, err
	})
	if IsKind(err, Missing) { // the class was removed after Check
		x.checking.Lock()
		x.checked = nil
		x.checking.Unlock()
	}
	return found, err
}

func rows(data map[string]models.JSONObject) (answer, error) {
	found := answer{}
	for operation, part := range data {
		parts, ok := part.(map[string]any)
		if !ok {
			return nil, newError(Failed, "search", "the reply has no %s", operation)
		}
		found[operation] = map[string][]row{}
		for name, list := range parts {
			items, ok := list.([]any)
			if !ok {
				return nil, newError(Failed, "search", "the reply has no list of %s", name)
			}
			all := make([]row, len(items))
			for i, item := range items {
				all[i], ok = item.(map[string]any)
				if !ok {
					return nil, newError(Failed, "search", "the list of %s has elements that are not objects", name)
				}
			}
			found[operation][name] = all
		}
	}
	return found, nil
}

// quote returns text as a GraphQL string. GraphQL has the escapes of JSON.
func quote(text string) string {
	b, _ := json.Marshal(text) // encoding a string does not fail
	return string(b)
}

// quorum returns the consistency level of a majority of the copies, or "" for a class without
// replication, for which the server accepts no level.
func (x *Index) quorum() string {
	x.checking.Lock()
	defer x.checking.Unlock()
	if c := x.checked; c != nil && c.ReplicationConfig != nil && c.ReplicationConfig.Factor > 1 {
		return "QUORUM"
	}
	return ""
}

// get returns a GraphQL query for objects with a name, arguments and fields.
func (x *Index) get(name, arguments, fields string) string {
	if level := x.quorum(); level != "" {
		arguments += " consistencyLevel:" + level
	}
	return fmt.Sprintf("%s:%s(%s){%s}", name, x.class, arguments, fields)
}
