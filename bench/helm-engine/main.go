// Command helm-engine renders charts with Helm's own code in one process, for whoever wants to compare: it reads a JSON
// request a line ({"chart": folder, "values": [files]}, and "repeatable" for functions whose answers are the same each time)
// and answers each with a line ({"manifest", "notes", "err", "ms", "phases"}).
package main

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"text/template"
	"time"

	"helm.sh/helm/v4/pkg/chart/common"
	"helm.sh/helm/v4/pkg/chart/common/util"
	chart "helm.sh/helm/v4/pkg/chart/v2"
	"helm.sh/helm/v4/pkg/chart/v2/loader"
	chartutil "helm.sh/helm/v4/pkg/chart/v2/util"
	"helm.sh/helm/v4/pkg/cli"
	"helm.sh/helm/v4/pkg/cli/values"
	"helm.sh/helm/v4/pkg/engine"
	"helm.sh/helm/v4/pkg/getter"
	releaseutil "helm.sh/helm/v4/pkg/release/v1/util"
)

type request struct {
	Chart      string   `json:"chart"`
	Values     []string `json:"values"`
	Repeatable bool     `json:"repeatable"`
	// SkipSchema lets values through that a chart's schema forbids.
	SkipSchema bool `json:"skipSchema"`
	// Quiet leaves the manifest and the notes out of the answer: only the time is wanted.
	Quiet bool `json:"quiet"`
}

type answer struct {
	Manifest string  `json:"manifest"`
	Notes    string  `json:"notes"`
	Err      string  `json:"err,omitempty"`
	Ms       float64 `json:"ms"`
	// Phases says what of that went into loading, templates (with their values) and sorting, in milliseconds.
	Phases phases `json:"phases"`
	// PeakBytes is the most memory that this process has held so far.
	PeakBytes int64 `json:"peakBytes"`
}

type phases struct {
	Load   float64 `json:"load"`
	Render float64 `json:"render"`
	Sort   float64 `json:"sort"`
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<24)
	out := bufio.NewWriter(os.Stdout)
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	for lines.Scan() {
		var asked request
		if err := json.Unmarshal(lines.Bytes(), &asked); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(2)
		}
		started := time.Now()
		given := answer{}
		manifest, notes, err := render(asked, &given.Phases)
		given.Ms, given.PeakBytes = msSince(started), peakBytes()
		if err != nil {
			given.Err = err.Error()
		} else if !asked.Quiet {
			given.Manifest, given.Notes = manifest, notes
		}
		if err := encoder.Encode(given); err != nil {
			os.Exit(2)
		}
		out.Flush()
	}
}

func msSince(moment time.Time) float64 {
	return float64(time.Since(moment).Microseconds()) / 1000
}

// peakBytes reads what the kernel knows of it.
func peakBytes() int64 {
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		var stats runtime.MemStats
		runtime.ReadMemStats(&stats)
		return int64(stats.Sys)
	}
	for line := range strings.Lines(string(text)) {
		var kib int64
		if n, _ := fmt.Sscanf(line, "VmHWM: %d kB", &kib); n == 1 {
			return kib << 10
		}
	}
	return 0
}

// render does what `helm template` does, from the folder to the text.
func render(asked request, spent *phases) (string, string, error) {
	started := time.Now()
	loaded, err := loader.Load(asked.Chart)
	spent.Load = msSince(started)
	if err != nil {
		return "", "", fmt.Errorf("load: %w", err)
	}
	started = time.Now()
	given, err := userValues(asked)
	if err != nil {
		return "", "", fmt.Errorf("values: %w", err)
	}
	if err := chartutil.ProcessDependencies(loaded, given); err != nil {
		return "", "", fmt.Errorf("deps: %w", err)
	}
	options := common.ReleaseOptions{Name: "release-name", Namespace: "default", Revision: 1, IsInstall: true}
	context, err := util.ToRenderValuesWithSchemaValidation(loaded, given, options, common.DefaultCapabilities, asked.SkipSchema)
	if err != nil {
		return "", "", fmt.Errorf("values: %w", err)
	}
	helm := engine.Engine{}
	if asked.Repeatable {
		helm.CustomTemplateFuncs = repeatable
	}
	files, err := helm.Render(loaded, context)
	spent.Render = msSince(started)
	if err != nil {
		return "", "", fmt.Errorf("render: %w", err)
	}
	started = time.Now()
	notes := takeNotes(files, loaded)
	hooks, manifests, err := releaseutil.SortManifests(files, nil, releaseutil.InstallOrder)
	if err != nil {
		return "", "", fmt.Errorf("sort: %w", err)
	}
	var text bytes.Buffer
	for _, each := range manifests {
		fmt.Fprintf(&text, "---\n# Source: %s\n%s\n", each.Name, each.Content)
	}
	for _, each := range hooks {
		fmt.Fprintf(&text, "---\n# Source: %s\n%s\n", each.Path, each.Manifest)
	}
	spent.Sort = msSince(started)
	return text.String(), notes, nil
}

