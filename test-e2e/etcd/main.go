// The reference store for tests: etcd itself, built from the Go module proxy, since distributions carry older releases.
package main

import (
	"os"

	"go.etcd.io/etcd/server/v3/etcdmain"
)

func main() {
	etcdmain.Main(os.Args)
}
