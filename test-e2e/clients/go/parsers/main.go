// Parsers reads questions from its input, one JSON object a line, and answers each with what Kubernetes' own parsers
// make of it: a JSON value, or an error.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	"sigs.k8s.io/yaml"
)

type question struct {
	Kind  string `json:"kind"`
	Input []byte `json:"input"`
	// Second operand: the patch of a document.
	Patch []byte `json:"patch,omitempty"`
}

type answer struct {
	Value json.RawMessage `json:"value,omitempty"`
	Error string          `json:"error,omitempty"`
}

func text(value any, err error) (json.RawMessage, error) {
	if err != nil {
		return nil, err
	}
	return json.Marshal(value)
}

func ask(q question) (value json.RawMessage, err error) {
	defer func() {
		if reason := recover(); reason != nil {
			err = fmt.Errorf("panic: %v", reason)
		}
	}()
	switch q.Kind {
	case "yaml":
		return yaml.YAMLToJSON(q.Input)
	case "yaml-strict":
		return yaml.YAMLToJSONStrict(q.Input)
	case "to-yaml":
		out, err := yaml.JSONToYAML(q.Input)
		return text(string(out), err)
	case "duration":
		d, err := time.ParseDuration(string(q.Input))
		return text(d.String(), err)
	case "quantity":
		quantity, err := resource.ParseQuantity(string(q.Input))
		if err != nil {
			return nil, err
		}
		return text([]any{quantity.String(), quantity.Value(), quantity.MilliValue()}, nil)
	case "labels":
		selector, err := labels.Parse(string(q.Input))
		if err != nil {
			return nil, err
		}
		return text(selector.String(), nil)
	case "fields":
		selector, err := fields.ParseSelector(string(q.Input))
		if err != nil {
			return nil, err
		}
		return text(selector.String(), nil)
	case "json-patch":
		patch, err := jsonpatch.DecodePatch(q.Patch)
		if err != nil {
			return nil, err
		}
		return patch.Apply(q.Input)
	}
	return nil, fmt.Errorf("no parser %s", q.Kind)
}

func main() {
	jsonpatch.AccumulatedCopySizeLimit = 3 * 1024 * 1024
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	questions := json.NewDecoder(in)
	answers := json.NewEncoder(out)
	for questions.More() {
		var q question
		if err := questions.Decode(&q); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		var a answer
		value, err := ask(q)
		if err != nil {
			a.Error = err.Error()
		} else {
			a.Value = value
		}
		if err := answers.Encode(a); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}
