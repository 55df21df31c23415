import type { ServerRequestContext } from '../request/server-request-context.ts';
import type { FlowController, FlowDecision } from './flow-control.ts';

const readOnlyVerbs: ReadonlySet<string> = new Set(['get', 'list', 'watch']);
const unlimited: FlowDecision = {
  kind: 'run',
  ticket: {
    release() {
      /* nothing was taken */
    },
  },
};
const refused: FlowDecision = { kind: 'refuse', retryAfterSeconds: 1 };

/** `--max-requests-inflight` and `--max-mutating-requests-inflight`; 0 is no limit. */
export interface MaxInFlightLimits {
  readonly readOnly: number;
  readonly mutating: number;
}

/** Told of changes of the two counts. */
export type InFlightObserver = (kind: keyof MaxInFlightLimits, delta: 1 | -1) => void;

/**
 * The simple flow controller: two counters, no queue (server/filters/maxinflight.go, 1.36). Long-running requests are
 * not counted, and system:masters always gets in, so that a flooded server can still be repaired.
 */
export class MaxInFlight implements FlowController {
  readonly #readOnly: Counter;
  readonly #mutating: Counter;

  constructor(limits: MaxInFlightLimits, observer: InFlightObserver = () => undefined) {
    this.#readOnly = new Counter(limits.readOnly, (delta) => {
      observer('readOnly', delta);
    });
    this.#mutating = new Counter(limits.mutating, (delta) => {
      observer('mutating', delta);
    });
  }

  /** Requests that run now. */
  get current(): { readonly readOnly: number; readonly mutating: number } {
    return { readOnly: this.#readOnly.count, mutating: this.#mutating.count };
  }

  admit(context: ServerRequestContext): FlowDecision {
    if (context.longRunning) return unlimited;
    const counter = readOnlyVerbs.has(context.requestInfo.verb) ? this.#readOnly : this.#mutating;
    if (counter.take()) return counter.decision;
    return context.user.groups.includes('system:masters') ? unlimited : refused;
  }
}

class Counter {
  readonly #limit: number;
  readonly #changed: (delta: 1 | -1) => void;
  count = 0;
  /** Shared by all requests of the counter: giving it back is one decrement. */
  readonly decision: FlowDecision;

  constructor(limit: number, changed: (delta: 1 | -1) => void) {
    this.#limit = limit;
    this.#changed = changed;
    this.decision = {
      kind: 'run',
      ticket: {
        release: () => {
          this.#add(-1);
        },
      },
    };
  }

  take(): boolean {
    if (this.#limit > 0 && this.count >= this.#limit) return false;
    this.#add(1);
    return true;
  }

  #add(delta: 1 | -1): void {
    this.count += delta;
    this.#changed(delta);
  }
}
