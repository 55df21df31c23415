import type { Clock, KubeObject } from '@kubechain/apimachinery';
import { AuthenticationError } from '../authentication-error.ts';
import type { JWTClaims } from './jwt.ts';
import type { ServiceAccountTokenGetter } from './token-getter.ts';
import type { ServiceAccountTokenMetrics } from './token-metrics.ts';
import { serviceAccountUsername, type ServiceAccountInfo } from './username.ts';

/**
 * Asked-for lifetime of the tokens that pods get; the server stretches it while it watches for clients that do not
 * reload (`warnAfterSeconds`).
 */
export const WARN_ONLY_BOUND_TOKEN_EXPIRATION_SECONDS = 3607;
/** What such tokens are stretched to: one year. */
export const EXPIRATION_EXTENSION_SECONDS = 365 * 24 * 3600;
/** Clocks may differ by this much. */
const LEEWAY_MS = 60_000;

interface ObjectReference {
  readonly name: string;
  readonly uid: string;
}

/** What a token is to be issued for. At most one of `pod` and `secret`; `node` alone, or as where the pod runs. */
export interface TokenSubject {
  readonly serviceAccount: KubeObject;
  readonly pod?: KubeObject;
  readonly secret?: KubeObject;
  readonly node?: KubeObject;
  readonly expirationSeconds: number;
  /** After how many seconds use is reported as stale; absent = never. */
  readonly warnAfterSeconds?: number;
  readonly audiences: readonly string[];
}

/** The claims of a bound token, without issuer. `id` is the token's own uuid. Source: pkg/serviceaccount Claims. */
export function boundClaims(subject: TokenSubject, options: { readonly clock: Clock; readonly id: string }): JWTClaims {
  const now = Math.floor(options.clock.now() / 1000);
  const { serviceAccount, pod, secret, node } = subject;
  if (secret !== undefined && (pod !== undefined || node !== undefined)) {
    throw new AuthenticationError('InvalidRequest', 'internal error, token can only be bound to one object type');
  }
  const namespace = serviceAccount.metadata?.namespace ?? '';
  return {
    sub: serviceAccountUsername(namespace, serviceAccount.metadata?.name ?? ''),
    aud: [...subject.audiences],
    iat: now,
    nbf: now,
    exp: now + subject.expirationSeconds,
    jti: options.id,
    'kubernetes.io': {
      namespace,
      ...(node === undefined ? {} : { node: referenceTo(node) }),
      ...(pod === undefined ? {} : { pod: referenceTo(pod) }),
      ...(secret === undefined ? {} : { secret: referenceTo(secret) }),
      serviceaccount: referenceTo(serviceAccount),
      ...(subject.warnAfterSeconds === undefined ? {} : { warnafter: now + subject.warnAfterSeconds }),
    },
  };
}

function referenceTo(object: KubeObject): ObjectReference {
  return { name: object.metadata?.name ?? '', uid: object.metadata?.uid ?? '' };
}

/**
 * Checks times and that everything the token is bound to still exists under the same uid.
 * @throws AuthenticationError `InvalidToken`, or the getter's NotFound for the account itself
 * Source: pkg/serviceaccount claims.go Validate.
 */
export async function validateBoundClaims(
  claims: JWTClaims,
  getter: ServiceAccountTokenGetter,
  { clock, metrics }: { readonly clock: Clock; readonly metrics?: ServiceAccountTokenMetrics | undefined },
): Promise<ServiceAccountInfo> {
  const nowMs = clock.now();
  validateTimes(claims, nowMs);
  const bound = asObject(claims['kubernetes.io']);
  const namespace = asText(bound['namespace']);
  const account = asReference(bound['serviceaccount']) ?? { name: '', uid: '' };
  const pod = asReference(bound['pod']);
  const secret = asReference(bound['secret']);
  const node = asReference(bound['node']);
  const gone = nowMs - LEEWAY_MS;

  const serviceAccount = await getter.getServiceAccount(namespace, account.name);
  const uid = serviceAccount.metadata?.uid ?? '';
  if (uid !== account.uid) throw invalid(`service account UID (${uid}) does not match claim (${account.uid})`);
  if (deletedBefore(serviceAccount, gone))
    throw invalid(`service account ${namespace}/${account.name} has been deleted`);

  if (secret !== undefined)
    await confirm(() => getter.getSecret(namespace, secret.name), secret, { kind: 'secret', gone });
  if (pod !== undefined) await confirm(() => getter.getPod(namespace, pod.name), pod, { kind: 'pod', gone });
  if (pod === undefined && node !== undefined)
    await confirm(() => getter.getNode(node.name), node, { kind: 'node', gone });

  const warnAfter = bound['warnafter'];
  if (metrics !== undefined && typeof warnAfter === 'number' && warnAfter !== 0)
    (nowMs > warnAfter * 1000 ? metrics.stale : metrics.valid).inc();

  const id = asText(claims['jti']);
  return {
    namespace,
    name: account.name,
    uid: account.uid,
    podName: pod?.name ?? '',
    podUID: pod?.uid ?? '',
    nodeName: node?.name ?? '',
    nodeUID: node?.uid ?? '',
    credentialID: id === '' ? '' : `JTI=${id}`,
  };
}

async function confirm(
  get: () => Promise<KubeObject>,
  expected: ObjectReference,
  what: { readonly kind: 'secret' | 'pod' | 'node'; readonly gone: number },
): Promise<void> {
  let object: KubeObject;
  try {
    object = await get();
  } catch (cause) {
    throw invalid('service account token has been invalidated', cause);
  }
  const uid = object.metadata?.uid ?? '';
  if (uid !== expected.uid)
    throw invalid(`${what.kind} UID (${uid}) does not match service account ${what.kind} ref claim (${expected.uid})`);
  if (deletedBefore(object, what.gone)) throw invalid('service account token has been invalidated');
}

function validateTimes(claims: JWTClaims, nowMs: number): void {
  const before = claims['nbf'];
  const until = claims['exp'];
  const issued = claims['iat'];
  if (typeof before === 'number' && nowMs + LEEWAY_MS < before * 1000)
    throw invalid('service account token is not valid yet');
  if (typeof until === 'number' && nowMs - LEEWAY_MS > until * 1000) throw invalid('service account token has expired');
  if (typeof issued === 'number' && nowMs + LEEWAY_MS < issued * 1000)
    throw invalid('service account token is issued in the future');
}

function deletedBefore(object: KubeObject, limitMs: number): boolean {
  const time = object.metadata?.deletionTimestamp;
  return time !== undefined && Date.parse(time) < limitMs;
}

function invalid(message: string, cause?: unknown): AuthenticationError {
  return new AuthenticationError('InvalidToken', message, cause === undefined ? undefined : { cause });
}

function asObject(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function asReference(value: unknown): ObjectReference | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const fields = value as Record<string, unknown>;
  return { name: asText(fields['name']), uid: asText(fields['uid']) };
}
