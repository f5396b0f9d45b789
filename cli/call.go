package cli

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"biomcp/cli/command"
	"biomcp/cli/correct"
	"biomcp/cli/result"
	"biomcp/cli/words"
	"biomcp/entrez/httpclient"
	"biomcp/entrez/sources"
)

// call is one parsed command line. The output format, the log, the policy and the command all
// read from it.
type call struct {
	globals
	tree       *command.Tree
	cmd        *cobra.Command
	words      []string // the line as typed
	args       []string
	policy     command.Policy
	nested     bool                 // another command runs this one
	whole      bool                 // that command exports the rows, so lists are not cut to a page
	corrected  bool                 // a misspelt word was corrected
	normalized bool                 // lookalike letters or spaces were replaced
	implied    correct.Kind         // the words from which the command of the line follows, or NoKind
	typed      *call                // the rejected line without its command, if implied is set
	because    string               // why this line runs, at the end of the notice about its correction
	refusal    *command.Refusal     // why the line cannot run; nil if it can
	watch      *httpclient.Progress // progress of the run
}

// globals are the flags of every command. They are set even if the rest of the line cannot be
// parsed.
type globals struct {
	json, noColor, noCache, noPager, offline, long, quiet, help bool
	verbose                                                     int // number of -v flags
	offset                                                      int // offset at which the answer starts
}

// parse reads a command line using a tree that belongs to this call alone. It replaces
// lookalike letters. If the line is invalid and has exactly one plausible correction, or if its
// words imply the command that it lacks, it reads the corrected line and marks it as such.
func parse(tree *command.Tree, typed []string, policy command.Policy) *call {
	list := words.WithoutProgram(typed)
	var normalized []string
	for i, w := range list {
		parts := []string{plainSpaces(w)}
		if i < 2 && parts[0] != w { // a space here separates the command from its entity
			parts = strings.Fields(parts[0])
		}
		for _, part := range parts {
			normalized = append(normalized, toASCII(part))
		}
	}
	c := readLine(tree, normalized, policy)
	c.normalized, c.corrected = !slices.Equal(normalized, list), c.corrected || len(list) < len(typed)
	if c.refusal == nil {
		return c
	}
	read := func(words []string) *correct.Line { return readLine(tree.Clone(), words, policy).line() }
	line, kind := correct.PlainRequest(c.line(), read)
	if line == nil {
		line = correct.Autocorrect(c.line(), read)
	}
	if line == nil {
		line, kind = correct.ImpliedCommand(c.line(), read)
	}
	if line == nil {
		return c
	}
	corrected := readLine(tree.Clone(), line, policy)
	corrected.corrected, corrected.normalized = true, c.normalized
	if corrected.implied = kind; kind != correct.NoKind {
		corrected.typed = c
	}
	return corrected
}

// readLine reads a line without correcting it. A line with the value of a key is rejected, unless its
// command takes one, and the call does not hold the value.
func readLine(tree *command.Tree, typed []string, policy command.Policy) *call {
	c := newCall(tree, policy)
	c.words = typed
	c.read()
	hidden, name := words.HideKeys(typed, "-", c.refusal != nil)
	if name == "" || c.refusal == nil && c.def().TakesKey {
		return c
	}
	c = newCall(tree.Clone(), policy)
	c.words = hidden
	c.read()
	const advice = " (config set reads a key from standard input)"
	message := "the line has the value of " + command.Clip(name) + advice
	try := result.Argv{"config", "list", "--long"}
	if known := command.KeyVariable(name, sources.All()...); known != "" {
		try = result.Argv{"config", "set", known, "-"}
	}
	if c.refusal != nil {
		message = c.refusal.Message + advice
	}
	f := result.Invalid(message, try...)
	if policy == command.Agent {
		f.Try, f.OwnerTry = result.Argv{"list"}, f.Try
	}
	c.refusal = &command.Refusal{Failure: f}
	return c
}

func newCall(tree *command.Tree, policy command.Policy) *call {
	return &call{tree: tree, cmd: tree.Root, policy: policy, args: []string{}, watch: &httpclient.Progress{}}
}

