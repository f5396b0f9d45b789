// Command cmd serves a simulated NCBI and all other sources:
//
//	go run ./entrez/entreztest/cmd --records FILE... [--pmc FILE...] [--addr 127.0.0.1:0] [--no-limit] [--contract]
//
// It prints the export lines that point biomcp to it, and serves until it is interrupted. Each FILE may be
// compressed with gzip.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"biomcp/entrez/entreztest"
	"biomcp/entrez/sources/sourcestest"
)

const usage = `usage: cmd --records FILE... [--pmc FILE...] [--pubtator FILE...] [--synthetic N]
           [--key KEY...] [--addr 127.0.0.1:0] [--no-limit] [--contract]

  --records FILE...   PubMed XML to serve, .xml or .xml.gz
  --pmc FILE...       full texts in JATS
  --pubtator FILE...  PubTator3 exports (BioC-JSON) to serve
  --synthetic N       N synthetic records in addition
  --key KEY...        valid API keys instead of the built-in one
  --addr HOST:PORT    a loopback address; port 0 chooses a free port
  --no-limit          no request limit
  --contract          also serve the requests of biomcp health --contract
`

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintf(os.Stderr, "error: %v\n%s", err, usage)
		os.Exit(2)
	}
}

// run starts the server, prints its addresses, and waits until ctx ends.
func run(ctx context.Context, args []string, stdout io.Writer) error {
	const contract = "--contract"
	answersContract := slices.Contains(args, contract)
	opts, err := options(slices.DeleteFunc(args, func(arg string) bool { return arg == contract }))
	if err != nil {
		return err
	}
	srv, err := entreztest.Start(opts...)
	if err != nil {
		return err
	}
	defer srv.Close()
	sourcestest.AddTo(srv.Server)
	if answersContract {
		sourcestest.Contract(srv.Server)
	}
	for _, line := range srv.Env() {
		fmt.Fprintln(stdout, "export "+line)
	}
	<-ctx.Done()
	return nil
}

// options parses the arguments. A flag for files takes all words up to the next flag.
func options(args []string) ([]entreztest.Option, error) {
	var opts []entreztest.Option
	take := func(i int) ([]string, int) {
		end := i
		for end < len(args) && !strings.HasPrefix(args[end], "-") {
			end++
		}
		return args[i:end], end
	}
	for i := 0; i < len(args); {
		name, value, inline := strings.Cut(args[i], "=")
		values, next := take(i + 1)
		if inline {
			values, next = []string{value}, i+1
		}
		i = next
		if name == "--no-limit" && len(values) == 0 {
			opts = append(opts, entreztest.NoLimit())
			continue
		}
		if len(values) == 0 {
			return nil, fmt.Errorf("%s: unknown, or no value given", name)
		}
		switch name {
		case "--key":
			opts = append(opts, entreztest.Keys(values...))
		case "--records", "--pmc", "--pubtator":
			option := map[string]func(string) entreztest.Option{
				"--records": entreztest.File, "--pmc": entreztest.PMC, "--pubtator": entreztest.PubTator,
			}[name]
			for _, path := range values {
				opts = append(opts, option(path))
			}
		case "--addr", "--synthetic":
			if len(values) != 1 {
				return nil, fmt.Errorf("%s takes one value", name)
			}
			if name == "--addr" {
				opts = append(opts, entreztest.Addr(values[0]))
				continue
			}
			var n int
			if _, err := fmt.Sscan(values[0], &n); err != nil || n < 1 {
				return nil, fmt.Errorf("--synthetic %s is not a number of records", values[0])
			}
			opts = append(opts, entreztest.XML(entreztest.Generate(n, 1)))
		default:
			return nil, fmt.Errorf("%s: unknown", name)
		}
	}
	return opts, nil
}
