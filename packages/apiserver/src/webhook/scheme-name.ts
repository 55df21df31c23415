/**
 * What the reference calls the scheme that answers of webhooks are read with: by the line that makes it
 * (apiserver/pkg/util/webhook/client.go of 1.36).
 */
export const webhookSchemeName = 'k8s.io/apiserver/pkg/util/webhook/client.go:71';
