package result

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"unicode/utf8"
)

// meta is the _meta object of an answer or a failure.
type meta struct {
	Alias          *AliasResolution `json:"alias_resolution,omitempty"`
	Workflow       string           `json:"workflow,omitempty"`
	Ladder         []rung           `json:"ladder,omitempty"`
	NextCommands   []string         `json:"next_commands"`
	SectionSources []SectionSource  `json:"section_sources,omitzero"` // never nil in an answer
}

// rung is one step of a workflow in JSON.
type rung struct {
	Step    int    `json:"step"` // from 1
	Command string `json:"command"`
	Gives   string `json:"what_it_gives"`
}

// newMeta returns the _meta object with the commands to run next.
func newMeta(m Meta, next []Argv) meta {
	out := meta{Alias: m.Alias, NextCommands: Map(next, Argv.String)}
	if m.Workflow == nil {
		return out
	}
	out.Workflow = m.Workflow.Name
	for i, r := range m.Workflow.Steps {
		out.Ladder = append(out.Ladder, rung{i + 1, r.Command.String(), r.Description})
	}
	return out
}

// envelope is a failure in JSON.
type envelope struct {
	Error struct {
		Code    Code           `json:"code"`
		Message string         `json:"message"`
		Details map[string]any `json:"details"`
	} `json:"error"`
	Meta *meta `json:"_meta,omitempty"`
}

// renderJSON writes one JSON document for an answer or a failure, or nothing if o is empty.
func renderJSON(out, errs io.Writer, o Outcome, f Format) error {
	if o.Failure != nil {
		body, err := encodeFailure(o.Failure, f)
		if err != nil {
			return err
		}
		_, err = out.Write(body)
		return err
	}
	if o.Result == nil { // a server that was asked to stop
		return nil
	}
	body, err := marshalResult(o.Result, f)
	if err != nil {
		return err
	}
	if n := utf8.RuneCount(body); f.Max > 0 && n > f.Max {
		tooLong := tooLong("the JSON answer", n, o.Result, f)
		body, err := encodeFailure(tooLong, f)
		if err != nil {
			return err
		}
		if utf8.RuneCount(body) > f.Max && tooLong.Try != nil {
			tooLong.Try = nil
			if body, err = encodeFailure(tooLong, f); err != nil {
				return err
			}
		}
		if _, err := out.Write(body); err != nil {
			return err
		}
		return tooLong
	}
	if _, bound := o.Result.Payload.(SchemaBound); bound {
		if err := writeNotices(errs, o.Result.Notices); err != nil {
			return err
		}
	}
	_, err = out.Write(body)
	return err
}

// tooLong returns the failure for an answer that exceeds f.Max and cannot be cut. It suggests the
// command for less.
func tooLong(subject string, chars int, r *Result, f Format) *Failure {
	failure := Invalid(fmt.Sprintf("%s has %d characters; at most %d fit, and it is never cut: "+
		"ask for fewer ids, named sections or a smaller --limit", subject, chars, f.Max))
	if r.Smaller != nil { // ask for a tenth less, since records differ in length
		failure.Try = r.Smaller(0.9 * float64(f.Max) / float64(chars))
	}
	return failure
}

// encodeFailure encodes a failure.
func encodeFailure(f *Failure, format Format) ([]byte, error) {
	var e envelope
	e.Error.Code, e.Error.Message = f.Code, clean(f.Message)
	e.Error.Details = map[string]any{}
	maps.Copy(e.Error.Details, f.Details)
	if len(f.Try) > 0 {
		e.Error.Details["try"] = f.Try.String()
	}
	if len(f.Alternatives) > 0 {
		e.Error.Details["or"] = Map(f.Alternatives, Argv.String)
	}
	if len(f.OwnerTry) > 0 {
		e.Error.Details["owner"] = f.OwnerTry.String()
	}
	if f.Meta != (Meta{}) {
		e.Meta = new(newMeta(f.Meta, f.Next))
	}
	return encode(e, format)
}

// marshalResult encodes an answer. It adds notices and _meta unless the payload is SchemaBound.
func marshalResult(r *Result, f Format) ([]byte, error) {
	if _, bound := r.Payload.(SchemaBound); bound {
		return encode(r.Payload, f)
	}
	payload, err := JSON(r.Payload)
	if err != nil {
		return nil, err
	}
	if len(payload) < 2 || payload[0] != '{' {
		return nil, fmt.Errorf("the payload %T is not a JSON object", r.Payload)
	}
	m := newMeta(r.Meta, r.Next)
	m.SectionSources = append([]SectionSource{}, r.Sections...)
	tail, err := plainJSON(struct {
		Notices []string `json:"notices"`
		Meta    meta     `json:"_meta"`
	}{slices.Concat(r.Notices, r.DocNotices), m})
	if err != nil {
		return nil, err
	}
	whole := payload[: len(payload)-1 : len(payload)-1]
	if len(payload) > 2 {
		whole = append(whole, ',')
	}
	whole = append(whole, tail[1:]...)
	return f.document(whole)
}

// encode encodes v with empty strings as "".
func encode(v any, f Format) ([]byte, error) {
	body, err := plainJSON(v)
	if err != nil {
		return nil, err
	}
	return f.document(body)
}

// escapeControls replaces dangerous characters with \u escapes, which is safe since they
// occur only within strings of compact JSON.
func escapeControls(body []byte) []byte {
	body = bytes.ToValidUTF8(body, []byte("\uFFFD"))
	if !bytes.ContainsFunc(body, isDangerous) {
		return body
	}
	out := make([]byte, 0, len(body)+64)
	for _, r := range string(body) {
		if isDangerous(r) {
			out = fmt.Appendf(out, `\u%04x`, r)
		} else {
			out = utf8.AppendRune(out, r)
		}
	}
	return out
}

// document returns JSON with a newline at the end, indented for a terminal.
func (f Format) document(body []byte) ([]byte, error) {
	var b bytes.Buffer
	if !f.Terminal {
		b.Write(body)
	} else if err := json.Indent(&b, body, "", "  "); err != nil {
		return nil, err
	}
	b.WriteByte('\n')
	return b.Bytes(), nil
}
