package main

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/events"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/handler"
)

const finalizer = "operator.example.com/greeter"

type reconciler struct {
	client.Client
	events events.EventRecorder
}

func (r *reconciler) setup(ctx context.Context, mgr ctrl.Manager) error {
	if err := mgr.GetFieldIndexer().IndexField(ctx, &Greeter{}, "spec.greeting", func(o client.Object) []string { return []string{o.(*Greeter).Spec.Greeting} }); err != nil {
		return err
	}
	nobody := handler.EnqueueRequestsFromMapFunc(func(context.Context, client.Object) []ctrl.Request { return nil })
	return ctrl.NewControllerManagedBy(mgr).For(&Greeter{}).Owns(&corev1.ConfigMap{}).Watches(&corev1.Namespace{}, nobody, builder.OnlyMetadata).Complete(r)
}

func (r *reconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	greeter := &Greeter{}
	if err := r.Get(ctx, request.NamespacedName, greeter); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	made := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: greeter.Name, Namespace: greeter.Namespace}}
	if !greeter.DeletionTimestamp.IsZero() {
		if err := r.Delete(ctx, made); client.IgnoreNotFound(err) != nil {
			return ctrl.Result{}, err
		}
		controllerutil.RemoveFinalizer(greeter, finalizer)
		return ctrl.Result{}, client.IgnoreNotFound(r.Update(ctx, greeter))
	}
	if controllerutil.AddFinalizer(greeter, finalizer) {
		if err := r.Update(ctx, greeter); err != nil {
			return ctrl.Result{}, err
		}
	}
	done, err := controllerutil.CreateOrUpdate(ctx, r.Client, made, func() error {
		made.Data = map[string]string{"greeting": greeter.Spec.Greeting}
		return controllerutil.SetControllerReference(greeter, made, r.Scheme())
	})
	if err != nil {
		return ctrl.Result{}, err
	}
	if done == controllerutil.OperationResultCreated {
		r.events.Eventf(greeter, made, corev1.EventTypeNormal, "Greeted", "Greet", "said %s", greeter.Spec.Greeting)
	}
	greeter.Status.Said, greeter.Status.ObservedGeneration = greeter.Spec.Greeting, greeter.Generation
	meta.SetStatusCondition(&greeter.Status.Conditions, metav1.Condition{Type: "Ready", Status: metav1.ConditionTrue, Reason: "Said", ObservedGeneration: greeter.Generation})
	return ctrl.Result{}, r.Status().Update(ctx, greeter)
}
