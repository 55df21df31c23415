import { isAlreadyExists, isNotFound } from '@kubechain/apimachinery';
import type { GroupVersion } from '@kubechain/apimachinery';
import { Logger, OwnWrites, internalContext } from '@kubechain/apiserver';
import type { DiscoveryManager, ObjectInformer, Store } from '@kubechain/apiserver';
import { apiServiceName, autoManagedLabel } from '../apiservice/api-service.ts';
import type { APIService } from '../apiservice/api-service.ts';
import { customPriority, localPriorities } from './local-priorities.ts';

const log = new Logger('autoregister');
const apiServices = { group: 'apiregistration.k8s.io', resource: 'apiservices' };
const own = 'apiregistration.k8s.io';

export interface AutoRegistrationOptions {
  readonly store: Store;
  readonly services: ObjectInformer<APIService>;
  /** What the chain behind this server serves. */
  readonly delegated: DiscoveryManager;
}

/**
 * Keeps one local APIService for each group version that the chain serves (kube-aggregator's autoregister and
 * crdregistration controllers): missing ones are made, those of CRDs that are gone are removed. An APIService that
 * somebody else made for the same group version is left alone.
 */
export class AutoRegistration {
  readonly #options: AutoRegistrationOptions;
  readonly #own: OwnWrites;
  readonly #pending = new Map<string, Promise<void>>();
  readonly #again = new Set<string>();

  constructor(options: AutoRegistrationOptions) {
    this.#options = options;
    const { environment, spec } = options.store;
    this.#own = new OwnWrites(options.store, { scheme: spec.scheme, clock: environment.clock });
  }

  /** Registers what is served now, all at once, and follows changes from then on. Resolves when the first round is done. */
  async start(signal: AbortSignal): Promise<void> {
    const { delegated } = this.#options;
    const stop = delegated.onChange(({ groupVersion }) => { void this.#sync(groupVersion); });
    signal.addEventListener('abort', stop, { once: true });
    await Promise.all([...delegated.groupVersions()].map((groupVersion) => this.#sync(groupVersion)));
  }

  /** One change at a time for each group version; a change during a change is looked at again. */
  #sync(groupVersion: GroupVersion): Promise<void> {
    const name = apiServiceName(groupVersion.group, groupVersion.version);
    if (groupVersion.group === own) return Promise.resolve();
    const running = this.#pending.get(name);
    if (running !== undefined) {
      this.#again.add(name);
      return running;
    }
    const work = this.#reconcile(name, groupVersion).catch((error: unknown) => {
      log.warning('APIService cannot be kept', { name, error: error instanceof Error ? error.message : String(error) });
    }).finally(() => {
      this.#pending.delete(name);
      if (this.#again.delete(name)) void this.#sync(groupVersion);
    });
    this.#pending.set(name, work);
    return work;
  }

  async #reconcile(name: string, groupVersion: GroupVersion): Promise<void> {
    const { delegated, services, store } = this.#options;
    const served = delegated.resources(groupVersion) !== undefined;
    const current = services.get(name);
    const context = internalContext({ groupResource: apiServices });
    try {
      if (served && current === undefined) await this.#own.create(context, localAPIService(groupVersion));
      else if (!served && current?.metadata.labels?.[autoManagedLabel] === 'true') await store.delete(context, name, () => undefined, { dryRun: false });
    } catch (error) {
      // Another aggregator over the same store was faster.
      if (!isAlreadyExists(error) && !isNotFound(error)) throw error;
    }
  }
}

function localAPIService({ group, version }: GroupVersion): APIService {
  const builtIn = localPriorities.get(group === '' ? version : `${group}/${version}`);
  const priority = builtIn ?? customPriority;
  return {
    apiVersion: 'apiregistration.k8s.io/v1', kind: 'APIService',
    metadata: { name: apiServiceName(group, version), labels: { [autoManagedLabel]: builtIn === undefined ? 'true' : 'onstart' } },
    spec: { ...(group === '' ? {} : { group }), version, groupPriorityMinimum: priority.group, versionPriority: priority.version },
  };
}
