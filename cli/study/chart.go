package study

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"biomcp/charts"
	"biomcp/cli/command"
	"biomcp/cli/export"
	"biomcp/cli/result"
)

// noOutput is the error for agents, which may not write files.
const noOutput = "MCP chart responses do not support --output/-o"

// chartFlags adds the chart flags of a command whose answers provide the given forms of data.
func chartFlags(f *command.Flags, forms ...charts.Data) {
	f.String("chart", "", "draw the answer: `"+strings.Join(charts.Kinds(forms...), "|")+"`")
	f.Bool("terminal", false, "draw with characters, even into a pipe")
	f.StringP("output", "o", "", "write the chart to a `file`, .svg or .png, or the table: .csv, .tsv, .jsonl, .xlsx")
	f.HostOnly("output", noOutput)
	f.Writes("output")
	f.Excludes("chart", "--output writes the chart to a file", "csv", "tsv", "jsonl")
	logs := charts.LogKinds(forms...)
	f.Bool("log", false, "draw values on a logarithmic axis: "+strings.Join(logs, ", "))
	if len(logs) == 0 {
		f.Hide("log")
	}
	f.Enum("chart-format", "", "picture format for an agent; by default what its client supports", "svg", "png")
	f.String("title", "", "title of the chart")
	f.String("theme", "", "of the chart: "+strings.Join(charts.Themes(), ", "))
	f.String("palette", "", "colours of the chart: okabe-ito, cbioportal, ...")
	for _, l := range charts.AllLimits() {
		usage := fmt.Sprintf("%s, %g-%g", l.Unit, l.Min, l.Max)
		switch l.Option {
		case "rows": // defined by rowsFlag
		case "scale":
			f.Float(l.Option, 0, usage)
		default:
			f.Int(l.Option, 0, usage)
		}
	}
	f.Group(command.ChartFlags, slices.DeleteFunc(append(slices.Clone(drawingFlags), "chart"), func(name string) bool {
		return name == "rows" || name == "output"
	})...)
	f.AddSynonyms("chart", "plot", "graph", "figure")
	f.AddSynonyms("output", "out", "save", "file")
	rowsFlag(f, "; a number is the rows of a chart at a terminal, 8-200")
	f.FileOrNumber("rows")
	f.Rare(drawingFlags...)
}

// A drawing holds the chart that the flags request.
type drawing struct {
	kind    string      // "" for no chart
	form    charts.Data // data that the chart kind shows, as an empty value of its type; nil for no chart
	options charts.Options
	in      *command.Input
}

var (
	styleFlags   = []string{"title", "theme", "palette", "cols", "width", "height", "scale"}
	drawingFlags = slices.Concat([]string{"terminal", "output", "log", "chart-format", "rows"}, styleFlags)
)

// parseDrawing reads and checks the chart flags before any data is read. commandName is for
// messages, such as "study query --type cna". Without forms the command has no charts.
func parseDrawing(in *command.Input, commandName string, forms ...charts.Data) (*drawing, error) {
	d := &drawing{kind: strings.ToLower(strings.TrimSpace(in.String("chart"))), in: in}
	valid := charts.Kinds(forms...)
	if file := in.String("output"); file != "" {
		if err := d.checkOutput(file, valid); err != nil {
			return nil, err
		}
	}
	if d.kind == "" && slices.Equal(valid, []string{"oncoprint"}) && drawsOncoprint(in) {
		d.kind = "oncoprint"
	}
	wanted, err := d.checkKind(commandName, valid)
	if err != nil {
		return nil, err
	}
	if !wanted {
		return d, nil
	}
	for _, step := range []func() error{d.parseOptions, func() error { return d.chooseForm(forms) }, d.checkFile} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	return d, nil
}

// checkKind reports whether the flags request a chart. It returns an error if the chart is not one of the valid kinds
// of a command, or if a flag requires a chart and there is none.
func (d *drawing) checkKind(commandName string, valid []string) (wanted bool, err error) {
	_, number := rowsOf(d.in)
	look := slices.IndexFunc(drawingFlags, func(name string) bool {
		return d.in.Given(name) && (name != "rows" || number) && (name != "output" || !isTable(d.in))
	})
	switch {
	case d.kind == "" && look < 0:
		return false, nil
	case len(valid) == 0:
		return false, result.Invalid(commandName+" has no charts", d.in.LineWith(withoutChart(d.in)...)...)
	case d.kind == "":
		return false, result.Invalid("--"+drawingFlags[look]+" requires --chart with one of "+strings.Join(valid, ", "),
			d.in.LineWith("--chart", valid[0])...)
	}
	ext := filepath.Ext(d.kind)
	isPictureFile := ext == ".svg" || ext == ".png"
	if isPictureFile && d.in.Policy == command.Person && !d.in.Given("output") {
		message := fmt.Sprintf("--chart is one of %s; --output is the file", strings.Join(valid, ", "))
		return false, result.Invalid(message,
			d.in.LineWith("--chart", valid[0], "--output", d.in.String("chart"))...)
	}
	if !slices.Contains(valid, d.kind) {
		return false, invalidValue(d.in, "chart", d.kind, valid, ", which "+commandName+" has")
	}
	return true, nil
}

