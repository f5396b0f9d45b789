// Package example is a small synthetic study that ships with the program, so that the
// study commands can be tried, shown and tested without a download. It is made by
// package studytest from a fixed seed: no such patients exist, and nothing about the
// genes is true.
//
//	dir, err := example.Write(folder) // a folder of studies; dir is the study's
package example

import (
	"embed"
	"io/fs"
	"os"
	"path/filepath"
)

// ID is the study's cancer_study_identifier and the name of its folder.
const ID = "synthetic_demo"

// MadeUp is what every answer about a made-up study says.
func MadeUp(id string) string {
	return id + " is made up: no such patients exist, and nothing about the genes is true"
}

//go:embed synthetic_demo
var files embed.FS

// Write puts the study into a folder of that name below dir, which may exist, and
// returns it.
func Write(dir string) (string, error) {
	err := fs.WalkDir(files, ID, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		to := filepath.Join(dir, filepath.FromSlash(path))
		if d.IsDir() {
			return os.MkdirAll(to, 0o755)
		}
		b, err := files.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(to, b, 0o644)
	})
	return filepath.Join(dir, ID), err
}
