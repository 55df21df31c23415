package main

import (
	"context"
	"fmt"
	"os"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/discovery/cached/disk"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/metadata/metadatainformer"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"
	"k8s.io/client-go/tools/cache"
	toolswatch "k8s.io/client-go/tools/watch"
	"k8s.io/client-go/util/retry"
)

var configMaps = schema.GroupVersionResource{Version: "v1", Resource: "configmaps"}

// untyped follows the same objects through a dynamic and a metadata informer; both must see every one of them come and go.
func untyped(ctx context.Context, config *rest.Config, client kubernetes.Interface) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	selected := func(o *metav1.ListOptions) { o.LabelSelector = "untyped=true" }
	whole := dynamicinformer.NewFilteredDynamicSharedInformerFactory(dynamic.NewForConfigOrDie(config), 0, namespace, selected)
	partial := metadatainformer.NewFilteredSharedInformerFactory(metadata.NewForConfigOrDie(config), 0, namespace, selected)
	var lock sync.Mutex
	seen := map[string]int{}
	count := func(kind string) func(any) { return func(any) { lock.Lock(); seen[kind]++; lock.Unlock() } }
	for name, informer := range map[string]cache.SharedIndexInformer{"whole": whole.ForResource(configMaps).Informer(), "partial": partial.ForResource(configMaps).Informer()} {
		if _, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{AddFunc: count(name + " added"), DeleteFunc: count(name + " deleted")}); err != nil {
			return err
		}
	}
	whole.Start(ctx.Done())
	partial.Start(ctx.Done())
	whole.WaitForCacheSync(ctx.Done())
	partial.WaitForCacheSync(ctx.Done())
	maps := client.CoreV1().ConfigMaps(namespace)
	for i := range 20 {
		if _, err := maps.Create(ctx, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("untyped-%d", i), Labels: map[string]string{"untyped": "true"}}, Data: map[string]string{"a": "b"}}, metav1.CreateOptions{}); err != nil {
			return err
		}
	}
	if err := maps.DeleteCollection(ctx, metav1.DeleteOptions{}, metav1.ListOptions{LabelSelector: "untyped"}); err != nil {
		return err
	}
	err := wait.PollUntilContextTimeout(ctx, 20*time.Millisecond, 5*time.Second, true, func(context.Context) (bool, error) {
		lock.Lock()
		defer lock.Unlock()
		return seen["whole added"] == 20 && seen["partial added"] == 20 && seen["whole deleted"] == 20 && seen["partial deleted"] == 20, nil
	})
	if err != nil {
		return fmt.Errorf("%w: saw %v", err, seen)
	}
	return nil
}

// mapped finds resources through discovery that is kept on disk, as command line tools do.
func mapped(config *rest.Config) error {
	folder, err := os.MkdirTemp("", "discovery")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	kept, err := disk.NewCachedDiscoveryClientForConfig(config, folder+"/discovery", folder+"/http", time.Hour)
	if err != nil {
		return err
	}
	mapper := restmapper.NewShortcutExpander(restmapper.NewDeferredDiscoveryRESTMapper(kept), kept, nil)
	for short, expected := range map[string]schema.GroupVersionResource{
		"po":     {Version: "v1", Resource: "pods"},
		"deploy": {Group: "apps", Version: "v1", Resource: "deployments"},
		"hpa":    {Group: "autoscaling", Version: "v2", Resource: "horizontalpodautoscalers"},
		"events": {Version: "v1", Resource: "events"},
	} {
		found, err := mapper.ResourceFor(schema.GroupVersionResource{Resource: short})
		if err != nil || found != expected {
			return fmt.Errorf("%s is %v: %w", short, found, err)
		}
	}
	kept.Invalidate()
	if _, err := kept.OpenAPIV3().Paths(); err != nil {
		return err
	}
	_, err = kept.OpenAPISchema()
	return err
}

// retried has ten writers increment one object, and a watch that is resumed by client-go follow them.
func retried(ctx context.Context, client kubernetes.Interface) error {
	maps := client.CoreV1().ConfigMaps(namespace)
	made, err := maps.Create(ctx, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "contended"}, Data: map[string]string{"n": ""}}, metav1.CreateOptions{})
	if err != nil {
		return err
	}
	watcher, err := toolswatch.NewRetryWatcherWithContext(ctx, made.ResourceVersion, &cache.ListWatch{WatchFuncWithContext: func(ctx context.Context, o metav1.ListOptions) (watch.Interface, error) {
		o.FieldSelector = "metadata.name=contended"
		return maps.Watch(ctx, o)
	}})
	if err != nil {
		return err
	}
	defer watcher.Stop()
	failed := make(chan error, 10)
	for range 10 {
		go func() {
			failed <- retry.OnError(wait.Backoff{Duration: 10 * time.Millisecond, Factor: 1.2, Jitter: 1, Steps: 40}, func(error) bool { return true }, func() error {
				current, err := maps.Get(ctx, "contended", metav1.GetOptions{})
				if err == nil {
					current.Data["n"] += "x"
					_, err = maps.Update(ctx, current, metav1.UpdateOptions{})
				}
				return err
			})
		}()
	}
	for range 10 {
		if err := <-failed; err != nil {
			return err
		}
	}
	for i := 1; i <= 10; i++ {
		select {
		case event := <-watcher.ResultChan():
			if now, ok := event.Object.(*corev1.ConfigMap); !ok || len(now.Data["n"]) != i {
				return fmt.Errorf("event %d: %v", i, event)
			}
		case <-time.After(5 * time.Second):
			return fmt.Errorf("no event %d", i)
		}
	}
	return nil
}
