import { messageOf, parseDuration, Quantity } from '@kubechain/apimachinery';
import type { Client } from '../client/client.ts';
import type { RequestOptions } from '../client/requester.ts';
import { UnknownKindError, type ResourceMapper } from '../discovery/resource-mapper.ts';

/** One pod's share of a metric. */
export interface PodMetric {
  /** In thousandths. */
  readonly milli: number;
  readonly atMs: number;
  /** Over how long it was measured. */
  readonly windowMs: number;
}

/** By pod. */
export type PodMetrics = ReadonlyMap<string, PodMetric>;

/** Where to look for metrics of pods. */
export interface PodMetricsQuery {
  readonly namespace: string;
  /** Of pods. */
  readonly selector: string;
}

interface Listed<T> {
  readonly items?: readonly T[];
}
interface ListedPod {
  readonly metadata?: { readonly name?: string };
  readonly timestamp: string;
  readonly window: string;
  readonly containers?: readonly { readonly name: string; readonly usage?: Readonly<Record<string, string>> }[];
}
interface ListedValue {
  readonly describedObject?: { readonly name?: string };
  readonly timestamp: string;
  readonly windowSeconds?: number;
  readonly window?: number;
  readonly value: string;
}

const customGroup = 'custom.metrics.k8s.io';
const customVersions = ['v1beta2', 'v1beta1'];
/** Where a custom metric does not say. */
const defaultWindowMs = 60_000;

/** Asks the metrics APIs, as far as somebody serves them; errors have the reference's words. */
export class MetricsClient {
  readonly #client: Client;
  readonly #mapper: ResourceMapper;

  constructor(client: Client, mapper: ResourceMapper) {
    this.#client = client;
    this.#mapper = mapper;
  }

