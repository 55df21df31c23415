import { HistogramCell } from '@kubechain/shared-storage/metrics';
import type { Labels } from '../metrics/labels.ts';
import { TimingRatioHistogram } from './timing-ratio-histogram.ts';
import { Watermark } from './watermark.ts';

const durationBounds = [0, 0.005, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30];
const queueLengthBounds = [0, 10, 25, 50, 100, 250, 500, 1000];
const estimatedSeatsBounds = [1, 2, 4, 8, 16, 32, 64, 100];
const watchCountBounds = [0, 1, 10, 100, 1000, 10_000];
const seatUtilizationBounds = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 1];
const requestUtilizationBounds = [0, 0.001, 0.003, 0.01, 0.03, 0.1, 0.25, 0.5, 0.75, 1];
const readWriteBounds = [0, 0.001, 0.01, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 1];
const demandBounds = [0.2, 0.4, 0.6, 0.8, 1, 1.2, 1.4, 1.7, 2, 2.8, 4, 6];

/** Why a request was refused. */
export type RejectReason = 'concurrency-limit' | 'queue-full' | 'time-out';

/** Numbers of one schema at one level: what counts a request is an addition. */
export class FlowCell {
  readonly labels: Labels;
  /** Whether requests of it were ever in a queue: what never happened is not shown. */
  queued = false;
  executed = false;
  dispatched = 0;
  waitingRequests = 0;
  waitingSeats = 0;
  executingRequests = 0;
  executingSeats = 0;
  notAccommodated = 0;
  readonly rejected = new Map<RejectReason, number>();
  readonly queueLengths = new HistogramCell(queueLengthBounds);
  readonly waitsOfExecuted = new HistogramCell(durationBounds);
  readonly waitsOfRefused = new HistogramCell(durationBounds);
  readonly executions = new HistogramCell(durationBounds);
  readonly watchInitializations = new HistogramCell(durationBounds);
  readonly estimatedSeats = new HistogramCell(estimatedSeatsBounds);
  readonly watchCounts = new HistogramCell(watchCountBounds);

  constructor(schema: string, level: string) {
    this.labels = { flow_schema: schema, priority_level: level };
  }

  reject(reason: RejectReason): void {
    this.rejected.set(reason, (this.rejected.get(reason) ?? 0) + 1);
  }
}

/** Numbers of one priority level. */
export class LevelCell {
  readonly labels: Labels;
  readonly requestsWaiting: TimingRatioHistogram;
  readonly requestsExecuting: TimingRatioHistogram;
  readonly seats: TimingRatioHistogram;
  readonly demand: TimingRatioHistogram;
  /** Virtual time now, at the last dispatch, and of what was dispatched; seat-seconds. */
  currentR = 0;
  dispatchR: number | undefined = undefined;
  latestS = 0;
  /** Over queues with waiting requests at the last dispatch. */
  nextSMin = 0;
  nextSMax = 0;
  nextDiscountedSMin = 0;
  nextDiscountedSMax = 0;
  nominalLimit = 0;
  lowerLimit = 0;
  upperLimit = 0;
  currentLimit = 0;
  demandHighWatermark = 0;
  demandAverage = 0;
  demandDeviation = 0;
  demandSmoothed = 0;
  target = 0;

  constructor(level: string, nowMs: number) {
    this.labels = { priority_level: level };
    this.requestsWaiting = new TimingRatioHistogram(requestUtilizationBounds, { nowMs });
    this.requestsExecuting = new TimingRatioHistogram(requestUtilizationBounds, { nowMs });
    this.seats = new TimingRatioHistogram(seatUtilizationBounds, { nowMs });
    this.demand = new TimingRatioHistogram(demandBounds, { nowMs });
  }
}

/** Requests of one kind (reads or writes) in one phase. */
export class PhaseCell {
  readonly watermark: Watermark;
  readonly concurrency: TimingRatioHistogram;
  #count = 0;

  constructor(nowMs: number) {
    this.watermark = new Watermark(nowMs);
    this.concurrency = new TimingRatioHistogram(readWriteBounds, { nowMs });
  }

  add(delta: number, nowMs: number): void {
    this.#count += delta;
    this.watermark.set(this.#count, nowMs);
    this.concurrency.set(this.#count, nowMs);
  }
}

/** All numbers of flow control in this process. */
export class FlowMetrics {
  readonly flows = new Map<string, FlowCell>();
  readonly levels = new Map<string, LevelCell>();
  fairFraction = 0;
  readonly readOnlyWaiting: PhaseCell;
  readonly readOnlyExecuting: PhaseCell;
  readonly mutatingWaiting: PhaseCell;
  readonly mutatingExecuting: PhaseCell;

  constructor(nowMs: number) {
    this.readOnlyWaiting = new PhaseCell(nowMs);
    this.readOnlyExecuting = new PhaseCell(nowMs);
    this.mutatingWaiting = new PhaseCell(nowMs);
    this.mutatingExecuting = new PhaseCell(nowMs);
  }

  /** The same cell each time, so that counts go on over changes of the configuration. */
  flow(schema: string, level: string): FlowCell {
    const key = `${schema}\0${level}`;
    let cell = this.flows.get(key);
    if (cell === undefined) this.flows.set(key, (cell = new FlowCell(schema, level)));
    return cell;
  }

  level(name: string, nowMs: number): LevelCell {
    let cell = this.levels.get(name);
    if (cell === undefined) this.levels.set(name, (cell = new LevelCell(name, nowMs)));
    return cell;
  }
}
