import type { Timer, TimerClock } from '@kubechain/apimachinery';
import type { ServerRequestContext } from '../request/server-request-context.ts';
import { atTime } from './at-time.ts';
import { drawEffect, drawWatchEffect } from './chaos.ts';
import type {
  DrawnEffect,
  DrawnWatchEffect,
  FaultMatch,
  FaultRule,
  RequestFaultRule,
  WatchFaultRule,
} from './fault-rule.ts';
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

type Active = Bounded &
  (
    | { readonly target: 'request'; readonly draw: Draw<DrawnEffect> }
    | { readonly target: 'watch'; readonly draw: Draw<DrawnWatchEffect> }
  );

interface Bounded {
  readonly id: string;
  readonly rule: FaultRule;
  readonly startsAtMs: number;
  readonly endsAtMs: number;
  happened: number;
  /** Of its begin. */
  timer: Timer | undefined;
}

/** Whether it happens to this request or watch, and what; undefined when not. */
type Draw<Effect> = (context: ServerRequestContext) => Effect | undefined;

/** What was decided for a watch: by the ids of the faults that fit it, undefined where chance left it alone. */
export type MetByWatch = Map<string, DrawnWatchEffect | undefined>;

/** The faults that are set, in the order of setting: the first that fits a request happens to it. */
export class FaultSet {
  readonly #clock: TimerClock;
  readonly #active: Active[] = [];
  readonly #watchesMeet: () => void;
  #lastID = 0;

  /** `watchesMeet` is called when a fault of watches begins. */
  constructor(clock: TimerClock, watchesMeet: () => void = () => undefined) {
    this.#clock = clock;
    this.#watchesMeet = watchesMeet;
  }

  add(rule: FaultRule): ActiveFault {
    const startsAtMs = this.#clock.now() + (rule.afterMs ?? 0);
    const active: Active = {
      id: String(++this.#lastID),
      rule,
      startsAtMs,
      endsAtMs: startsAtMs + (rule.durationMs ?? Number.POSITIVE_INFINITY),
      happened: 0,
      timer: undefined,
      ...(rule.target === 'watch'
        ? { target: 'watch', draw: drawOfWatch(rule) }
        : { target: 'request', draw: drawOf(rule) }),
    };
    this.#active.push(active);
    if (rule.target === 'watch') active.timer = atTime(this.#clock, startsAtMs, this.#watchesMeet);
    return shown(active);
  }

  /** Those that were not removed, used up or over the last time they were looked at included. */
  list(): readonly ActiveFault[] {
    return this.#active.map(shown);
  }

  /** False when there is none of this id. */
  remove(id: string): boolean {
    const at = this.#active.findIndex((active) => active.id === id);
    for (const { timer } of at === -1 ? [] : this.#active.splice(at, 1)) timer?.cancel();
    return at !== -1;
  }

  clear(): void {
    for (const { timer } of this.#active.splice(0)) timer?.cancel();
  }

  /** What happens to a request; undefined for nothing. Counts it. */
  take(context: ServerRequestContext): TakenFault | undefined {
    if (this.#active.length === 0) return undefined;
    const nowMs = this.#clock.now();
    for (const active of this.#active) {
      if (active.target !== 'request' || !isTime(active, nowMs) || isUsedUp(active)) continue;
      if (!fits(active.rule.match, context)) continue;
      const effect = active.draw(context);
      if (effect === undefined) continue;
      active.happened++;
      return { id: active.id, effect };
    }
    return undefined;
  }

  /** What happens to a watch now, of all faults that fit. What is decided is kept in `met`, and counted once. */
  ofWatch(context: ServerRequestContext, met: MetByWatch): readonly DrawnWatchEffect[] {
    if (this.#active.length === 0) return none;
    const nowMs = this.#clock.now();
    const effects: DrawnWatchEffect[] = [];
    for (const active of this.#active) {
      if (active.target !== 'watch' || !isTime(active, nowMs)) continue;
      if (!met.has(active.id)) {
        if (isUsedUp(active) || !fits(active.rule.match, context)) continue;
        const drawn = active.draw(context);
        if (drawn !== undefined) active.happened++;
        met.set(active.id, drawn);
      }
      const effect = met.get(active.id);
      if (effect !== undefined) effects.push(effect);
    }
    return effects;
  }
}

const none: readonly DrawnWatchEffect[] = [];

function shown({ happened, id, rule }: Active): ActiveFault {
  return { id, rule, happened };
}

function isTime({ endsAtMs, startsAtMs }: Active, nowMs: number): boolean {
  return nowMs >= startsAtMs && nowMs < endsAtMs;
}

function isUsedUp({ happened, rule: { count } }: Active): boolean {
  return count !== undefined && happened >= count;
}

function drawOf({ effect, probability = 1, seed = 1 }: RequestFaultRule): Draw<DrawnEffect> {
  if (effect.kind !== 'chaos' && probability === 1) return () => effect;
  const draws = new RequestDraws(seed);
  return (context) => {
    const random = draws.next(context);
    if (random() >= probability) return undefined;
    return effect.kind === 'chaos' ? drawEffect(random, context.requestInfo.verb, effect.among) : effect;
  };
}

function drawOfWatch({ effect, probability = 1, seed = 1 }: WatchFaultRule): Draw<DrawnWatchEffect> {
  const draws = new RequestDraws(seed);
  return (context) => {
    const random = draws.next(context);
    if (random() >= probability) return undefined;
    return effect.kind === 'chaos' ? drawWatchEffect(random, effect.among) : effect;
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
    isOneOf(match.userAgents, request.headers['user-agent'] ?? '') &&
    isOneOf(match.labelSelectors, () => parameter(request.url, 'labelSelector')) &&
    isOneOf(match.fieldSelectors, () => parameter(request.url, 'fieldSelector'))
  );
}

function isResource(wanted: string, resource: string, subresource: string): boolean {
  if (wanted === '*') return true;
  const [name, sub = ''] = wanted.split('/', 2);
  return (name === '*' || name === resource) && (sub === subresource || (sub === '*' && subresource !== ''));
}

function parameter(uri: string | undefined, name: string): string {
  return new URLSearchParams(uri?.slice(uri.indexOf('?') + 1)).get(name) ?? '';
}

function isOneOf(wanted: readonly string[] | undefined, value: string | (() => string)): boolean {
  if (wanted === undefined) return true;
  const text = typeof value === 'string' ? value : value();
  return wanted.some((one) => (one.endsWith('*') ? text.startsWith(one.slice(0, -1)) : one === text));
}