  /** What pods, or one of their containers, use of a resource. */
  async resource(name: string, { namespace, selector }: PodMetricsQuery, container = ''): Promise<PodMetrics> {
    const items = await this.#list<ListedPod>('resource', {
      path: `/apis/metrics.k8s.io/v1beta1/namespaces/${namespace}/pods`,
      query: { labelSelector: selector },
      about: { group: 'metrics.k8s.io', resource: 'pods' },
    });
    const metrics = new Map<string, PodMetric>();
    for (const { containers = [], metadata, timestamp, window } of items) {
      const counted = container === '' ? containers : containers.filter((one) => one.name === container);
      const usage = counted.map((one) => one.usage?.[name]);
      if (usage.length === 0 || usage.includes(undefined)) continue;
      metrics.set(metadata?.name ?? '', {
        milli: usage.reduce((sum, text) => sum + milliOf(text ?? '0'), 0),
        atMs: Date.parse(timestamp),
        windowMs: Number(parseDuration(window) / 1_000_000n),
      });
    }
    return metrics;
  }

  /** A metric that each pod has. */
  async pods(metric: string, { namespace, selector }: PodMetricsQuery, metricSelector: string): Promise<PodMetrics> {
    const items = await this.#list<ListedValue>('custom', {
      path: async () => `${await this.#customPath()}/namespaces/${namespace}/pods/*/${encodeURIComponent(metric)}`,
      query: { labelSelector: selector, metricLabelSelector: metricSelector },
      about: { group: customGroup, resource: 'pods', name: '*' },
    });
    return new Map(
      items.map(({ describedObject, timestamp, value, window, windowSeconds }) => {
        const seconds = windowSeconds ?? window;
        return [
          describedObject?.name ?? '',
          {
            milli: milliOf(value),
            atMs: Date.parse(timestamp),
            windowMs: seconds === undefined ? defaultWindowMs : seconds * 1_000,
          },
        ];
      }),
    );
  }

  /** A metric of one object, in thousandths. */
  async object(
    metric: string,
    object: { readonly apiVersion?: string; readonly kind: string; readonly name: string; readonly namespace: string },
    metricSelector: string,
  ): Promise<number> {
    const { apiVersion = 'v1', kind, name, namespace } = object;
    const at = encodeURIComponent(metric);
    const items = await this.#list<ListedValue>('custom', {
      path: async () => {
        const base = `${await this.#customPath()}/namespaces/${namespace}`;
        if (kind === 'Namespace') return `${base}/metrics/${at}`;
        const { group, resource } = await this.#resourceOf(apiVersion === '' ? 'v1' : apiVersion, kind);
        return `${base}/${group === '' ? resource : `${resource}.${group}`}/${encodeURIComponent(name)}/${at}`;
      },
      query: { metricLabelSelector: metricSelector },
      about: { group: customGroup, resource: kind.toLowerCase(), name },
      countedHere: true,
    });
    if (items.length !== 1)
      throw new Error(
        'unable to fetch metrics from custom metrics API: the custom metrics API server returned ' +
          `${items.length} results when we asked for exactly one`,
      );
    return milliOf(items[0]?.value ?? '0');
  }

  /** All values of a metric of something outside of the cluster, in thousandths. */
  async external(metric: string, namespace: string, selector: string): Promise<readonly number[]> {
    const items = await this.#list<ListedValue>('external', {
      path: `/apis/external.metrics.k8s.io/v1beta1/namespaces/${namespace}/${encodeURIComponent(metric)}`,
      query: { labelSelector: selector },
      about: { group: 'external.metrics.k8s.io', resource: metric },
    });
    return items.map(({ value }) => milliOf(value));
  }

  async #list<T>(
    api: 'resource' | 'custom' | 'external',
    {
      about,
      countedHere = false,
      path,
      query,
    }: {
      readonly path: string | (() => Promise<string>);
      readonly query: Readonly<Record<string, string>>;
      readonly about: NonNullable<RequestOptions['about']>;
      /** Whether who asks has words of its own for none. */
      readonly countedHere?: boolean;
    },
  ): Promise<readonly T[]> {
    const set = Object.entries(query).filter(([, value]) => value !== '');
    let items: readonly T[];
    try {
      const list = await this.#client.json<Listed<T>>({
        method: 'GET',
        path: typeof path === 'string' ? path : await path(),
        query: new URLSearchParams(set),
        about,
      });
      items = list.items ?? [];
    } catch (error) {
      throw new Error(`unable to fetch metrics from ${api} metrics API: ${messageOf(error)}`, { cause: error });
    }
    if (items.length === 0 && !countedHere) throw new Error(`no metrics returned from ${api} metrics API`);
    return items;
  }

  async #resourceOf(apiVersion: string, kind: string): Promise<{ readonly group: string; readonly resource: string }> {
    try {
      return await this.#mapper.resourceOf(apiVersion, kind);
    } catch (cause) {
      if (!(cause instanceof UnknownKindError)) throw cause;
      const slash = apiVersion.indexOf('/');
      const group = slash < 0 ? '' : apiVersion.slice(0, slash);
      const message =
        `unable to map kind ${group === '' ? kind : `${kind}.${group}`} to resource: ` +
        `no matches for kind ${JSON.stringify(kind)} in group ${JSON.stringify(group)}`;
      throw new Error(message, { cause });
    }
  }

  async #customPath(): Promise<string> {
    const { groups = [] } = await this.#client.json<{
      readonly groups?: readonly {
        readonly name: string;
        readonly versions: readonly { readonly version: string }[];
      }[];
    }>({ method: 'GET', path: '/apis' });
    const group = groups.find(({ name }) => name === customGroup);
    if (group === undefined) throw new Error(`no custom metrics API (${customGroup}) registered`);
    const version = group.versions.find((one) => customVersions.includes(one.version))?.version ?? customVersions[0]!;
    return `/apis/${customGroup}/${version}`;
  }
}

function milliOf(text: string): number {
  return Number(Quantity.parse(text).milliValue());
}
