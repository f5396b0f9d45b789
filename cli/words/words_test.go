package words

import (
	"errors"
	"math/rand/v2"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestSplit(t *testing.T) {
	for line, want := range map[string][]string{
		``:                               {},
		" \t ":                           {},
		`get  article	32051057 mesh`:     {"get", "article", "32051057", "mesh"},
		`search article "lung cancer"`:   {"search", "article", "lung cancer"},
		`a'b c'"d e"f`:                   {"ab cd ef"},
		`'' "" a`:                        {"", "", "a"},
		`'it'\''s'`:                      {"it's"},
		`"say \"hi\" \\ \n"`:             {`say "hi" \ \n`},
		`a\ b \'`:                        {"a b", "'"},
		"a\\\nb":                         {"ab"},
		"\"a\\\nb\"":                     {"ab"},
		"'a\nb'":                         {"a\nb"},
		`'a | b > c; d & $(e) ` + "`f`'": {"a | b > c; d & $(e) `f`"},
		`"a | b > c; d & e"`:             {"a | b > c; d & e"},
		`a\|b "\$(x)" "\` + "`" + `"`:    {"a|b", "$(x)", "`"},
		`$HOME "$HOME" * ~ {a,b} ?`:      {"$HOME", "$HOME", "*", "~", "{a,b}", "?"},
		`(BRCA1 OR BRCA2) #1 IL-6[ti]!`:  {"(BRCA1", "OR", "BRCA2)", "#1", "IL-6[ti]!"},
		`'β-catenin' TGF-β μg 你好 🧬`:      {"β-catenin", "TGF-β", "μg", "你好", "🧬"},
		`"\a"`:                           {`\a`},
		`a""b`:                           {"ab"},
		"'\r\n'":                         {"\r\n"},
	} {
		t.Run(line, func(t *testing.T) {
			got, err := Split(line)
			if err != nil || !slices.Equal(got, want) {
				t.Errorf("Split(%q) = %q, %v; want %q", line, got, err, want)
			}
			if got == nil {
				t.Errorf("Split(%q) is nil", line)
			}
		})
	}
}

func TestSplitRefuses(t *testing.T) {
	for _, c := range []struct {
		line  string
		kind  Kind
		token string
		char  int
	}{
		{"list | head", NotShell, "|", 6},
		{"list > /tmp/x", NotShell, ">", 6},
		{"list < x", NotShell, "<", 6},
		{"list; version", NotShell, ";", 5},
		{"list && version", NotShell, "&", 6},
		{"search article p<0.05", NotShell, "<", 17},
		{"list\nversion", NotShell, "newline", 5},
		{"list\r\nversion", NotShell, "newline", 5},
		{"list\n", NotShell, "newline", 5},
		{"get article $(whoami)", NotShell, "$(", 13},
		{`get article "$(whoami)"`, NotShell, "$(", 14},
		{`get article "a$(b)`, NotShell, "$(", 15},
		{"get article `id`", NotShell, "backtick", 13},
		{"get article \"`id`\"", NotShell, "backtick", 14},
		{"αβγ | x", NotShell, "|", 5},
		{`search "lung`, Unbalanced, `unbalanced double quote "`, 8},
		{`search Alzheimer's`, Unbalanced, "unbalanced single quote '", 17},
		{`"a'b`, Unbalanced, `unbalanced double quote "`, 1},
		{`a\`, Unbalanced, "nothing follows the backslash", 2},
		{"a\x00b", BadCharacter, "U+0000 (a control character)", 2},
		{"a\x1b[31m", BadCharacter, "U+001B (a control character)", 2},
		{"'a\x7f'", BadCharacter, "U+007F (a control character)", 3},
		{"a\rb", BadCharacter, "U+000D (a control character)", 2},
		{"β\xff", BadCharacter, "0xFF (not UTF-8)", 2},
	} {
		t.Run(c.line, func(t *testing.T) {
			got, err := Split(c.line)
			var e *Error
			if !errors.As(err, &e) {
				t.Errorf("Split(%q) = %q, %v; want an *Error", c.line, got, err)
				return
			}
			if e.Kind != c.kind || e.Token != c.token || e.Char != c.char {
				t.Errorf("Split(%q): kind %d token %q char %d; want %d %q %d", c.line, e.Kind, e.Token, e.Char, c.kind, c.token, c.char)
			}
			if (e.Kind == NotShell) != strings.Contains(e.Error(), "this is not a shell") {
				t.Errorf("Split(%q) says %q", c.line, e)
			}
			if e.Advice == "" || !strings.Contains(e.Error(), e.Advice) || !strings.Contains(e.Error(), e.Token) {
				t.Errorf("Split(%q) does not say what to do: %q", c.line, e)
			}
			for _, r := range e.Error() {
				if unicode.IsControl(r) || r == utf8.RuneError {
					t.Errorf("Split(%q) repeats the bad character: %q", c.line, e)
				}
			}
		})
	}
}

// Error.Words reads the rejected operators as spaces.
func TestWordsOfALineThatIsRefused(t *testing.T) {
	for line, want := range map[string][]string{
		`list | head --json`:      {"list", "head", "--json"},
		`a "$(b --json) c" d`:     {"a", "(b --json) c", "d"},
		"a`b` --json":             {"a", "b", "--json"},
		`a --json "b --limit`:     {"a", "--json", "b --limit"},
		`a --json \`:              {"a", "--json"},
		"a\x00 --json > 'x y' 'z": {"a\x00", "--json", "x y", "z"},
	} {
		t.Run(line, func(t *testing.T) {
			_, err := Split(line)
			var e *Error
			if !errors.As(err, &e) || !slices.Equal(e.Words, want) {
				t.Errorf("Split(%q): %v with %q; want %q", line, err, e.Words, want)
			}
		})
	}
}

// Meant guesses the words of a rejected line. Quoting them gives a valid line.
func TestMeant(t *testing.T) {
	for line, want := range map[string][]string{
		"get variant chr7:140753336A>T":                      {"get", "variant", "chr7:140753336A>T"},
		"get variant BRAF c.1799T>A clinvar":                 {"get", "variant", "BRAF", "c.1799T>A", "clinvar"},
		"search article R&D EGFR|ALK":                        {"search", "article", "R&D", "EGFR|ALK"},
		"search article asthma | head -5":                    {"search", "article", "asthma"},
		"search article p < 0.05 mortality":                  {"search", "article", "p", "<", "0.05", "mortality"},
		"search article (p<.05)":                             {"search", "article", "(p<.05)"},
		"search corpus reduction > 50%, n >= 3":              {"search", "corpus", "reduction", ">", "50%,", "n", ">=", "3"},
		"search corpus dose > 5μg/mL":                        {"search", "corpus", "dose"},
		"search corpus age > 65y":                            {"search", "corpus", "age", ">", "65y"},
		"list > 2024.csv":                                    {"list"},
		"list > ./2024":                                      {"list"},
		"list > out.txt 2>&1":                                {"list"},
		"list 2>/dev/null":                                   {"list"},
		"list; version":                                      {"list"},
		"search citation Ann Med. 2023 Dec;33(12):720":       {"search", "citation", "Ann", "Med.", "2023", "Dec;33(12):720"},
		"search citation Fox A; Owl B & Elk C. 2023":         {"search", "citation", "Fox", "A;", "Owl", "B", "&", "Elk", "C.", "2023"},
		"search article moss; Get article 20231":             {"search", "article", "moss"},
		"list && version":                                    {"list"},
		"list\nversion":                                      {"list"},
		"get article $(biomcp search article 'a b' --pmids)": {"biomcp", "search", "article", "a b", "--pmids"},
		"get article `search article x`":                     {"search", "article", "x"},
		"search disease Crohn's disease":                     {"search", "disease", "Crohn's", "disease"},
		`search article "lung cancer --json`:                 {"search", "article", "lung cancer --json"},
		`search article lung cancer"`:                        {"search", "article", "lung", "cancer"},
		`list \`:                                             {"list"},
		"li\x00st":                                           {"list"},
		"| head":                                             {},
		"list":                                               {"list"},
	} {
		t.Run(line, func(t *testing.T) {
			if got := Repair(line); !slices.Equal(got, want) {
				t.Errorf("Meant(%q) = %q, want %q", line, got, want)
			}
		})
	}
}

func TestReplacementCharacterIsText(t *testing.T) {
	if got, err := Split("a\uFFFDb"); err != nil || !slices.Equal(got, []string{"a\uFFFDb"}) {
		t.Errorf("got %q, %v", got, err)
	}
}

func TestQuote(t *testing.T) {
	for want, in := range map[string][]string{
		``:                               {},
		`''`:                             {""},
		`biomcp get article 32051057`:    {"biomcp", "get", "article", "32051057"},
		`get gene --limit=5 10.1000/x_y`: {"get", "gene", "--limit=5", "10.1000/x_y"},
		`'Alzheimer'\''s disease'`:       {"Alzheimer's disease"},
		`'1; rm -rf ~' '$(id)'`:          {"1; rm -rf ~", "$(id)"},
		`'PATH=x' '#1' '{a,b}' '!!'`:     {"PATH=x", "#1", "{a,b}", "!!"},
		`'β-catenin'`:                    {"β-catenin"},
	} {
		t.Run(want, func(t *testing.T) {
			if got := Quote(in); got != want {
				t.Errorf("Quote(%q) = %s; want %s", in, got, want)
			}
		})
	}
}

// shell runs line as the arguments of printf and returns the words that a real POSIX shell
// reads.
func shell(t testing.TB, sh, line string) []string {
	t.Helper()
	cmd := exec.Command(sh, "-fc", `printf '%s\0' `+line)
	cmd.Env = []string{"PATH=/usr/bin:/bin", "HOME=/nowhere"}
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("sh -c printf … %q: %v", line, err)
	}
	parts := strings.Split(string(out), "\x00")
	return parts[:len(parts)-1]
}

func findShell(t testing.TB) string {
	t.Helper()
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no sh on this machine: the splitter was not compared with a real shell")
	}
	return sh
}

