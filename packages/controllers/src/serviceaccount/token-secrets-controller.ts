import { createPrivateKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isConflict, isNotFound, messageOf } from '@kubechain/apimachinery';
import { LEGACY_ISSUER, legacyClaims, signingKey, signJWT, type SigningKey } from '@kubechain/apiserver/tokens';
import { unusableFlag } from '@kubechain/apiserver/options';
import type { Secret, ServiceAccount } from '@kubechain/apimachinery/types/core/v1';
import { runWorkers, type WorkQueue } from '@kubechain/shared-storage/work-queue';
import { resources } from '../client/resources.ts';
import type { Controller, ControllerContext } from '../controller/controller.ts';
import { namespacedQueue } from '../controller/namespaces-in-turns.ts';
import { keyOf } from '../informers/object-key.ts';
import type { SharedInformer } from '../informers/shared-informer.ts';
import { tokenSecretInformer, tokenSecrets, tokenSecretsOf } from './token-secrets.ts';

const { accountName: ACCOUNT_NAME, accountUid: ACCOUNT_UID } = tokenSecrets;
const MAX_RETRIES = 10;

interface Options {
  readonly key: SigningKey;
  /** base64; '' for none. */
  readonly rootCA: string;
}

/**
 * Undefined without --service-account-private-key-file: then there are no such tokens.
 * @throws OptionsError for files that cannot be used
 */
export function newTokenSecretsController(context: ControllerContext): TokenSecretsController | undefined {
  const { 'service-account-private-key-file': keyFile, 'root-ca-file': caFile } = context.flags.lifecycle;
  if (keyFile === '') return undefined;
  try {
    const key = signingKey(createPrivateKey(readFileSync(keyFile)));
    const rootCA = caFile === '' ? '' : readFileSync(caFile).toString('base64');
    return new TokenSecretsController(context, { key, rootCA });
  } catch (cause) {
    throw unusableFlag('service-account-private-key-file', messageOf(cause), cause);
  }
}

/**
 * Fills secrets of type kubernetes.io/service-account-token, and deletes them with their account
 * (pkg/controller/serviceaccount/tokens_controller.go).
 */
export class TokenSecretsController implements Controller {
  readonly #context: ControllerContext;
  readonly #options: Options;
  readonly #accounts: SharedInformer<ServiceAccount>;
  readonly #secrets: SharedInformer<Secret>;
  /** Keys of secrets. */
  readonly #queue: WorkQueue;
  /** Secrets that are gone: the account that may still list them. */
  readonly #gone = new Map<string, Secret>();

