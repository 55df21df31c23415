import { forbidden, internalError, isNotFound, notFound, sleep } from '@kubechain/apimachinery';
import type { Clock, KubeObject, TimerClock } from '@kubechain/apimachinery';
import type { AdmissionAttributes, AdmissionOperation, AdmissionPlugin } from './admission.ts';
import { admissionForbidden } from './admission-error.ts';
import type { NamespaceLister } from './namespace-lister.ts';

/** How long the cache gets to see a namespace that was created a moment ago. */
const missingNamespaceWaitMs = 50;
/** How long after a deletion the cache is not believed to be up to date. */
const forceLiveLookupMs = 30_000;
/** Deletions that are remembered at a time. */
const forceLiveLookupLimit = 100;

const immortal: ReadonlySet<string> = new Set(['default', 'kube-system', 'kube-public']);

export interface NamespaceLifecycleOptions {
  readonly namespaces: NamespaceLister;
  readonly clock: TimerClock;
  /** For tests: waits that long. */
  readonly sleep?: (milliseconds: number) => Promise<void>;
}

/**
 * Keeps objects out of namespaces that do not exist or are being deleted, and the system's namespaces in existence
 * (admission/plugin/namespace/lifecycle).
 */
export class NamespaceLifecycle implements AdmissionPlugin {
  readonly name = 'NamespaceLifecycle';
  readonly #namespaces: NamespaceLister;
  readonly #clock: Clock;
  readonly #sleep: (milliseconds: number) => Promise<void>;
  /** Name → until when the store is asked; oldest first. */
  readonly #deleted = new Map<string, number>();

  constructor(options: NamespaceLifecycleOptions) {
    this.#namespaces = options.namespaces;
    this.#clock = options.clock;
    this.#sleep = options.sleep ?? ((milliseconds) => sleep(options.clock, milliseconds));
  }

  handles(operation: AdmissionOperation): boolean {
    return operation === 'CREATE' || operation === 'UPDATE' || operation === 'DELETE';
  }

  admit(attributes: AdmissionAttributes): void | Promise<void> {
    const { kind, name, namespace, operation, resource } = attributes;
    if (kind.group === '' && kind.kind === 'Namespace') {
      if (operation === 'DELETE') this.#namespaceDeleted(name);
      return undefined;
    }
    if (namespace === '' || operation === 'DELETE') return undefined;
    // Refusing would tell callers about namespaces that they may not see.
    if (resource.group === 'authorization.k8s.io' && resource.resource === 'localsubjectaccessreviews')
      return undefined;
    const cached = this.#namespaces.get(namespace);
    if (cached !== undefined && !(this.#distrusts(namespace) && phaseOf(cached) === 'Active'))
      return this.#check(attributes, cached);
    return this.#admitSlowly(attributes, cached);
  }

  #namespaceDeleted(name: string): void {
    if (immortal.has(name))
      throw forbidden({ group: '', resource: 'namespaces' }, name, 'this namespace may not be deleted');
    this.#deleted.delete(name);
    this.#deleted.set(name, this.#clock.now() + forceLiveLookupMs);
    if (this.#deleted.size > forceLiveLookupLimit)
      for (const oldest of this.#deleted.keys()) {
        this.#deleted.delete(oldest);
        break;
      }
  }

  #distrusts(name: string): boolean {
    const until = this.#deleted.get(name);
    return until !== undefined && until > this.#clock.now();
  }

  async #admitSlowly(attributes: AdmissionAttributes, cached: KubeObject | undefined): Promise<void> {
    const { namespace, operation, signal } = attributes;
    let found = cached;
    if (found === undefined && operation === 'CREATE') {
      await this.#sleep(missingNamespaceWaitMs);
      found = this.#namespaces.get(namespace);
    }
    if (found === undefined || (this.#distrusts(namespace) && phaseOf(found) === 'Active')) {
      try {
        found = await this.#namespaces.getLive(namespace, signal);
      } catch (error) {
        throw isNotFound(error) ? error : internalError(error);
      }
      if (found === undefined) throw notFound({ group: '', resource: 'namespaces' }, namespace);
    }
    this.#check(attributes, found);
  }

  #check(attributes: AdmissionAttributes, namespace: KubeObject): void {
    if (attributes.operation !== 'CREATE' || phaseOf(namespace) !== 'Terminating') return;
    const name = attributes.namespace;
    throw admissionForbidden(
      attributes,
      `unable to create new content in namespace ${name} because it is being terminated`,
      [
        {
          reason: 'NamespaceTerminating',
          message: `namespace ${name} is being terminated`,
          field: 'metadata.namespace',
        },
      ],
    );
  }
}

function phaseOf(namespace: KubeObject): string {
  return (namespace['status'] as { phase?: string } | undefined)?.phase ?? '';
}
