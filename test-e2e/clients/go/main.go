// Drives the chain with client-go as Go programs use it: typed clients over protobuf, informers, server-side apply,
// dynamic clients, leader election's leases and discovery. Usage: clients KUBECONFIG. Prints one line per step; exits 1
// at the first that fails.
package main

import (
	"context"
	"fmt"
	"os"
	"sort"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	applyapps "k8s.io/client-go/applyconfigurations/apps/v1"
	applycore "k8s.io/client-go/applyconfigurations/core/v1"
	applymeta "k8s.io/client-go/applyconfigurations/meta/v1"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
)

const namespace = "go-client"

type step struct {
	name string
	run  func(context.Context) error
}

func main() {
	config, err := clientcmd.BuildConfigFromFlags("", os.Args[1])
	check(err)
	config.QPS, config.Burst = 1000, 1000
	plain := rest.CopyConfig(config)
	dynamicClient := dynamic.NewForConfigOrDie(config)
	config.ContentType = "application/vnd.kubernetes.protobuf"
	config.AcceptContentTypes = "application/vnd.kubernetes.protobuf,application/json"
	client := kubernetes.NewForConfigOrDie(config)
	ctx, cancel := context.WithTimeout(context.Background(), 90*time.Second)
	defer cancel()

	steps := []step{
		{"namespace", func(ctx context.Context) error {
			_, err := client.CoreV1().Namespaces().Create(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: namespace}}, metav1.CreateOptions{})
			return err
		}},
		{"typed CRUD over protobuf", func(ctx context.Context) error { return crud(ctx, client) }},
		{"typed errors", func(ctx context.Context) error { return typedErrors(ctx, client) }},
		{"server-side apply", func(ctx context.Context) error { return apply(ctx, client) }},
		{"informers follow 500 changes", func(ctx context.Context) error { return informed(ctx, client) }},
		{"dynamic and metadata informers", func(ctx context.Context) error { return untyped(ctx, plain, client) }},
		{"retries and a resumed watch", func(ctx context.Context) error { return retried(ctx, client) }},
		{"paged lists", func(ctx context.Context) error { return paged(ctx, client) }},
		{"leader election", func(ctx context.Context) error { return elected(ctx, client) }},
		{"dynamic client and custom resources", func(ctx context.Context) error { return custom(ctx, dynamicClient) }},
		{"discovery kept on disk, short names", func(context.Context) error { return mapped(plain) }},
		{"discovery", func(ctx context.Context) error {
			_, resources, err := client.Discovery().ServerGroupsAndResources()
			if err == nil && len(resources) < 21 {
				err = fmt.Errorf("%d group versions", len(resources))
			}
			return err
		}},
	}
	for _, s := range steps {
		started := time.Now()
		if err := s.run(ctx); err != nil {
			fmt.Printf("FAIL %s: %v\n", s.name, err)
			os.Exit(1)
		}
		fmt.Printf("ok   %s (%d ms)\n", s.name, time.Since(started).Milliseconds())
	}
}

func crud(ctx context.Context, client kubernetes.Interface) error {
	maps := client.CoreV1().ConfigMaps(namespace)
	made, err := maps.Create(ctx, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "a", Labels: map[string]string{"x": "y"}}, Data: map[string]string{"k": "v"}, BinaryData: map[string][]byte{"b": {0, 255}}}, metav1.CreateOptions{})
	if err != nil {
		return err
	}
	if made.UID == "" || made.BinaryData["b"][1] != 255 || len(made.ManagedFields) != 1 {
		return fmt.Errorf("created %v", made)
	}
	made.Data["k"] = "w"
	if made, err = maps.Update(ctx, made, metav1.UpdateOptions{}); err != nil {
		return err
	}
	if _, err = maps.Patch(ctx, "a", types.StrategicMergePatchType, []byte(`{"data":{"p":"q"}}`), metav1.PatchOptions{}); err != nil {
		return err
	}
	got, err := maps.Get(ctx, "a", metav1.GetOptions{})
	if err != nil {
		return err
	}
	if got.Data["k"] != "w" || got.Data["p"] != "q" {
		return fmt.Errorf("got %v", got.Data)
	}
	list, err := maps.List(ctx, metav1.ListOptions{LabelSelector: "x=y"})
	if err != nil || len(list.Items) != 1 {
		return fmt.Errorf("listed %v %v", list, err)
	}
	return maps.Delete(ctx, "a", metav1.DeleteOptions{Preconditions: metav1.NewUIDPreconditions(string(made.UID))})
}

