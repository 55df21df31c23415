package operator

import (
	"context"
	"fmt"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

func clientOf(t *testing.T, config *rest.Config) client.Client {
	t.Helper()
	made, err := client.New(config, client.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// seededRun makes objects whose names, uids and times the server chooses, and tells these. Revisions also count what a
// running chain writes from time to time, such as leases.
func seededRun(t *testing.T, seed, topology string) string {
	t.Helper()
	c := startChain(t, "--topology", topology, "--seed", seed)
	direct := clientOf(t, c.config)
	var made []string
	for range 3 {
		boat := corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: "default", GenerateName: "boat-"}}
		if err := direct.Create(context.Background(), &boat); err != nil {
			t.Fatal(err)
		}
		made = append(made, fmt.Sprint(boat.Name, boat.UID, boat.CreationTimestamp))
	}
	return strings.Join(made, "\n")
}

func TestSeedRepeatsRun(t *testing.T) {
	inBothTopologies(t, func(t *testing.T, topology string) {
		if first, second := seededRun(t, "7", topology), seededRun(t, "7", topology); first != second {
			t.Fatalf("%s\n%s", first, second)
		}
	})
}

func TestTenants(t *testing.T) {
	inBothTopologies(t, func(t *testing.T, topology string) {
		seeNothingOfEachOther(t, startChain(t, "--topology", topology))
	})
}

func seeNothingOfEachOther(t *testing.T, c *chain) {
	t.Helper()
	tenant := func(name string) client.Client {
		var made struct{ URL, Token string }
		c.call("POST", "/v1/tenants", `{"name": "`+name+`"}`, &made)
		authority := rest.TLSClientConfig{CAData: c.config.CAData, CAFile: c.config.CAFile}
		return clientOf(t, &rest.Config{Host: made.URL, BearerToken: made.Token, TLSClientConfig: authority})
	}
	one, other := tenant("one"), tenant("other")
	mine := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "mine"}}
	if err := one.Create(context.Background(), mine); err != nil {
		t.Fatal(err)
	}
	err := other.Get(context.Background(), client.ObjectKeyFromObject(mine), &corev1.ConfigMap{})
	if !apierrors.IsNotFound(err) {
		t.Fatal(err)
	}
}
