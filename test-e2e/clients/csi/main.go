// A provisioner of upstream's library, which makes and deletes volumes for claims by the calls of a CSI driver. The
// attacher is upstream's own program.
//
//	csi-provisioner DRIVER ENDPOINT
//
// DRIVER is the driver's name, ENDPOINT the socket that it serves at.
package main

import (
	"context"
	"log"
	"os"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	core "k8s.io/api/core/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/sig-storage-lib-external-provisioner/v13/controller"
)

func main() {
	if len(os.Args) != 3 {
		log.Fatal("usage: csi-provisioner DRIVER ENDPOINT")
	}
	driver, endpoint := os.Args[1], os.Args[2]
	config, err := rest.InClusterConfig()
	if err != nil {
		log.Fatal(err)
	}
	connection, err := grpc.NewClient("unix://"+endpoint, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		log.Fatal(err)
	}
	volumes := &provisioner{driver: driver, client: csi.NewControllerClient(connection)}
	controller.NewProvisionController(context.Background(), kubernetes.NewForConfigOrDie(config), driver, volumes,
		controller.LeaderElection(false)).Run(context.Background())
}

// provisioner makes and deletes volumes by the driver's own calls.
type provisioner struct {
	driver string
	client csi.ControllerClient
}

func (p *provisioner) Provision(
	ctx context.Context, options controller.ProvisionOptions,
) (*core.PersistentVolume, controller.ProvisioningState, error) {
	size := options.PVC.Spec.Resources.Requests[core.ResourceStorage]
	writer := &csi.VolumeCapability{
		AccessType: &csi.VolumeCapability_Mount{Mount: &csi.VolumeCapability_MountVolume{}},
		AccessMode: &csi.VolumeCapability_AccessMode{Mode: csi.VolumeCapability_AccessMode_SINGLE_NODE_WRITER},
	}
	made, err := p.client.CreateVolume(ctx, &csi.CreateVolumeRequest{
		Name:               options.PVName,
		CapacityRange:      &csi.CapacityRange{RequiredBytes: size.Value()},
		VolumeCapabilities: []*csi.VolumeCapability{writer},
		Parameters:         options.StorageClass.Parameters,
	})
	if err != nil {
		return nil, controller.ProvisioningFinished, err
	}
	return &core.PersistentVolume{
		ObjectMeta: meta.ObjectMeta{Name: options.PVName},
		Spec: core.PersistentVolumeSpec{
			Capacity:                      core.ResourceList{core.ResourceStorage: size},
			AccessModes:                   options.PVC.Spec.AccessModes,
			PersistentVolumeReclaimPolicy: *options.StorageClass.ReclaimPolicy,
			PersistentVolumeSource: core.PersistentVolumeSource{CSI: &core.CSIPersistentVolumeSource{
				Driver:       p.driver,
				VolumeHandle: made.Volume.VolumeId,
			}},
		},
	}, controller.ProvisioningFinished, nil
}

func (p *provisioner) Delete(ctx context.Context, volume *core.PersistentVolume) error {
	_, err := p.client.DeleteVolume(ctx, &csi.DeleteVolumeRequest{VolumeId: volume.Spec.CSI.VolumeHandle})
	return err
}