// read reads the words of the line: the command, then its flags and arguments. The first error becomes the
// refusal, and reading continues after it.
func (c *call) read() {
	rest := c.findCommand()
	if c.refusal == nil {
		c.fail(c.tree.Allow(c.policy, c.cmd))
	}
	c.readFlags(rest)
	isSet := func(name string) bool {
		v, err := c.cmd.Flags().GetBool(name)
		return err == nil && v
	}
	c.json, c.noColor, c.noPager = isSet("json"), isSet("no-color"), isSet("no-pager")
	c.noCache, c.offline, c.quiet, c.long = isSet("no-cache"), isSet("offline"), isSet("quiet"), isSet("long")
	c.help = c.help || isSet("help")
	c.verbose, _ = c.cmd.Flags().GetCount("verbose")
	c.offset, _ = c.cmd.Flags().GetInt(command.ContinueAt)
	if c.refusal == nil && c.cmd == c.tree.Root && (isSet("version") || len(c.words) == 1 && c.words[0] == "-v") {
		c.cmd = c.tree.Member(c.tree.Root, "version")
	}
	if c.refusal == nil {
		c.check()
	}
}

// hasNoCommand reports whether the line is refused only because it names no command.
func (c *call) hasNoCommand() bool {
	return c.cmd == c.tree.Root && c.refusal != nil && c.refusal.Reason == command.NoCommand
}

// def returns the declaration of the command.
func (c *call) def() *command.Command { return c.tree.Command(c.cmd) }

// fail records f as the refusal unless f is nil or there already is one.
func (c *call) fail(f *result.Failure) {
	if f != nil {
		c.refuse(&command.Refusal{Failure: f})
	}
}

func (c *call) refuse(r *command.Refusal) {
	if c.refusal == nil {
		c.refusal = r
	}
}

// findCommand walks down the command tree word by word, because Cobra's own Find accepts an
// unknown word after a group. Flags may stand before or between the words. It returns the words
// that are not part of the command.
func (c *call) findCommand() (rest []string) {
	words := c.words
	for i := 0; i < len(words); i++ {
		w, def := words[i], c.def()
		next := c.tree.Member(c.cmd, w)
		switch {
		case w == "--" || len(def.Commands) == 0:
			return append(rest, words[i:]...)
		case isFlag(w):
			_, n, err := parseFlag(c.tree.Flags(c.cmd), words[i:])
			unknown := errors.As(err, new(*pflag.NotExistError))
			if i+1 < len(words) && unknown && !isFlag(words[i+1]) && c.tree.Member(c.cmd, words[i+1]) == nil {
				n = 2 // probably the value of a flag that only the subcommand has
			}
			rest = append(rest, words[i:i+n]...)
			i += n - 1
		case next != nil:
			c.cmd = next
		case w == "help" && c.cmd == c.tree.Root:
			c.help = true
		case def.Run != nil && def.Args.Max != 0:
			return append(rest, words[i:]...)
		default:
			c.fail(c.tree.Allow(c.policy, c.cmd))
			c.refuse(c.tree.UnknownMember(c.policy, c.cmd, w))
			return append(rest, words[i+1:]...)
		}
	}
	return rest
}

// readFlags sets the flags of the command and collects its arguments. It continues after an
// invalid flag.
func (c *call) readFlags(words []string) {
	set := c.tree.Flags(c.cmd)
	for i := 0; i < len(words); {
		if words[i] == "--" {
			c.args = append(c.args, words[i+1:]...)
			return
		}
		if words[i] = c.withShortDashes(set, words[i]); !isFlag(words[i]) {
			c.args = append(c.args, words[i])
			i++
			continue
		}
		settings, n, err := parseFlag(set, words[i:])
		for _, s := range settings {
			if err == nil {
				err = command.SetFlag(set, s.flag, s.value)
			}
		}
		// A word such as "on" after a switch is a mistake, unless it starts a query.
		after := words[i+n:]
		isSwitch := n == 1 && c.def().Args.FreeText && !strings.Contains(words[i], "=")
		hasValue := len(after) > 0 && !isFlag(after[0]) && correct.IsSwitchValue(after[0])
		startsQuery := len(after) > 1 && !isFlag(after[1])
		if err != nil {
			c.refuse(c.badFlag(words[i], err))
		} else if isSwitch && hasValue && !startsQuery {
			f := set.Lookup(settings[0].flag)
			c.refuse(&command.Refusal{Reason: command.InvalidValue, Word: words[i], Flag: f,
				Failure: result.Invalid(fmt.Sprintf("--%s takes no value: %q", f.Name, after[0]),
					append(command.Path(c.cmd), "--help")...)})
		}
		i += n
	}
}

