import { readFileSync } from 'node:fs';
import { isConflict, isNotFound, isStatusError, messageOf } from '@kubechain/apimachinery';
import type { KubeObject, TimerClock } from '@kubechain/apimachinery';
import { Logger } from '@kubechain/apiserver/logging';
import { OwnWrites, internalContext } from '@kubechain/apiserver/resources';
import type { RESTContext, Store } from '@kubechain/apiserver/resources';
import type { FlagValues } from '@kubechain/apiserver/options';
import type { flagSets } from '../flags.ts';
import { combinedAuthenticationData, type ClusterAuthenticationInfo } from './cluster-authentication-info.ts';
import { repeat } from './repeat.ts';

const log = new Logger('authentication');
const namespace = 'kube-system';
const name = 'extension-apiserver-authentication';

/** How often files and ConfigMap are looked at, as in the reference. */
const lookMs = 60_000;

type Flags = FlagValues<(typeof flagSets)['authentication']>;

export interface ClusterAuthenticationTrustOptions {
  /** Of ConfigMaps. */
  readonly store: Store;
  readonly flags: Flags;
  readonly clock: TimerClock;
}

/**
 * Tells extension API servers, in a ConfigMap, how to know the chain's front proxies and clients, and keeps that up to
 * date.
 */
export class ClusterAuthenticationTrust {
  readonly #options: ClusterAuthenticationTrustOptions;
  readonly #own: OwnWrites;

  constructor(options: ClusterAuthenticationTrustOptions) {
    this.#options = options;
    this.#own = new OwnWrites(options.store, { scheme: options.store.spec.scheme, clock: options.clock });
  }

  /**
   * Resolves after the first attempt, whatever came of it: a ConfigMap that somebody broke must not keep a server from
   * being ready.
   */
  start(signal: AbortSignal): Promise<void> {
    return new Promise((attempted) => {
      void repeat(
        async () => {
          try {
            await this.sync(signal);
          } finally {
            attempted();
          }
        },
        {
          clock: this.#options.clock,
          intervalMs: lookMs,
          retryMs: 1_000,
          signal,
          onError: (error) => {
            log.warning(`ConfigMap ${name} cannot be kept up to date`, {
              err: messageOf(error),
            });
          },
        },
      );
    });
  }

  /** Writes what is missing; nothing when all is there. @throws StatusError, and whatever reading the files does */
  async sync(signal?: AbortSignal): Promise<void> {
    const required = infoOf(this.#options.flags);
    const context = internalContext({
      groupResource: { group: '', resource: 'configmaps' },
      namespace,
      ...(signal === undefined ? {} : { signal }),
    });
    for (;;) {
      const existing = await this.#read(context);
      const before = existing?.data ?? {};
      const data = combinedAuthenticationData(before, required, this.#options.clock.now());
      // A server without authorities has nothing to say, and makes no ConfigMap to say so.
      if (sameData(before, data)) return;
      try {
        if (existing === undefined)
          await this.#own.create(context, {
            apiVersion: 'v1',
            kind: 'ConfigMap',
            metadata: { name, namespace },
            data,
          } as KubeObject);
        else await this.#own.update(context, { ...existing, data });
        return;
      } catch (error) {
        // Another server of this kind was first: what it wrote is looked at.
        if (!isConflict(error) && !isNotFound(error) && !(isStatusError(error) && error.reason === 'AlreadyExists'))
          throw error;
      }
    }
  }

  async #read(
    context: RESTContext,
  ): Promise<(KubeObject & { readonly data?: Readonly<Record<string, string>> }) | undefined> {
    try {
      return structuredClone((await this.#options.store.get(context, name, { resourceVersion: '' })).object());
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }
}

function sameData(one: Readonly<Record<string, string>>, other: Readonly<Record<string, string>>): boolean {
  const keys = Object.keys(one);
  return keys.length === Object.keys(other).length && keys.every((key) => one[key] === other[key]);
}

/** Files are read each time: authorities are replaced while a server runs. */
function infoOf(flags: Flags): ClusterAuthenticationInfo {
  const read = (path: string): string => (path === '' ? '' : readFileSync(path, 'utf8'));
  return {
    clientCA: read(flags['client-ca-file']),
    requestHeaderCA: read(flags['requestheader-client-ca-file']),
    allowedNames: flags['requestheader-allowed-names'],
    usernameHeaders: flags['requestheader-username-headers'],
    uidHeaders: flags['requestheader-uid-headers'],
    groupHeaders: flags['requestheader-group-headers'],
    extraHeaderPrefixes: flags['requestheader-extra-headers-prefix'],
  };
}
