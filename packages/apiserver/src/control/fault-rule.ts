import { peerEffects, peerKinds, type PeerCall, type PeerEffect, type PeerKind } from '../peers/peer-call.ts';

/**
 * Which requests a fault is for. Each list holds values of which one must fit; what is absent fits all. `*` stands for
 * anything at the end of a name, user or user agent.
 */
export interface FaultMatch {
  /** get, list, watch, create, update, patch, delete, deletecollection. */
  readonly verbs?: readonly string[];
  /** `''` is the core group. */
  readonly groups?: readonly string[];
  /** `pods`; with a subresource `pods/status`; `pods/*` for all of them. Without one, the resource itself. */
  readonly resources?: readonly string[];
  readonly names?: readonly string[];
  readonly namespaces?: readonly string[];
  readonly users?: readonly string[];
  readonly userAgents?: readonly string[];
  /** As the request has them: `app=web`. */
  readonly labelSelectors?: readonly string[];
  readonly fieldSelectors?: readonly string[];
}

/** What happens to a request. */
export type FaultEffect =
  /** It is refused with a Status of the reference's for the code, and not carried out. */
  | {
      readonly kind: 'status';
      readonly code: FaultCode;
      readonly message?: string;
      readonly retryAfterSeconds?: number;
    }
  /** It waits before it is carried out, ms. */
  | { readonly kind: 'delay'; readonly milliseconds: number }
  /** Its connection breaks: before it is carried out, within the answer, or after it was carried out and unanswered. */
  | { readonly kind: 'cut'; readonly when: FaultMoment }
  /** It is answered with 504: before it is carried out, or after. */
  | { readonly kind: 'timeout'; readonly when: 'before' | 'after' }
  /**
   * A get or list with `resourceVersion=0` is answered with what was there when the fault began, as by a replica that
   * lags; other requests do not meet it.
   */
  | { readonly kind: 'stale' }
  /**
   * Another writer is faster: before an update, patch or deletion is carried out, its object is written anew as it is.
   * From an older resourceVersion it meets the server's own 409; other requests do not meet this.
   */
  | { readonly kind: 'conflict' }
  /** One of the others, drawn for each request by the rule's seed; `among` leaves kinds out. */
  | { readonly kind: 'chaos'; readonly among?: readonly ChaosKind[] };

/** What happens to a request: an effect that was decided. */
export type DrawnEffect = Exclude<FaultEffect, { readonly kind: 'chaos' }>;

/** Kinds of effects that chaos draws from. */
export const chaosKinds = ['status', 'delay', 'cut', 'timeout', 'stale', 'conflict'] as const;
/** One of {@link chaosKinds}. */
export type ChaosKind = (typeof chaosKinds)[number];

/** When a connection breaks. */
export type FaultMoment = 'before' | 'within' | 'after';

/** Codes that have a Status of the reference's. */
export type FaultCode = 401 | 409 | 410 | 429 | 500 | 503 | 504;

export const faultCodes: readonly FaultCode[] = [401, 409, 410, 429, 500, 503, 504];

/** What happens to a watch: to those that are open when the fault begins, and to those that are opened later. */
export type WatchEffect =
  /** Its connection breaks: at once, or where it was opened later, in place of its first event. */
  | { readonly kind: 'cut' }
  /** It ends with 410 as if its resourceVersion had been compacted, at the same times. */
  | { readonly kind: 'expired' }
  /** Its events come so much later, ms, in their order. */
  | { readonly kind: 'delay'; readonly milliseconds: number }
  /** It gets no bookmarks but the one that ends its initial events. */
  | { readonly kind: 'withoutBookmarks' }
  /** One of the others, drawn for each watch. */
  | { readonly kind: 'chaos'; readonly among?: readonly WatchChaosKind[] };

/** What happens to a watch: an effect that was decided. */
export type DrawnWatchEffect = Exclude<WatchEffect, { readonly kind: 'chaos' }>;

/** Kinds of effects that chaos draws from for watches. */
export const watchChaosKinds = ['cut', 'expired', 'delay', 'withoutBookmarks'] as const;
export type WatchChaosKind = (typeof watchChaosKinds)[number];

/** A fault that is to happen. */
export type FaultRule = RequestFaultRule | WatchFaultRule | PeerFaultRule | CertificateFaultRule;

