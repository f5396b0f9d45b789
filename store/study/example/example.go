// Package example contains a small synthetic study, with which the study commands can be
// tried, demonstrated and tested without a download. Package studytest generated it from a
// fixed seed: no such patients exist, and nothing about the genes is true.
//
//	dir, err := example.Write(studies) // dir is the study's folder
package example

import (
	"embed"
	"io/fs"
	"os"
	"path/filepath"
)

// ID is the study's cancer_study_identifier and the name of its folder.
const ID = "synthetic_demo"

// SyntheticNotice returns the notice to add to every answer about a synthetic study.
func SyntheticNotice(id string) string {
	return id + " is synthetic: no such patients exist, and nothing about the genes is true"
}

//go:embed synthetic_demo
var files embed.FS

// Write writes the study to the folder ID below dir, which may exist, and returns that folder.
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
