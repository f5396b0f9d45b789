package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"time"

	"biomcp/build/session"
	"biomcp/cli"
	"biomcp/cli/command"
	"biomcp/cli/result"
	"biomcp/entrez/sources"
)

// shownLine is the command of the README's picture, asked of the corpus that demo makes.
var shownLine = result.Argv{"search", "corpus", "antioxidant from mushrooms", "--top-k", "3"}

// pictureColumns is the width of the terminal in the README's picture.
const pictureColumns = 80

// pictureTime returns the time in the picture. It is fixed because the quality of an article depends on its age.
func pictureTime() time.Time { return time.Date(2026, time.November, 1, 0, 0, 0, 0, time.UTC) }

// sessionPicture returns a picture of shownLine and its answer on a terminal.
func sessionPicture() (string, error) {
	dir, err := os.MkdirTemp("", "biomcp-picture-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	made, err := runOffline(dir, filepath.Join(dir, "data"), result.Argv{"demo", "--keep"})
	if err != nil {
		return "", err
	}
	text, err := json.Marshal(made.Payload)
	if err != nil {
		return "", err
	}
	var sample struct{ Folder string }
	if err := json.Unmarshal(text, &sample); err != nil {
		return "", err
	}
	defer os.RemoveAll(sample.Folder)
	answer, err := runOffline(dir, filepath.Join(sample.Folder, "data"), shownLine)
	if err != nil {
		return "", err
	}
	var screen bytes.Buffer
	fmt.Fprintf(&screen, "\x1b[1m$ %s\x1b[0m\n\n", shownLine)
	format := result.Format{Terminal: true, Color: true, Width: pictureColumns}
	if err := result.Render(&screen, io.Discard, result.Outcome{Result: answer}, format); err != nil {
		return "", err
	}
	return session.SVG(screen.String(), pictureColumns), nil
}

// chartLine is the command of the README's chart. It has the size that the README shows.
var chartLine = result.Argv{"study", "survival", "-s", "synthetic_demo", "-g", "TP53", "--chart", "survival",
	"--width", "760", "--height", "430"}

// survivalPicture returns the chart of chartLine.
func survivalPicture() (string, error) {
	dir, err := os.MkdirTemp("", "biomcp-picture-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	data, picture := filepath.Join(dir, "data"), filepath.Join(dir, "survival.svg")
	if _, err := runOffline(dir, data, result.Argv{"study", "download", "synthetic_demo"}); err != nil {
		return "", err
	}
	if _, err := runOffline(dir, data, append(slices.Clone(chartLine), "-o", picture)); err != nil {
		return "", err
	}
	svg, err := os.ReadFile(picture)
	return string(svg), err
}

// runOffline runs a line with the corpus in a data folder and an empty environment. dir is the
// folder of the cache.
func runOffline(dir, data string, line result.Argv) (*result.Result, error) {
	unset := func(string) (string, bool) { return "", false }
	env := command.ReadEnv(unset, "build", sources.All()...).WithDirs(data, filepath.Join(dir, "cache"))
	app := &command.App{Env: env, Version: "build", Now: pictureTime, Log: slog.New(slog.DiscardHandler)}
	out := cli.Run(context.Background(), app, command.IO{Err: io.Discard}, line, command.Person)
	if err := app.Close(); err != nil {
		return nil, err
	}
	if out.Failure != nil {
		return nil, out.Failure
	}
	return out.Result, nil
}
