import { parseQuery, type Timer, type TimerClock } from '@kubechain/apimachinery';
import { ANONYMOUS_USER } from '../authentication/well-known-users.ts';
import type { ServerRequestContext } from '../request/server-request-context.ts';
import { peerKinds, type PeerCall, type PeerEffect, type PeerKind } from '../peers/peer-call.ts';
import { atTime } from './at-time.ts';
import { ChancyWindows } from './chancy-windows.ts';
import { couldMeet, drawEffect, drawPeerEffect, drawWatchEffect } from './chaos.ts';
import { chaosKinds } from './fault-rule.ts';
import { mayBeOvertaken } from './overtaken-write.ts';
import { mayBeStale } from './stale-read.ts';
import type {
  CertificateFaultRule,
  DrawnEffect,
  DrawnWatchEffect,
  FaultBounds,
  FaultMatch,
  FaultRule,
  PeerFaultRule,
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
  /** The store's revision when it began, of one for whom that matters. */
  readonly since: Promise<number> | undefined;
}

type Active = Bounded & Decided;

/** What of a fault depends on what it is for. */
type Decided =
  | { readonly target: PeerKind; readonly rule: PeerFaultRule; readonly draw: DrawOfPeer }
  | { readonly target: 'certificate'; readonly rule: CertificateFaultRule; readonly windows: ChancyWindows }
  | { readonly target: 'request'; readonly rule: RequestFaultRule; readonly draw: Draw<DrawnEffect> }
  | { readonly target: 'watch'; readonly rule: WatchFaultRule; readonly draw: Draw<DrawnWatchEffect> };

interface Bounded {
  readonly id: string;
  readonly startsAtMs: number;
  readonly endsAtMs: number;
  happened: number;
  since: Promise<number> | undefined;
  /** Of its begin, and of its end where somebody has to be told. */
  readonly timers: Timer[];
}

/** Whether it happens to this request or watch, and what; undefined when not. */
type Draw<Effect> = (context: ServerRequestContext) => Effect | undefined;

/** Whether it happens to this call, and what; undefined when not. */
type DrawOfPeer = (call: PeerCall) => PeerEffect | undefined;

/** What was decided for a watch: by the ids of the faults that fit it, undefined where chance left it alone. */
export type MetByWatch = Map<string, DrawnWatchEffect | undefined>;

/** The faults that are set, in the order of setting: the first that fits a request happens to it. */
export class FaultSet {
  readonly #clock: TimerClock;
  readonly #active: Active[] = [];
  readonly #watchesMeet: () => void;
  readonly #peersMeet: () => void;
  readonly #certificateMeets: () => void;
  readonly #revision: () => Promise<number>;
  #lastID = 0;

  /**
   * `watchesMeet` is called when a fault of watches begins, `peersMeet` and `certificateMeets` when one of theirs does,
   * or ends.
   */
  constructor(
    clock: TimerClock,
    {
      certificateMeets = ignore,
      peersMeet = ignore,
      revision = () => Promise.resolve(0),
      watchesMeet = ignore,
    }: {
      readonly watchesMeet?: () => void;
      readonly peersMeet?: () => void;
      readonly certificateMeets?: () => void;
      /** Of the store, now. */
      readonly revision?: () => Promise<number>;
    } = {},
  ) {
    this.#clock = clock;
    this.#watchesMeet = watchesMeet;
    this.#peersMeet = peersMeet;
    this.#certificateMeets = certificateMeets;
    this.#revision = revision;
  }