/** A fault of requests. */
export interface RequestFaultRule extends FaultBounds {
  readonly target?: 'request';
  readonly match: FaultMatch;
  readonly effect: FaultEffect;
}

/** A fault of watches: of what they are sent, where a fault of requests is about their beginning. */
export interface WatchFaultRule extends FaultBounds {
  readonly target: 'watch';
  readonly match: FaultMatch;
  readonly effect: WatchEffect;
}

/** A fault of what the servers of the chain call themselves, for whatever request. */
export interface PeerFaultRule extends FaultBounds {
  readonly target: PeerKind;
  readonly match: PeerMatch;
  readonly effect: PeerEffect | PeerChaos;
}

/** One of the effects that such a call could meet on a cluster, drawn for each by the rule's seed. */
export interface PeerChaos {
  readonly kind: 'chaos';
  readonly among?: readonly PeerEffect['kind'][];
}

/** A fault of the secure port: whoever connects is shown a certificate that has expired. */
export interface CertificateFaultRule extends Omit<FaultBounds, 'count'> {
  readonly target: 'certificate';
  /** `chaos`: the same; where the certificate cannot expire it is no mistake, and does not happen. */
  readonly effect: { readonly kind: 'expired' | 'chaos' };
}

/** Which calls a fault is for: a value of each list must fit, what is absent fits all. */
export interface PeerMatch {
  /** As `PeerCall` has them; `*` at the end stands for anything. */
  readonly names?: readonly string[];
  /** read, write, watch: of a store. */
  readonly verbs?: readonly PeerCall['verb'][];
}

/** How often a fault happens, and when. */
export interface FaultBounds {
  /** So many times; of watches: to so many of them; of calls: to so many of them. Absent: always. */
  readonly count?: number;
  /** Of requests or watches that fit, of the certificate's windows of time, 0 to 1; absent: all. */
  readonly probability?: number;
  /** Of the choice by `probability`: the same seed, the same choices. Default 1. */
  readonly seed?: number;
  /** It begins so long after it was set, ms; absent: at once. */
  readonly afterMs?: number;
  /** So long after it began, ms; absent: until it is removed. */
  readonly durationMs?: number;
}

/** What is wrong with a rule. */
export class FaultRuleError extends Error {
  override readonly name = 'FaultRuleError';
}

/** Members of a match, each a list of texts. */
export const matchLists = [
  'verbs',
  'groups',
  'resources',
  'names',
  'namespaces',
  'users',
  'userAgents',
  'labelSelectors',
  'fieldSelectors',
] as const;
const numbers = ['count', 'probability', 'seed', 'afterMs', 'durationMs'] as const;
const certificateNumbers = numbers.filter((name) => name !== 'count');

const peerLists = ['names', 'verbs'] as const;

/** A rule out of JSON. @throws FaultRuleError that names the member */
export function parseFaultRule(value: unknown): FaultRule {
  const rule = members(value, 'the rule', ['target', 'match', 'effect', ...numbers]);
  if (rule['target'] === 'certificate') return certificateRule(value);
  const isOfPeer = peerKinds.includes(rule['target'] as PeerKind);
  const matched = isOfPeer ? peerLists : matchLists;
  const match = members(rule['match'] ?? {}, 'match', matched);
  for (const name of matched) {
    const list = match[name];
    if (list !== undefined && (!Array.isArray(list) || list.some((one) => typeof one !== 'string')))
      throw new FaultRuleError(`match.${name} must be a list of texts`);
  }
  checkNumbers(rule, numbers);
  switch (rule['target']) {
    case undefined:
    case 'request':
      checkEffect(rule['effect']);
      break;
    case 'watch':
      checkWatchEffect(rule['effect']);
      break;
    default:
      if (!isOfPeer)
        throw new FaultRuleError(`target must be one of request, watch, certificate, ${peerKinds.join(', ')}`);
      checkPeerEffect(rule['effect'], rule['target'] as PeerKind);
  }
  return { ...rule, match } as unknown as FaultRule;
}

