import {
  HistogramCell,
  histogramSamples,
  type MetricSample,
  type RegisteredMetric,
} from '@kubechain/shared-storage/metrics';
import type { Labels } from './labels.ts';

const durationBuckets = [
  0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60,
];
const sliBuckets = durationBuckets.slice(2);
const sizeBuckets = [1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9];

/** Numbers of one combination of verb, resource, scope and dry run. */
export class RequestCell {
  readonly labels: Labels;
  readonly dryRun: string;
  readonly durations = new HistogramCell(durationBuckets);
  readonly sli = new HistogramCell(sliBuckets);
  readonly sizes = new HistogramCell(sizeBuckets);
  /** Response code → requests. */
  readonly codes = new Map<number, number>();
  running = 0;
  constructor(labels: Labels, dryRun: string) {
    this.labels = labels;
    this.dryRun = dryRun;
  }

  answered(code: number): void {
    this.codes.set(code, (this.codes.get(code) ?? 0) + 1);
  }
}

type MetricDescription = RegisteredMetric['description'];

/** A metric that has samples for each combination. */
interface RequestFamily extends MetricDescription {
  readonly samples: (cell: RequestCell) => Iterable<MetricSample>;
}

/** What /metrics shows of each combination (endpoints/metrics/metrics.go, 1.36). */
export const requestFamilies: readonly RequestFamily[] = [
  {
    name: 'apiserver_request_total',
    type: 'counter',
    help:
      '[STABLE] Counter of apiserver requests broken out for each verb, dry run value, group, version, resource, ' +
      'scope, component, and HTTP response code.',
    *samples({ codes, dryRun, labels }) {
      for (const [code, value] of codes) yield { value, labels: { code: String(code), ...labels, dry_run: dryRun } };
    },
  },
  {
    name: 'apiserver_request_duration_seconds',
    type: 'histogram',
    help:
      '[STABLE] Response latency distribution in seconds for each verb, dry run value, group, version, resource, ' +
      'subresource, scope and component.',
    samples: ({ dryRun, durations, labels }) =>
      observed('apiserver_request_duration_seconds', { ...labels, dry_run: dryRun }, durations),
  },
  {
    name: 'apiserver_request_sli_duration_seconds',
    type: 'histogram',
    help:
      '[ALPHA] Response latency distribution (not counting webhook duration and priority & fairness queue wait ' +
      'times) in seconds for each verb, group, version, resource, subresource, scope and component.',
    samples: ({ labels, sli }) => observed('apiserver_request_sli_duration_seconds', labels, sli),
  },
  {
    name: 'apiserver_response_sizes',
    type: 'histogram',
    help:
      '[STABLE] Response size distribution in bytes for each group, version, verb, resource, subresource, ' +
      'scope and component.',
    samples: ({ labels, sizes }) =>
      labels['verb'] === 'GET' || labels['verb'] === 'LIST' ? observed('apiserver_response_sizes', labels, sizes) : [],
  },
  {
    name: 'apiserver_longrunning_requests',
    type: 'gauge',
    help:
      '[STABLE] Gauge of all active long-running apiserver requests broken out by verb, group, version, ' +
      'resource, scope and component. Not all requests are tracked this way.',
    samples: ({ labels, running }) => (running > 0 ? [{ value: running, labels }] : []),
  },
];

function observed(name: string, labels: Labels, histogram: HistogramCell): Iterable<MetricSample> {
  return histogram.count > 0 ? histogramSamples(name, labels, histogram) : [];
}
