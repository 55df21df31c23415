import { isAlreadyExists, isNotFound, messageOf } from '@kubechain/apimachinery';
import type { GroupVersion, KubeObject, TimerClock } from '@kubechain/apimachinery';
import { Logger } from '@kubechain/apiserver/logging';
import { OwnWrites, copyObject, internalContext } from '@kubechain/apiserver/resources';
import type { ObjectInformer, Store } from '@kubechain/apiserver/resources';
import type { DiscoveryManager, HealthCheck } from '@kubechain/apiserver/servers';
import { counted, type QueueMetrics, type WorkQueueMetrics } from '@kubechain/shared-storage/metrics';
import {
  apiRegistrationGroup,
  apiServiceName,
  apiServicesResource,
  autoManagedLabel,
} from '../apiservice/api-service.ts';
import type { APIService } from '../apiservice/api-service.ts';
import type { CRDVersions } from './crd-versions.ts';
import { customPriority, localPriorities } from './local-priorities.ts';
import type { LocalPriority } from './local-priorities.ts';
import { decide } from './decide.ts';

const log = new Logger('autoregister');
/** Ms after which a failed write is tried again. */
const retryMs = 200;
/**
 * Ms after which a group version that the chain has not served yet counts as gone: the chain may still be starting.
 */
const settleMs = 5_000;

/** The chain's group versions are not registered yet; readyz says so. */
class AutoRegistrationIncomplete extends Error {
  override readonly name = 'AutoRegistrationIncomplete';
}

export interface AutoRegistrationOptions {
  readonly store: Store;
  readonly services: ObjectInformer<APIService>;
  /** What the chain behind this server serves. */
  readonly delegated: DiscoveryManager;
  /** Resolves when all servers behind this one have said what they serve. */
  readonly delegatedWhole: Promise<void>;
  readonly crds: Pick<CRDVersions, 'groupVersions' | 'onChange' | 'serves'>;
  readonly clock: TimerClock;
  /** Counts syncs as the reference counts its controller's work queue. Default: they are not counted. */
  readonly queueMetrics?: WorkQueueMetrics | undefined;
}

/**
 * Keeps one local APIService for each built-in group version that the chain serves, and for each that a CRD names as
 * served (kube-aggregator's autoregister and kube-apiserver's crdregistration controllers, 1.36): missing ones are
 * created, those of CRDs are deleted with the last CRD that serves the version. What happens to an APIService that is
 * already there is up to `decide`.
 */
export class AutoRegistration {
  readonly #options: AutoRegistrationOptions;
  readonly #own: OwnWrites;
  readonly #queue: QueueMetrics<string> | undefined;
  readonly #pending = new Map<string, Promise<void>>();
  readonly #again = new Set<string>();
  /** Names of APIServices that have been reconciled at least once. */
  readonly #synced = new Set<string>();
  #atStart: ReadonlySet<string> = new Set();
  /** Names of built-in ones that were served since this process began; no longer served, they are removed. */
  readonly #served = new Set<string>();
  #settled = false;
  #complete = false;
  /** Names of APIServices that were created and have not come back by the informer: discovery lacks them. */
  readonly #unseen = new Set<string>();
  #delegatedIsWhole = false;
  readonly #whole = Promise.withResolvers<void>();
  #isWhole = false;

  constructor(options: AutoRegistrationOptions) {
    this.#options = options;
    this.#queue = options.queueMetrics?.queue('autoregister');
    this.#own = new OwnWrites(options.store, { scheme: options.store.spec.scheme, clock: options.clock });
    void options.delegatedWhole.then(() => {
      this.#delegatedIsWhole = true;
      this.#look();
    });
  }

