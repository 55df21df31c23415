import type { ServerRequestContext } from '../endpoints/server-request-context.ts';
import type { FlowController, FlowDecision } from './flow-control.ts';

const readOnlyVerbs: ReadonlySet<string> = new Set(['get', 'list', 'watch']);
const unlimited: FlowDecision = { ticket: { release() { /* nothing was taken */ } } };

/** `--max-requests-inflight` and `--max-mutating-requests-inflight`; 0 is no limit. */
export interface MaxInFlightLimits { readonly readOnly: number; readonly mutating: number }

/**
 * The simple flow controller: two counters, no queue (server/filters/maxinflight.go). Long-running requests are not
 * counted, and system:masters always gets in, so that a flooded server can still be repaired.
 */
export class MaxInFlight implements FlowController {
  readonly #readOnly: Counter;
  readonly #mutating: Counter;

  constructor(limits: MaxInFlightLimits) {
    this.#readOnly = new Counter(limits.readOnly);
    this.#mutating = new Counter(limits.mutating);
  }

  /** Requests that run now. */
  get current(): { readonly readOnly: number; readonly mutating: number } {
    return { readOnly: this.#readOnly.count, mutating: this.#mutating.count };
  }

  admit(context: ServerRequestContext): FlowDecision | undefined {
    if (context.longRunning) return unlimited;
    const counter = readOnlyVerbs.has(context.requestInfo.verb) ? this.#readOnly : this.#mutating;
    if (counter.take()) return counter.decision;
    return context.user.groups.includes('system:masters') ? unlimited : undefined;
  }
}

class Counter {
  readonly #limit: number;
  count = 0;
  /** Shared by all requests of the counter: giving it back is one decrement. */
  readonly decision: FlowDecision;

  constructor(limit: number) {
    this.#limit = limit;
    this.decision = { ticket: { release: () => { this.count--; } } };
  }

  take(): boolean {
    if (this.#limit > 0 && this.count >= this.#limit) return false;
    this.count++;
    return true;
  }
}
