import type { FlowSchema, PriorityLevelConfiguration } from '@kubechain/apimachinery/types/flowcontrol/v1';
import type { RequestContext } from '../request/request-context.ts';
import type { ServerRequestContext } from '../request/server-request-context.ts';
import type { FlowController, FlowDecision } from '../filters/flow-control.ts';
import { adjustLimits } from './adjust-limits.ts';
import {
  defaultFlowSchemas,
  defaultPriorityLevels,
  mandatoryNames,
  type DefaultConfiguration,
} from './bootstrap-configuration.ts';
import { CompiledFlowSchema } from './compiled-flow-schema.ts';
import { DroppedRequests } from './dropped-requests.ts';
import type { TimerClock } from '@kubechain/apimachinery';
import type { FlowMetrics } from './flow-metrics.ts';
import { FlowRequest, type FlowRequestOwner } from './flow-request.ts';
import { PriorityLevel } from './priority-level.ts';
import { queuingOf, type Queuing } from './queuing.ts';
import type { QueueObserver } from './queue-set.ts';
import { WatchTracker } from './watch-tracker.ts';
import { estimateWork, type WorkEstimatorSources } from './work-estimator.ts';

type LevelSchema = CompiledFlowSchema<PriorityLevel>;
type LevelRequest = FlowRequest<LevelSchema>;

const maxWaitMs = 60_000;
const readOnlyVerbs: ReadonlySet<string> = new Set(['get', 'list', 'watch']);

export interface FlowControlOptions {
  readonly clock: TimerClock;
  readonly metrics: FlowMetrics;
  /** Seats of the whole server: --max-requests-inflight and --max-mutating-requests-inflight together; above 0. */
  readonly serverLimit: number;
  /** How long a request without a deadline (a watch) may wait, ms; others may a quarter of their time. */
  readonly defaultWaitMs: number;
  readonly stats: WorkEstimatorSources['stats'];
  /** A level that is not configured any more has gone idle: the configuration is to be given again. */
  readonly onIdle?: () => void;
}

/**
 * API priority and fairness (util/flowcontrol and server/filters/priority-and-fairness.go, 1.36): each request is of
 * the first FlowSchema that matches it, which names its PriorityLevel; there it gets a seat, waits for one in a queue,
 * or is refused.
 *
 *     request ─matches─▶ CompiledFlowSchema ─level─▶ PriorityLevel: QueueSet ─▶ executing ─▶ ticket given back
 *
 * Until `configure` is called with what is stored, the mandatory objects alone are in force.
 */
export class FlowControl implements FlowController, FlowRequestOwner<LevelSchema>, QueueObserver {
  readonly #options: FlowControlOptions;
  readonly #sources: WorkEstimatorSources;
  readonly #watches = new WatchTracker();
  readonly #dropped = new Map<string, DroppedRequests>();
  #schemas: readonly LevelSchema[] = [];
  #levels = new Map<string, PriorityLevel>();
  #nominalSum = 0;

  constructor(options: FlowControlOptions) {
    this.#options = options;
    this.#sources = { stats: options.stats, watches: this.#watches };
    this.configure({ levels: [], schemas: [] });
  }

  /** The levels in use, by name. */
  get levels(): ReadonlyMap<string, PriorityLevel> {
    return this.#levels;
  }
  get schemas(): readonly LevelSchema[] {
    return this.#schemas;
  }

