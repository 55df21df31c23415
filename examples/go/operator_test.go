// Package operator tests a reconciler under what clusters do to it.
package operator

import (
	"context"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
)

// painter is what is tested: every config map with an annotation "colour" gets it as data.
type painter struct{ client.Client }

func (p painter) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	var found corev1.ConfigMap
	if err := p.Get(ctx, request.NamespacedName, &found); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	colour, wanted := found.Annotations["colour"]
	if !wanted || found.Data["colour"] == colour {
		return ctrl.Result{}, nil
	}
	found.Data = map[string]string{"colour": colour}
	return ctrl.Result{}, p.Update(ctx, &found)
}

func startOperator(t *testing.T, c *chain) client.Client {
	t.Helper()
	manager, err := ctrl.NewManager(c.config, ctrl.Options{Metrics: metricsserver.Options{BindAddress: "0"}})
	if err != nil {
		t.Fatal(err)
	}
	// A process may have one controller of a name only.
	name := strings.ReplaceAll(t.Name(), "/", "-")
	if err := ctrl.NewControllerManagedBy(manager).For(&corev1.ConfigMap{}).Named(name).Complete(painter{manager.GetClient()}); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- manager.Start(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	direct, err := client.New(c.config, client.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return direct
}

func boat(name, colour string) *corev1.ConfigMap {
	return &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{
		Namespace: "default", Name: name, Annotations: map[string]string{"colour": colour},
	}}
}

func isPainted(t *testing.T, direct client.Client, name, colour string) {
	t.Helper()
	deadline := time.Now().Add(30 * time.Second)
	for {
		found := boat(name, "")
		err := direct.Get(context.Background(), client.ObjectKeyFromObject(found), found)
		if err == nil && found.Data["colour"] == colour {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%s is not %s: %v %v", name, colour, found.Data, err)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

func TestOperator(t *testing.T) {
	inBothTopologies(t, func(t *testing.T, topology string) { meetWhatClustersDo(t, startChain(t, "--topology", topology)) })
}

func meetWhatClustersDo(t *testing.T, c *chain) {
	ctx := context.Background()
	direct := startOperator(t, c)

	t.Run("writes again after conflicts", func(t *testing.T) {
		var fault struct{ ID string }
		c.call("POST", "/v1/faults", `{"match": {"verbs": ["update"], "resources": ["configmaps"]}, "effect": {"kind": "conflict"}, "count": 3}`, &fault)
		defer c.call("DELETE", "/v1/faults", "", nil)
		if err := direct.Create(ctx, boat("conflicting", "red")); err != nil {
			t.Fatal(err)
		}
		isPainted(t, direct, "conflicting", "red")
		var journal struct{ Entries []struct{ Fault string } }
		c.call("GET", "/v1/journal?verb=update&resource=configmaps&code=409", "", &journal)
		if met := len(journal.Entries); met != 3 || journal.Entries[0].Fault != fault.ID {
			t.Fatalf("%d conflicts", met)
		}
	})

	t.Run("follows a state that is put back, without a restart", func(t *testing.T) {
		c.call("PUT", "/v1/snapshots/before", "", nil)
		if err := direct.Create(ctx, boat("short-lived", "green")); err != nil {
			t.Fatal(err)
		}
		isPainted(t, direct, "short-lived", "green")
		c.call("POST", "/v1/snapshots/before/restore", "", nil)
		found := boat("short-lived", "")
		if err := direct.Get(ctx, client.ObjectKeyFromObject(found), found); !apierrors.IsNotFound(err) {
			t.Fatal(err)
		}
		// The same name again: a cache that has not followed takes it for the old one.
		if err := direct.Create(ctx, boat("short-lived", "blue")); err != nil {
			t.Fatal(err)
		}
		isPainted(t, direct, "short-lived", "blue")
	})

	t.Run("goes on after watches have expired, and a year has passed", func(t *testing.T) {
		c.call("POST", "/v1/watches/expire", "", nil)
		c.call("POST", "/v1/clock", `{"advance": "8760h"}`, nil)
		defer c.call("POST", "/v1/clock", `{"reset": true}`, nil)
		if err := direct.Create(ctx, boat("late", "white")); err != nil {
			t.Fatal(err)
		}
		isPainted(t, direct, "late", "white")
	})
}