  constructor(context: ControllerContext, options: Options) {
    this.#context = context;
    this.#options = options;
    this.#queue = namespacedQueue(context, 'serviceaccount_tokens_service');
    this.#accounts = context.informers.informer(resources.serviceaccounts);
    this.#secrets = tokenSecretInformer(context.informers);
    const changed = (secret: Secret): void => {
      this.#gone.delete(keyOf(secret));
      this.#queue.add(keyOf(secret));
    };
    this.#secrets.addHandlers({
      onAdd: changed,
      onUpdate: changed,
      onDelete: (secret) => {
        this.#gone.set(keyOf(secret), secret);
        this.#queue.add(keyOf(secret));
      },
    });
    this.#accounts.addHandlers({
      onDelete: (account) => {
        for (const secret of tokenSecretsOf(this.#secrets, keyOf(account))) changed(secret);
      },
    });
  }

  async run(signal: AbortSignal): Promise<void> {
    await Promise.all([this.#accounts.waitForSync(signal), this.#secrets.waitForSync(signal)]);
    await runWorkers({
      queue: this.#queue,
      workers: this.#context.flags.concurrency['concurrent-serviceaccount-token-syncs'],
      signal,
      maxRetries: MAX_RETRIES,
      sync: (key) => this.#sync(key),
      onError: (error, secret) => this.#context.log.error('cannot sync a token secret', error, { secret }),
    });
  }

  async #sync(key: string): Promise<void> {
    const gone = this.#gone.get(key);
    if (gone !== undefined) {
      await this.#removeReference(gone);
      this.#gone.delete(key);
      return;
    }
    const secret = this.#secrets.get(key);
    const { [ACCOUNT_NAME]: name = '', [ACCOUNT_UID]: uid } = secret?.metadata?.annotations ?? {};
    if (secret === undefined || name === '') return;
    const account = await this.#accountOf({ namespace: secret.metadata?.namespace ?? '', name, uid });
    if (account === undefined) await this.#delete(secret);
    else await this.#fill(secret, account);
  }

  /** Asks the server when the informer does not know the account: the secret may be quicker than it. */
  async #accountOf(wanted: {
    readonly namespace: string;
    readonly name: string;
    readonly uid: string | undefined;
  }): Promise<ServiceAccount | undefined> {
    const { namespace, name, uid } = wanted;
    const fits = ({ metadata }: ServiceAccount): boolean => uid === undefined || uid === '' || metadata?.uid === uid;
    const known = this.#accounts.get(`${namespace}/${name}`);
    if (known !== undefined && fits(known)) return known;
    try {
      const found = await this.#context.client.resource(resources.serviceaccounts).get({ namespace, name });
      return fits(found) ? found : undefined;
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  async #delete({ metadata }: Secret): Promise<void> {
    const { namespace = '', name = '', uid = '' } = metadata ?? {};
    try {
      await this.#context.client.resource(resources.secrets).delete({ namespace, name }, { preconditions: { uid } });
    } catch (error) {
      if (!isNotFound(error) && !isConflict(error)) throw error;
    }
  }

  async #fill(cached: Secret, account: ServiceAccount): Promise<void> {
    if (!this.#isLacking(cached)) return;
    const { namespace = '', name = '' } = cached.metadata ?? {};
    const secrets = this.#context.client.resource(resources.secrets);
    try {
      const live = await secrets.get({ namespace, name });
      // A newer one comes through the informer.
      if (live.metadata?.resourceVersion !== cached.metadata?.resourceVersion || !this.#isLacking(live)) return;
      const { key, rootCA } = this.#options;
      const owner = { name: account.metadata?.name ?? '', uid: account.metadata?.uid ?? '' };
      const base64 = (text: string): string => Buffer.from(text).toString('base64');
      const claims = { ...legacyClaims({ namespace, name }, owner), iss: LEGACY_ISSUER };
      await secrets.update({
        ...live,
        metadata: {
          ...live.metadata,
          annotations: { ...live.metadata?.annotations, [ACCOUNT_NAME]: owner.name, [ACCOUNT_UID]: owner.uid },
        },
        data: {
          ...live.data,
          ...(rootCA === '' ? {} : { 'ca.crt': rootCA }),
          namespace: (live.data?.['namespace'] ?? '') === '' ? base64(namespace) : live.data!['namespace']!,
          token: (live.data?.['token'] ?? '') === '' ? base64(signJWT(claims, key)) : live.data!['token']!,
        },
      });
    } catch (error) {
      if (!isNotFound(error) && !isConflict(error)) throw error;
    }
  }

  #isLacking({ data }: Secret): boolean {
    const { rootCA } = this.#options;
    return (
      (rootCA !== '' && data?.['ca.crt'] !== rootCA) ||
      (data?.['namespace'] ?? '') === '' ||
      (data?.['token'] ?? '') === ''
    );
  }

  async #removeReference({ metadata }: Secret): Promise<void> {
    const { [ACCOUNT_NAME]: name = '', [ACCOUNT_UID]: uid } = metadata?.annotations ?? {};
    const accounts = this.#context.client.resource(resources.serviceaccounts);
    const known = this.#accounts.get(`${metadata?.namespace ?? ''}/${name}`);
    if (known === undefined || (uid !== undefined && known.metadata?.uid !== uid)) return;
    if (!(known.secrets ?? []).some((each) => each.name === metadata?.name)) return;
    try {
      const live = await accounts.get({ namespace: metadata?.namespace ?? '', name });
      const secrets = (live.secrets ?? []).filter((each) => each.name !== metadata?.name);
      if (secrets.length !== (live.secrets ?? []).length) await accounts.update({ ...live, secrets });
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }
}