// check records a refusal if the line is complete but cannot be run.
func (c *call) check() {
	def := c.def()
	group := def.Run == nil
	switch {
	case c.help && group && len(c.args) > 0:
		c.refuse(c.tree.UnknownMember(c.policy, c.cmd, c.args[0]))
		return
	case c.help:
		return
	case group:
		c.refuse(&command.Refusal{Failure: bareGroup(c.tree, c.cmd, c.policy), Reason: command.NoCommand})
		return
	}
	isPart := func(word string) bool { return def.Separate == nil || !def.Separate(word) }
	if def.Args.FreeText && len(c.args) > 1 && slices.ContainsFunc(c.args, isPart) {
		c.args = []string{strings.Join(c.args, " ")}
	}
	c.fail(c.tree.AllowInput(c.policy, c.cmd, c.args))
	if c.offset < 0 {
		c.fail(result.Invalid(fmt.Sprintf("--%s must not be negative: %d", command.ContinueAt, c.offset),
			append(command.Path(c.cmd), "--help")...))
	}
	c.fail(c.input(nil, command.IO{}).CheckExclusions())
	c.checkArgs(def.Args)
}

// isFlag reports whether word holds one or more flags. A lone "-" is an argument.
func isFlag(word string) bool { return len(word) > 1 && word[0] == '-' }

type setting struct{ flag, value string }

// parseFlag parses the flag at the start of words without setting it. It returns the settings that
// it would make and the number of words that it uses. The error is the one from pflag.
func parseFlag(set *pflag.FlagSet, words []string) (settings []setting, n int, err error) {
	for n = 1; n <= min(2, len(words)); n++ {
		missing := new(pflag.ValueRequiredError)
		if n == 2 && isFlag(words[1]) && errors.As(err, &missing) && len(command.ValuesWithPrefix(missing.GetFlag(), "")) > 0 {
			return nil, 1, err // as in --chart -o F.png
		}
		settings = nil
		err = set.ParseAll(words[:n], func(f *pflag.Flag, value string) error {
			settings = append(settings, setting{f.Name, value})
			return nil
		})
		if !errors.As(err, new(*pflag.ValueRequiredError)) {
			return settings, n, err
		}
	}
	return nil, len(words), err
}

func bareGroup(tree *command.Tree, cmd *cobra.Command, policy command.Policy) *result.Failure {
	what := cmp.Or(strings.Join(command.Path(cmd), " "), "biomcp")
	return result.Invalid(
		fmt.Sprintf("%s needs %s: %s", what, command.WithArticle(tree.Command(cmd).Noun),
			strings.Join(tree.Members(policy, cmd), ", ")),
		append(command.Path(cmd), "--help")...)
}

// badFlag returns the refusal for an invalid flag, with the closest valid alternatives.
func (c *call) badFlag(word string, err error) *command.Refusal {
	cmd := c.cmd
	r := &command.Refusal{Word: word}
	message := err.Error()
	var unknown *pflag.NotExistError
	var value *pflag.InvalidValueError
	var without *pflag.ValueRequiredError
	var twice *command.RepeatedFlagError
	switch {
	case errors.As(err, &twice):
		r.Reason, r.Flag = command.RepeatedFlag, c.tree.Flags(cmd).Lookup(twice.Flag)
	case errors.As(err, &without):
		r.Reason, r.Flag = command.InvalidValue, without.GetFlag()
	case errors.As(err, &value):
		r.Reason, r.Flag = command.InvalidValue, value.GetFlag()
		message = fmt.Sprintf("--%s: %s", r.Flag.Name, value.Unwrap())
		if kind := flagKinds[r.Flag.Value.Type()]; kind != "" {
			message = fmt.Sprintf("--%s: %q is not %s", r.Flag.Name, command.Clip(value.GetValue()), kind)
		}
		message = c.policy.WrongValue(r.Flag, message)
	case errors.As(err, &unknown):
		r.Reason = command.UnknownFlag
		var names []string
		name := strings.TrimLeft(unknown.GetSpecifiedName(), "-")
		cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
		message = fmt.Sprintf("no flag %q for %s", command.Clip(withDashes(name)),
			strings.TrimSpace("biomcp "+strings.Join(command.Path(cmd), " ")))
		near := command.Nearest(name, names)
		if f := cmd.Flags().Lookup(near); f != nil && f.Value.Type() == "bool" && strings.HasPrefix(near, name) {
			near = "" // the missing part may be a value, as in --exclude review
		}
		if near == "" {
			near = c.synonymOf(name)
		}
		if others := c.otherTables(name); others != "" {
			message += "; --json has the table of the answer" + others
		} else if near != "" {
			r.Near = "--" + near
			message += command.Guess(r.Near)
		} else if near := command.SimilarNames(name, names, 3); len(near) > 0 {
			message += "; the nearest are --" + strings.Join(near, ", --")
		} else if cmd.HasParent() && cmd.Parent().HasParent() {
			var others []string
			for _, other := range c.tree.Commands(cmd.Parent()) {
				if c.tree.Flags(other).Lookup(name) != nil {
					others = append(others, strings.Join(command.Path(other), " "))
				}
			}
			if len(others) > 0 {
				message += "; it belongs to " + command.Abbreviate(others)
			}
		}
	}
	r.Failure = result.Invalid(message, append(command.Path(cmd), "--help")...)
	return r
}

