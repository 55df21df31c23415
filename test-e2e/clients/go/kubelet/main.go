// A node agent without containers: answers what kube-apiserver asks a kubelet for (logs, exec, attach, port-forward),
// with the streaming code that container runtimes have. Commands run on this machine.
//
//	kubelet ADDRESS
//
// listens on ADDRESS with a certificate of its own and prints `ready PORT`.
package main

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"k8s.io/cri-streaming/pkg/streaming/portforward"
	"k8s.io/cri-streaming/pkg/streaming/remotecommand"
)

const timeout = 30 * time.Second

type containers struct{}

// exitError is what the streaming code takes for the exit code of a command.
type exitError struct{ code int }

func (e exitError) Error() string   { return fmt.Sprintf("command exited with code %d", e.code) }
func (e exitError) String() string  { return e.Error() }
func (e exitError) Exited() bool    { return true }
func (e exitError) ExitStatus() int { return e.code }

func (containers) ExecInContainer(ctx context.Context, _, _, _ string, cmd []string, in io.Reader, out, stderr io.WriteCloser, tty bool, resize <-chan remotecommand.TerminalSize, _ time.Duration) error {
	if tty {
		if size, ok := <-resize; ok {
			fmt.Fprintf(out, "terminal %dx%d\r\n", size.Width, size.Height)
		}
	}
	command := exec.CommandContext(ctx, cmd[0], cmd[1:]...)
	command.Stdout = out
	command.Stderr = stderr
	if in != nil {
		stdin, err := command.StdinPipe()
		if err != nil {
			return err
		}
		go func() {
			_, _ = io.Copy(stdin, in)
			_ = stdin.Close()
		}()
	}
	err := command.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return exitError{exit.ExitCode()}
	}
	return err
}

func (containers) AttachContainer(_ context.Context, name, _, container string, in io.Reader, out, _ io.WriteCloser, _ bool, _ <-chan remotecommand.TerminalSize) error {
	fmt.Fprintf(out, "attached to %s in %s\n", container, name)
	if in != nil {
		_, err := io.Copy(out, in)
		return err
	}
	return nil
}

func (containers) PortForward(_ context.Context, _, _ string, port int32, stream io.ReadWriteCloser) error {
	conn, err := net.Dial("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(int(port))))
	if err != nil {
		return err
	}
	defer conn.Close()
	go func() {
		_, _ = io.Copy(conn, stream)
		_ = conn.(*net.TCPConn).CloseWrite()
	}()
	_, err = io.Copy(stream, conn)
	return err
}

func logs(w http.ResponseWriter, req *http.Request, container string) {
	if container == "broken" {
		http.Error(w, "container \"broken\" is waiting to start", http.StatusBadRequest)
		return
	}
	query := req.URL.Query()
	lines := 3
	if tail, err := strconv.Atoi(query.Get("tailLines")); err == nil && tail < lines {
		lines = tail
	}
	for i := 3 - lines; i < 3; i++ {
		fmt.Fprintf(w, "line %d of %s\n", i, container)
	}
	if query.Get("follow") != "true" {
		return
	}
	for i := 3; i < 6; i++ {
		w.(http.Flusher).Flush()
		select {
		case <-req.Context().Done():
			return
		case <-time.After(200 * time.Millisecond):
			fmt.Fprintf(w, "line %d of %s\n", i, container)
		}
	}
}

func serve(w http.ResponseWriter, req *http.Request) {
	parts := strings.Split(strings.Trim(req.URL.Path, "/"), "/")
	switch {
	case len(parts) == 4 && parts[0] == "containerLogs":
		logs(w, req, parts[3])
	case len(parts) == 4 && (parts[0] == "exec" || parts[0] == "attach"):
		options, err := remotecommand.NewOptions(req)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		if parts[0] == "exec" {
			remotecommand.ServeExec(w, req, containers{}, parts[2], "", parts[3], req.URL.Query()["command"], options, timeout, timeout, remotecommand.SupportedStreamingProtocols)
		} else {
			remotecommand.ServeAttach(w, req, containers{}, parts[2], "", parts[3], options, timeout, timeout, remotecommand.SupportedStreamingProtocols)
		}
	case len(parts) == 3 && parts[0] == "portForward":
		options, err := portforward.NewV4Options(req)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		portforward.ServePortForward(w, req, containers{}, parts[2], "", options, timeout, timeout, portforward.SupportedProtocols)
	default:
		fmt.Fprintf(w, "%s %s\n", req.Method, req.URL)
	}
}

func certificate() (tls.Certificate, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return tls.Certificate{}, err
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(24 * time.Hour)}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, err
}

func main() {
	own, err := certificate()
	if err != nil {
		log.Fatal(err)
	}
	listener, err := net.Listen("tcp", os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("ready %d\n", listener.Addr().(*net.TCPAddr).Port)
	server := &http.Server{
		Handler:      http.HandlerFunc(serve),
		TLSConfig:    &tls.Config{Certificates: []tls.Certificate{own}},
		TLSNextProto: map[string]func(*http.Server, *tls.Conn, http.Handler){},
	}
	log.Fatal(server.ServeTLS(listener, "", ""))
}
