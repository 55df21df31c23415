// Informers follows the config maps of a namespace with a shared informer, as controllers do, and writes what it is
// told: one JSON object a line, `{"type":"add","name":…,"value":…}`, `synced` once. Each line of its input is answered
// with `{"type":"list","items":{NAME: VALUE}}`: what the informer holds. It ends with its input.
// Usage: informers KUBECONFIG NAMESPACE CONTENT-TYPE
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"sync"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
)

type line struct {
	Type  string            `json:"type"`
	Name  string            `json:"name,omitempty"`
	Value string            `json:"value,omitempty"`
	Items map[string]string `json:"items,omitempty"`
}

var output sync.Mutex

func tell(l line) {
	output.Lock()
	defer output.Unlock()
	if err := json.NewEncoder(os.Stdout).Encode(l); err != nil {
		os.Exit(1)
	}
}

func tellOf(kind string, object any) {
	if gone, ok := object.(cache.DeletedFinalStateUnknown); ok {
		object = gone.Obj
	}
	if configMap, ok := object.(*corev1.ConfigMap); ok {
		tell(line{Type: kind, Name: configMap.Name, Value: configMap.Data["value"]})
	}
}

func main() {
	config, err := clientcmd.BuildConfigFromFlags("", os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	config.ContentType, config.UserAgent = os.Args[3], "informers"
	factory := informers.NewSharedInformerFactoryWithOptions(
		kubernetes.NewForConfigOrDie(config), 0, informers.WithNamespace(os.Args[2]))
	informer := factory.Core().V1().ConfigMaps().Informer()
	if _, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    func(object any) { tellOf("add", object) },
		UpdateFunc: func(_, object any) { tellOf("update", object) },
		DeleteFunc: func(object any) { tellOf("delete", object) },
	}); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	ctx, cancel := context.WithCancel(context.Background())
	factory.Start(ctx.Done())
	go func() {
		if cache.WaitForCacheSync(ctx.Done(), informer.HasSynced) {
			tell(line{Type: "synced"})
		}
	}()
	for input := bufio.NewScanner(os.Stdin); input.Scan(); {
		items := map[string]string{}
		for _, object := range informer.GetStore().List() {
			if configMap, ok := object.(*corev1.ConfigMap); ok {
				items[configMap.Name] = configMap.Data["value"]
			}
		}
		tell(line{Type: "list", Items: items})
	}
	cancel()
}
