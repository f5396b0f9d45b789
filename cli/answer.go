package cli

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"strings"

	"biomcp/cli/result"
	"biomcp/mcpshell"
)

// RenderAnswer renders an outcome as a pipe receives it, in at most max characters (zero means no
// limit). It reports whether the outcome is a failure.
func RenderAnswer(out result.Outcome, json bool, max int) (text string, failed bool) {
	r := replyOf(out, json, max, mcpshell.SVG)
	return r.Text, r.IsError
}

// replyOf renders an outcome for an agent: the text that a pipe receives, pictures of the
// figures, and the notices that a terminal prints on standard error. A synonym of a gene or a
// drug is always answered in JSON. format is the image format, PNG or SVG.
func replyOf(out result.Outcome, json bool, max int, format string) mcpshell.Reply {
	if f := out.Failure; f != nil && f.Meta.Alias != nil {
		json = json || f.Meta.Alias.Entity == "gene" || f.Meta.Alias.Entity == "drug"
	}
	var stdout, stderr bytes.Buffer
	err := result.Render(&stdout, &stderr, out, result.Format{JSON: json, Max: max})
	r := mcpshell.Reply{Text: stdout.String(), IsError: out.Failure != nil || err != nil}
	if f, failed := errors.AsType[*result.Failure](err); failed {
		r.Code = f.Code
	} else if out.Failure != nil {
		r.Code = out.Failure.Code
	}
	switch {
	case r.IsError && !json:
		r.Text = stderr.String()
	case !r.IsError && out.Result != nil:
		if out.Result.Offset == 0 { // a continuation does not repeat the pictures
			r.Images = pictures(out.Result, format, &stderr)
		}
		r.Stderr = stderr.String()
		for l := range strings.Lines(r.Stderr) {
			r.Notices = append(r.Notices, strings.TrimSpace(strings.TrimPrefix(l, "notice: ")))
		}
	}
	return r
}

// pictures draws the figures of an answer. If a figure cannot be drawn, it writes a notice
// instead.
func pictures(r *result.Result, format string, notices io.Writer) (images []mcpshell.Image) {
	for _, b := range r.Doc() {
		f, ok := b.(result.Figure)
		if !ok {
			continue
		}
		image := mcpshell.Image{MIME: "image/svg+xml", Title: f.Title, Alt: f.Alt}
		var err error
		if image.Data, err = f.SVG(); err == nil && cmp.Or(f.Format, format) == mcpshell.PNG {
			image.MIME, image.SVG = "image/png", image.Data
			image.Data, err = f.PNG()
		}
		if err != nil {
			fmt.Fprintf(notices, "notice: the picture %q could not be drawn; its data is in the text\n", f.Title)
			continue
		}
		images = append(images, image)
	}
	return images
}
