// A small operator on controller-runtime, run against the chain as its users run theirs: manager, cache, leader election,
// finalizers, status, owner references, events. Usage: operator KUBECONFIG. Prints one line per step; exits 1 at the first
// that fails.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/go-logr/logr/funcr"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/apimachinery/pkg/util/wait"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/config"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
)

const namespace = "operator"

func main() {
	ctrl.SetLogger(funcr.New(func(prefix, args string) {
		if os.Getenv("VERBOSE") != "" {
			fmt.Println(prefix, args)
		}
	}, funcr.Options{}))
	config, err := clientcmd.BuildConfigFromFlags("", os.Args[1])
	check(err)
	config.QPS, config.Burst = 1000, 1000
	scheme := runtime.NewScheme()
	utilruntime.Must(clientgoscheme.AddToScheme(scheme))
	utilruntime.Must(addToScheme(scheme))
	direct, err := client.New(config, client.Options{Scheme: scheme})
	check(err)
	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Second)
	defer cancel()
	t := &test{config: config, scheme: scheme, client: direct}

	steps := []struct {
		name string
		run  func(context.Context) error
	}{
		{"installs its CRD", t.install},
		{"leads and reconciles", t.reconciles},
		{"follows changes of the spec", t.follows},
		{"makes again what was deleted", t.remakes},
		{"records events", t.records},
		{"reads through its cache and index", t.reads},
		{"reconciles 100 objects", t.many},
		{"hands over to the next leader", t.handsOver},
		{"finalizes", t.finalizes},
	}
	for _, s := range steps {
		started := time.Now()
		if err := s.run(ctx); err != nil {
			fmt.Printf("FAIL %s: %v\n", s.name, err)
			os.Exit(1)
		}
		fmt.Printf("ok   %s (%d ms)\n", s.name, time.Since(started).Milliseconds())
	}
	t.second.stop()
}

type test struct {
	config        *rest.Config
	scheme        *runtime.Scheme
	client        client.Client
	first, second *running
}

// running is a manager in this process, as a replica of an operator's Deployment.
type running struct {
	ctrl.Manager
	cancel context.CancelFunc
	done   chan error
}

func (r *running) stop() error {
	r.cancel()
	return <-r.done
}

func (t *test) start(ctx context.Context) (*running, error) {
	skip := true
	mgr, err := ctrl.NewManager(t.config, ctrl.Options{
		Scheme: t.scheme, Metrics: server.Options{BindAddress: "0"}, Controller: config.Controller{SkipNameValidation: &skip},
		LeaderElection: true, LeaderElectionID: "greeters.example.com", LeaderElectionNamespace: namespace, LeaderElectionReleaseOnCancel: true,
	})
	if err != nil {
		return nil, err
	}
	if err := (&reconciler{Client: mgr.GetClient(), events: mgr.GetEventRecorder("greeter")}).setup(ctx, mgr); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	r := &running{mgr, cancel, make(chan error, 1)}
	go func() { r.done <- mgr.Start(ctx) }()
	return r, nil
}

func (t *test) install(ctx context.Context) error {
	if _, err := envtest.InstallCRDs(t.config, envtest.CRDInstallOptions{CRDs: crds(), Scheme: t.scheme}); err != nil {
		return err
	}
	return t.client.Create(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: namespace}})
}

func (t *test) reconciles(ctx context.Context) (err error) {
	if t.first, err = t.start(ctx); err != nil {
		return err
	}
	if err := t.client.Create(ctx, &Greeter{ObjectMeta: metav1.ObjectMeta{Name: "world", Namespace: namespace}, Spec: GreeterSpec{Greeting: "hello"}}); err != nil {
		return err
	}
	if err := t.until(ctx, "world", func(g *Greeter) bool {
		return g.Status.ObservedGeneration == 1 && len(g.Status.Conditions) == 1 && g.Status.Conditions[0].Status == metav1.ConditionTrue
	}); err != nil {
		return err
	}
	made := &corev1.ConfigMap{}
	if err := t.client.Get(ctx, client.ObjectKey{Namespace: namespace, Name: "world"}, made); err != nil {
		return err
	}
	if owner := metav1.GetControllerOf(made); owner == nil || owner.Kind != "Greeter" || made.Data["greeting"] != "hello" {
		return fmt.Errorf("made %v", made)
	}
	return nil
}

func (t *test) follows(ctx context.Context) error {
	greeter := &Greeter{}
	if err := t.client.Get(ctx, client.ObjectKey{Namespace: namespace, Name: "world"}, greeter); err != nil {
		return err
	}
	patch := client.MergeFrom(greeter.DeepCopyObject().(client.Object))
	greeter.Spec.Greeting = "hi"
	if err := t.client.Patch(ctx, greeter, patch); err != nil {
		return err
	}
	// What the reconciler has set is applied by its own field manager, so that a spec's change can't lose it.
	return t.until(ctx, "world", func(g *Greeter) bool {
		return g.Generation == 2 && g.Status.ObservedGeneration == 2 && g.Status.Said == "hi"
	})
}

