import type { KubeObject } from '@kubechain/apimachinery';
import { Client, Http2Transport, resources } from '@kubechain/controllers';
import type { TestEnvironment } from 'kubechain';

/** Pods tell by this annotation what they use and what is measured of them, as JSON: {@link Usage}. */
export const usageAnnotation = 'example.com/usage';
/** What is measured of other objects is in a config map of this name, by `KIND.NAME.METRIC`, `external.METRIC`. */
export const metricsMap = 'metrics';

/** What a pod says of itself. */
export interface Usage {
  readonly containers?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly metrics?: Readonly<Record<string, string>>;
}

/** Metrics are of a time when every pod here has been ready for long. */
const aheadMs = 60_000;
const timestamp = (): string => new Date(Date.now() + aheadMs).toISOString();

/** Functions as servers of the three APIs of metrics, which answer what pods and a config map of a namespace say. */
export async function serveMetrics(env: TestEnvironment): Promise<void> {
  const transport = new Http2Transport({ server: env.url, ca: env.caCertificate });
  const client = new Client({ transport, token: () => env.adminToken ?? '', userAgent: 'metrics' });
  const podsOf = async (namespace: string, query: URLSearchParams): Promise<readonly [KubeObject, Usage][]> => {
    const labelSelector = query.get('labelSelector') ?? '';
    const { items } = await client.resource(resources.pods).list({ namespace, labelSelector });
    return items.flatMap((pod): [KubeObject, Usage][] => {
      const text = pod.metadata?.annotations?.[usageAnnotation];
      return text === undefined || pod.status?.phase !== 'Running' ? [] : [[pod, JSON.parse(text) as Usage]];
    });
  };
  const measured = async (namespace: string, key: string): Promise<readonly string[]> => {
    const { items } = await client.resource(resources.configmaps).list({ namespace });
    const data = items.find(({ metadata }) => metadata?.name === metricsMap)?.data ?? {};
    return (data[key] ?? '').split(',').filter((value) => value !== '');
  };
  const custom = { apiVersion: 'custom.metrics.k8s.io/v1beta2', kind: 'MetricValueList', metadata: {} };
  const objectMetric = (plural: string, kind: string, metric: string) => ({
    plural: `${plural}/${metric}`,
    kind: 'MetricValueList',
    get: async ({ name, namespace }: { readonly name: string; readonly namespace: string }) => ({
      ...custom,
      items: (await measured(namespace, `${kind}.${name}.${metric}`)).map((value) => ({
        describedObject: { kind, name, namespace },
        metric: { name: metric },
        timestamp: timestamp(),
        value,
      })),
    }),
  });
  await env.apis.serve({
    group: 'metrics.k8s.io',
    version: 'v1beta1',
    resources: [
      {
        plural: 'pods',
        kind: 'PodMetrics',
        list: async ({ namespace, query }) =>
          (await podsOf(namespace, query)).map(([{ metadata }, { containers = {} }]) => ({
            metadata: { name: metadata?.name, namespace, labels: metadata?.labels },
            timestamp: timestamp(),
            window: '1s',
            containers: Object.entries(containers).map(([name, usage]) => ({ name, usage })),
          })),
      },
    ],
  });
  await env.apis.serve({
    group: 'custom.metrics.k8s.io',
    version: 'v1beta2',
    resources: [
      ...['requests', 'nothing'].map((metric) => ({
        plural: `pods/${metric}`,
        kind: 'MetricValueList',
        get: async ({ namespace, query }: { readonly namespace: string; readonly query: URLSearchParams }) => ({
          ...custom,
          items: (await podsOf(namespace, query)).flatMap(([{ metadata }, { metrics = {} }]) => {
            const value = metrics[metric];
            const describedObject = { kind: 'Pod', name: metadata?.name, namespace, apiVersion: '/v1' };
            const one = { describedObject, metric: { name: metric }, timestamp: timestamp(), windowSeconds: 1 };
            return value === undefined ? [] : [{ ...one, value }];
          }),
        }),
      })),
      objectMetric('services', 'Service', 'hits'),
      objectMetric('deployments.apps', 'Deployment', 'latency'),
      {
        plural: 'metrics',
        kind: 'MetricValueList',
        get: async ({ name, namespace }) => ({
          ...custom,
          items: (await measured(namespace, `Namespace.${name}`)).map((value) => ({
            describedObject: { kind: 'Namespace', name: namespace },
            metric: { name },
            timestamp: timestamp(),
            value,
          })),
        }),
      },
    ],
  });
  await env.apis.serve({
    group: 'external.metrics.k8s.io',
    version: 'v1beta1',
    resources: ['queue', 'empty'].map((metric) => ({
      plural: metric,
      kind: 'ExternalMetricValue',
      list: async ({ namespace }) =>
        (await measured(namespace, `external.${metric}`)).map((value) => ({
          metricName: metric,
          metricLabels: {},
          timestamp: timestamp(),
          value,
        })),
    })),
  });
}
