import type { Clock } from '@kubechain/apimachinery';
import type { ServerRequestContext } from '../request/server-request-context.ts';
import type { FaultMatch, FaultRule } from './fault-rule.ts';

/** A rule that was set. */
export interface ActiveFault {
  /** Names it until it is removed. */
  readonly id: string;
  readonly rule: FaultRule;
  /** How often it has happened. */
  readonly happened: number;
}

interface Active {
  readonly id: string;
  readonly rule: FaultRule;
  readonly endsAtMs: number;
  readonly random: () => number;
  happened: number;
}

/** The faults that are set, in the order of setting: the first that fits a request happens to it. */
export class FaultSet {
  readonly #clock: Clock;
  readonly #active: Active[] = [];
  #lastID = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  add(rule: FaultRule): ActiveFault {
    const active: Active = {
      id: String(++this.#lastID),
      rule,
      endsAtMs: rule.durationMs === undefined ? Number.POSITIVE_INFINITY : this.#clock.now() + rule.durationMs,
      random: seeded(rule.seed ?? 1),
      happened: 0,
    };
    this.#active.push(active);
    return active;
  }

  /** Those that were not removed, used up or over the last time they were looked at included. */
  list(): readonly ActiveFault[] {
    return this.#active.map(({ happened, id, rule }) => ({ id, rule, happened }));
  }

  /** False when there is none of this id. */
  remove(id: string): boolean {
    const at = this.#active.findIndex((active) => active.id === id);
    if (at !== -1) this.#active.splice(at, 1);
    return at !== -1;
  }

  clear(): void {
    this.#active.length = 0;
  }

  /** What happens to a request; undefined for nothing. Counts it. */
  take(context: ServerRequestContext): ActiveFault | undefined {
    if (this.#active.length === 0) return undefined;
    const nowMs = this.#clock.now();
    for (const active of this.#active) {
      const { count, match, probability } = active.rule;
      if (nowMs >= active.endsAtMs || (count !== undefined && active.happened >= count)) continue;
      if (!fits(match, context)) continue;
      if (probability !== undefined && active.random() >= probability) continue;
      active.happened++;
      return active;
    }
    return undefined;
  }
}

function fits(match: FaultMatch, { request, requestInfo, user }: ServerRequestContext): boolean {
  const { apiGroup, isResourceRequest, name, namespace, resource, subresource, verb } = requestInfo;
  if (!isResourceRequest) return false;
  return (
    isOneOf(match.verbs, verb) &&
    isOneOf(match.groups, apiGroup) &&
    (match.resources === undefined || match.resources.some((wanted) => isResource(wanted, resource, subresource))) &&
    isOneOf(match.names, name) &&
    isOneOf(match.namespaces, namespace) &&
    isOneOf(match.users, user.name) &&
    isOneOf(match.userAgents, request.headers['user-agent'] ?? '')
  );
}

function isResource(wanted: string, resource: string, subresource: string): boolean {
  if (wanted === '*') return true;
  const [name, sub = ''] = wanted.split('/', 2);
  return (name === '*' || name === resource) && (sub === subresource || (sub === '*' && subresource !== ''));
}

function isOneOf(wanted: readonly string[] | undefined, value: string): boolean {
  return (
    wanted === undefined ||
    wanted.some((one) => (one.endsWith('*') ? value.startsWith(one.slice(0, -1)) : one === value))
  );
}

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
