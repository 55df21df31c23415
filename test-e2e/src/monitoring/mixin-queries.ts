const selector = 'job="apiserver"';
const kinds = [
  { kind: 'read', verbs: 'LIST|GET' },
  { kind: 'write', verbs: 'POST|PUT|PATCH|DELETE' },
] as const;

/**
 * Series that the rules of kubernetes-mixin record for its dashboard of API servers, by their names, and what of the
 * server they are made of.
 */
export const mixinRules: readonly { readonly record: string; readonly kind: string; readonly expr: string }[] =
  kinds.flatMap(({ kind, verbs }) => [
    {
      record: 'code_resource:apiserver_request_total:rate5m',
      kind,
      expr: `sum by (cluster, code, resource) (rate(apiserver_request_total{${selector},verb=~"${verbs}"}[5m]))`,
    },
    {
      record: 'cluster_quantile:apiserver_request_sli_duration_seconds:histogram_quantile',
      kind,
      expr:
        'histogram_quantile(0.99, sum by (cluster, le, resource) (rate(apiserver_request_sli_duration_seconds_bucket{' +
        `${selector},verb=~"${verbs}",subresource!~"proxy|attach|log|exec|portforward"}[5m]))) > 0`,
    },
    {
      record: 'cluster_verb_scope_le:apiserver_request_sli_duration_seconds_bucket:increase1h',
      kind,
      expr:
        'sum by (cluster, verb, scope, le) (increase(apiserver_request_sli_duration_seconds_bucket{' +
        `${selector},verb=~"${verbs}"}[1h]))`,
    },
  ]);

/** What the panels of that dashboard ask. */
export const mixinPanels: readonly string[] = [
  ...kinds.flatMap(({ kind }) => [
    `sum by (code) (code_resource:apiserver_request_total:rate5m{kind="${kind}"})`,
    `sum by (resource) (code_resource:apiserver_request_total:rate5m{kind="${kind}",code=~"4.."})` +
      ` / sum by (resource) (code_resource:apiserver_request_total:rate5m{kind="${kind}"})`,
    `cluster_quantile:apiserver_request_sli_duration_seconds:histogram_quantile{kind="${kind}"}`,
    'sum by (scope) (cluster_verb_scope_le:apiserver_request_sli_duration_seconds_bucket:increase1h' +
      `{kind="${kind}",le=~"1(\\\\.0)?",scope=~"resource|namespace|cluster"})`,
  ]),
  `sum(rate(workqueue_adds_total{${selector}}[1m])) by (instance, name) > 0`,
  `sum(rate(workqueue_depth{${selector}}[1m])) by (instance, name)`,
  'histogram_quantile(0.99, sum(rate(workqueue_queue_duration_seconds_bucket' +
    `{${selector}}[1m])) by (instance, name, le))`,
  `process_resident_memory_bytes{${selector}}`,
  `rate(process_cpu_seconds_total{${selector}}[5m])`,
  `go_goroutines{${selector}} > 0`,
];

const controllers = 'job="kube-controller-manager"';

/** What the panels of its dashboard of controller managers ask. */
export const mixinControllerPanels: readonly string[] = [
  `sum(up{${controllers}})`,
  `sum(rate(workqueue_adds_total{${controllers}}[1m])) by (cluster, instance, name)`,
  `sum(rate(workqueue_depth{${controllers}}[1m])) by (cluster, instance, name)`,
  'histogram_quantile(0.99, sum(rate(workqueue_queue_duration_seconds_bucket' +
    `{${controllers}}[1m])) by (cluster, instance, name, le))`,
  // Those of 3xx, 4xx and 5xx are empty where all goes well.
  `sum(rate(rest_client_requests_total{${controllers},code=~"2.."}[1m]))`,
  ...['POST', 'GET'].map(
    (verb) =>
      'histogram_quantile(0.99, sum(rate(rest_client_request_duration_seconds_bucket' +
      `{${controllers},verb="${verb}"}[1m])) by (cluster, verb, le))`,
  ),
  `process_resident_memory_bytes{${controllers}}`,
  `rate(process_cpu_seconds_total{${controllers}}[1m])`,
  `go_goroutines{${controllers}} > 0`,
];
