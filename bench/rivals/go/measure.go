// The protocol of bench/rivals/cpp/measure.h, for the rivals in Go.
package main

import (
	"encoding/hex"
	"fmt"
	"os"
	"runtime/debug"
	"strings"
	"syscall"
)

const made = 1000

func wrong(words ...any) {
	fmt.Fprintln(os.Stderr, append([]any{"wrong:"}, words...)...)
	os.Exit(1)
}

func usage() {
	fmt.Fprintln(os.Stderr, "usage: PROGRAM LIBRARY ANSWERS --name|--works|--check|WORK...")
	os.Exit(2)
}

type answer struct{ kind, text, meaning string }

type work struct {
	name  string
	times func(int)
}

type program struct {
	folder string
	works  []work
	takes  []string
}

func (p *program) answers(family string) []answer {
	lines, err := os.ReadFile(p.folder + "/" + family + ".tsv")
	if err != nil {
		wrong(err)
	}
	var found []answer
	for _, line := range strings.Split(strings.TrimSuffix(string(lines), "\n"), "\n") {
		fields := strings.Split(line, "\t")
		if len(fields) != 3 {
			wrong(line)
		}
		found = append(found, answer{fields[0], fields[1], fields[2]})
	}
	return found
}

// codec is how a library handles one family. read gives an error for a text that it refuses.
type codec[ID any] struct {
	read    func(string) (ID, error)
	write   func(ID) string
	meaning func(ID) string
}

// checked compares every known answer of a family; those of kind `both` are to time with.
func checked[ID any](p *program, family string, c codec[ID]) (ids []ID, texts []string) {
	for _, a := range p.answers(family) {
		id, err := c.read(a.text)
		if a.kind == "refuses" {
			if err == nil {
				p.takes = append(p.takes, family+"\t"+a.text)
			}
			continue
		}
		if err != nil {
			wrong(family, "does not read", a.text, err)
		}
		if c.meaning(id) != a.meaning {
			wrong(family, "misreads", a.text)
		}
		if a.kind != "both" {
			continue
		}
		if c.write(id) != a.text {
			wrong(family, "does not write", a.text)
		}
		ids = append(ids, id)
		texts = append(texts, a.text)
	}
	if len(ids) == 0 {
		wrong("no answers for", family)
	}
	return ids, texts
}

func (p *program) add(name string, times func(int)) {
	p.works = append(p.works, work{name, times})
}

func (p *program) run(library string, wanted []string) {
	switch wanted[0] {
	case "--name":
		fmt.Println(library)
	case "--works":
		for _, w := range p.works {
			fmt.Println(w.name)
		}
	case "--check":
		for _, line := range p.takes {
			fmt.Println("takes\t" + line)
		}
	default:
		for _, name := range wanted {
			fmt.Printf("%s\t%.3f\n", name, nanoseconds(p.find(name)))
		}
	}
}

func (p *program) find(name string) func(int) {
	for _, w := range p.works {
		if w.name == name {
			return w.times
		}
	}
	usage()
	return nil
}

// processorTime is that of the whole process, in seconds.
func processorTime() float64 {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		wrong(err)
	}
	return float64(used.Utime.Nano()+used.Stime.Nano()) * 1e-9
}

// nanoseconds of one operation: twice as many until they take long enough, so that the earlier ones warm up.
func nanoseconds(times func(int)) float64 {
	const longEnough = 0.2
	for count := 1000; ; count *= 2 {
		began := processorTime()
		times(count)
		if seconds := processorTime() - began; seconds >= longEnough {
			return seconds * 1e9 / float64(count)
		}
	}
}

func checkUUIDs(texts []string, version byte) {
	seen := map[string]bool{}
	for _, text := range texts {
		if len(text) != 36 || text[14] != version || !strings.ContainsRune("89ab", rune(text[19])) {
			wrong("not a UUID of version", string(version), text)
		}
		seen[text] = true
	}
	if len(seen) != made {
		wrong("a UUID came twice")
	}
}

func checkRising[T int64 | string](ids []T) {
	for i := 1; i < len(ids); i++ {
		if ids[i-1] >= ids[i] {
			wrong("the IDs do not rise")
		}
	}
}

func hexOf(bytes []byte) string { return hex.EncodeToString(bytes) }

// nameOf is a module with the version that it was built with.
func nameOf(path string) string {
	version := ""
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, module := range info.Deps {
			if module.Path == path {
				version = module.Version
			}
		}
	}
	return "Go " + strings.TrimSuffix(strings.TrimPrefix(path, "github.com/"), "/v2") + " " + version
}
