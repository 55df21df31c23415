import type { HistogramCell } from '@kubechain/shared-storage/metrics';
import type { Labels } from '../metrics/labels.ts';
import type { FlowCell, LevelCell } from './flow-metrics.ts';
import type { TimingRatioHistogram } from './timing-ratio-histogram.ts';

/** How sure the reference is of a metric; `TIMED` ones are observed at every moment, and told to be experiments. */
export type Stability = 'ALPHA' | 'BETA' | 'TIMED';

/** Name (without `apiserver_flowcontrol_`), stability and help text of a metric (flowcontrol/metrics/metrics.go, 1.36). */
export interface MetricRow {
  readonly name: string;
  readonly stability: Stability;
  readonly help: string;
}

/** Values with the labels that they have beside those of their cell. */
type Values = readonly (readonly [Labels, number])[];

/** A counter or gauge of each schema at each level. */
export interface FlowValueRow extends MetricRow {
  readonly type: 'counter' | 'gauge';
  /** Whether anything of the kind has ever happened; what has not is not shown. */
  readonly shown: (cell: FlowCell) => boolean;
  readonly value: (cell: FlowCell) => number;
}

/** A histogram of each schema at each level. */
export interface FlowHistogramRow extends MetricRow {
  readonly parts: (cell: FlowCell) => readonly (readonly [HistogramCell, Labels])[];
}

/** A gauge of each priority level. */
export interface LevelValueRow extends MetricRow {
  readonly values: (cell: LevelCell) => Values;
}

/** A histogram, over time, of each priority level. */
export interface LevelHistogramRow extends MetricRow {
  readonly parts: (cell: LevelCell) => readonly (readonly [TimingRatioHistogram, Labels])[];
}

const executed = (cell: FlowCell): boolean => cell.executed;
const queued = (cell: FlowCell): boolean => cell.queued;
const one = (value: number): Values => [[{}, value]];
const bounds = (min: number, max: number): Values => [
  [{ bound: 'min' }, min],
  [{ bound: 'max' }, max],
];
/** Of levels that have dispatched a request. */
const onceDispatched =
  (values: (cell: LevelCell) => Values) =>
  (cell: LevelCell): Values =>
    cell.dispatchR === undefined ? [] : values(cell);

/** Counters and gauges of flow schemas. */
export const flowValueRows: readonly FlowValueRow[] = [
  {
    name: 'dispatched_requests_total',
    type: 'counter',
    stability: 'BETA',
    help: 'Number of requests executed by API Priority and Fairness subsystem',
    shown: executed,
    value: (cell) => cell.dispatched,
  },
  {
    name: 'current_inqueue_requests',
    type: 'gauge',
    stability: 'BETA',
    help: 'Number of requests currently pending in queues of the API Priority and Fairness subsystem',
    shown: queued,
    value: (cell) => cell.waitingRequests,
  },
  {
    name: 'current_inqueue_seats',
    type: 'gauge',
    stability: 'ALPHA',
    help: 'Number of seats currently pending in queues of the API Priority and Fairness subsystem',
    shown: queued,
    value: (cell) => cell.waitingSeats,
  },
  {
    name: 'current_executing_requests',
    type: 'gauge',
    stability: 'BETA',
    help:
      'Number of requests in initial (for a WATCH) or any (for a non-WATCH) execution stage in the API ' +
      'Priority and Fairness subsystem',
    shown: executed,
    value: (cell) => cell.executingRequests,
  },
  {
    name: 'current_executing_seats',
    type: 'gauge',
    stability: 'BETA',
    help:
      'Concurrency (number of seats) occupied by the currently executing (initial stage for a WATCH, any ' +
      'stage otherwise) requests in the API Priority and Fairness subsystem',
    shown: executed,
    value: (cell) => cell.executingSeats,
  },
  {
    name: 'request_dispatch_no_accommodation_total',
    type: 'counter',
    stability: 'ALPHA',
    help: 'Number of times a dispatch attempt resulted in a non accommodation due to lack of available seats',
    shown: (cell) => cell.notAccommodated > 0,
    value: (cell) => cell.notAccommodated,
  },
];

/** Histograms of flow schemas. */
export const flowHistogramRows: readonly FlowHistogramRow[] = [
  {
    name: 'request_queue_length_after_enqueue',
    stability: 'ALPHA',
    help: 'Length of queue in the API Priority and Fairness subsystem, as seen by each request after it is enqueued',
    parts: (cell) => [[cell.queueLengths, cell.labels]],
  },
  {
    name: 'request_wait_duration_seconds',
    stability: 'BETA',
    help: 'Length of time a request spent waiting in its queue',
    parts: (cell) => [
      [cell.waitsOfExecuted, { execute: 'true', ...cell.labels }],
      [cell.waitsOfRefused, { execute: 'false', ...cell.labels }],
    ],
  },
  {
    name: 'request_execution_seconds',
    stability: 'ALPHA',
    help:
      'Duration of initial stage (for a WATCH) or any (for a non-WATCH) stage of request execution in the API ' +
      'Priority and Fairness subsystem',
    parts: (cell) => [
      [cell.executions, { ...cell.labels, type: 'regular' }],
      [cell.watchInitializations, { ...cell.labels, type: 'watch' }],
    ],
  },
  {
    name: 'watch_count_samples',
    stability: 'ALPHA',
    help: 'count of watchers for mutating requests in API Priority and Fairness',
    parts: (cell) => [[cell.watchCounts, cell.labels]],
  },
  {
    name: 'work_estimated_seats',
    stability: 'ALPHA',
    help:
      'Number of estimated seats (maximum of initial and final seats) associated with requests in API ' +
      'Priority and Fairness',
    parts: (cell) => [[cell.estimatedSeats, cell.labels]],
  },
];

