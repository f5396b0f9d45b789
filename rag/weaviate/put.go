package weaviate

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/go-openapi/strfmt"
	"github.com/sourcegraph/conc/pool"
	"github.com/weaviate/weaviate-go-client/v4/weaviate/batch"
	"github.com/weaviate/weaviate-go-client/v4/weaviate/except"
	"github.com/weaviate/weaviate-go-client/v4/weaviate/filters"
	"github.com/weaviate/weaviate-go-client/v4/weaviate/pathbuilder"
	"github.com/weaviate/weaviate/entities/models"

	"biomcp/entrez/record"
	"biomcp/rag"
	"biomcp/store"
)

const (
	// batchDocs is the number of documents replaced at a time. They have far fewer chunks than
	// maxResults.
	batchDocs = 200
	// requestObjects is the number of objects per request. A server needs 2 to 8 ms of
	// processor time for each, and gets four requests at a time. On a busy machine, requests
	// with 100 objects exceeded the time-out of the first attempt (transport), and were sent
	// again while the server was still storing them.
	requestObjects        = 25
	maxConcurrentRequests = 4
)

// Put stores documents. It replaces older versions, and ignores a document if the server has a
// newer version of it.
func (x *Index) Put(ctx context.Context, docs []*store.Document) error {
	if len(docs) == 0 {
		return nil
	}
	if err := x.Ensure(ctx); err != nil {
		return err
	}
	for batch := range slices.Chunk(newest(docs), batchDocs) {
		if err := x.put(ctx, batch); err != nil {
			return err
		}
	}
	return nil
}

// newest returns the newest document of each PMID, or the last of equally new ones.
func newest(docs []*store.Document) []*store.Document {
	at := make(map[record.PMID]int, len(docs))
	var list []*store.Document
	for _, d := range docs {
		i, again := at[d.PMID]
		switch {
		case !again:
			at[d.PMID] = len(list)
			list = append(list, d)
		case compareAge(d.PMIDVersion, d.LR, list[i].PMIDVersion, list[i].LR) >= 0:
			list[i] = d
		}
	}
	return list
}

// compareAge compares two versions of a record by PMID version, then by LR.
func compareAge(version int, lr string, otherVersion int, otherLR string) int {
	return cmp.Or(cmp.Compare(version, otherVersion), cmp.Compare(lr, otherLR))
}

// put replaces some documents. It first removes chunks whose terms have changed: if the vector
// is unchanged or absent, the server updates the index in place and keeps the old text length
// for words that are in both texts.
func (x *Index) put(ctx context.Context, docs []*store.Document) error {
	x.storing.Lock()
	defer x.storing.Unlock()
	there, err := x.present(ctx, docs)
	if err != nil {
		return err
	}
	var objects []*models.Object
	var stale []string
	for _, d := range docs {
		old := there[d.PMID]
		if old != nil && compareAge(d.PMIDVersion, d.LR, old.version, old.lr) < 0 {
			continue
		}
		own, err := x.objects(d)
		if err != nil {
			return err
		}
		objects = append(objects, own...)
		if old == nil {
			continue
		}
		for _, o := range own {
			if old.digests[o.ID] == row(o.Properties.(map[string]any)).text(propDigest) {
				delete(old.digests, o.ID)
			}
		}
		for id := range old.digests {
			stale = append(stale, string(id))
		}
	}
	for ids := range slices.Chunk(stale, batchDocs) {
		if err := x.remove(ctx, newClause("id", filters.ContainsAny).WithValueText(ids...)); err != nil {
			return err
		}
	}
	return x.send(ctx, objects)
}

// A state is the version of a document on the server.
type state struct {
	version int
	lr      string
	digests map[strfmt.UUID]string // digests of its chunks
}

// present returns the states of those documents that the server has.
func (x *Index) present(ctx context.Context, docs []*store.Document) (map[record.PMID]*state, error) {
	arguments := fmt.Sprintf("%slimit:%d", argument(ofDocuments(docs)), maxResults)
	fields := strings.Join([]string{propPMID, propChunkID, propPMIDVersion, propLR, propDigest}, " ")
	found, err := x.query(ctx, "store", "{Get{"+x.get("there", arguments, fields)+"}}")
	if err != nil {
		return nil, err
	}
	there := map[record.PMID]*state{}
	for _, r := range found["Get"]["there"] {
		h, _ := r.hit()
		version, lr := int(r.number(propPMIDVersion)), r.text(propLR)
		s := there[h.PMID]
		if s == nil {
			s = &state{version, lr, map[strfmt.UUID]string{}}
			there[h.PMID] = s
		}
		// An interrupted Put leaves chunks of two versions. Use the older version, so that
		// repeating the Put completes it.
		if compareAge(version, lr, s.version, s.lr) < 0 {
			s.version, s.lr = version, lr
		}
		s.digests[strfmt.UUID(rag.UUID(h.PMID, h.ChunkID))] = r.text(propDigest)
	}
	return there, nil
}

