package command_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"biomcp/cli/command"
)

// settingsEnv returns the environment with a home folder and other variables.
func settingsEnv(home string, vars map[string]string) command.Env {
	return command.ReadEnv(func(name string) (string, bool) {
		if name == "HOME" {
			return home, true
		}
		v, ok := vars[name]
		return v, ok
	}, "test", toySources...)
}

func set(t *testing.T, s command.Settings, name, value string) {
	t.Helper()
	if err := s.Change(func(values map[string]string) { values[name] = value }); err != nil {
		t.Fatal(err)
	}
}

// The environment overrides the file, and the file the default. Every variable can be kept in the file, which
// only its owner can read.
func TestSettingsPrecedence(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("it sets the home folder of Linux")
	}
	home := t.TempDir()
	file := settingsEnv(home, nil).Settings
	set(t, file, "MCP_HTTP_PORT", "9001")
	set(t, file, "NCBI_MAX_RETRIES", "7")
	set(t, file, "NCBI_API_KEY", "secret")
	e := settingsEnv(home, map[string]string{"NCBI_MAX_RETRIES": "2", "MCP_HTTP_HOST": " "})
	if e.HTTPPort != "9001" || e.Network.MaxRetries != 2 || e.HTTPHost != "127.0.0.1" || e.Network.Keys["NCBI_API_KEY"] != "secret" {
		t.Errorf("got port %s, %d retries, host %s, keys %v", e.HTTPPort, e.Network.MaxRetries, e.HTTPHost, e.Network.Keys)
	}
	want := map[string]command.Origin{"MCP_HTTP_PORT": command.FromFile, "NCBI_MAX_RETRIES": command.FromEnvironment, "MCP_HTTP_HOST": command.FromDefault}
	for _, s := range e.AllSettings() {
		if o, is := want[s.Name]; is && s.Origin != o {
			t.Errorf("%s comes from %s, want %s", s.Name, s.Origin, o)
		}
		if strings.Contains(s.Shown(s.Value), "secret") {
			t.Errorf("%s is shown as %q", s.Name, s.Shown(s.Value))
		}
		if is := strings.Contains(strings.ToLower(s.Description), "api key") || strings.HasPrefix(s.Description, "token of") ||
			strings.HasPrefix(s.Description, "key of"); is && !s.IsSecret() {
			t.Errorf("%s is not a secret", s.Name)
		}
	}
	info, err := os.Stat(file.Path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v; want 0600", info.Mode(), err)
	}
	t.Setenv("HOME", home)
	t.Setenv("XDG_CONFIG_HOME", "")
	if dir, err := os.UserConfigDir(); err != nil || filepath.Join(dir, "biomcp", "config.json") != file.Path {
		t.Errorf("the file is %s, want it in %s", file.Path, dir)
	}
}

// A damaged file is an error of config and has no effect otherwise. A change never replaces it.
func TestDamagedSettings(t *testing.T) {
	for _, text := range []string{"", "{", `["a"]`, `{"NCBI_MAX_RETRIES":12345}`, "NCBI_API_KEY=secret", strings.Repeat(" ", (1<<20)+1)} {
		home := t.TempDir()
		path := settingsEnv(home, nil).Settings.Path
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		e := settingsEnv(home, map[string]string{"MCP_HTTP_PORT": "9002"})
		problem := e.Settings.Problem()
		if problem == nil || !strings.Contains(problem.Error(), path) || strings.Contains(problem.Error(), "12345") || strings.Contains(problem.Error(), "secret") {
			t.Errorf("%.20q: got %v, want an error with the path and without values", text, problem)
		}
		if e.HTTPPort != "9002" {
			t.Errorf("%.20q: got port %s, want that of the environment, 9002", text, e.HTTPPort)
		}
		if err := e.Settings.Change(func(values map[string]string) { values["A"] = "b" }); err == nil {
			t.Errorf("%.20q: it was changed", text)
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != text {
			t.Errorf("%.20q: it is now %.20q, %v", text, got, err)
		}
	}
}

// Changes at the same time are all kept.
func TestSettingsOfTwoWriters(t *testing.T) {
	home := t.TempDir()
	var writers sync.WaitGroup
	for w := range 2 {
		writers.Go(func() {
			for i := range 20 {
				if err := settingsEnv(home, nil).Settings.Change(func(values map[string]string) {
					values[fmt.Sprintf("W%d_%d", w, i)] = "x"
				}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	writers.Wait()
	if got := settingsEnv(home, nil).Settings; len(got.Values) != 40 || got.Err != nil {
		t.Errorf("%d settings, %v; want 40", len(got.Values), got.Err)
	}
}

// killedSettings is the variable with the home folder of the process that TestKilledSettings kills.
const killedSettings = "BIOMCP_TEST_KILLED_SETTINGS"

// A process that is killed while it writes leaves a whole file with every change that it reported.
func TestKilledSettings(t *testing.T) {
	if home := os.Getenv(killedSettings); home != "" {
		for i := 0; ; i++ {
			set(t, settingsEnv(home, nil).Settings, "LOGS_DIR", strings.Repeat("x", 20000)+fmt.Sprint(i))
			fmt.Println("done", i)
		}
	}
	home := t.TempDir()
	for range 3 {
		cmd := exec.Command(os.Args[0], "-test.run=^TestKilledSettings$")
		cmd.Env = append(os.Environ(), killedSettings+"="+home)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		timer := time.AfterFunc(time.Minute, func() { _ = cmd.Process.Kill() })
		first := make([]byte, 5)
		if _, err := out.Read(first); err != nil { // it has written once
			t.Fatal(err)
		}
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait() // it was killed
		timer.Stop()
		s := settingsEnv(home, nil).Settings
		data, err := os.ReadFile(s.Path)
		if err != nil || !json.Valid(data) || len(s.Values["LOGS_DIR"]) <= 20000 {
			t.Fatalf("%v: %.60q", err, data)
		}
		set(t, s, "PAGER", "cat") // no lock remains
	}
}
