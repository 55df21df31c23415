import { timingSafeEqual } from 'node:crypto';
import { isNotFound, type Clock, type KubeObject } from '@kubechain/apimachinery';
import { Logger } from '../../logging/logger.ts';
import type { AuthenticatedUser, TokenAuthenticator } from '../authenticator.ts';

const log = new Logger('authentication');

/** Where tokens that nodes join with are kept. */
const namespace = 'kube-system';
const secretNamePrefix = 'bootstrap-token-';
const secretType = 'bootstrap.kubernetes.io/token';
/** Every bearer's group. */
const defaultGroup = 'system:bootstrappers';
const userPrefix = 'system:bootstrap:';

const tokenForm = /^([a-z0-9]{6})\.([a-z0-9]{16})$/;
const groupForm = /^system:bootstrappers:[a-z0-9:-]{0,255}[a-z0-9]$/;
/** What Go's time.RFC3339 takes: a fraction may be longer than the layout says. */
const timeForm = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:[.,]\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/;

/** Looks up a Secret; rejects with NotFound. */
export interface SecretGetter {
  getSecret(namespace: string, name: string): Promise<KubeObject>;
}

interface BootstrapSecret extends KubeObject {
  readonly type?: string;
  readonly data?: Readonly<Record<string, string>>;
}

/**
 * --enable-bootstrap-token-auth: takes `ID.SECRET` where kube-system has the Secret `bootstrap-token-ID` of that token,
 * which has not expired and may be used for authentication. The bearer is `system:bootstrap:ID`, in
 * `system:bootstrappers` and the groups that the Secret adds. A Secret that is not as it should be is logged, and its
 * token is nobody's.
 * Source: plugin/pkg/auth/authenticator/token/bootstrap, k8s.io/cluster-bootstrap/util (1.36).
 */
export function bootstrapTokenAuthenticator(secrets: SecretGetter, clock: Clock): TokenAuthenticator {
  return {
    authenticateToken(token) {
      const [, id, secret] = tokenForm.exec(token) ?? [];
      return id === undefined || secret === undefined ? undefined : authenticate({ id, secret }, secrets, clock);
    },
  };
}

async function authenticate(
  token: { readonly id: string; readonly secret: string },
  secrets: SecretGetter,
  clock: Clock,
): Promise<AuthenticatedUser | undefined> {
  const name = `${secretNamePrefix}${token.id}`;
  let secret: BootstrapSecret;
  try {
    secret = (await secrets.getSecret(namespace, name)) as BootstrapSecret;
  } catch (error) {
    if (!isNotFound(error)) throw error;
    log.info('No secret matches a bootstrap bearer token', { secret: name }, 3);
    return undefined;
  }
  const groups: string[] = [defaultGroup];
  const reason = refusal(secret, token, clock) ?? addGroups(secret, groups);
  if (reason !== undefined) {
    log.info('Bootstrap secret matches a bearer token, but', { secret: `${namespace}/${name}`, reason }, 3);
    return undefined;
  }
  return { user: { name: `${userPrefix}${token.id}`, groups } };
}

/** Why the Secret's token may not be used; undefined when it may. */
function refusal(
  secret: BootstrapSecret,
  token: { readonly id: string; readonly secret: string },
  clock: Clock,
): string | undefined {
  if (secret.metadata?.deletionTimestamp !== undefined) return 'is deleted and awaiting removal';
  if (secret.type !== secretType || secret.data === undefined)
    return `has invalid type, expected ${JSON.stringify(secretType)}`;
  if (!equalInConstantTime(field(secret, 'token-secret'), token.secret))
    return 'has invalid value for key token-secret';
  if (field(secret, 'token-id') !== token.id) return 'has invalid value for key token-id';
  if (hasExpired(field(secret, 'expiration'), clock)) return 'has expired';
  if (field(secret, 'usage-bootstrap-authentication') !== 'true') return 'not marked usage-bootstrap-authentication';
  return undefined;
}

/** Puts the Secret's extra groups into `groups`, sorted and each once; returns what is wrong with one of them. */
function addGroups(secret: BootstrapSecret, groups: string[]): string | undefined {
  const text = field(secret, 'auth-extra-groups');
  if (text === '') return undefined;
  for (const group of text.split(',')) {
    if (!groupForm.test(group))
      return `has invalid value for key auth-extra-groups: bootstrap group ${JSON.stringify(group)} is invalid`;
    if (!groups.includes(group)) groups.push(group);
  }
  groups.sort();
  return undefined;
}

/** A time that cannot be read has passed; none never does. */
function hasExpired(expiration: string, clock: Clock): boolean {
  if (expiration === '') return false;
  const timeMs = timeForm.test(expiration) ? Date.parse(expiration.replace(',', '.')) : NaN;
  return Number.isNaN(timeMs) || timeMs <= clock.now();
}

function field({ data }: BootstrapSecret, key: string): string {
  return Buffer.from(data?.[key] ?? '', 'base64').toString('utf8');
}

function equalInConstantTime(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