func typedErrors(ctx context.Context, client kubernetes.Interface) error {
	maps := client.CoreV1().ConfigMaps(namespace)
	if _, err := maps.Get(ctx, "none", metav1.GetOptions{}); !errors.IsNotFound(err) {
		return fmt.Errorf("get: %v", err)
	}
	made, err := maps.Create(ctx, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "twice"}}, metav1.CreateOptions{})
	if err != nil {
		return err
	}
	if _, err := maps.Create(ctx, made.DeepCopy(), metav1.CreateOptions{}); err == nil {
		return fmt.Errorf("created with a resourceVersion")
	}
	if _, err := maps.Create(ctx, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "twice"}}, metav1.CreateOptions{}); !errors.IsAlreadyExists(err) {
		return fmt.Errorf("create: %v", err)
	}
	stale := made.DeepCopy()
	made.Data = map[string]string{"a": "b"}
	if _, err := maps.Update(ctx, made, metav1.UpdateOptions{}); err != nil {
		return err
	}
	stale.Data = map[string]string{"c": "d"}
	if _, err := maps.Update(ctx, stale, metav1.UpdateOptions{}); !errors.IsConflict(err) {
		return fmt.Errorf("update: %v", err)
	}
	if _, err := maps.Create(ctx, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "Not Valid"}}, metav1.CreateOptions{}); !errors.IsInvalid(err) {
		return fmt.Errorf("invalid: %v", err)
	}
	return nil
}

func apply(ctx context.Context, client kubernetes.Interface) error {
	deployment := func(replicas int32) *applyapps.DeploymentApplyConfiguration {
		return applyapps.Deployment("web", namespace).WithSpec(applyapps.DeploymentSpec().WithReplicas(replicas).
			WithSelector(applymeta.LabelSelector().WithMatchLabels(map[string]string{"app": "web"})).
			WithTemplate(applycore.PodTemplateSpec().WithLabels(map[string]string{"app": "web"}).
				WithSpec(applycore.PodSpec().WithContainers(applycore.Container().WithName("c").WithImage("nginx")))))
	}
	deployments := client.AppsV1().Deployments(namespace)
	first, err := deployments.Apply(ctx, deployment(2), metav1.ApplyOptions{FieldManager: "one"})
	if err != nil {
		return err
	}
	again, err := deployments.Apply(ctx, deployment(2), metav1.ApplyOptions{FieldManager: "one"})
	if err != nil || again.ResourceVersion != first.ResourceVersion {
		return fmt.Errorf("applying again: %v, %s after %s", err, again.ResourceVersion, first.ResourceVersion)
	}
	if _, err := deployments.Apply(ctx, deployment(3), metav1.ApplyOptions{FieldManager: "two"}); !errors.IsConflict(err) {
		return fmt.Errorf("conflict: %v", err)
	}
	forced, err := deployments.Apply(ctx, deployment(3), metav1.ApplyOptions{FieldManager: "two", Force: true})
	if err != nil {
		return err
	}
	if *forced.Spec.Replicas != 3 {
		return fmt.Errorf("forced to %d", *forced.Spec.Replicas)
	}
	return deployments.Delete(ctx, "web", metav1.DeleteOptions{})
}

func informed(ctx context.Context, client kubernetes.Interface) error {
	factory := informers.NewSharedInformerFactoryWithOptions(client, 0, informers.WithNamespace(namespace), informers.WithTweakListOptions(func(o *metav1.ListOptions) { o.LabelSelector = "informed=true" }))
	informer := factory.Core().V1().ConfigMaps().Informer()
	var lock sync.Mutex
	seen := map[string]int{}
	count := func(kind string) func(any) { return func(any) { lock.Lock(); seen[kind]++; lock.Unlock() } }
	if _, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{AddFunc: count("add"), UpdateFunc: func(_, n any) { count("update")(n) }, DeleteFunc: count("delete")}); err != nil {
		return err
	}
	stop := make(chan struct{})
	defer close(stop)
	factory.Start(stop)
	for kind, ok := range factory.WaitForCacheSync(stop) {
		if !ok {
			return fmt.Errorf("%v did not sync", kind)
		}
	}
	maps := client.CoreV1().ConfigMaps(namespace)
	for i := range 100 {
		made, err := maps.Create(ctx, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("informed-%d", i), Labels: map[string]string{"informed": "true"}}}, metav1.CreateOptions{})
		if err != nil {
			return err
		}
		for n := range 3 {
			made.Data = map[string]string{"n": fmt.Sprint(n)}
			if made, err = maps.Update(ctx, made, metav1.UpdateOptions{}); err != nil {
				return err
			}
		}
		if err := maps.Delete(ctx, made.Name, metav1.DeleteOptions{}); err != nil {
			return err
		}
	}
	for range 100 {
		lock.Lock()
		done := seen["add"] == 100 && seen["update"] == 300 && seen["delete"] == 100
		lock.Unlock()
		if done {
			return nil
		}
		time.Sleep(50 * time.Millisecond)
	}
	return fmt.Errorf("saw %v", seen)
}

