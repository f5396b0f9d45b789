package cli

import (
	"bufio"
	"context"
	"errors"
	"io"
	"path/filepath"
	"strings"

	"biomcp/cli/command"
	"biomcp/cli/result"
	"biomcp/entrez/sources"
)

// configGroup returns the commands that show and change settings.
func configGroup() *command.Command {
	group := &command.Command{
		Use: "config", Purpose: command.Start, Noun: "command", Short: "Show and keep settings, such as an API key",
		Synonyms: []string{"settings", "configure", "env", "preferences"},
		Help: command.Help{
			Purpose: "A setting is a variable of the environment. The settings file keeps it for all shells and clients; " +
				"the environment overrides the file, and a flag overrides both.",
		},
		Commands: []*command.Command{
			{
				Use: "list", Synonyms: []string{"show", "ls", "all"}, Short: "List settings, and where their values come from",
				Help: command.Help{
					Output: "The settings of the environment and of the file; --long lists all, with defaults. A key or " +
						"token is shown as set.",
				},
				Examples: []command.Example{
					{Line: "biomcp config list", Explanation: "what is set"},
					{Line: "biomcp config list --long", Explanation: "every setting, with its default and meaning"},
				},
				Run: configList,
			},
			{
				Use: "get <name>", Synonyms: []string{"read"}, Short: "Print the value of a setting",
				Help: command.Help{Output: "The value, and nothing else; a key or token prints set. Exit status 1 if it has none."},
				Args: command.Args{Min: 1, Max: 1, Name: "the name of a setting"}, Suggest: settingNames,
				Examples: []command.Example{{Line: "biomcp config get BIOMCP_DATA_DIR", Explanation: "one value for a script"}},
				Run:      configGet,
			},
			{
				Use: "set <name> <value>", Synonyms: []string{"add", "put", "write"}, Short: "Keep a setting in the settings file",
				Help: command.Help{
					Input: "A variable in any letter case, and its value; - reads the value from standard input, so that a " +
						"key is not in the shell's history.",
					Surprises: "Only its owner can read the file. If the environment sets the variable too, that value is used.",
				},
				Args: command.Args{Min: 2, Max: 2, Name: "the name of a setting and its value"}, Suggest: settingNames,
				Examples: []command.Example{
					{Line: "biomcp config set BIOMCP_DATA_DIR ~/biomcp", Explanation: "keep the corpus there"},
					{Line: "biomcp config set NCBI_API_KEY -", Explanation: "a key, typed or from a pipe"},
				},
				Run: configSet, TakesKey: true,
			},
			{
				Use: "unset <name>", Synonyms: []string{"remove", "delete", "rm", "clear", "reset"},
				Short: "Remove a setting from the settings file",
				Args:  command.Args{Min: 1, Max: 1, Name: "the name of a setting"}, Suggest: settingNames,
				Examples: []command.Example{{Line: "biomcp config unset NCBI_API_KEY",
					Explanation: "the default again, or the environment's value"}},
				Run: configUnset,
			},
		},
	}
	for _, c := range group.Commands {
		c.Effect, c.LocalOnly = command.Local, true
	}
	return group
}

// settingNames completes the name of a setting.
func settingNames(_ *command.Tree, args []string) (names []string) {
	if len(args) > 0 {
		return nil
	}
	for _, v := range command.Variables(sources.All()...) {
		names = append(names, v.Name)
	}
	return names
}

// settingReport is a setting in the answers of config.
type settingReport struct {
	Name        string         `json:"name"`
	Value       *string        `json:"value"` // "set" for a secret
	Origin      command.Origin `json:"origin"`
	Secret      bool           `json:"secret"`
	Description string         `json:"description"`
}

func reportOf(s command.Setting) settingReport {
	r := settingReport{Name: s.Name, Origin: s.Origin, Secret: s.IsSecret(), Description: s.Description}
	if text := s.Shown(s.Value); text != "" {
		r.Value = &text
	}
	return r
}

func (r settingReport) text() string {
	if r.Value == nil {
		return ""
	}
	return *r.Value
}

// settingList is the answer of config list.
type settingList struct {
	File     string          `json:"file"`
	Settings []settingReport `json:"settings"`
	Unknown  []string        `json:"unknown"` // names in the file that are not settings

	long bool
}

func (l settingList) Doc() result.Doc {
	doc := result.Doc{result.Heading{Level: 1, Text: "Settings"}, result.Fields{{Name: "File", Value: l.File}}}
	if len(l.Settings) == 0 {
		return append(doc, result.Para{Text: "All settings have their defaults."})
	}
	columns := []string{"Setting", "Value", "From"}
	if l.long {
		columns = append(columns, "Meaning")
	}
	return append(doc, result.Table{Columns: result.Columns(columns...),
		Rows: result.Map(l.Settings, func(s settingReport) []string {
			row := []string{s.Name, s.text(), string(s.Origin)}
			if l.long {
				row = append(row, s.Description)
			}
			return row
		})})
}

