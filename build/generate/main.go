// Command generate writes the files that are derived from the command tree: the description
// of the MCP tool, the command reference and the tables of the README. "go run ./build" runs it
// and lists its arguments.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"biomcp/charts/gallery"
	"biomcp/cli/command"
	"biomcp/entrez/sources"
	"biomcp/rag/evaluate"
)

func main() {
	check := flag.Bool("check", false, "write nothing, and fail when a file is stale")
	root := flag.String("root", ".", "the project's folder")
	flag.Parse()
	var stale []string
	var err error
	switch flag.Arg(0) {
	case "gallery":
		err = writeGallery(flag.Arg(1))
	case "eval":
		err = evaluateAll(context.Background(), flag.Args()[1:])
	default:
		stale, err = run(*root, *check)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
	for _, f := range stale {
		if *check {
			fmt.Fprintf(os.Stderr, "stale: %s; run: go run ./build\n", f)
		} else {
			fmt.Println("wrote", f)
		}
	}
	if *check && len(stale) > 0 {
		os.Exit(1)
	}
}

// writeGallery writes the charts of the gallery as DIR/index.html.
func writeGallery(dir string) error {
	if dir == "" {
		return errors.New("name the folder to write to: go run ./build gallery DIR")
	}
	page, err := gallery.Page()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "index.html"), page, 0o644)
}

// evaluateAll prints the measures of test collections, with the vectors that the
// environment selects (BIOMCP_EMBEDDINGS).
func evaluateAll(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("eval", flag.ContinueOnError)
	save := flags.String("save", "", "write the measures of each query to this file")
	against := flags.String("against", "", "compare with the measures in this file, which -save wrote")
	if err := flags.Parse(args); err != nil {
		return err
	}
	now, earlier := evaluate.Run{}, evaluate.Run{}
	if *against != "" {
		text, err := os.ReadFile(*against)
		if err == nil {
			err = json.Unmarshal(text, &earlier)
		}
		if err != nil {
			return err
		}
	}
	dirs := flags.Args()
	if len(dirs) == 0 {
		return errors.New("name the folder of a test collection: go run ./build eval DIR")
	}
	app := command.App{Env: command.ReadEnv(os.LookupEnv, "build", sources.All()...)}
	embedder, table, err := app.Embeddings()
	if err != nil {
		return err
	}
	for _, dir := range dirs {
		vectors := evaluate.Vectors{Embedder: embedder, Table: table}
		if err := evaluate.Report(ctx, os.Stdout, dir, vectors, now, earlier); err != nil {
			return fmt.Errorf("%s: %w", dir, err)
		}
	}
	if *save == "" {
		return nil
	}
	text, err := json.Marshal(now)
	if err != nil {
		return err
	}
	return os.WriteFile(*save, text, 0o644)
}

// run updates the generated files and returns the names of those that were stale. If check
// is true, it writes nothing.
func run(root string, check bool) (stale []string, err error) {
	for _, g := range generated {
		path := filepath.Join(root, g.file)
		old, err := os.ReadFile(path)
		if err != nil && !os.IsNotExist(err) {
			return nil, err
		}
		fresh, err := g.make(string(old))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", g.file, err)
		}
		if fresh == string(old) {
			continue
		}
		stale = append(stale, g.file)
		if check {
			continue
		}
		if err := os.WriteFile(path, []byte(fresh), 0o644); err != nil {
			return nil, err
		}
	}
	return stale, nil
}