  /**
   * Takes the stored configuration, whole. Requests under way stay in their queues; a level that is gone stays until
   * they have ended.
   */
  configure({
    levels,
    schemas,
  }: {
    readonly levels: Iterable<PriorityLevelConfiguration>;
    readonly schemas: Iterable<FlowSchema>;
  }): void {
    const { clock, metrics, serverLimit } = this.#options;
    const next = new Map<string, PriorityLevel>();
    for (const configuration of levels) {
      const queuing = queuingOf(configuration);
      if (queuing !== undefined) next.set(configuration.metadata?.name ?? '', this.#level(configuration, queuing));
    }
    for (const [name, level] of mandatoryDefaults(defaultPriorityLevels)) {
      const queuing = queuingOf(level);
      if (!next.has(name) && queuing !== undefined)
        next.set(name, this.#levels.get(name) ?? this.#level(level, queuing));
    }
    const configured: ReadonlySet<string> = new Set(next.keys());
    for (const [name, level] of this.#levels) {
      if (next.has(name)) continue;
      if (level.queues.idle) {
        metrics.levels.delete(name);
        this.#dropped.delete(name);
      } else {
        level.quiescing = true;
        next.set(name, level);
      }
    }
    this.#schemas = this.#compile(schemas, next, configured);
    this.#levels = next;
    const shareSum = [...next.values()].reduce((sum, level) => sum + level.nominalShares, 0);
    for (const level of next.values()) level.setLimits({ serverLimit, shareSum });
    this.#nominalSum = [...next.values()].reduce((sum, level) => sum + level.nominalLimit, 0);
    const waitingPlaces = [...next.values()].reduce(
      (sum, { queuing }) => sum + (queuing.kind === 'queue' ? queuing.queues * queuing.queueLengthLimit : 0),
      0,
    );
    const now = clock.now();
    for (const cell of [metrics.readOnlyWaiting, metrics.mutatingWaiting])
      cell.concurrency.setDenominator(Math.max(1, waitingPlaces), now);
    for (const cell of [metrics.readOnlyExecuting, metrics.mutatingExecuting])
      cell.concurrency.setDenominator(Math.max(1, this.#nominalSum), now);
    this.adjustLimits();
  }

  /** Lets levels lend and borrow by what they asked for since the last call; called every 10 s. */
  adjustLimits(): void {
    this.#options.metrics.fairFraction = adjustLimits(this.#levels.values(), {
      serverLimit: this.#options.serverLimit,
      nominalSum: this.#nominalSum,
    });
  }

  admit(context: ServerRequestContext): FlowDecision | Promise<FlowDecision> {
    const { requestInfo } = context;
    // Streams other than watches take no seat: they last for hours and work little.
    if (context.longRunning && requestInfo.verb !== 'watch') return unlimited;
    const schema = this.#classify(context);
    const distinguisher = schema.distinguisherOf(context);
    const estimate = estimateWork(context, schema, this.#sources);
    const request = new FlowRequest(this, context, {
      schema,
      distinguisher,
      estimate,
      mutating: !readOnlyVerbs.has(requestInfo.verb),
    });
    const { cell, level } = schema;
    cell.estimatedSeats.observe(request.seats);
    const result = level.queues.start(request, schema.handOf(distinguisher));
    switch (result) {
      case 'executing':
        if (!level.exempt) cell.waitsOfExecuted.observe(0);
        this.#started(request, request.startMs);
        return request;
      case 'waiting':
        return this.#wait(request);
      default:
        cell.reject(result);
        this.#reap(level);
        return this.#refuse(request);
    }
  }

  waiting(request: LevelRequest, delta: 1 | -1, nowMs: number): void {
    const { mutatingWaiting, readOnlyWaiting } = this.#options.metrics;
    (request.mutating ? mutatingWaiting : readOnlyWaiting).add(delta, nowMs);
  }

  finish(request: LevelRequest): void {
    const { level, cell } = request.schema;
    const { metrics } = this.#options;
    const now = level.queues.finish(request);
    (request.isWatch ? cell.watchInitializations : cell.executions).observe((now - request.startMs) / 1_000);
    (request.mutating ? metrics.mutatingExecuting : metrics.readOnlyExecuting).add(-1, now);
    this.#reap(level);
  }

  cancel(request: LevelRequest): void {
    request.schema.level.queues.cancel(request);
    request.schema.cell.reject('time-out');
    request.onDecision?.(false);
    this.#reap(request.schema.level);
  }

  closed(request: LevelRequest): void {
    request.forgetWatch?.();
    request.forgetWatch = undefined;
  }

  #level(configuration: PriorityLevelConfiguration, queuing: Queuing): PriorityLevel {
    const { clock, metrics } = this.#options;
    const name = configuration.metadata?.name ?? '';
    const known = this.#levels.get(name);
    if (known === undefined)
      return new PriorityLevel(configuration, queuing, {
        clock,
        cell: metrics.level(name, clock.now()),
        observer: this,
      });
    known.update(configuration, queuing);
    return known;
  }

  #compile(
    stored: Iterable<FlowSchema>,
    levels: ReadonlyMap<string, PriorityLevel>,
    configured: ReadonlySet<string>,
  ): LevelSchema[] {
    const compiled: LevelSchema[] = [];
    const add = (schema: FlowSchema): void => {
      const levelName = schema.spec?.priorityLevelConfiguration?.name ?? '';
      const level = levels.get(levelName);
      // A schema whose level is not there is not in force.
      if (level !== undefined && configured.has(levelName))
        compiled.push(
          new CompiledFlowSchema(schema, level, this.#options.metrics.flow(schema.metadata?.name ?? '', levelName)),
        );
    };
    for (const schema of stored) add(schema);
    for (const [name, schema] of mandatoryDefaults(defaultFlowSchemas))
      if (!compiled.some((known) => known.name === name)) add(schema);
    return compiled.sort((a, b) => a.precedence - b.precedence || (a.name < b.name ? -1 : 1));
  }

  #classify(context: RequestContext): LevelSchema {
    const { requestInfo, user } = context;
    for (const schema of this.#schemas) if (schema.matches(requestInfo, user)) return schema;
    // Users are in system:authenticated or system:unauthenticated, so that this is for those made by an embedding
    // program.
    return this.#schemas.find(({ name }) => name === 'catch-all') as LevelSchema;
  }

  #wait(request: LevelRequest): Promise<FlowDecision> {
    const { context, schema } = request;
    const { clock } = this.#options;
    // Whoever ends the response now takes the request out of its queue.
    context.hold(request);
    return new Promise((resolve) => {
      const timer = clock.setTimer(
        () => {
          this.cancel(request);
        },
        Math.max(0, context.receivedAtMs + this.#waitLimitMs(context) - clock.now()),
      );
      request.onDecision = (execute) => {
        timer.cancel();
        request.onDecision = undefined;
        const waitedMs = clock.now() - request.arrivalMs;
        context.queuedMs = waitedMs;
        (execute ? schema.cell.waitsOfExecuted : schema.cell.waitsOfRefused).observe(waitedMs / 1_000);
        if (execute) this.#started(request, clock.now());
        resolve(execute ? request : this.#refuse(request));
      };
    });
  }

  #waitLimitMs({ deadlineMs, receivedAtMs }: ServerRequestContext): number {
    return Math.min(maxWaitMs, deadlineMs === Infinity ? this.#options.defaultWaitMs : (deadlineMs - receivedAtMs) / 4);
  }

  #started(request: LevelRequest, nowMs: number): void {
    const { metrics } = this.#options;
    (request.mutating ? metrics.mutatingExecuting : metrics.readOnlyExecuting).add(1, nowMs);
    if (request.isWatch) request.forgetWatch = this.#watches.register(request.context);
  }

  #refuse({ schema }: LevelRequest): FlowDecision {
    const { name } = schema.level;
    let dropped = this.#dropped.get(name);
    if (dropped === undefined) this.#dropped.set(name, (dropped = new DroppedRequests()));
    dropped.record(Math.floor(this.#options.clock.now() / 1_000));
    return { kind: 'refuse', retryAfterSeconds: dropped.retryAfterSeconds, classification: schema };
  }

  #reap({ quiescing, queues }: PriorityLevel): void {
    if (quiescing && queues.idle) this.#options.onIdle?.();
  }
}

const unlimited: FlowDecision = {
  kind: 'run',
  ticket: {
    release() {
      /* nothing was taken */
    },
  },
};

function mandatoryDefaults(
  defaults: readonly DefaultConfiguration[],
): (readonly [string, FlowSchema & PriorityLevelConfiguration])[] {
  return defaults
    .filter(([name]) => mandatoryNames.has(name))
    .map(([name, spec]) => [name, { metadata: { name }, spec } as unknown as FlowSchema & PriorityLevelConfiguration]);
}