/** Gauges of priority levels, in virtual time (seat-seconds) and seats. */
export const levelValueRows: readonly LevelValueRow[] = [
  {
    name: 'current_r',
    stability: 'ALPHA',
    help: 'R(time of last change)',
    values: (cell) => one(cell.currentR),
  },
  {
    name: 'dispatch_r',
    stability: 'ALPHA',
    help: 'R(time of last dispatch)',
    values: onceDispatched((cell) => one(cell.dispatchR ?? 0)),
  },
  {
    name: 'latest_s',
    stability: 'ALPHA',
    help: 'S(most recently dispatched request)',
    values: onceDispatched((cell) => one(cell.latestS)),
  },
  {
    name: 'next_s_bounds',
    stability: 'ALPHA',
    help: 'min and max, over queues, of S(oldest waiting request in queue)',
    values: onceDispatched((cell) => bounds(cell.nextSMin, cell.nextSMax)),
  },
  {
    name: 'next_discounted_s_bounds',
    stability: 'ALPHA',
    help: 'min and max, over queues, of S(oldest waiting request in queue) - estimated work in progress',
    values: onceDispatched((cell) => bounds(cell.nextDiscountedSMin, cell.nextDiscountedSMax)),
  },
  {
    name: 'nominal_limit_seats',
    stability: 'BETA',
    help: 'Nominal number of execution seats configured for each priority level',
    values: (cell) => one(cell.nominalLimit),
  },
  {
    name: 'lower_limit_seats',
    stability: 'ALPHA',
    help: 'Configured lower bound on number of execution seats available to each priority level',
    values: (cell) => one(cell.lowerLimit),
  },
  {
    name: 'upper_limit_seats',
    stability: 'ALPHA',
    help: 'Configured upper bound on number of execution seats available to each priority level',
    values: (cell) => one(cell.upperLimit),
  },
  {
    name: 'current_limit_seats',
    stability: 'ALPHA',
    help: 'current derived number of execution seats available to each priority level',
    values: (cell) => one(cell.currentLimit),
  },
  {
    name: 'demand_seats_high_watermark',
    stability: 'ALPHA',
    help: 'High watermark, over last adjustment period, of demand_seats',
    values: (cell) => one(cell.demandHighWatermark),
  },
  {
    name: 'demand_seats_average',
    stability: 'ALPHA',
    help: 'Time-weighted average, over last adjustment period, of demand_seats',
    values: (cell) => one(cell.demandAverage),
  },
  {
    name: 'demand_seats_stdev',
    stability: 'ALPHA',
    help: 'Time-weighted standard deviation, over last adjustment period, of demand_seats',
    values: (cell) => one(cell.demandDeviation),
  },
  {
    name: 'demand_seats_smoothed',
    stability: 'ALPHA',
    help: 'Smoothed seat demands',
    values: (cell) => one(cell.demandSmoothed),
  },
  {
    name: 'target_seats',
    stability: 'ALPHA',
    help: 'Seat allocation targets',
    values: (cell) => one(cell.target),
  },
];

/** Histograms of priority levels. */
export const levelHistogramRows: readonly LevelHistogramRow[] = [
  {
    name: 'demand_seats',
    stability: 'TIMED',
    help:
      'Observations, at the end of every nanosecond, of (the number of seats each priority level could use) / ' +
      '(nominal number of seats for that level)',
    parts: (cell) => [[cell.demand, {}]],
  },
  {
    name: 'priority_level_seat_utilization',
    stability: 'TIMED',
    help:
      'Observations, at the end of every nanosecond, of utilization of seats for any stage of execution (but ' +
      'only initial stage for WATCHes)',
    parts: (cell) => [[cell.seats, { phase: 'executing' }]],
  },
  {
    name: 'priority_level_request_utilization',
    stability: 'TIMED',
    help:
      'Observations, at the end of every nanosecond, of number of requests (as a fraction of the relevant ' +
      'limit) waiting or in any stage of execution (but only initial stage for WATCHes)',
    parts: (cell) => [
      [cell.requestsWaiting, { phase: 'waiting' }],
      [cell.requestsExecuting, { phase: 'executing' }],
    ],
  },
];