// parseOptions parses and checks the flags of a chart's appearance.
func (d *drawing) parseOptions() error {
	rows, _ := rowsOf(d.in)
	scale, err := strconv.ParseFloat(d.in.String("scale"), 64)
	if err != nil {
		return result.Invalid("--scale is not a number", d.in.LineWith("--scale", "")...)
	}
	d.options = charts.Options{
		Title: d.in.String("title"), Theme: d.in.String("theme"), Palette: d.in.String("palette"), Scale: scale,
		Cols: d.in.Int("cols"), Rows: rows, Width: d.in.Int("width"), Height: d.in.Int("height"), Log: d.in.Bool("log"),
	}
	for _, f := range []string{"cols", "rows", "width", "height", "scale"} {
		if d.in.Given(f) && d.in.String(f) == "0" {
			return result.Invalid("--"+f+" must not be 0", d.in.LineWith("--"+f, "")...)
		}
	}
	if err := d.options.Check(); err != nil {
		return d.rewordError(err)
	}
	return nil
}

// chooseForm sets the form of data that the chart shows. It returns an error if the chart does not support an option.
func (d *drawing) chooseForm(forms []charts.Data) error {
	d.form = forms[slices.IndexFunc(forms, func(f charts.Data) bool {
		return slices.Contains(charts.Kinds(f), d.kind)
	})]
	if ch, err := charts.New(d.kind, d.form); err == nil && ch.Check(d.options) != nil { // before reading data
		return d.rewordError(ch.Check(d.options))
	}
	if d.kind == "heatmap" && d.in.Given("palette") {
		return result.Invalid("--palette does not apply to a heatmap, which is always blue below 1 and red above",
			d.in.LineWith("--palette", "")...)
	}
	return nil
}

// checkFile returns an error if flags contradict the file of --output.
func (d *drawing) checkFile() error {
	file, format := d.in.String("output"), d.in.String("chart-format")
	if file != "" {
		err := d.in.RejectUnused("cannot be used with --output, which writes the chart to a file", "terminal")
		if err != nil {
			return err
		}
	}
	if file != "" && format != "" && !strings.EqualFold(filepath.Ext(file), "."+format) {
		message := fmt.Sprintf("--output %s does not match %s: the file's extension determines the format",
			command.Clip(file), strings.ToUpper(format))
		return result.Invalid(message, d.in.LineWith("--chart-format", "")...)
	}
	return nil
}

// drawsOncoprint reports whether a flag asks for the picture of study oncoprint, which has one kind of chart.
func drawsOncoprint(in *command.Input) bool {
	return in.Bool("terminal") || in.IsSet("output") && !isTable(in)
}

// checkOutput returns an error if the file of --output has no picture extension although there is a
// chart. For a table's extension it suggests --rows.
func (d *drawing) checkOutput(file string, valid []string) error {
	ext := strings.ToLower(filepath.Ext(file))
	switch {
	case slices.Contains(export.Extensions(), ext) && d.kind == "":
		return nil // the table of the answer
	case slices.Contains(export.Extensions(), ext):
		pairs := []string{"--output", ""}
		if !wantsRows(d.in) {
			pairs = append(pairs, "--rows", file)
		}
		message := fmt.Sprintf("--output writes a chart, .svg or .png; --rows writes a row for each sample or patient "+
			"to %s, and without --chart --output writes the table of the answer", command.Clip(file))
		return result.Invalid(message, d.in.LineWith(pairs...)...)
	case len(valid) > 0 && ext != ".svg" && ext != ".png":
		return result.Invalid(fmt.Sprintf("--output: %q does not end in .svg or .png", command.Clip(file)),
			d.in.LineWith("--chart", cmp.Or(d.kind, valid[0]),
				"--output", strings.TrimSuffix(file, filepath.Ext(file))+".svg")...)
	}
	return nil
}

