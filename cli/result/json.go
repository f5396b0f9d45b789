package result

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"unicode/utf8"
)

// meta is the _meta of an answer.
type meta struct {
	NextCommands   []string        `json:"next_commands"`
	SectionSources []SectionSource `json:"section_sources"`
}

type envelope struct {
	Error struct {
		Code    Code           `json:"code"`
		Message string         `json:"message"`
		Details map[string]any `json:"details"`
	} `json:"error"`
}

// renderJSON prints exactly one document, also for a failure.
func renderJSON(out, errs io.Writer, o Outcome, f Format) error {
	if o.Failure != nil {
		return writeEnvelope(out, o.Failure)
	}
	if o.Result == nil { // a server that was asked to stop
		return nil
	}
	body, err := marshalResult(o.Result)
	if err != nil {
		return err
	}
	if n := utf8.RuneCount(body); f.Max > 0 && n > f.Max {
		tooLong := Invalid(fmt.Sprintf("the JSON answer has %d characters; at most %d fit, and JSON is never cut", n, f.Max))
		if o.Result.Rest != nil {
			tooLong.Try = o.Result.Rest(0)
		}
		tooLong.Message += ": ask for fewer ids, named sections or a smaller --limit"
		if err := writeEnvelope(out, tooLong); err != nil {
			return err
		}
		return tooLong
	}
	if _, bound := o.Result.Payload.(SchemaBound); bound {
		if err := noticesTo(errs, o.Result.Notices); err != nil {
			return err
		}
	}
	_, err = out.Write(body)
	return err
}

func writeEnvelope(out io.Writer, f *Failure) error {
	var e envelope
	e.Error.Code, e.Error.Message = f.Code, clean(f.Message)
	e.Error.Details = map[string]any{}
	for k, v := range f.Details {
		e.Error.Details[k] = v
	}
	if len(f.Try) > 0 {
		e.Error.Details["try"] = f.Try.String()
	}
	body, err := encode(e)
	if err != nil {
		return err
	}
	_, err = out.Write(body)
	return err
}

func marshalResult(r *Result) ([]byte, error) {
	if _, bound := r.Payload.(SchemaBound); bound {
		return encode(r.Payload)
	}
	payload, err := JSON(r.Payload)
	if err != nil {
		return nil, err
	}
	if len(payload) < 2 || payload[0] != '{' {
		return nil, fmt.Errorf("the payload %s is not a JSON object", r.Payload.Kind())
	}
	m := meta{NextCommands: []string{}, SectionSources: r.Sections}
	for _, n := range r.Next {
		m.NextCommands = append(m.NextCommands, n.String())
	}
	if m.SectionSources == nil {
		m.SectionSources = []SectionSource{}
	}
	for i := range m.SectionSources {
		if m.SectionSources[i].Sources == nil {
			m.SectionSources[i].Sources = []string{}
		}
	}
	notices := r.Notices
	if notices == nil {
		notices = []string{}
	}
	tail, err := JSON(struct {
		Notices []string `json:"notices"`
		Meta    meta     `json:"_meta"`
	}{notices, m})
	if err != nil {
		return nil, err
	}
	whole := payload[: len(payload)-1 : len(payload)-1]
	if len(payload) > 2 {
		whole = append(whole, ',')
	}
	whole = append(whole, tail[1:]...)
	return indent(whole)
}

func encode(v any) ([]byte, error) {
	body, err := JSON(v)
	if err != nil {
		return nil, err
	}
	return indent(body)
}

// JSON marshals on one line, without HTML escaping: "<" in a title is a "<".
func JSON(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimRight(b.Bytes(), "\n"), nil
}

func indent(body []byte) ([]byte, error) {
	var b bytes.Buffer
	if err := json.Indent(&b, body, "", "  "); err != nil {
		return nil, err
	}
	b.WriteByte('\n')
	return b.Bytes(), nil
}