// otherTables lists the flags that write another table of the answer to a file with the given
// extension. Only a person may use them, so for an agent the list is empty.
func (c *call) otherTables(extension string) (list string) {
	c.cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if c.policy == command.Person && command.WritesOtherTable(f, extension) {
			table, _, _ := strings.Cut(f.Usage, " to a file")
			list += "; --" + f.Name + ": " + table
		}
	})
	return list
}

// flagKinds maps flag types to the words that messages use for them.
var flagKinds = map[string]string{"int": "a whole number", "count": "a whole number", "bool": "true or false"}

func withDashes(name string) string {
	if len(name) == 1 {
		return "-" + name
	}
	return "--" + name
}

// checkArgs records a refusal if the line has too few or too many arguments.
func (c *call) checkArgs(want command.Args) {
	path := strings.Join(command.Path(c.cmd), " ")
	help := append(command.Path(c.cmd), "--help")
	switch {
	case len(c.args) < want.Min:
		c.fail(result.Invalid(fmt.Sprintf("%s needs %s", path, want.Name), help...))
	case want.Max == 0 && len(c.args) > 0:
		c.refuse(&command.Refusal{Reason: command.TooManyWords, Word: c.args[0],
			Failure: result.Invalid(fmt.Sprintf("%s takes no arguments, only flags: %q", path, command.Clip(c.args[0])),
				help...)})
	case want.Max > 0 && len(c.args) > want.Max:
		c.refuse(&command.Refusal{Reason: command.TooManyWords, Word: c.args[want.Max],
			Failure: result.Invalid(fmt.Sprintf("%s takes %s, and got %d words", path, want.Name, len(c.args)),
				help...)})
	}
}

// line converts the call to the form that package meant reads.
func (c *call) line() *correct.Line {
	return &correct.Line{Words: c.words, Tree: c.tree, Policy: c.policy, Cmd: c.cmd, Args: c.args, Fault: c.refusal}
}

// parseNext parses another line for the same caller, including the checks that its command makes
// before it sends requests.
func (c *call) parseNext(app *command.App, io command.IO, line result.Argv) *call {
	next := readLine(c.tree.Clone(), line, c.policy)
	if check := next.def().Check; check != nil && next.refusal == nil && !next.help {
		next.refusal = refusalOf(check(next.input(app, io)))
	}
	return next
}

// suggest replaces the suggestions of a refusal with corrected lines: the best one as Try, the
// others as alternatives. Lines that would fail too are dropped.
func (c *call) suggest(app *command.App, io command.IO) {
	read := func(words []string) *correct.Line { return c.parseNext(app, io, words).line() }
	lines := correct.Corrections(c.line(), read)
	c.refusal = correct.RemainingFault(c.line(), read)
	f := c.refusal.Failure
	near, word := c.refusal.Near, c.refusal.Word
	if near != "" && len(lines) > 0 && !strings.Contains(lines[0].String(), near) && !command.IsMisspelling(word, near) {
		f.Message = strings.TrimSuffix(f.Message, command.Guess(near)) // the suggested line names another word
	}
	switch {
	case len(lines) > 0:
		f.Try, f.Alternatives = lines[0], lines[1:]
	case !isHelp(f.Try) && c.parseNext(app, io, f.Try).refusal != nil:
		f.Try = append(command.Path(c.cmd), "--help")
	}
	switch {
	case !isHelp(f.Try):
	case c.refusal.Reason == command.UnknownFlag:
		f.Message += c.flagsText()
	case c.refusal.Reason == command.UnknownMember && near != "":
		f.Message += c.faultOf(app, io, near)
	}
}

// refusalOf converts an error about the words of a line to a refusal. It returns nil for any
// other error.
func refusalOf(err error) *command.Refusal {
	if r, ok := errors.AsType[*command.Refusal](err); ok {
		return r
	}
	if f, ok := errors.AsType[*result.Failure](err); ok && f.Code == result.Validation {
		return &command.Refusal{Failure: f}
	}
	return nil
}