// Split reads a line without expansions into the same words as a shell.
func TestSplitAgreesWithShell(t *testing.T) {
	sh := findShell(t)
	for _, line := range []string{
		`a b  c`, "a\tb", `'a b' "c d"`, `a'b'"c"d`, `'' "" x`, `'it'\''s'`, `"it's"`,
		`"a \"b\" \\ \$x \q"`, `a\ b\\c\'d`, "a\\\nb", "\"a\\\nb\"", "'a\nb' c", `'$(id) ; | &'`,
		`"a | b > c; d & e"`, `a\|b a\;b a\&b`, `x#y`, `β 'γ δ' "你好 🧬"`, `--limit=5 "--author=O'Brien"`,
		`"\$(x)"`, `a''b`, `"\a\b"`, `x\` + "`" + `y`, `--a="b c"'d'`,
	} {
		t.Run(line, func(t *testing.T) {
			got, err := Split(line)
			if want := shell(t, sh, line); err != nil || !slices.Equal(got, want) {
				t.Errorf("Split(%q) = %q, %v; sh has %q", line, got, err, want)
			}
		})
	}
}

// A shell reads every random line that Split accepts into the same words. All lines go to the
// shell in one script.
func TestSplitAgreesWithShellAtRandom(t *testing.T) {
	sh := findShell(t)
	rnd := rand.New(rand.NewPCG(2, 7))
	const alphabet = "aab  \t'\"\\\n;|&<>=-β"
	letters := []rune(alphabet)
	var script strings.Builder
	var lines []string
	var want [][]string
	for range 40000 {
		line := make([]rune, 1+rnd.IntN(12))
		for i := range line {
			line[i] = letters[rnd.IntN(len(letters))]
		}
		got, err := Split(string(line))
		if err != nil || len(got) == 0 {
			continue
		}
		lines, want = append(lines, string(line)), append(want, got)
		script.WriteString(`printf '%s\0' ` + string(line) + "\nprintf '\\1'\n")
	}
	if len(lines) < 3000 {
		t.Fatalf("only %d of the random lines were usable", len(lines))
	}
	cmd := exec.Command(sh, "-f")
	cmd.Stdin = strings.NewReader(script.String())
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("sh: %v", err)
	}
	answers := strings.Split(strings.TrimSuffix(string(out), "\x01"), "\x01")
	if len(answers) != len(lines) {
		t.Fatalf("sh answered %d of %d lines", len(answers), len(lines))
	}
	for i, a := range answers {
		if got := strings.Split(strings.TrimSuffix(a, "\x00"), "\x00"); !slices.Equal(got, want[i]) {
			t.Errorf("Split(%q) = %q; sh has %q", lines[i], want[i], got)
		}
	}
}

