/** Metrics of the reference that are not shown, by why; but for those of Go's runtime, of which there is none. */
export const missingMetrics: readonly (readonly [reason: string, names: readonly string[]])[] = [
  [
    'of what only the Go client or the Go compiler does: certificates are checked by OpenSSL, calls to etcd go over ' +
      'HTTP/2 without a gRPC library, validation is written once',
    [
      'apiserver_kube_aggregator_x509_insecure_sha1_total',
      'apiserver_kube_aggregator_x509_missing_san_total',
      'apiserver_webhooks_x509_insecure_sha1_total',
      'apiserver_webhooks_x509_missing_san_total',
      'apiserver_validation_declarative_validation_mismatch_total',
      'apiserver_validation_declarative_validation_panic_total',
      'apiserver_validation_duplicate_validation_error_total',
      'apiserver_selfrequest_total',
      'grpc_client_handled_total',
      'grpc_client_msg_received_total',
      'grpc_client_msg_sent_total',
      'grpc_client_started_total',
      'rest_client_exec_plugin_certificate_rotation_age',
      'rest_client_exec_plugin_ttl_seconds',
      'rest_client_transport_cache_entries',
      'rest_client_transport_cert_rotation_gc_calls_total',
      'rest_client_transport_create_calls_total',
    ],
  ],
];

/** Of Go's runtime: how its collector, its scheduler and its switches are. */
export const isOfGo = (name: string): boolean => name.startsWith('go_') && name !== 'go_goroutines';
