module kubechain.dev/certificates

go 1.24