// A line from Quote can be pasted into a real shell.
func TestQuoteAgreesWithShell(t *testing.T) {
	sh := findShell(t)
	for _, w := range [][]string{
		{"a"}, {""}, {"", ""}, {"it's"}, {"'"}, {"''"}, {`\`}, {`"`}, {"$HOME", "$(id)", "`id`"},
		{"a\nb", "a\tb"}, {"*", "?", "[a]", "~", "!", "#x", "{a,b}"}, {"; rm -rf /", "| sh", "&& x", "> y"},
		{"X=1", "--x=1", "-"}, {"β", "你好", "🧬", "\u00a0"}, {"--", "-n", "--limit", "5"},
	} {
		t.Run(strings.Join(w, " "), func(t *testing.T) {
			if got := shell(t, sh, Quote(w)); !slices.Equal(got, w) {
				t.Errorf("sh reads %s as %q; want %q", Quote(w), got, w)
			}
		})
	}
}

// usable reports whether w can be part of a command.
func usable(w string) bool {
	return utf8.ValidString(w) && strings.IndexFunc(w, func(r rune) bool {
		return unicode.IsControl(r) && r != '\t' && r != '\n'
	}) < 0
}

func FuzzQuote(f *testing.F) {
	for _, s := range []string{"", "a b", "it's", `\`, `"`, "$(id)", "a\nb", "X=1", "β", "-", "\x00"} {
		f.Add(s, "x", s)
	}
	f.Fuzz(func(t *testing.T, a, b, c string) {
		in := []string{a, b, c}
		line := Quote(in)
		got, err := Split(line)
		if usable(a) && usable(b) && usable(c) {
			if err != nil || !slices.Equal(got, in) {
				t.Fatalf("Split(Quote(%q)) = %q, %v", in, got, err)
			}
		} else if err == nil && !slices.Equal(got, in) {
			t.Fatalf("Split(Quote(%q)) = %q: words were injected", in, got)
		}
	})
}

// For every input, Split returns words that survive quoting and splitting again, or an Error.
func FuzzSplit(f *testing.F) {
	for _, s := range []string{"", "a b", `"a`, `'a`, `a\`, "a|b", `"$(x)"`, "`", "\x00", "\xff", "a\\\nb", "\r\n", `""`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, line string) {
		meant := Repair(line)
		if again, err := Split(Quote(meant)); err != nil || !slices.Equal(again, meant) && len(meant) > 0 {
			t.Fatalf("Meant(%q) = %q, quoted and split again %q, %v", line, meant, again, err)
		}
		got, err := Split(line)
		if err != nil {
			var e *Error
			if !errors.As(err, &e) || got != nil || e.Char < 1 || e.Char > utf8.RuneCountInString(line) || e.Advice == "" {
				t.Fatalf("Split(%q) = %q, %#v", line, got, err)
			}
			return
		}
		again, err := Split(Quote(got))
		if err != nil || !slices.Equal(again, got) {
			t.Fatalf("Split(%q) = %q, quoted and split again %q, %v", line, got, again, err)
		}
	})
}