  /**
   * `autoregister-completion`: the group versions that the chain served when this server started are registered. With
   * `whole`, for readyz, the servers behind this one have also said all that they serve, and discovery has it. Where
   * the chain runs in one process, as the reference does, that holds from the beginning.
   */
  completionCheck({ whole }: { readonly whole: boolean }): HealthCheck {
    return {
      name: 'autoregister-completion',
      check: () => {
        if (!(whole ? this.#isWhole : this.#complete)) throw new AutoRegistrationIncomplete('missing APIService');
      },
    };
  }

  /** Resolves when readyz's check passes; from then on it always does. */
  get whole(): Promise<void> {
    return this.#whole.promise;
  }

  /** Checks whether everything has come; to be called whenever something has. */
  #look(): void {
    this.#isWhole ||= this.#complete && this.#delegatedIsWhole && this.#pending.size === 0 && this.#unseen.size === 0;
    if (this.#isWhole) this.#whole.resolve();
  }

  /**
   * Registers what is served now, all at once, and follows changes from then on. Resolves when the first round is done.
   */
  async start(signal: AbortSignal): Promise<void> {
    const { clock, crds, delegated, services } = this.#options;
    this.#atStart = new Set([...services.values()].map(({ metadata }) => metadata.name ?? ''));
    const stop = delegated.onChange(({ groupVersion }) => {
      void this.#sync(groupVersion);
    });
    signal.addEventListener('abort', stop, { once: true });
    crds.onChange((groupVersion) => {
      if (!signal.aborted) void this.#sync(groupVersion);
    });
    services.onChange((change) => {
      const { metadata, spec } = change.kind === 'set' ? change.value : change.previous;
      this.#unseen.delete(metadata.name ?? '');
      if (!signal.aborted) void this.#sync({ group: spec.group ?? '', version: spec.version ?? '' });
    });
    const settling = clock.setTimer(() => {
      this.#settled = true;
      for (const groupVersion of stored) void this.#sync(groupVersion);
    }, settleMs);
    signal.addEventListener(
      'abort',
      () => {
        settling.cancel();
      },
      { once: true },
    );
    const stored = [...services.values()]
      .filter(({ metadata }) => metadata.labels?.[autoManagedLabel] !== undefined)
      .map(({ spec: { group = '', version = '' } }) => ({ group, version }));
    await Promise.all(
      [...delegated.groupVersions(), ...crds.groupVersions(), ...stored].map((groupVersion) =>
        this.#sync(groupVersion),
      ),
    );
    this.#complete = true;
    this.#look();
  }

  /** Reconciles a group version, one at a time; changes that come meanwhile are reconciled afterwards. */
  #sync(groupVersion: GroupVersion): Promise<void> {
    const name = apiServiceName(groupVersion.group, groupVersion.version);
    if (groupVersion.group === apiRegistrationGroup) return Promise.resolve();
    const running = this.#pending.get(name);
    if (running !== undefined) {
      this.#again.add(name);
      return running;
    }
    this.#queue?.added(name);
    const work = counted(this.#queue, name, () => this.#reconcile(name, groupVersion))
      .catch((error: unknown) => {
        log.warning('APIService cannot be kept', {
          name,
          error: messageOf(error),
        });
        this.#queue?.retried();
        this.#options.clock.setTimer(() => {
          void this.#sync(groupVersion);
        }, retryMs);
      })
      .finally(() => {
        this.#pending.delete(name);
        if (this.#again.delete(name)) void this.#sync(groupVersion);
        this.#look();
      });
    this.#pending.set(name, work);
    return work;
  }

  async #reconcile(name: string, groupVersion: GroupVersion): Promise<void> {
    const { services, store } = this.#options;
    const desired = this.#desired(groupVersion);
    if (desired !== undefined) this.#served.add(name);
    else if (builtInPriority(groupVersion) !== undefined && !this.#settled && !this.#served.has(name)) return;
    const current = services.get(name);
    const action = decide({ current, desired, synced: this.#synced.has(name), atStart: this.#atStart.has(name) });
    const context = internalContext({ groupResource: apiServicesResource });
    // An APIService that cannot be created stays unseen until it can be, or is no longer wanted.
    if (action.kind !== 'create') this.#unseen.delete(name);
    try {
      switch (action.kind) {
        case 'none':
          break;
        case 'create':
          this.#unseen.add(name);
          await this.#own.create(context, action.desired);
          break;
        case 'delete':
          await store.delete(context, name, () => undefined, {
            dryRun: false,
            ...(action.uid === undefined ? {} : { preconditions: { uid: action.uid } }),
          });
          break;
        case 'update': {
          const {
            desired: { spec },
          } = action;
          const updatedObject = (_context: unknown, old: KubeObject): KubeObject => ({ ...copyObject(old), spec });
          await store.update(
            context,
            name,
            { preconditions: undefined, updatedObject },
            {
              dryRun: false,
              fieldManager: '',
              fieldValidation: 'Ignore',
              forceAllowCreate: false,
              validateCreate: () => undefined,
              validateUpdate: () => undefined,
            },
          );
          break;
        }
        default:
          action satisfies never;
      }
    } catch (error) {
      // Another aggregator over the same store was faster.
      if (!isAlreadyExists(error) && !isNotFound(error)) throw error;
    }
    this.#synced.add(name);
  }

  #desired(groupVersion: GroupVersion): APIService | undefined {
    const { crds, delegated } = this.#options;
    if (crds.serves(groupVersion)) return localAPIService(groupVersion, 'true', customPriority);
    const priority = builtInPriority(groupVersion);
    // Other group versions of the chain are registered by nobody, as in the reference.
    return priority === undefined || delegated.resources(groupVersion) === undefined
      ? undefined
      : localAPIService(groupVersion, 'onstart', priority);
  }
}

function builtInPriority({ group, version }: GroupVersion): LocalPriority | undefined {
  return localPriorities.get(group === '' ? version : `${group}/${version}`);
}

function localAPIService(
  { group, version }: GroupVersion,
  managed: 'true' | 'onstart',
  priority: LocalPriority,
): APIService {
  return {
    apiVersion: `${apiRegistrationGroup}/v1`,
    kind: 'APIService',
    metadata: { name: apiServiceName(group, version), labels: { [autoManagedLabel]: managed } },
    spec: {
      ...(group === '' ? {} : { group }),
      version,
      groupPriorityMinimum: priority.group,
      versionPriority: priority.version,
    },
  };
}