/** It is for all who connect, so that there is nothing to choose by. */
function certificateRule(value: unknown): CertificateFaultRule {
  const rule = members(value, 'a fault of the certificate', ['target', 'match', 'effect', ...certificateNumbers]);
  members(rule['match'] ?? {}, 'match of the certificate', []);
  const { kind } = members(rule['effect'], 'effect', ['kind']);
  if (kind !== 'expired' && kind !== 'chaos')
    throw new FaultRuleError('effect.kind of the certificate must be expired or chaos');
  const given = checkNumbers(rule, certificateNumbers);
  return { target: 'certificate', effect: { kind }, ...given };
}

/** Those of the members that are there. */
function checkNumbers(
  rule: Readonly<Record<string, unknown>>,
  names: readonly string[],
): Readonly<Record<string, number>> {
  const given: Record<string, number> = {};
  for (const name of names) {
    const number = rule[name];
    if (number === undefined) continue;
    if (typeof number !== 'number' || !(number >= 0))
      throw new FaultRuleError(`${name} must be a number that is not below 0`);
    if (name === 'probability' && number > 1) throw new FaultRuleError('probability must not be above 1');
    given[name] = number;
  }
  return given;
}

function checkEffect(value: unknown): void {
  const effect = members(value, 'effect', [
    'kind',
    'code',
    'message',
    'retryAfterSeconds',
    'milliseconds',
    'when',
    'among',
  ]);
  switch (effect['kind']) {
    case 'status':
      if (!faultCodes.includes(effect['code'] as FaultCode))
        throw new FaultRuleError(`effect.code must be one of ${faultCodes.join(', ')}`);
      return;
    case 'delay':
      checkMilliseconds(effect['milliseconds']);
      return;
    case 'cut':
      if (!['before', 'within', 'after'].includes(effect['when'] as string))
        throw new FaultRuleError('effect.when must be before, within or after');
      return;
    case 'timeout':
      if (!['before', 'after'].includes(effect['when'] as string))
        throw new FaultRuleError('effect.when must be before or after');
      return;
    case 'stale':
    case 'conflict':
      return;
    case 'chaos':
      checkAmong(effect['among'], chaosKinds);
      return;
    default:
      throw new FaultRuleError('effect.kind must be status, delay, cut, timeout, stale, conflict or chaos');
  }
}

function checkWatchEffect(value: unknown): void {
  const effect = members(value, 'effect', ['kind', 'milliseconds', 'among']);
  switch (effect['kind']) {
    case 'cut':
    case 'expired':
    case 'withoutBookmarks':
      return;
    case 'delay':
      checkMilliseconds(effect['milliseconds']);
      return;
    case 'chaos':
      checkAmong(effect['among'], watchChaosKinds);
      return;
    default:
      throw new FaultRuleError('effect.kind of a watch must be cut, expired, delay, withoutBookmarks or chaos');
  }
}

function checkPeerEffect(value: unknown, target: PeerKind): void {
  const { among, code, kind, milliseconds } = members(value, 'effect', ['kind', 'milliseconds', 'code', 'among']);
  if (kind === 'chaos') {
    checkAmong(among, peerEffects[target]);
    return;
  }
  if (!peerEffects[target].includes(kind as PeerEffect['kind']))
    throw new FaultRuleError(`effect.kind of a ${target} must be one of ${peerEffects[target].join(', ')}, chaos`);
  if (kind === 'delay') checkMilliseconds(milliseconds);
  if (kind === 'status' && !(Number.isInteger(code) && (code as number) >= 400 && (code as number) <= 599))
    throw new FaultRuleError('effect.code must be from 400 to 599');
}

function checkMilliseconds(value: unknown): void {
  if (typeof value !== 'number' || !(value >= 0))
    throw new FaultRuleError('effect.milliseconds must be a number that is not below 0');
}

function checkAmong(among: unknown, kinds: readonly string[]): void {
  if (among === undefined) return;
  if (!Array.isArray(among) || among.length === 0 || among.some((kind) => !kinds.includes(kind as string)))
    throw new FaultRuleError(`effect.among must be a list of ${kinds.join(', ')}`);
}

function members(value: unknown, what: string, known: readonly string[]): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new FaultRuleError(`${what} must be an object`);
  for (const name of Object.keys(value))
    if (!known.includes(name)) throw new FaultRuleError(`${what} has no member ${JSON.stringify(name)}`);
  return value as Readonly<Record<string, unknown>>;
}
