package mcpshell

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"biomcp/entrez/entreztest"
)

// clientsVariable names the environment variable with the folder in which .ci/run installs the
// conformance suite, the Inspector and the TypeScript SDK of the Model Context Protocol with npm.
const clientsVariable = "BIOMCP_MCP_CLIENTS"

// npm runs the programs of that folder.
type npm struct{ dir, node string }

func npmClients(t *testing.T) npm {
	t.Helper()
	dir := os.Getenv(clientsVariable)
	if dir == "" {
		t.Skipf("SKIPPED: no MCP clients: %s is not set", clientsVariable)
	}
	node, err := exec.LookPath(filepath.Join(dir, "node_modules", ".bin", "node"))
	if err != nil {
		node, err = exec.LookPath("node")
	}
	if err != nil {
		t.Fatal(err)
	}
	return npm{dir, node}
}

// run runs a script with node, in the folder, and returns its standard output.
func (n npm) run(t *testing.T, args ...string) (stdout string, err error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, n.node, args...)
	cmd.Dir, cmd.Env = n.dir, []string{"HOME=" + t.TempDir(), "PATH=" + os.Getenv("PATH")}
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		err = fmt.Errorf("%w: %s", err, stderr.String())
	}
	return string(out), err
}

// conforms runs the scenarios of the conformance suite.
func (n npm) conforms(t *testing.T, url string, options ...string) {
	t.Helper()
	out, err := n.run(t, append([]string{
		"node_modules/.bin/conformance", "server", "--url", url, "--suite", "all", "-o", t.TempDir(),
	}, options...)...)
	_, summary, ok := strings.Cut(out, "=== SUMMARY ===")
	t.Log(summary)
	if err != nil || !ok {
		t.Errorf("%v\n%s", err, out)
	}
}

// program is the built binary with a simulated NCBI.
type program struct {
	file string
	env  []string
	ncbi *entreztest.Server
}

const firstArticle = "70000001" // entreztest.FirstSynthetic

