import { isAlreadyExists, isNotFound, parseTime, type TimerClock } from '@kubechain/apimachinery';
import type { TokenRequest } from '@kubechain/apimachinery/types/authentication/v1';
import type { Client } from '../client/client.ts';
import { resources } from '../client/resources.ts';

export interface ServiceAccountTokenOptions {
  /** May create service accounts and their tokens. */
  readonly client: Client;
  readonly clock: TimerClock;
  readonly namespace: string;
  readonly name: string;
}

/** client-go's controller client builder: tokens for an hour, renewed when a fifth of that is left. */
const EXPIRATION_SECONDS = 3600;
const LEEWAY = 0.2;

/**
 * Bearer tokens of a service account, made when they are needed; the account is created when it is not there. For
 * `ClientOptions.token`.
 */
export function serviceAccountToken({
  client,
  clock,
  namespace,
  name,
}: ServiceAccountTokenOptions): () => Promise<string> {
  const accounts = client.resource(resources.serviceaccounts);
  // A clock that was set back makes a token one of the future.
  let current: { readonly token: Promise<string>; readonly fromMs: number; renewMs: number } | undefined;
  const request = async (): Promise<string> => {
    try {
      await accounts.get({ namespace, name });
    } catch (error) {
      if (!isNotFound(error)) throw error;
      try {
        await accounts.create({ metadata: { namespace, name } });
      } catch (failure) {
        if (!isAlreadyExists(failure)) throw failure;
      }
    }
    const { status } = await accounts.create<TokenRequest>(
      {
        apiVersion: 'authentication.k8s.io/v1',
        kind: 'TokenRequest',
        spec: { audiences: [], expirationSeconds: EXPIRATION_SECONDS },
      },
      { namespace, name, subresource: 'token' },
    );
    if (status === undefined) throw new Error(`no token for ${namespace}/${name}`);
    const now = clock.now();
    if (current !== undefined)
      current.renewMs = now + (parseTime(status.expirationTimestamp ?? '') - now) * (1 - LEEWAY);
    return status.token ?? '';
  };
  return () => {
    const nowMs = clock.now();
    if (current !== undefined && nowMs >= current.fromMs && nowMs < current.renewMs) return current.token;
    const token = request();
    const made = { token, fromMs: nowMs, renewMs: Number.POSITIVE_INFINITY };
    current = made;
    token.catch(() => {
      if (current === made) current = undefined;
    });
    return token;
  };
}
