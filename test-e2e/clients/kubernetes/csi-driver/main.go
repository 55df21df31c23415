// The CSI driver of Kubernetes' own tests as a program, and a registrar, which tells kubelet where it is.
//
//	csi-driver DRIVER ENDPOINT REGISTRATION
//
// DRIVER is the driver's name, ENDPOINT the socket to serve at, REGISTRATION kubelet's folder for sockets of plugins.
// Prints a line for each call about a volume that succeeded: the method, and the volume.
package main

import (
	"context"
	"fmt"
	"log"
	"net"
	"os"
	"path/filepath"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc"
	registration "k8s.io/kubelet/pkg/apis/pluginregistration/v1"
	"k8s.io/kubernetes/test/e2e/storage/drivers/csi-test/mock/service"
)

func main() {
	if len(os.Args) != 4 {
		log.Fatal("usage: csi-driver DRIVER ENDPOINT REGISTRATION")
	}
	driver, endpoint, plugins := os.Args[1], os.Args[2], os.Args[3]
	serve(endpoint, func(server *grpc.Server) {
		mock := service.New(service.Config{DriverName: driver, PermissiveTargetPath: true})
		csi.RegisterIdentityServer(server, mock)
		csi.RegisterControllerServer(server, mock)
		csi.RegisterNodeServer(server, mock)
	})
	serve(filepath.Join(plugins, driver+"-reg.sock"), func(server *grpc.Server) {
		registration.RegisterRegistrationServer(server, &registrar{driver: driver, endpoint: endpoint})
	})
	select {}
}

// serve listens on a socket, in the place of one that a process before this one has left.
func serve(path string, register func(*grpc.Server)) {
	if err := os.Remove(path); err != nil && !os.IsNotExist(err) {
		log.Fatal(err)
	}
	listener, err := net.Listen("unix", path)
	if err != nil {
		log.Fatal(err)
	}
	server := grpc.NewServer(grpc.UnaryInterceptor(tell))
	register(server)
	go func() { log.Fatal(server.Serve(listener)) }()
}

// tell prints calls about a volume that succeeded.
func tell(
	ctx context.Context, request any, info *grpc.UnaryServerInfo, handler grpc.UnaryHandler,
) (any, error) {
	response, err := handler(ctx, request)
	if of, ok := request.(interface{ GetVolumeId() string }); ok && err == nil {
		fmt.Println(filepath.Base(info.FullMethod), of.GetVolumeId())
	}
	return response, err
}

// registrar answers kubelet when it finds the socket.
type registrar struct {
	registration.UnsafeRegistrationServer
	driver, endpoint string
}

func (r *registrar) GetInfo(context.Context, *registration.InfoRequest) (*registration.PluginInfo, error) {
	return &registration.PluginInfo{
		Type:              registration.CSIPlugin,
		Name:              r.driver,
		Endpoint:          r.endpoint,
		SupportedVersions: []string{"1.0.0"},
	}, nil
}

func (r *registrar) NotifyRegistrationStatus(
	_ context.Context, status *registration.RegistrationStatus,
) (*registration.RegistrationStatusResponse, error) {
	if !status.PluginRegistered {
		log.Fatalf("kubelet does not take it: %s", status.Error)
	}
	return &registration.RegistrationStatusResponse{}, nil
}
