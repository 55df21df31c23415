import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FlowSchema, PriorityLevelConfiguration } from '@kubechain/apimachinery/types/flowcontrol/v1';
import { parseRequestInfo, parseRequestTarget } from '../../request/request-info.ts';
import { ServerRequestContext } from '../../request/server-request-context.ts';
import type { FlowDecision } from '../../filters/flow-control.ts';
import { isLongRunning } from '../../filters/long-running.ts';
import { FlowControl } from '../flow-control.ts';
import { FlowMetrics } from '../flow-metrics.ts';
import type { ResourceStats } from '../object-stats.ts';
import { FakeClock } from '@kubechain/apimachinery/testing';

/** A request as the filters before flow control leave it. */
export interface RequestOptions {
  readonly method?: string;
  /** Default alice. */
  readonly user?: string;
  /** Default system:authenticated. */
  readonly groups?: readonly string[];
  readonly receivedAtMs?: number;
  /** How long it may take, ms; default 60,000. */
  readonly deadlineMs?: number;
}

/** The context of a request that nobody sends. */
export function contextOf(target: string, options: RequestOptions = {}): ServerRequestContext {
  const { receivedAtMs = 0, deadlineMs = 60_000 } = options;
  const context = new ServerRequestContext({ url: target } as IncomingMessage, {} as ServerResponse, {
    auditID: '',
    receivedAtMs,
    startedAt: 0,
  });
  const { path, search } = parseRequestTarget(target);
  context.search = search;
  context.requestInfo = parseRequestInfo(options.method ?? 'GET', path, () => context.query);
  context.longRunning = isLongRunning(context.requestInfo);
  context.user = { name: options.user ?? 'alice', groups: options.groups ?? ['system:authenticated'] };
  if (!context.longRunning) context.deadlineMs = receivedAtMs + deadlineMs;
  return context;
}

/** A level that queues. */
export function queueLevel(
  name: string,
  limited: {
    readonly shares?: number;
    readonly queues?: number;
    readonly handSize?: number;
    readonly queueLengthLimit?: number;
    readonly lendablePercent?: number;
    readonly borrowingLimitPercent?: number;
  } = {},
): PriorityLevelConfiguration {
  const {
    shares = 100,
    queues = 8,
    handSize = 2,
    queueLengthLimit = 50,
    lendablePercent = 0,
    borrowingLimitPercent,
  } = limited;
  return {
    metadata: { name, uid: `level-${name}` },
    spec: {
      type: 'Limited',
      limited: {
        nominalConcurrencyShares: shares,
        lendablePercent,
        ...(borrowingLimitPercent === undefined ? {} : { borrowingLimitPercent }),
        limitResponse: { type: 'Queue', queuing: { queues, handSize, queueLengthLimit } },
      },
    },
  };
}

/** A level that refuses what is too much. */
export function rejectLevel(name: string, shares = 100): PriorityLevelConfiguration {
  return {
    metadata: { name, uid: `level-${name}` },
    spec: {
      type: 'Limited',
      limited: { nominalConcurrencyShares: shares, lendablePercent: 0, limitResponse: { type: 'Reject' } },
    },
  };
}

/** A schema of all requests of some users; without any, of everybody. */
export function schemaOf(
  name: string,
  level: string,
  options: {
    readonly precedence?: number;
    readonly users?: readonly string[];
    readonly by?: 'ByUser' | 'ByNamespace';
  } = {},
): FlowSchema {
  const { precedence = 100, users = ['*'], by = 'ByUser' } = options;
  return {
    metadata: { name, uid: `schema-${name}` },
    spec: {
      priorityLevelConfiguration: { name: level },
      matchingPrecedence: precedence,
      distinguisherMethod: { type: by },
      rules: [
        {
          subjects: users.map((user) => ({ kind: 'User', user: { name: user } })) as unknown as [],
          resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'], clusterScope: true, namespaces: ['*'] }],
          nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
        },
      ],
    },
  };
}

/** Flow control on a clock of its own, and requests that are sent through it. */
export class FlowBench {
  readonly clock = new FakeClock(1_000_000);
  readonly metrics = new FlowMetrics(this.clock.now());
  /** What is stored, by `resource.group`. */
  readonly stats = new Map<string, ResourceStats>();
  readonly flowControl: FlowControl;
  idleCalls = 0;

  constructor(configuration: {
    readonly serverLimit: number;
    readonly levels?: readonly PriorityLevelConfiguration[];
    readonly schemas?: readonly FlowSchema[];
  }) {
    this.flowControl = new FlowControl({
      clock: this.clock,
      metrics: this.metrics,
      serverLimit: configuration.serverLimit,
      defaultWaitMs: 15_000,
      onIdle: () => {
        this.idleCalls++;
      },
      stats: { of: (group, resource) => this.stats.get(group === '' ? resource : `${resource}.${group}`) },
    });
    if (configuration.levels !== undefined)
      this.flowControl.configure({ levels: configuration.levels, schemas: configuration.schemas ?? [] });
  }

  /** Sends a request now. */
  send(target = '/api/v1/namespaces/default/pods/a', options: RequestOptions = {}): SentRequest {
    return new SentRequest(this.flowControl, contextOf(target, { receivedAtMs: this.clock.now(), ...options }));
  }

  /** A client that has `width` requests out at a time, each of `serviceMs`; returns what it has got through by now. */
  client(
    user: string,
    width: number,
    serviceMs: number,
  ): { readonly served: () => number; readonly refused: () => number } {
    let served = 0;
    let refused = 0;
    const next = (): void => {
      const sent = this.send('/api/v1/namespaces/default/pods/a', { user });
      void sent.decided.then((decision) => {
        if (decision.kind === 'refuse') {
          refused++;
          this.clock.setTimer(next, 1_000);
          return;
        }
        this.clock.setTimer(() => {
          served++;
          sent.end();
          next();
        }, serviceMs);
      });
    };
    for (let i = 0; i < width; i++) next();
    return { served: () => served, refused: () => refused };
  }
}

/** A request in flow control. */
export class SentRequest {
  readonly context: ServerRequestContext;
  readonly decided: Promise<FlowDecision>;
  decision: FlowDecision | undefined = undefined;

  constructor(flowControl: FlowControl, context: ServerRequestContext) {
    this.context = context;
    const decision = flowControl.admit(context);
    if (!(decision instanceof Promise)) this.#take(decision);
    this.decided = Promise.resolve(decision).then((decided) => {
      this.#take(decided);
      return decided;
    });
  }

  /** `waiting` until it is decided. */
  get state(): 'run' | 'refuse' | 'waiting' {
    return this.decision?.kind ?? 'waiting';
  }

  /** Its response closes. */
  end(): void {
    this.context.end();
  }

  #take(decision: FlowDecision): void {
    this.decision = decision;
    if (decision.kind === 'run') this.context.hold(decision.ticket);
  }
}