  add(rule: FaultRule): ActiveFault {
    const startsAtMs = this.#clock.now() + (rule.afterMs ?? 0);
    const bounded: Bounded = {
      id: String(++this.#lastID),
      startsAtMs,
      endsAtMs: startsAtMs + (rule.durationMs ?? Number.POSITIVE_INFINITY),
      happened: 0,
      since: undefined,
      timers: [],
    };
    const active: Active = { ...bounded, ...decided(rule) };
    this.#active.push(active);
    if (rule.target === 'watch') active.timers.push(atTime(this.#clock, startsAtMs, this.#watchesMeet));
    else if (active.target === 'certificate') this.#followWindows(active);
    else if (isPeerKind(rule.target)) {
      active.timers.push(atTime(this.#clock, startsAtMs, this.#peersMeet));
      if (rule.durationMs !== undefined) active.timers.push(atTime(this.#clock, active.endsAtMs, this.#peersMeet));
    } else if (active.target === 'request' && isOfThePast(active.rule))
      active.timers.push(
        atTime(this.#clock, startsAtMs, () => {
          active.since = this.#revision();
          // Whoever meets it is told.
          active.since.catch(() => undefined);
        }),
      );
    return shown(active);
  }

  /** Resolves when what has begun knows the revision that it began at. @throws EtcdError */
  async begun(): Promise<void> {
    await Promise.all(this.#active.flatMap(({ since }) => (since === undefined ? [] : [since])));
  }

  /** Those that were not removed, used up or over the last time they were looked at included. */
  list(): readonly ActiveFault[] {
    return this.#active.map(shown);
  }

  /** False when there is none of this id. */
  remove(id: string): boolean {
    const at = this.#active.findIndex((active) => active.id === id);
    if (at !== -1) this.#forget(this.#active.splice(at, 1));
    return at !== -1;
  }

  clear(): void {
    this.#forget(this.#active.splice(0));
  }

  #forget(gone: readonly Active[]): void {
    for (const { timers } of gone) for (const timer of timers) timer.cancel();
    if (gone.some(({ target }) => isPeerKind(target))) this.#peersMeet();
    if (gone.some(({ target }) => target === 'certificate')) this.#certificateMeets();
  }

  /** Whether those who connect now see a certificate that has expired. */
  get certificateIsExpired(): boolean {
    const nowMs = this.#clock.now();
    return this.#active.some((active) => active.target === 'certificate' && isExpired(active, nowMs));
  }

  /** Tells when the certificate of a fault expires, and when it is good again. */
  #followWindows(active: Active & { readonly target: 'certificate' }): void {
    let wasExpired = false;
    const look = (): void => {
      const nowMs = this.#clock.now();
      const expired = isExpired(active, nowMs);
      if (expired && !wasExpired) active.happened++;
      if (expired !== wasExpired) this.#certificateMeets();
      wasExpired = expired;
      const changesAtMs = Math.min(
        nowMs < active.startsAtMs
          ? active.startsAtMs
          : active.startsAtMs + active.windows.endOf(nowMs - active.startsAtMs),
        active.endsAtMs,
      );
      if (nowMs < active.endsAtMs && Number.isFinite(changesAtMs))
        active.timers.splice(0, 1, atTime(this.#clock, changesAtMs, look));
    };
    look();
  }

  /** Kinds of calls that could meet a fault now. */
  peerKinds(): ReadonlySet<PeerKind> {
    const nowMs = this.#clock.now();
    const kinds = new Set<PeerKind>();
    for (const active of this.#active) if (isPeerKind(active.target) && isTime(active, nowMs)) kinds.add(active.target);
    return kinds;
  }

  /** What happens to a call of one of the chain's servers; undefined for nothing. Counts it. */
  takePeer(call: PeerCall): PeerEffect | undefined {
    const nowMs = this.#clock.now();
    for (const active of this.#active) {
      if (active.target === 'request' || active.target === 'watch' || active.target === 'certificate') continue;
      if (active.target !== call.peer) continue;
      const { match } = active.rule;
      if (!isTime(active, nowMs) || isUsedUp(active)) continue;
      if (!isOneOf(match.names, call.name) || !isOneOf(match.verbs, call.verb)) continue;
      const effect = active.draw(call);
      if (effect === undefined) continue;
      active.happened++;
      return effect;
    }
    return undefined;
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
      return { id: active.id, effect, since: active.since };
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

function ignore(): void {
  /* nobody has to be told */
}

function isPeerKind(target: FaultRule['target']): target is PeerKind {
  return peerKinds.includes(target as PeerKind);
}

/** Whether what it does depends on when it began. */
function isOfThePast({ effect }: RequestFaultRule): boolean {
  return effect.kind === 'stale' || (effect.kind === 'chaos' && (effect.among ?? chaosKinds).includes('stale'));
}

function decided(rule: FaultRule): Decided {
  switch (rule.target) {
    case undefined:
    case 'request':
      return { target: 'request', rule, draw: drawOf(rule) };
    case 'watch':
      return { target: 'watch', rule, draw: drawOfWatch(rule) };
    case 'certificate':
      return { target: 'certificate', rule, windows: new ChancyWindows(rule) };
    default:
      return { target: rule.target, rule, draw: drawOfPeer(rule) };
  }
}

function shown({ happened, id, rule }: Active): ActiveFault {
  return { id, rule, happened };
}

function isTime({ endsAtMs, startsAtMs }: Active, nowMs: number): boolean {
  return nowMs >= startsAtMs && nowMs < endsAtMs;
}

function isExpired(active: Active & { readonly target: 'certificate' }, nowMs: number): boolean {
  return isTime(active, nowMs) && active.windows.has(nowMs - active.startsAtMs);
}

function isUsedUp({ happened, rule: { count } }: { readonly happened: number; readonly rule: FaultBounds }): boolean {
  return count !== undefined && happened >= count;
}

function drawOf({ effect, probability = 1, seed = 1 }: RequestFaultRule): Draw<DrawnEffect> {
  const draws = new RequestDraws(seed);
  return (context) => {
    if (effect.kind === 'stale' && !mayBeStale(context)) return undefined;
    if (effect.kind === 'conflict' && !mayBeOvertaken(context)) return undefined;
    if (effect.kind !== 'chaos' && probability === 1) return effect;
    const random = draws.next(context);
    if (random() >= probability) return undefined;
    if (effect.kind !== 'chaos') return effect;
    const { verb } = context.requestInfo;
    const could = {
      verb,
      mayBeStale: mayBeStale(context),
      mayBeOvertaken: mayBeOvertaken(context),
      hasCredentials: context.user.name !== ANONYMOUS_USER,
    };
    return drawEffect(random, could, effect.among);
  };
}

function drawOfPeer({ effect, probability = 1, seed = 1 }: PeerFaultRule): DrawOfPeer {
  const draws = new RequestDraws(seed);
  return (call) => {
    if (effect.kind !== 'chaos' && !couldMeet(effect.kind, call)) return undefined;
    if (effect.kind !== 'chaos' && probability === 1) return effect;
    const random = draws.nextOf([call.peer, call.verb, call.name].join('\n'));
    if (random() >= probability) return undefined;
    return effect.kind === 'chaos' ? drawPeerEffect(random, call, effect.among) : effect;
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
  return parseQuery(uri?.slice(uri.indexOf('?') + 1) ?? '').get(name) ?? '';
}

function isOneOf(wanted: readonly string[] | undefined, value: string | (() => string)): boolean {
  if (wanted === undefined) return true;
  const text = typeof value === 'string' ? value : value();
  return wanted.some((one) => (one.endsWith('*') ? text.startsWith(one.slice(0, -1)) : one === text));
}