func configList(_ context.Context, in *command.Input) (*result.Result, error) {
	file, known := in.App.Env.Settings, map[string]bool{}
	list := settingList{File: file.Path, Settings: []settingReport{}, Unknown: []string{}, long: in.Bool("long")}
	for _, s := range in.App.Env.AllSettings() {
		known[s.Name] = true
		if list.long || s.Origin != command.FromDefault {
			list.Settings = append(list.Settings, reportOf(s))
		}
	}
	res := &result.Result{}
	if err := file.Problem(); err != nil {
		res.Notice(err.Error())
	}
	for name := range file.Values {
		if !known[name] {
			list.Unknown = append(list.Unknown, name)
			res.Notice("the settings file has " + command.Clip(name) + ", which is not a setting and has no effect")
		}
	}
	res.Payload = list
	if !list.long {
		res.Next = []result.Argv{{"config", "list", "--long"}}
	}
	return res, nil
}

func configGet(_ context.Context, in *command.Input) (*result.Result, error) {
	s, err := in.App.Env.FindSetting(in.Args[0])
	if err != nil {
		return nil, err
	}
	r := reportOf(s)
	if r.Value == nil {
		return nil, result.Missing(s.Name+" has no value", "config", "list", "--long")
	}
	res := &result.Result{Payload: result.Text{Value: r, Text: r.text()}}
	if err := in.App.Env.Settings.Problem(); err != nil {
		res.Notice(err.Error())
	}
	return res, nil
}

func configSet(_ context.Context, in *command.Input) (*result.Result, error) {
	s, err := in.App.Env.FindSetting(in.Args[0])
	if err != nil {
		// The first word may be a key. Only the second is shown.
		if other, e := in.App.Env.FindSetting(in.Args[1]); e == nil {
			return nil, result.Invalid("the name of a setting stands before its value", "config", "set", other.Name, "-")
		}
		if f, known := (*result.Failure)(nil), command.KeyVariable(in.Args[0], in.App.Env.Sources...); known != "" && errors.As(err, &f) {
			f.Try = result.Argv{"config", "set", known, "-"}
		}
		return nil, err
	}
	text := strings.TrimSpace(in.Args[1])
	if text == "-" {
		line, err := bufio.NewReader(io.LimitReader(in.IO.In, 64<<10)).ReadString('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, err
		}
		text = strings.TrimSpace(line)
	}
	switch {
	case text == "":
		return nil, result.Invalid("the value of "+s.Name+" is empty", "config", "unset", s.Name)
	case strings.ContainsAny(text, "\x00\r\n"):
		return nil, result.Invalid("the value of "+s.Name+" has more than one line", "config", "set", "--help")
	case strings.HasSuffix(s.Name, "_DIR"):
		if text, err = filepath.Abs(text); err != nil {
			return nil, err
		}
	}
	if err := in.App.Env.CheckSetting(s.Name, text); err != nil {
		return nil, err
	}
	res, err := changeSetting(in, s, func(values map[string]string) { values[s.Name] = text })
	if err == nil && s.IsSecret() && strings.TrimSpace(in.Args[1]) != "-" {
		res.Notice("the shell's history may keep the value; config set " + s.Name + " - reads it from standard input")
	}
	return res, err
}

func configUnset(_ context.Context, in *command.Input) (*result.Result, error) {
	s, err := in.App.Env.FindSetting(in.Args[0])
	if err != nil {
		return nil, err
	}
	return changeSetting(in, s, func(values map[string]string) { delete(values, s.Name) })
}

// settingChange is the answer of config set and config unset.
type settingChange struct {
	File string `json:"file"`
	settingReport
}

func (c settingChange) Doc() result.Doc {
	return result.Doc{result.Fields{{Name: "Setting", Value: c.Name}, {Name: "Value", Value: c.text()},
		{Name: "From", Value: string(c.Origin)}, {Name: "File", Value: c.File}}}
}

// changeSetting changes the settings file and returns the setting as the next command will read it.
func changeSetting(in *command.Input, s command.Setting, change func(map[string]string)) (*result.Result, error) {
	env := in.App.Env
	if err := env.Settings.Change(func(values map[string]string) {
		change(values)
		env.Settings.Values = values
	}); err != nil {
		return nil, err
	}
	now, err := env.FindSetting(s.Name)
	if err != nil {
		return nil, err
	}
	res := &result.Result{Payload: settingChange{env.Settings.Path, reportOf(now)}}
	if now.Origin == command.FromEnvironment {
		res.Notice("the environment sets " + s.Name + ", which overrides the file")
	}
	return res, nil
}
