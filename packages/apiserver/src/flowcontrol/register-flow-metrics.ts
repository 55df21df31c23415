import {
  histogramSamples,
  type HistogramCell,
  type MetricRegistry,
  type MetricSample,
} from '@kubechain/shared-storage/metrics';
import type { Labels } from '../metrics/labels.ts';
import type { TimerClock } from '@kubechain/apimachinery';
import type { FlowCell, FlowMetrics, LevelCell, PhaseCell } from './flow-metrics.ts';
import type { TimingRatioHistogram } from './timing-ratio-histogram.ts';

type Stability = 'ALPHA' | 'BETA' | 'TIMED';
type Row = readonly [name: string, stability: Stability, help: string];

const prefix = 'apiserver_flowcontrol_';

/** What is observed at every moment is told to be an experiment as well. */
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
  const flowValue = (
    type: 'counter' | 'gauge',
    row: Row,
    shown: (cell: FlowCell) => boolean,
    value: (cell: FlowCell) => number,
  ): void => {
    register(registry, type, row, function* () {
      for (const cell of metrics.flows.values()) if (shown(cell)) yield { value: value(cell), labels: cell.labels };
    });
  };
  const flowHistogram = (row: Row, parts: (cell: FlowCell) => readonly (readonly [HistogramCell, Labels])[]): void => {
    register(registry, 'histogram', row, function* () {
      for (const cell of metrics.flows.values())
        for (const [histogram, labels] of parts(cell))
          if (histogram.count > 0) yield* histogramSamples(prefix + row[0], labels, histogram);
    });
  };
  const executed = (cell: FlowCell): boolean => cell.executed;
  const queued = (cell: FlowCell): boolean => cell.queued;
  register(
    registry,
    'counter',
    ['rejected_requests_total', 'BETA', 'Number of requests rejected by API Priority and Fairness subsystem'],
    function* () {
      for (const { labels, rejected } of metrics.flows.values())
        for (const [reason, value] of rejected) yield { value, labels: { ...labels, reason } };
    },
  );
  flowValue(
    'counter',
    ['dispatched_requests_total', 'BETA', 'Number of requests executed by API Priority and Fairness subsystem'],
    executed,
    (cell) => cell.dispatched,
  );
  flowValue(
    'gauge',
    [
      'current_inqueue_requests',
      'BETA',
      'Number of requests currently pending in queues of the API Priority and Fairness subsystem',
    ],
    queued,
    (cell) => cell.waitingRequests,
  );
  flowValue(
    'gauge',
    [
      'current_inqueue_seats',
      'ALPHA',
      'Number of seats currently pending in queues of the API Priority and Fairness subsystem',
    ],
    queued,
    (cell) => cell.waitingSeats,
  );
  flowValue(
    'gauge',
    [
      'current_executing_requests',
      'BETA',
      'Number of requests in initial (for a WATCH) or any (for a non-WATCH) execution stage in the API ' +
        'Priority and Fairness subsystem',
    ],
    executed,
    (cell) => cell.executingRequests,
  );
  flowValue(
    'gauge',
    [
      'current_executing_seats',
      'BETA',
      'Concurrency (number of seats) occupied by the currently executing (initial stage for a WATCH, any ' +
        'stage otherwise) requests in the API Priority and Fairness subsystem',
    ],
    executed,
    (cell) => cell.executingSeats,
  );
  flowValue(
    'counter',
    [
      'request_dispatch_no_accommodation_total',
      'ALPHA',
      'Number of times a dispatch attempt resulted in a non accommodation due to lack of available seats',
    ],
    (cell) => cell.notAccommodated > 0,
    (cell) => cell.notAccommodated,
  );
  flowHistogram(
    [
      'request_queue_length_after_enqueue',
      'ALPHA',
      'Length of queue in the API Priority and Fairness subsystem, as seen by each request after it is enqueued',
    ],
    (cell) => [[cell.queueLengths, cell.labels]],
  );
  flowHistogram(
    ['request_wait_duration_seconds', 'BETA', 'Length of time a request spent waiting in its queue'],
    (cell) => [
      [cell.waitsOfExecuted, { execute: 'true', ...cell.labels }],
      [cell.waitsOfRefused, { execute: 'false', ...cell.labels }],
    ],
  );
  flowHistogram(
    [
      'request_execution_seconds',
      'ALPHA',
      'Duration of initial stage (for a WATCH) or any (for a non-WATCH) stage of request execution in the API ' +
        'Priority and Fairness subsystem',
    ],
    (cell) => [
      [cell.executions, { ...cell.labels, type: 'regular' }],
      [cell.watchInitializations, { ...cell.labels, type: 'watch' }],
    ],
  );
  flowHistogram(
    ['watch_count_samples', 'ALPHA', 'count of watchers for mutating requests in API Priority and Fairness'],
    (cell) => [[cell.watchCounts, cell.labels]],
  );
  flowHistogram(
    [
      'work_estimated_seats',
      'ALPHA',
      'Number of estimated seats (maximum of initial and final seats) associated with requests in API ' +
        'Priority and Fairness',
    ],
    (cell) => [[cell.estimatedSeats, cell.labels]],
  );
  registerLevels(registry, metrics, clock);
  registerPhases(registry, metrics, clock);
}

