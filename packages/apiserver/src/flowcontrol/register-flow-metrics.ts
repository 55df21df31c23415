import { histogramSamples, type MetricRegistry, type MetricSample } from '@kubechain/shared-storage/metrics';
import type { Labels } from '../metrics/labels.ts';
import type { TimerClock } from '@kubechain/apimachinery';
import {
  flowHistogramRows,
  flowValueRows,
  levelHistogramRows,
  levelValueRows,
  type MetricRow,
  type Stability,
} from './flow-metric-rows.ts';
import type { FlowMetrics, PhaseCell } from './flow-metrics.ts';

const prefix = 'apiserver_flowcontrol_';

const stated: Readonly<Record<Stability, string>> = {
  ALPHA: '[ALPHA]',
  BETA: '[BETA]',
  TIMED: 'EXPERIMENTAL: [ALPHA]',
};

/**
 * Makes the numbers part of /metrics under the reference's names (flowcontrol/metrics/metrics.go, 1.36); a second
 * registration replaces the first.
 */
export function registerFlowMetrics(registry: MetricRegistry, metrics: FlowMetrics, clock: TimerClock): void {
  registerFlows(registry, metrics);
  registerLevels(registry, metrics, clock);
  registerPhases(registry, metrics, clock);
}

function registerFlows(registry: MetricRegistry, { flows }: FlowMetrics): void {
  register(
    registry,
    'counter',
    {
      name: 'rejected_requests_total',
      stability: 'BETA',
      help: 'Number of requests rejected by API Priority and Fairness subsystem',
    },
    function* () {
      for (const { labels, rejected } of flows.values())
        for (const [reason, value] of rejected) yield { value, labels: { ...labels, reason } };
    },
  );
  for (const row of flowValueRows)
    register(registry, row.type, row, function* () {
      for (const cell of flows.values()) if (row.shown(cell)) yield { value: row.value(cell), labels: cell.labels };
    });
  for (const row of flowHistogramRows)
    register(registry, 'histogram', row, function* () {
      for (const cell of flows.values())
        for (const [histogram, labels] of row.parts(cell))
          if (histogram.count > 0) yield* histogramSamples(prefix + row.name, labels, histogram);
    });
}

function registerLevels(registry: MetricRegistry, metrics: FlowMetrics, clock: TimerClock): void {
  const { levels } = metrics;
  for (const row of levelValueRows)
    register(registry, 'gauge', row, function* () {
      for (const cell of levels.values())
        for (const [labels, value] of row.values(cell)) yield { value, labels: { ...labels, ...cell.labels } };
    });
  register(
    registry,
    'gauge',
    {
      name: 'seat_fair_frac',
      stability: 'ALPHA',
      help: "Fair fraction of server's concurrency to allocate to each priority level that can use it",
    },
    () => [{ value: metrics.fairFraction, labels: {} }],
  );
  for (const row of levelHistogramRows)
    register(registry, 'histogram', row, function* () {
      const now = clock.now();
      for (const cell of levels.values())
        for (const [histogram, labels] of row.parts(cell))
          yield* histogram.samples(prefix + row.name, { ...labels, ...cell.labels }, now);
    });
}

function registerPhases(registry: MetricRegistry, metrics: FlowMetrics, clock: TimerClock): void {
  const cells: readonly (readonly [Labels, PhaseCell])[] = [
    [{ phase: 'executing', request_kind: 'mutating' }, metrics.mutatingExecuting],
    [{ phase: 'executing', request_kind: 'readOnly' }, metrics.readOnlyExecuting],
    [{ phase: 'waiting', request_kind: 'mutating' }, metrics.mutatingWaiting],
    [{ phase: 'waiting', request_kind: 'readOnly' }, metrics.readOnlyWaiting],
  ];
  const name = 'read_vs_write_current_requests';
  register(
    registry,
    'histogram',
    {
      name,
      stability: 'TIMED',
      help:
        'Observations, at the end of every nanosecond, of the number of requests (as a fraction of the relevant ' +
        'limit) waiting or in regular stage of execution',
    },
    function* () {
      const now = clock.now();
      for (const [labels, cell] of cells) yield* cell.concurrency.samples(prefix + name, labels, now);
    },
  );
  const marks = (phase: string): MetricSample[] =>
    cells
      .filter(([labels]) => labels['phase'] === phase)
      .map(([labels, cell]) => ({
        value: cell.watermark.read(clock.now()),
        labels: { request_kind: labels['request_kind'] ?? '' },
      }));
  registry.collected(
    {
      name: 'apiserver_current_inflight_requests',
      type: 'gauge',
      help:
        '[STABLE] Maximal number of currently used inflight request limit of this apiserver per request kind in ' +
        'last second.',
    },
    () => marks('executing'),
  );
  registry.collected(
    {
      name: 'apiserver_current_inqueue_requests',
      type: 'gauge',
      help: '[ALPHA] Maximal number of queued requests in this apiserver per request kind in last second.',
    },
    () => marks('waiting'),
  );
}

function register(
  registry: MetricRegistry,
  type: 'counter' | 'gauge' | 'histogram',
  { name, stability, help }: MetricRow,
  collect: () => Iterable<MetricSample>,
): void {
  registry.collected({ name: prefix + name, type, help: `${stated[stability]} ${help}` }, collect);
}