func ofDocuments(docs []*store.Document) clause {
	pmids := make([]record.PMID, len(docs))
	for i, d := range docs {
		pmids[i] = d.PMID
	}
	return ofPMIDs(pmids)
}

func ofPMIDs(pmids []record.PMID) clause {
	texts := make([]string, len(pmids))
	for i, pmid := range pmids {
		texts[i] = pmid.String()
	}
	return newClause(propPMID, filters.ContainsAny).WithValueText(texts...)
}

// send stores objects in at most maxConcurrentRequests concurrent requests.
func (x *Index) send(ctx context.Context, objects []*models.Object) error {
	group := pool.New().WithMaxGoroutines(maxConcurrentRequests).WithContext(ctx).WithCancelOnError().WithFirstError()
	for part := range slices.Chunk(objects, requestObjects) {
		group.Go(func(ctx context.Context) error { return x.sendPart(ctx, part) })
	}
	err := group.Wait()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// sendPart stores the objects of one request. It retries those that the server did not store,
// because single objects fail when a node goes down.
func (x *Index) sendPart(ctx context.Context, objects []*models.Object) error {
	return x.callWithRetries(ctx, "store", func(ctx context.Context) (again bool, err error) {
		replies, err := x.post(ctx, objects)
		if err != nil {
			return false, err
		}
		left, reason := notStored(objects, replies)
		if len(left) == 0 {
			return false, nil
		}
		kind := Rejected
		if temporary(reason) {
			kind = Failed
		}
		err = newError(kind, "store", "the server did not store %d of %d chunks: %s",
			len(left), len(objects), x.redact(shorten(reason)))
		objects = left
		return kind == Failed, err
	})
}

// An objectReply is the server's reply for an object. The reply contains the whole object with
// its vectors. The client's batcher would decode it, which took more time than everything else
// that this package does for an object.
type objectReply struct {
	ID     strfmt.UUID                         `json:"id"`
	Result *models.ObjectsGetResponseAO2Result `json:"result"`
}

// post sends objects in one request.
func (x *Index) post(ctx context.Context, objects []*models.Object) (replies []objectReply, _ error) {
	path := pathbuilder.BatchObjects(pathbuilder.Components{ConsistencyLevel: x.quorum()})
	reply, err := x.connection.RunREST(ctx, path, http.MethodPost, batch.ObjectsBatchRequestBody{Objects: objects})
	if err := except.CheckResponseDataErrorAndStatusCode(reply, err, http.StatusOK); err != nil {
		return nil, err
	}
	return replies, reply.DecodeBodyIntoTarget(&replies)
}

// notStored returns the objects that the server did not store, and the reason for the first. An
// object that is absent from the reply was not stored.
func notStored(objects []*models.Object, replies []objectReply) (rest []*models.Object, reason string) {
	done := make(map[strfmt.UUID]bool, len(replies))
	for _, r := range replies {
		switch {
		case r.Result != nil && r.Result.Errors != nil && len(r.Result.Errors.Error) > 0:
			reason = cmp.Or(reason, objectFailure(r.Result.Errors))
		case r.Result != nil && r.Result.Status != nil &&
			*r.Result.Status == models.ObjectsGetResponseAO2ResultStatusFAILED:
		default:
			done[r.ID] = true
		}
	}
	for _, o := range objects {
		if !done[o.ID] {
			rest = append(rest, o)
		}
	}
	return rest, reason
}

// Delete removes documents.
func (x *Index) Delete(ctx context.Context, pmids []record.PMID) error {
	if len(pmids) == 0 {
		return nil
	}
	err := x.Check(ctx)
	if IsKind(err, Missing) {
		return nil
	}
	if err != nil {
		return err
	}
	x.storing.Lock()
	defer x.storing.Unlock()
	for some := range slices.Chunk(pmids, batchDocs) {
		if err := x.remove(ctx, ofPMIDs(some)); err != nil {
			return err
		}
	}
	return nil
}

// remove deletes all objects that meet a condition, in as many requests as the server needs.
func (x *Index) remove(ctx context.Context, w clause) error {
	return x.callWithRetries(ctx, "delete", func(ctx context.Context) (again bool, err error) {
		for {
			reply, err := x.batch.ObjectsBatchDeleter().
				WithClassName(x.class).WithWhere(w).WithConsistencyLevel(x.quorum()).Do(ctx)
			switch {
			case err != nil:
				return false, err
			case reply.Results == nil:
				return false, newError(Failed, "delete", "the reply lacks the number of deleted objects")
			case reply.Results.Failed > 0:
				reason := ""
				if list := reply.Results.Objects; len(list) > 0 && list[0] != nil && list[0].Errors != nil {
					reason = objectFailure(list[0].Errors)
				}
				return true, newError(Failed, "delete", "the server did not delete %d chunks: %s",
					reply.Results.Failed, x.redact(shorten(reason)))
			case reply.Results.Matches == reply.Results.Successful &&
				reply.Results.Matches < max(reply.Results.Limit, 1):
				return false, nil
			}
		}
	})
}