func userValues(asked request) (map[string]any, error) {
	files := make([]string, len(asked.Values))
	for i, name := range asked.Values {
		files[i] = name
		if !filepath.IsAbs(name) {
			files[i] = filepath.Join(asked.Chart, name)
		}
	}
	given := values.Options{ValueFiles: files}
	return given.MergeValues(getter.All(cli.New()))
}

func takeNotes(files map[string]string, loaded *chart.Chart) string {
	own := path.Join(loaded.Name(), "templates", "NOTES.txt")
	notes := files[own]
	for name := range files {
		if strings.HasSuffix(name, "NOTES.txt") {
			delete(files, name)
		}
	}
	return notes
}

type certificate struct{ Cert, Key string }

func cycled(alphabet string) func(int) string {
	return func(count int) string {
		var text strings.Builder
		for i := range max(count, 0) {
			text.WriteByte(alphabet[i%len(alphabet)])
		}
		return text.String()
	}
}

func made(name string) func(...any) (certificate, error) {
	return func(...any) (certificate, error) { return certificate{"CERT-" + name, "KEY-" + name}, nil }
}

func sortedKeys(map_ map[string]any) []string {
	keys := make([]string, 0, len(map_))
	for key := range map_ {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

const letters = "abcdefghijklmnopqrstuvwxyz"

// repeatable stands in for the functions whose answers differ each time.
var repeatable = template.FuncMap{
	"randAlphaNum":  cycled(letters),
	"randAlpha":     cycled(letters),
	"randAscii":     cycled(letters),
	"randNumeric":   cycled("0123456789"),
	"randBytes":     func(count int) (string, error) { return base64.StdEncoding.EncodeToString(make([]byte, count)), nil },
	"randInt":       func(least, _ int) int { return least },
	"uuidv4":        func() string { return "00000000-0000-4000-8000-000000000000" },
	"shuffle":       func(text string) string { return text },
	"bcrypt":        func(string) string { return "$2a$10$STUB" },
	"htpasswd":      func(user, _ string) string { return user + ":$2a$10$STUB" },
	"now":           func() time.Time { return time.Date(2024, 1, 2, 3, 4, 5, 0, time.UTC) },
	"genPrivateKey": func(kind string) string { return "PRIVATE-KEY-" + kind },
	"encryptAES":    func(_, text string) (string, error) { return "AES(" + text + ")", nil },

	"buildCustomCert":          made("buildCustomCert"),
	"genCA":                    made("genCA"),
	"genCAWithKey":             made("genCAWithKey"),
	"genSelfSignedCert":        made("genSelfSignedCert"),
	"genSelfSignedCertWithKey": made("genSelfSignedCertWithKey"),
	"genSignedCert":            made("genSignedCert"),
	"genSignedCertWithKey":     made("genSignedCertWithKey"),

	// In Sprig the order is that of Go's maps: another one each time.
	"keys": func(maps ...map[string]any) []string {
		keys := []string{}
		for _, each := range maps {
			keys = append(keys, sortedKeys(each)...)
		}
		return keys
	},
	"values": func(map_ map[string]any) []any {
		values := []any{}
		for _, key := range sortedKeys(map_) {
			values = append(values, map_[key])
		}
		return values
	},
}
