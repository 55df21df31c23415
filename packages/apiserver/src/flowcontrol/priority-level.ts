import type { PriorityLevelConfiguration } from '@kubechain/apimachinery/types/flowcontrol/v1';
import { DemandIntegrator, type IntegratorResults } from './demand-integrator.ts';
import type { TimerClock } from '@kubechain/apimachinery';
import type { LevelCell } from './flow-metrics.ts';
import { QueueSet, type QueueObserver } from './queue-set.ts';
import type { Queuing } from './queuing.ts';

/** How fast the memory of former demand fades: half of it in 5 minutes of looks every 10 s. */
const smoothing = 0.977;
/** Share of a level's seats that one request may be estimated to need. */
const maxSeatsShare = 0.15;

/** How a level may lend and borrow, from its spec. */
interface Shares {
  readonly nominal: number;
  readonly lendablePercent: number;
  readonly borrowingPercent: number | undefined;
}

/** One priority level in use: its configuration, its queues, its limits, and what it has asked for lately. */
export class PriorityLevel {
  readonly name: string;
  readonly cell: LevelCell;
  readonly queues: QueueSet;
  uid = '';
  queuing: Queuing;
  /** It is not configured any more and goes when its last request has ended. */
  quiescing = false;
  /** Seats: configured, what it always keeps, what it may have at most, and what it has now. */
  nominalLimit = 0;
  lowerLimit = 0;
  upperLimit = 0;
  currentLimit = 0;
  /** The most seats that one request is estimated to need; 0: no limit of the level's own. */
  maxSeats = 0;
  demandHighWatermark = 0;
  demandSmoothed = 0;
  readonly #clock: TimerClock;
  readonly #demand: DemandIntegrator;
  #shares: Shares = { nominal: 0, lendablePercent: 0, borrowingPercent: undefined };
  #introduced = false;

  constructor(
    configuration: PriorityLevelConfiguration,
    queuing: Queuing,
    options: { readonly clock: TimerClock; readonly cell: LevelCell; readonly observer: QueueObserver },
  ) {
    const { clock, cell, observer } = options;
    this.name = configuration.metadata?.name ?? '';
    this.cell = cell;
    this.queuing = queuing;
    this.#clock = clock;
    this.#demand = new DemandIntegrator(clock.now());
    this.queues = new QueueSet(queuing, {
      clock,
      cell,
      observer,
      onDemand: (seats, nowMs) => {
        this.#demand.set(seats, nowMs);
        cell.demand.set(seats, nowMs);
      },
    });
    this.update(configuration, queuing);
  }

  get exempt(): boolean {
    return this.queuing.kind === 'exempt';
  }
  /** How large its part of the server is, in comparison. */
  get nominalShares(): number {
    return this.#shares.nominal;
  }

  /** Takes a changed configuration; limits come after, when all levels are known. */
  update({ metadata, spec }: PriorityLevelConfiguration, queuing: Queuing): void {
    this.uid = metadata?.uid ?? '';
    this.queuing = queuing;
    this.quiescing = false;
    const { limited, exempt } = spec ?? {};
    this.#shares = {
      nominal: limited?.nominalConcurrencyShares ?? exempt?.nominalConcurrencyShares ?? 0,
      lendablePercent: limited?.lendablePercent ?? exempt?.lendablePercent ?? 0,
      borrowingPercent: limited?.borrowingLimitPercent,
    };
  }

  /**
   * Divides the server's seats by shares (finishQueueSetReconfigsLocked of util/flowcontrol/apf_controller.go, 1.36).
   */
  setLimits({ serverLimit, shareSum }: { readonly serverLimit: number; readonly shareSum: number }): void {
    const { nominal, lendablePercent, borrowingPercent } = this.#shares;
    // Rounded up: the sum may be a little more than the server's limit.
    const limit = shareSum === 0 ? 0 : Math.ceil((serverLimit * nominal) / shareSum);
    const lendable = Math.round((limit * lendablePercent) / 100);
    this.nominalLimit = limit;
    this.lowerLimit = limit - lendable;
    this.upperLimit =
      limit + (borrowingPercent === undefined ? serverLimit : Math.round((limit * borrowingPercent) / 100));
    if (this.queuing.kind === 'queue')
      this.maxSeats = Math.max(
        1,
        Math.min(Math.ceil(limit * maxSeatsShare), Math.floor(limit / this.queuing.handSize)),
      );
    this.cell.nominalLimit = this.nominalLimit;
    this.cell.lowerLimit = this.lowerLimit;
    this.cell.upperLimit = this.upperLimit;
    if (!this.#introduced) {
      this.#introduced = true;
      this.currentLimit = limit - Math.trunc(lendable / 2);
    }
  }

  /** Looks at the demand since the last look. */
  takeDemand(): void {
    const results = this.#demand.reset(this.#clock.now());
    this.demandHighWatermark = Math.round(results.max);
    this.cell.demandHighWatermark = this.demandHighWatermark;
    if (results.durationMs > 0) this.#smooth(results);
  }

  /** Gives it its seats for now. */
  allot(seats: number, options: { readonly target: number; readonly serverLimit: number }): void {
    const now = this.#clock.now();
    const denominator = seats > 0 ? seats : Math.max(1, Math.round(options.serverLimit / 10));
    this.currentLimit = seats;
    this.cell.currentLimit = seats;
    this.cell.target = options.target;
    this.cell.demand.setDenominator(denominator, now);
    this.queues.configure(this.queuing, { seats, denominator });
  }

  #smooth({ average, deviation }: IntegratorResults): void {
    const envelope = average + deviation;
    this.demandSmoothed = Math.max(envelope, smoothing * this.demandSmoothed + (1 - smoothing) * envelope);
    this.cell.demandAverage = average;
    this.cell.demandDeviation = deviation;
    this.cell.demandSmoothed = this.demandSmoothed;
  }
}