func buildProgram(t *testing.T) *program {
	t.Helper()
	ncbi := entreztest.New(t, entreztest.XML(entreztest.Generate(250, 1)))
	dir := t.TempDir()
	p := &program{file: filepath.Join(dir, "biomcp"), ncbi: ncbi, env: append(ncbi.Env(),
		"HOME="+dir, "PATH="+os.Getenv("PATH"), "NCBI_API_KEY="+entreztest.Key, "BIOMCP_CACHE_DIR="+filepath.Join(dir, "cache"), "BIOMCP_DATA_DIR="+filepath.Join(dir, "data"))}
	build := exec.CommandContext(t.Context(), "go", "build", "-o", p.file, "../cmd/biomcp")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, args := range [][]string{{"library", "init", "notes"}, {"library", "add", "notes", "--from-articles", firstArticle}} {
		if out, err := p.command(t, args...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	return p
}

func (p *program) command(t *testing.T, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(t.Context(), p.file, args...)
	cmd.Env = p.env
	return cmd
}

// serve runs the server over HTTP until the test ends. It turns the rate limit off, because the
// suites exceed the default.
func (p *program) serve(t *testing.T) (url string) {
	t.Helper()
	cmd := p.command(t, "serve-http", "--port", "0", "--rate-limit", "0")
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(stderr)
	for url == "" && lines.Scan() {
		_, after, _ := strings.Cut(lines.Text(), "address=")
		url, _, _ = strings.Cut(after, " ")
	}
	read := make(chan struct{})
	go func() {
		defer close(read)
		for lines.Scan() { // what it writes must be read
		}
		if err := lines.Err(); err != nil && t.Context().Err() == nil {
			t.Errorf("what the server writes: %v", err)
		}
	}()
	t.Cleanup(func() {
		if err := cmd.Process.Signal(os.Interrupt); err != nil {
			t.Error(err)
		}
		<-read
		if err := cmd.Wait(); err != nil && t.Context().Err() == nil {
			t.Errorf("the server ended: %v", err)
		}
	})
	if url == "" {
		t.Fatal("the server did not start")
	}
	return url
}

// The conformance suite and the two official clients work with the built program.
// testdata/clients/not-applicable.yml lists the scenarios that do not apply, with reasons. The
// suite fails if a listed scenario passes or any other fails.
func TestProgramWithOfficialClients(t *testing.T) {
	n := npmClients(t)
	p := buildProgram(t)
	url := p.serve(t)
	for name, version := range map[string][]string{"all": nil, "2025-11-25": {"--spec-version", "2025-11-25"}, "2026-07-28": {"--spec-version", "2026-07-28"}} {
		t.Run("conformance/"+name, func(t *testing.T) {
			n.conforms(t, url, append(version, "--expected-failures", absolute(t, "not-applicable.yml"))...)
		})
	}
	stdio := []string{p.file, "serve"}
	for transport, server := range map[string][]string{"http": {url}, "stdio": stdio} {
		t.Run("inspector/"+transport, func(t *testing.T) { n.inspect(t, p, server) })
		t.Run("typescript/"+transport, func(t *testing.T) {
			if err := p.ncbi.Fail(entreztest.Fault{Endpoint: "esearch", Kind: entreztest.Stall, Times: -1}); err != nil {
				t.Fatal(err)
			}
			defer p.ncbi.ClearFaults()
			out, err := n.run(t, append([]string{absolute(t, "client.mjs"), strings.Join(p.env, "\n")}, server...)...)
			t.Log(out)
			if err != nil {
				t.Error(err)
			}
		})
	}
}

// keycloakVariable is the environment variable with the address of a Keycloak, the provider
// that hospitals have most often among those that a package registry holds. It is started by
// hand, since it takes a minute and a gigabyte:
//
//	mvn dependency:get -Dartifact=org.keycloak:keycloak-quarkus-dist:26.4.0:zip -Dtransitive=false
//	unzip ~/.m2/repository/org/keycloak/keycloak-quarkus-dist/26.4.0/*.zip
//	KC_BOOTSTRAP_ADMIN_USERNAME=admin KC_BOOTSTRAP_ADMIN_PASSWORD=admin keycloak-26.4.0/bin/kc.sh start-dev --http-host 127.0.0.1 --http-port 8180
//	BIOMCP_KEYCLOAK=http://127.0.0.1:8180 BIOMCP_MCP_CLIENTS=folder go test ./mcpshell -run Keycloak -v
const keycloakVariable = "BIOMCP_KEYCLOAK"

// The official client logs a user in at a real provider; see testdata/clients/provider.mjs.
func TestProgramWithKeycloak(t *testing.T) {
	const audience = "biomcp-test"
	keycloak := os.Getenv(keycloakVariable)
	if keycloak == "" {
		t.Skipf("SKIPPED: no Keycloak: %s is not set", keycloakVariable)
	}
	n, p := npmClients(t), buildProgram(t)
	p.env = append(p.env, "MCP_AUTH_ISSUER="+keycloak+"/realms/lab", "MCP_AUTH_AUDIENCE="+audience)
	out, err := n.run(t, absolute(t, "provider.mjs"), p.serve(t), audience, keycloak)
	t.Log(out)
	if err != nil {
		t.Error(err)
	}
}

func absolute(t *testing.T, name string) string {
	path, err := filepath.Abs(filepath.Join("testdata", "clients", name))
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// inspect runs the four methods with the Inspector's command line.
func (n npm) inspect(t *testing.T, p *program, server []string) {
	ask := func(method string, options ...string) (answer map[string]any) {
		t.Helper()
		args := []string{"node_modules/.bin/mcp-inspector", "--cli"}
		args = append(args, server...)
		args = append(args, "--method", method)
		for _, v := range p.env {
			if len(server) > 1 {
				args = append(args, "-e", v)
			}
		}
		out, err := n.run(t, append(args, options...)...)
		if err == nil {
			err = json.Unmarshal([]byte(out), &answer)
		}
		if err != nil {
			t.Errorf("%s: %v %s", method, err, out)
		}
		return answer
	}
	holds := func(answer map[string]any, want string) {
		t.Helper()
		data, err := json.Marshal(answer)
		if err != nil || !strings.Contains(string(data), want) {
			t.Errorf("%s does not hold %s", data, want)
		}
	}
	holds(ask("tools/list"), `"name":"biomcp"`)
	holds(ask("tools/call", "--tool-name", "biomcp", "--tool-arg", "command=get article "+firstArticle), "PMID")
	holds(ask("resources/list"), `"uri":"biomcp://help"`)
	holds(ask("resources/read", "--uri", "biomcp://info"), "supported_eutilities")
}
