package operator

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

// chain is a kubechain that runs for a test, and its control API (docs/control-api.md).
type chain struct {
	t      *testing.T
	client http.Client
	config *rest.Config
}

// inBothTopologies tries a process for each server, and all of them in one. A project chooses; both do the same.
func inBothTopologies(t *testing.T, try func(t *testing.T, topology string)) {
	for _, topology := range []string{"chain", "all-in-one"} {
		t.Run(topology, func(t *testing.T) { try(t, topology) })
	}
}

// startChain starts one with flags of its own.
func startChain(t *testing.T, flags ...string) *chain {
	t.Helper()
	// The path of a socket has to be short.
	folder, err := os.MkdirTemp("", "kubechain-")
	if err != nil {
		t.Fatal(err)
	}
	run := func(args ...string) error {
		command := os.Getenv("KUBECHAIN")
		if command == "" {
			command = "kubechain"
		}
		words := append(strings.Fields(command), args...)
		output, err := exec.Command(words[0], words[1:]...).CombinedOutput()
		if err != nil {
			return fmt.Errorf("%v: %w: %s", words, err, output)
		}
		return nil
	}
	t.Cleanup(func() {
		if err := run("down", "--data-dir", folder); err != nil {
			t.Error(err)
		}
		_ = os.RemoveAll(folder)
	})
	up := []string{"up", "--control", "--controllers", "none", "--detach", "--secure-port", "0", "--data-dir", folder}
	up = append(up, flags...)
	if err := run(up...); err != nil {
		t.Fatal(err)
	}
	config, err := clientcmd.BuildConfigFromFlags("", filepath.Join(folder, "admin.kubeconfig"))
	if err != nil {
		t.Fatal(err)
	}
	dial := func(ctx context.Context, _, _ string) (net.Conn, error) {
		var dialer net.Dialer
		return dialer.DialContext(ctx, "unix", filepath.Join(folder, "run", "control.sock"))
	}
	return &chain{t: t, config: config, client: http.Client{Transport: &http.Transport{DialContext: dial}}}
}

// call calls the control API; body is JSON, or empty.
func (c *chain) call(method, path, body string, answer any) {
	c.t.Helper()
	request, err := http.NewRequest(method, "http://control"+path, bytes.NewBufferString(body))
	if err != nil {
		c.t.Fatal(err)
	}
	response, err := c.client.Do(request)
	if err != nil {
		c.t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode >= 300 {
		c.t.Fatalf("%s %s: %d %s %v", method, path, response.StatusCode, text, err)
	}
	if answer != nil {
		if err := json.Unmarshal(text, answer); err != nil {
			c.t.Fatal(err)
		}
	}
}
