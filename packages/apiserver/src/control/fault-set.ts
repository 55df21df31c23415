import type { Clock } from '@kubechain/apimachinery';
import type { ServerRequestContext } from '../request/server-request-context.ts';
import { drawEffect } from './chaos.ts';
import type { DrawnEffect, FaultMatch, FaultRule } from './fault-rule.ts';
import { RequestDraws } from './request-draws.ts';

/** A rule that was set. */
export interface ActiveFault {
  /** Names it until it is removed. */
  readonly id: string;
  readonly rule: FaultRule;
  /** How often it has happened. */
  readonly happened: number;
}

/** A fault that happens to a request. */
export interface TakenFault {
  readonly id: string;
  readonly effect: DrawnEffect;
}

interface Active {
  readonly id: string;
  readonly rule: FaultRule;
  readonly startsAtMs: number;
  readonly endsAtMs: number;
  /** Whether it happens to this request, and what; undefined when not. */
  readonly draw: (context: ServerRequestContext) => DrawnEffect | undefined;
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
    const startsAtMs = this.#clock.now() + (rule.afterMs ?? 0);
    const active: Active = {
      id: String(++this.#lastID),
      rule,
      startsAtMs,
      endsAtMs: startsAtMs + (rule.durationMs ?? Number.POSITIVE_INFINITY),
      draw: drawOf(rule),
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
  take(context: ServerRequestContext): TakenFault | undefined {
    if (this.#active.length === 0) return undefined;
    const nowMs = this.#clock.now();
    for (const active of this.#active) {
      const { count, match } = active.rule;
      if (nowMs < active.startsAtMs || nowMs >= active.endsAtMs || (count !== undefined && active.happened >= count))
        continue;
      if (!fits(match, context)) continue;
      const effect = active.draw(context);
      if (effect === undefined) continue;
      active.happened++;
      return { id: active.id, effect };
    }
    return undefined;
  }
}

function drawOf({ effect, probability = 1, seed = 1 }: FaultRule): Active['draw'] {
  if (effect.kind !== 'chaos' && probability === 1) return () => effect;
  const draws = new RequestDraws(seed);
  return (context) => {
    const random = draws.next(context);
    if (random() >= probability) return undefined;
    return effect.kind === 'chaos' ? drawEffect(random, context.requestInfo.verb, effect.among) : effect;
  };
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
