package study

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"biomcp/charts"
	"biomcp/cli/command"
	"biomcp/cli/result"
	"biomcp/store/replace"
)

// noOutput refuses a file to an agent.
const noOutput = "MCP chart responses do not support --output/-o"

// chartFlags are the flags of an answer that can be drawn.
func chartFlags(f *command.Flags) {
	f.String("chart", "", "draw the answer: bar, pie, survival, ... (a wrong one is answered with the list)")
	f.Bool("terminal", false, "draw with characters, also into a pipe")
	f.StringP("output", "o", "", "write the chart to a file: .svg or .png")
	f.HostOnly("output", noOutput)
	f.String("title", "", "title of the chart")
	f.String("theme", "", "of the chart: "+strings.Join(charts.Themes(), ", "))
	f.String("palette", "", "colours of the chart: okabe-ito, viridis, ...")
	f.Int("cols", 0, "columns at a terminal, 20-500")
	f.Int("rows", 0, "rows at a terminal, 8-200")
	f.Int("width", 0, "pixels of SVG and PNG, 240-4096")
	f.Int("height", 0, "pixels of SVG and PNG, 160-4096")
	f.Float("scale", 0, "pixels of PNG a pixel of width, 0.5-4.0 (2.0)")
	f.Rare(drawingFlags...)
}

// drawing is what was asked for of a chart.
type drawing struct {
	kind    string // "": no chart
	options charts.Options
	in      *command.Input
}

var drawingFlags = []string{"terminal", "output", "title", "theme", "palette", "cols", "rows", "width", "height", "scale"}

// asked reads the flags of a chart, before any data is read. what names the answer in
// messages: study query --type cna. Without valid kinds there is no chart of it.
func asked(in *command.Input, what string, valid ...string) (*drawing, error) {
	d := &drawing{kind: strings.ToLower(strings.TrimSpace(in.String("chart"))), in: in}
	if d.kind == "" {
		for _, name := range drawingFlags {
			if in.Given(name) && len(valid) > 0 {
				return nil, result.Invalid("--"+name+" needs --chart. Valid types: "+strings.Join(valid, ", "), in.Again("--chart", valid[0])...)
			}
		}
		return d, nil
	}
	if len(valid) == 0 {
		return nil, result.Invalid("charts are not supported for '"+what+"'", in.Again(append([]string{"--chart", ""}, without()...)...)...)
	}
	if !slices.Contains(valid, d.kind) {
		near := command.Nearest(d.kind, valid)
		if near == "" {
			near = valid[0]
		}
		return nil, result.Invalid(fmt.Sprintf("chart type '%s' is not valid for '%s'. Valid types: %s", command.Clip(d.kind), what, strings.Join(valid, ", ")), in.Again("--chart", near)...)
	}
	scale, err := strconv.ParseFloat(in.String("scale"), 64)
	if err != nil {
		return nil, result.Invalid("--scale is not a number", in.Again("--scale", "")...)
	}
	d.options = charts.Options{
		Title: in.String("title"), Theme: in.String("theme"), Palette: in.String("palette"), Scale: scale,
		Cols: in.Int("cols"), Rows: in.Int("rows"), Width: in.Int("width"), Height: in.Int("height"),
	}
	for _, f := range []string{"cols", "rows", "width", "height", "scale"} {
		if in.Given(f) && in.String(f) == "0" {
			return nil, result.Invalid("--"+f+" must not be 0", in.Again("--"+f, "")...)
		}
	}
	if err := d.options.Check(); err != nil {
		return nil, result.Invalid(err.Error(), in.Again(without()...)...)
	}
	if d.kind == "heatmap" && in.Given("palette") {
		return nil, result.Invalid("a heatmap is always in viridis: leave --palette out", in.Again("--palette", "")...)
	}
	if file := in.String("output"); file != "" && !slices.Contains([]string{".svg", ".png"}, strings.ToLower(filepath.Ext(file))) {
		return nil, result.Invalid(fmt.Sprintf("Unsupported output format '%s'. Use .svg or .png", command.Clip(filepath.Ext(file))), in.Again("--output", "chart.svg")...)
	}
	return d, nil
}

// without leaves the look of a chart out of a command line.
func without() []string {
	var pairs []string
	for _, name := range drawingFlags {
		if name != "output" && name != "terminal" {
			pairs = append(pairs, "--"+name, "")
		}
	}
	return pairs
}

// picture is the block of a chart, which a payload carries.
type picture struct{ block result.Block }

// add is a document with the chart, where there is one.
func (p picture) add(doc result.Doc) result.Doc {
	if p.block == nil {
		return doc
	}
	return append(doc, p.block)
}

// draw makes the picture of an answer and, with --output, writes it to the file, which
// is a notice.
func (d *drawing) draw(r *result.Result, ch charts.Chart, title string) (picture, error) {
	if d.kind == "" {
		return picture{}, nil
	}
	o := d.options
	if file := d.in.String("output"); file != "" {
		return picture{}, d.write(r, file, ch)
	}
	if d.in.Bool("terminal") {
		text, err := charts.Terminal(ch, o)
		if err != nil {
			return picture{}, result.Invalid(err.Error(), "study", "--help")
		}
		return picture{result.Fence{Text: text}}, nil
	}
	return picture{result.Figure{
		Title: title, Alt: ch.Describe(),
		SVG: func() ([]byte, error) { return charts.SVG(ch, o) },
		Draw: func(width int, color bool) (string, error) {
			at := o
			if at.Color = color; at.Cols == 0 {
				at.Cols = max(20, min(500, width))
			}
			return charts.Terminal(ch, at)
		},
	}}, nil
}

// write puts the chart into a file, whole or not at all.
func (d *drawing) write(r *result.Result, file string, ch charts.Chart) error {
	make, format := charts.SVG, "SVG"
	if strings.EqualFold(filepath.Ext(file), ".png") {
		make, format = charts.PNG, "PNG"
	}
	image, err := make(ch, d.options)
	if err != nil {
		return result.Invalid(err.Error(), d.in.Again("--scale", "")...)
	}
	err = replace.File(file, func(w io.Writer) error {
		_, err := w.Write(image)
		return err
	})
	if err != nil {
		var path *os.PathError
		reason := "the file cannot be written"
		if errors.As(err, &path) {
			reason = path.Err.Error()
		}
		return &result.Failure{Code: result.Store, Message: "the chart was not written to " + command.Clip(file) + ": " + reason, Try: d.in.Again("--output", "")}
	}
	r.Notice("Wrote " + format + " chart to " + file)
	return nil
}