func (t *test) remakes(ctx context.Context) error {
	made := &corev1.ConfigMap{}
	if err := t.client.Get(ctx, client.ObjectKey{Namespace: namespace, Name: "world"}, made); err != nil {
		return err
	}
	if err := t.client.Delete(ctx, made); err != nil {
		return err
	}
	return poll(ctx, func() (bool, error) {
		again := &corev1.ConfigMap{}
		err := t.client.Get(ctx, client.ObjectKeyFromObject(made), again)
		return err == nil && again.UID != made.UID, client.IgnoreNotFound(err)
	})
}

func (t *test) records(ctx context.Context) error {
	return poll(ctx, func() (bool, error) {
		list := &eventsv1.EventList{}
		err := t.client.List(ctx, list, client.InNamespace(namespace), client.MatchingFields{"reason": "Greeted"})
		return err == nil && len(list.Items) > 0 && list.Items[0].Regarding.Name == "world", err
	})
}

func (t *test) reads(ctx context.Context) error {
	cached := t.first.GetClient()
	list := &GreeterList{}
	if err := cached.List(ctx, list, client.InNamespace(namespace), client.MatchingFields{"spec.greeting": "hi"}); err != nil {
		return err
	}
	if len(list.Items) != 1 {
		return fmt.Errorf("found %d by index", len(list.Items))
	}
	// Cached by metadata alone: a PartialObjectMetadata watch.
	partial := &metav1.PartialObjectMetadataList{}
	partial.SetGroupVersionKind(corev1.SchemeGroupVersion.WithKind("NamespaceList"))
	if err := cached.List(ctx, partial); err != nil {
		return err
	}
	for _, item := range partial.Items {
		if item.Name == namespace {
			return nil
		}
	}
	return fmt.Errorf("%d namespaces, not ours", len(partial.Items))
}

func (t *test) many(ctx context.Context) error {
	for i := range 100 {
		if err := t.client.Create(ctx, &Greeter{ObjectMeta: metav1.ObjectMeta{GenerateName: "many-", Namespace: namespace, Labels: map[string]string{"many": "true"}}, Spec: GreeterSpec{Greeting: fmt.Sprint(i)}}); err != nil {
			return err
		}
	}
	return poll(ctx, func() (bool, error) {
		list, ready := &GreeterList{}, 0
		err := t.client.List(ctx, list, client.InNamespace(namespace), client.MatchingLabels{"many": "true"})
		for _, item := range list.Items {
			if item.Status.Said == item.Spec.Greeting {
				ready++
			}
		}
		return ready == 100, err
	})
}

func (t *test) handsOver(ctx context.Context) (err error) {
	if t.second, err = t.start(ctx); err != nil {
		return err
	}
	select {
	case <-t.second.Elected():
		return errors.New("two lead")
	case <-time.After(2 * time.Second):
	}
	if err := t.first.stop(); err != nil {
		return err
	}
	select {
	case <-t.second.Elected():
		return nil
	case <-time.After(30 * time.Second):
		return errors.New("nobody leads")
	}
}

func (t *test) finalizes(ctx context.Context) error {
	greeter := &Greeter{}
	if err := t.client.Get(ctx, client.ObjectKey{Namespace: namespace, Name: "world"}, greeter); err != nil {
		return err
	}
	if len(greeter.Finalizers) != 1 {
		return fmt.Errorf("finalizers %v", greeter.Finalizers)
	}
	if err := t.client.Delete(ctx, greeter, client.PropagationPolicy(metav1.DeletePropagationBackground)); err != nil {
		return err
	}
	// No garbage collector runs here: the finalizer is what removes the ConfigMap.
	if err := poll(ctx, func() (bool, error) {
		err := t.client.Get(ctx, client.ObjectKeyFromObject(greeter), &Greeter{})
		return apierrors.IsNotFound(err), client.IgnoreNotFound(err)
	}); err != nil {
		return err
	}
	if err := t.client.Get(ctx, client.ObjectKeyFromObject(greeter), &corev1.ConfigMap{}); !apierrors.IsNotFound(err) {
		return fmt.Errorf("the finalizer left a ConfigMap: %v", err)
	}
	if err := t.client.DeleteAllOf(ctx, &Greeter{}, client.InNamespace(namespace), client.MatchingLabels{"many": "true"}); err != nil {
		return err
	}
	if err := poll(ctx, func() (bool, error) {
		list := &GreeterList{}
		err := t.client.List(ctx, list, client.InNamespace(namespace))
		return len(list.Items) == 0, err
	}); err != nil {
		return err
	}
	return envtest.UninstallCRDs(t.config, envtest.CRDInstallOptions{CRDs: crds(), Scheme: t.scheme})
}

func (t *test) until(ctx context.Context, name string, done func(*Greeter) bool) error {
	last := &Greeter{}
	err := poll(ctx, func() (bool, error) {
		err := t.client.Get(ctx, client.ObjectKey{Namespace: namespace, Name: name}, last)
		return err == nil && done(last), err
	})
	if err != nil {
		return fmt.Errorf("%w; last %+v", err, last)
	}
	return nil
}

func poll(ctx context.Context, done func() (bool, error)) error {
	return wait.PollUntilContextTimeout(ctx, 50*time.Millisecond, 20*time.Second, true, func(context.Context) (bool, error) { return done() })
}

func check(err error) {
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}