function registerLevels(registry: MetricRegistry, metrics: FlowMetrics, clock: TimerClock): void {
  const levels = metrics.levels;
  const value = (row: Row, read: (cell: LevelCell) => number): void => {
    register(registry, 'gauge', row, function* () {
      for (const cell of levels.values()) yield { value: read(cell), labels: cell.labels };
    });
  };
  const dispatched = (row: Row, read: (cell: LevelCell) => readonly (readonly [Labels, number])[]): void => {
    register(registry, 'gauge', row, function* () {
      for (const cell of levels.values())
        if (cell.dispatchR !== undefined)
          for (const [labels, number] of read(cell)) yield { value: number, labels: { ...labels, ...cell.labels } };
    });
  };
  const bounds = (min: number, max: number): readonly (readonly [Labels, number])[] => [
    [{ bound: 'min' }, min],
    [{ bound: 'max' }, max],
  ];
  value(['current_r', 'ALPHA', 'R(time of last change)'], (cell) => cell.currentR);
  dispatched(['dispatch_r', 'ALPHA', 'R(time of last dispatch)'], (cell) => [[{}, cell.dispatchR ?? 0]]);
  dispatched(['latest_s', 'ALPHA', 'S(most recently dispatched request)'], (cell) => [[{}, cell.latestS]]);
  dispatched(['next_s_bounds', 'ALPHA', 'min and max, over queues, of S(oldest waiting request in queue)'], (cell) =>
    bounds(cell.nextSMin, cell.nextSMax),
  );
  dispatched(
    [
      'next_discounted_s_bounds',
      'ALPHA',
      'min and max, over queues, of S(oldest waiting request in queue) - estimated work in progress',
    ],
    (cell) => bounds(cell.nextDiscountedSMin, cell.nextDiscountedSMax),
  );
  value(
    ['nominal_limit_seats', 'BETA', 'Nominal number of execution seats configured for each priority level'],
    (cell) => cell.nominalLimit,
  );
  value(
    [
      'lower_limit_seats',
      'ALPHA',
      'Configured lower bound on number of execution seats available to each priority level',
    ],
    (cell) => cell.lowerLimit,
  );
  value(
    [
      'upper_limit_seats',
      'ALPHA',
      'Configured upper bound on number of execution seats available to each priority level',
    ],
    (cell) => cell.upperLimit,
  );
  value(
    ['current_limit_seats', 'ALPHA', 'current derived number of execution seats available to each priority level'],
    (cell) => cell.currentLimit,
  );
  value(
    ['demand_seats_high_watermark', 'ALPHA', 'High watermark, over last adjustment period, of demand_seats'],
    (cell) => cell.demandHighWatermark,
  );
  value(
    ['demand_seats_average', 'ALPHA', 'Time-weighted average, over last adjustment period, of demand_seats'],
    (cell) => cell.demandAverage,
  );
  value(
    ['demand_seats_stdev', 'ALPHA', 'Time-weighted standard deviation, over last adjustment period, of demand_seats'],
    (cell) => cell.demandDeviation,
  );
  value(['demand_seats_smoothed', 'ALPHA', 'Smoothed seat demands'], (cell) => cell.demandSmoothed);
  value(['target_seats', 'ALPHA', 'Seat allocation targets'], (cell) => cell.target);
  register(
    registry,
    'gauge',
    [
      'seat_fair_frac',
      'ALPHA',
      "Fair fraction of server's concurrency to allocate to each priority level that can use it",
    ],
    () => [{ value: metrics.fairFraction, labels: {} }],
  );
  const timed = (row: Row, parts: (cell: LevelCell) => readonly (readonly [TimingRatioHistogram, Labels])[]): void => {
    register(registry, 'histogram', row, function* () {
      const now = clock.now();
      for (const cell of levels.values())
        for (const [histogram, labels] of parts(cell))
          yield* histogram.samples(prefix + row[0], { ...labels, ...cell.labels }, now);
    });
  };
  timed(
    [
      'demand_seats',
      'TIMED',
      'Observations, at the end of every nanosecond, of (the number of seats each priority level could use) / ' +
        '(nominal number of seats for that level)',
    ],
    (cell) => [[cell.demand, {}]],
  );
  timed(
    [
      'priority_level_seat_utilization',
      'TIMED',
      'Observations, at the end of every nanosecond, of utilization of seats for any stage of execution (but ' +
        'only initial stage for WATCHes)',
    ],
    (cell) => [[cell.seats, { phase: 'executing' }]],
  );
  timed(
    [
      'priority_level_request_utilization',
      'TIMED',
      'Observations, at the end of every nanosecond, of number of requests (as a fraction of the relevant ' +
        'limit) waiting or in any stage of execution (but only initial stage for WATCHes)',
    ],
    (cell) => [
      [cell.requestsWaiting, { phase: 'waiting' }],
      [cell.requestsExecuting, { phase: 'executing' }],
    ],
  );
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
    [
      name,
      'TIMED',
      'Observations, at the end of every nanosecond, of the number of requests (as a fraction of the relevant ' +
        'limit) waiting or in regular stage of execution',
    ],
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
  [name, stability, help]: Row,
  collect: () => Iterable<MetricSample>,
): void {
  registry.collected({ name: prefix + name, type, help: `${stated[stability]} ${help}` }, collect);
}