// withoutChart returns the arguments that remove all chart flags from a command line. It keeps
// --rows if that names a file.
func withoutChart(in *command.Input) []string {
	return withoutFlags(slices.DeleteFunc(slices.Concat(drawingFlags, []string{"chart"}), func(name string) bool {
		return name == "rows" && wantsRows(in)
	})...)
}

// withoutFlags returns the arguments that remove flags from a command line.
func withoutFlags(names ...string) (pairs []string) {
	for _, name := range names {
		pairs = append(pairs, "--"+name, "")
	}
	return pairs
}

// rewordError rewords an error of package charts with the names of the flags.
func (d *drawing) rewordError(err error) error {
	var limit *charts.LimitError
	var size *charts.SizeError
	var log *charts.LogError
	var room *charts.RoomError
	switch {
	case errors.As(err, &log):
		return result.Invalid("--log: "+log.Error(), d.in.LineWith("--log", "")...)
	case errors.As(err, &limit):
		message := fmt.Sprintf("--%s must be %g-%g, not %g", limit.Option, limit.Min, limit.Max, limit.Value)
		return result.Invalid(message, d.in.LineWith("--"+limit.Option, "")...)
	case errors.As(err, &room):
		return result.Invalid(err.Error(),
			d.in.LineWith("--width", count(room.Width), "--height", count(room.Height))...)
	case errors.As(err, &size):
		return result.Invalid(err.Error()+": lower --scale, --width or --height", d.in.LineWith("--scale", "")...)
	}
	return result.Invalid(err.Error(), d.in.LineWith(withoutFlags(styleFlags...)...)...)
}

// A picture holds the chart of an answer; embed it in a payload.
type picture struct{ block result.Block }

// add appends the chart, if any, to doc.
func (p picture) add(doc result.Doc) result.Doc {
	if p.block == nil {
		return doc
	}
	return append(doc, p.block)
}

// draw draws the chart of an answer's data. With --output it writes the chart to the file and
// adds a notice instead.
func (d *drawing) draw(r *result.Result, data charts.Data) (picture, error) {
	if d.kind == "" {
		return picture{}, nil
	}
	ch, err := charts.New(d.kind, data)
	if err != nil {
		return picture{}, err
	}
	if notice := syntheticNotice(d.in); notice != "" {
		ch.Note = strings.TrimSpace(ch.Note + " " + notice + ".")
	}
	o := d.options
	if err := ch.Check(o); err != nil {
		return picture{}, d.rewordError(err)
	}
	if !d.in.Bool("terminal") {
		omitted, err := ch.CheckRoom(o)
		if err != nil {
			return picture{}, d.rewordError(err)
		}
		r.Notice(omitted)
	}
	if !o.Log && ch.IsSkewed() {
		again := d.in.KeepFiles(d.in.LineWith("--log", "true"))[0]
		r.Notice("the values are skewed; a logarithmic axis shows them better: " + again.String())
	}
	if file := d.in.String("output"); file != "" {
		return picture{}, d.write(r, file, ch)
	}
	drawn := func(width int, color bool) (string, error) {
		at := o
		if at.Color = color; at.Cols == 0 {
			at.Cols = max(20, min(500, width))
		}
		return charts.Terminal(ch, at)
	}
	if d.in.Bool("terminal") {
		text, err := charts.Terminal(ch, o)
		if err != nil {
			return picture{}, d.rewordError(err)
		}
		return picture{result.Fence{Text: text, Draw: drawn}}, nil
	}
	return picture{result.Figure{
		Title: ch.Title, Alt: ch.Describe(),
		SVG:    func() ([]byte, error) { return charts.SVG(ch, o) },
		PNG:    func() ([]byte, error) { return charts.ModelPNG(ch, o, pictureWidth, pictureBytes) },
		Format: d.in.String("chart-format"),
		Draw:   drawn,
	}}, nil
}

// The limits of a PNG sent to an agent.
const pictureWidth, pictureBytes = 1200, 150_000

// write writes the chart to a file atomically.
func (d *drawing) write(r *result.Result, file string, ch charts.Chart) error {
	make, format := charts.SVG, "SVG"
	if strings.EqualFold(filepath.Ext(file), ".png") {
		make, format = charts.PNG, "PNG"
	}
	image, err := make(ch, d.options)
	if err != nil {
		return d.rewordError(err)
	}
	err = d.in.WriteFile("output", func(w io.Writer) error {
		_, err := w.Write(image)
		return err
	})
	if err != nil {
		return notWritten(d.in, "chart", "output", file, err)
	}
	r.Notice("Wrote " + format + " chart to " + file)
	return nil
}