func paged(ctx context.Context, client kubernetes.Interface) error {
	maps := client.CoreV1().ConfigMaps(namespace)
	for i := range 25 {
		if _, err := maps.Create(ctx, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{GenerateName: "page-", Labels: map[string]string{"paged": fmt.Sprint(i % 2)}}}, metav1.CreateOptions{}); err != nil {
			return err
		}
	}
	names := []string{}
	options := metav1.ListOptions{Limit: 4, LabelSelector: labels.Set{"paged": "1"}.String()}
	for {
		page, err := maps.List(ctx, options)
		if err != nil {
			return err
		}
		for _, item := range page.Items {
			names = append(names, item.Name)
		}
		if options.Continue = page.Continue; options.Continue == "" {
			break
		}
	}
	if len(names) != 12 || !sort.StringsAreSorted(names) {
		return fmt.Errorf("paged through %v", names)
	}
	return maps.DeleteCollection(ctx, metav1.DeleteOptions{}, metav1.ListOptions{LabelSelector: "paged"})
}

func elected(ctx context.Context, client kubernetes.Interface) error {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	leading := make(chan struct{})
	go leaderelection.RunOrDie(ctx, leaderelection.LeaderElectionConfig{
		Lock:          &resourcelock.LeaseLock{LeaseMeta: metav1.ObjectMeta{Name: "leader", Namespace: namespace}, Client: client.CoordinationV1(), LockConfig: resourcelock.ResourceLockConfig{Identity: "me"}},
		LeaseDuration: 3 * time.Second, RenewDeadline: 2 * time.Second, RetryPeriod: 500 * time.Millisecond, ReleaseOnCancel: true,
		Callbacks: leaderelection.LeaderCallbacks{OnStartedLeading: func(context.Context) { close(leading) }, OnStoppedLeading: func() {}},
	})
	select {
	case <-leading:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("nobody leads")
	}
}

func custom(ctx context.Context, client dynamic.Interface) error {
	crds := client.Resource(schema.GroupVersionResource{Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions"})
	crd := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": map[string]any{"name": "gadgets.go.example.com"},
		"spec": map[string]any{"group": "go.example.com", "scope": "Namespaced", "names": map[string]any{"plural": "gadgets", "kind": "Gadget"},
			"versions": []any{map[string]any{"name": "v1", "served": true, "storage": true, "subresources": map[string]any{"status": map[string]any{}},
				"schema": map[string]any{"openAPIV3Schema": map[string]any{"type": "object", "x-kubernetes-preserve-unknown-fields": true}}}}},
	}}
	if _, err := crds.Create(ctx, crd, metav1.CreateOptions{}); err != nil {
		return err
	}
	gadgets := client.Resource(schema.GroupVersionResource{Group: "go.example.com", Version: "v1", Resource: "gadgets"}).Namespace(namespace)
	gadget := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "go.example.com/v1", "kind": "Gadget", "metadata": map[string]any{"name": "g"}, "spec": map[string]any{"n": int64(1) << 60}}}
	made, err := gadgets.Create(ctx, gadget, metav1.CreateOptions{})
	if err != nil {
		return err
	}
	if n, _, _ := unstructured.NestedInt64(made.Object, "spec", "n"); n != 1<<60 {
		return fmt.Errorf("n is %d", n)
	}
	watch, err := gadgets.Watch(ctx, metav1.ListOptions{ResourceVersion: made.GetResourceVersion()})
	if err != nil {
		return err
	}
	defer watch.Stop()
	unstructured.SetNestedField(made.Object, "ready", "status", "phase")
	if _, err := gadgets.UpdateStatus(ctx, made, metav1.UpdateOptions{}); err != nil {
		return err
	}
	select {
	case event := <-watch.ResultChan():
		if phase, _, _ := unstructured.NestedString(event.Object.(*unstructured.Unstructured).Object, "status", "phase"); phase != "ready" {
			return fmt.Errorf("watched %v", event)
		}
	case <-time.After(5 * time.Second):
		return fmt.Errorf("no event")
	}
	return crds.Delete(ctx, "gadgets.go.example.com", metav1.DeleteOptions{})
}

func check(err error) {
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}
