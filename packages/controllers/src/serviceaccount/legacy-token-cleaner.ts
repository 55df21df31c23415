import { isConflict, isNotFound } from '@kubechain/apimachinery';
import type { Pod, Secret, ServiceAccount } from '@kubechain/apimachinery/types/core/v1';
import { resources } from '../client/resources.ts';
import { every } from '../clock/every.ts';
import type { Controller, ControllerContext } from '../controller/controller.ts';
import type { SharedInformer } from '../informers/shared-informer.ts';
import { secretNamesOf } from '../pods/pod-secret-names.ts';
import { tokenSecretInformer, tokenSecrets } from './token-secrets.ts';

const dayMs = 24 * 3_600_000;
const tracking = { namespace: 'kube-system', name: 'kube-apiserver-legacy-service-account-token-tracking' };
const lastUsedLabel = 'kubernetes.io/legacy-token-last-used';
const invalidSinceLabel = 'kubernetes.io/legacy-token-invalid-since';

/** What is to be done with a token that nobody has used. */
export type TokenVerdict = 'keep' | 'invalidate' | 'delete';

/**
 * What a token's own dates say, when nothing else holds it: unused for `unusedMs` it is marked, and marked for as long
 * it goes. Dates are days, compared as the reference compares them.
 */
export function verdictOf(
  { metadata }: Secret,
  { nowMs, unusedMs }: { nowMs: number; unusedMs: number },
): TokenVerdict {
  const keepFrom = day(nowMs - unusedMs);
  if (Date.parse(metadata?.creationTimestamp ?? '') >= nowMs - unusedMs) return 'keep';
  if (metadata?.deletionTimestamp !== undefined) return 'keep';
  const { [lastUsedLabel]: lastUsed, [invalidSinceLabel]: invalidSince = '' } = metadata?.labels ?? {};
  if (lastUsed !== undefined && (!isDay(lastUsed) || lastUsed >= keepFrom)) return 'keep';
  if (!isDay(invalidSince)) return 'invalidate';
  return invalidSince >= keepFrom ? 'keep' : 'delete';
}

function day(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

function isDay(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) && day(Date.parse(text)) === text;
}

/**
 * Marks tokens in secrets invalid that were made for a service account by themselves and that nobody has used for
 * `--legacy-service-account-token-clean-up-period`, and deletes them after the same time again
 * (pkg/controller/serviceaccount/legacy_serviceaccount_token_cleaner.go, 1.36).
 */
export class LegacyTokenCleaner implements Controller {
  readonly #context: ControllerContext;
  readonly #accounts: SharedInformer<ServiceAccount>;
  readonly #secrets: SharedInformer<Secret>;
  readonly #pods: SharedInformer<Pod>;

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#accounts = context.informers.informer(resources.serviceaccounts);
    this.#secrets = tokenSecretInformer(context.informers);
    this.#pods = context.informers.informer(resources.pods);
  }

  async run(signal: AbortSignal): Promise<void> {
    const { clock, log } = this.#context;
    await Promise.all([this.#accounts, this.#secrets, this.#pods].map((informer) => informer.waitForSync(signal)));
    const onError = (error: unknown): void => log.error('cannot clean up tokens of service accounts', error);
    await every(dayMs, () => this.#clean(), { clock, signal, onError });
  }

  async #clean(): Promise<void> {
    const { client, clock, flags } = this.#context;
    const nowMs = clock.now();
    const unusedMs = flags.lifecycle['legacy-service-account-token-clean-up-period'];
    const { data } = await client.resource(resources.configmaps).get(tracking);
    const since = data?.['since'] ?? '';
    if (!isDay(since)) throw new TypeError(`${tracking.name} does not say since when tokens are tracked`);
    // Of the first day only a part was tracked.
    if (nowMs < Date.parse(since) + dayMs + unusedMs) return;
    const mounted = new Map<string, ReadonlySet<string>>();
    for (const secret of this.#secrets.list()) {
      const verdict = verdictOf(secret, { nowMs, unusedMs });
      if (verdict === 'keep' || !this.#isOfAccount(secret)) continue;
      const { name = '', namespace = '', resourceVersion, uid } = secret.metadata ?? {};
      if (!mounted.has(namespace))
        mounted.set(namespace, new Set(this.#pods.list(namespace).flatMap((pod) => [...secretNamesOf(pod)])));
      if (mounted.get(namespace)!.has(name)) continue;
      const secrets = client.resource(resources.secrets);
      try {
        if (verdict === 'invalidate')
          await secrets.patch({ name, namespace }, { metadata: { uid, labels: { [invalidSinceLabel]: day(nowMs) } } });
        else
          await secrets.delete(
            { name, namespace },
            resourceVersion === undefined ? {} : { preconditions: { resourceVersion } },
          );
      } catch (error) {
        if (!isConflict(error) && !isNotFound(error)) throw error;
      }
    }
  }

  /** Others were made by hand: what they are for nobody can tell. */
  #isOfAccount({ metadata }: Secret): boolean {
    const { [tokenSecrets.accountName]: name = '', [tokenSecrets.accountUid]: uid = '' } = metadata?.annotations ?? {};
    const account = this.#accounts.get(`${metadata?.namespace ?? ''}/${name}`);
    if (name === '' || account === undefined || (uid !== '' && uid !== account.metadata?.uid)) return false;
    return (account.secrets ?? []).some((each) => each.name === metadata?.name);
  }
}
