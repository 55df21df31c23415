import { controllerOf, isNotFound, loopTurns, type KubeObject, type OwnerReference } from '@kubechain/apimachinery';
import type { Deployment, ReplicaSet, StatefulSet } from '@kubechain/apimachinery/types/apps/v1';
import type { Scale } from '@kubechain/apimachinery/types/autoscaling/v1';
import type { Pod, ReplicationController } from '@kubechain/apimachinery/types/core/v1';
import { apiVersionOf, resourcePath } from '../client/resource-type.ts';
import { resources } from '../client/resources.ts';
import type { ControllerContext } from '../controller/controller.ts';
import { ResourceMapper } from '../discovery/resource-mapper.ts';
import type { SharedInformer } from '../informers/shared-informer.ts';

type Scaled = ReplicationController | ReplicaSet | Deployment | StatefulSet;

interface Counted {
  readonly uid: string;
  readonly replicas: number;
}

/** How many pods there are to be, as those say who make them. */
export interface ExpectedPods {
  readonly count: number;
  /** Names of pods that nobody makes. */
  readonly unmanaged: readonly string[];
}

/** Finds out how many pods the owners of some want (getExpectedScale, 1.36). */
export class OwnerScales {
  readonly #context: ControllerContext;
  readonly #mapper: ResourceMapper;
  readonly #controllers: SharedInformer<ReplicationController>;
  readonly #replicaSets: SharedInformer<ReplicaSet>;
  readonly #deployments: SharedInformer<Deployment>;
  readonly #statefulSets: SharedInformer<StatefulSet>;

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#mapper = new ResourceMapper(context.discovery, () => context.clock.now());
    this.#controllers = context.informers.informer(resources.replicationcontrollers);
    this.#replicaSets = context.informers.informer(resources.replicasets);
    this.#deployments = context.informers.informer(resources.deployments);
    this.#statefulSets = context.informers.informer(resources.statefulsets);
  }

  async waitForSync(signal: AbortSignal): Promise<void> {
    const informers = [this.#controllers, this.#replicaSets, this.#deployments, this.#statefulSets];
    await Promise.all(informers.map((informer) => informer.waitForSync(signal)));
  }

  /** @throws Error for a pod whose owner is nowhere, or cannot be scaled */
  async of(pods: readonly Pod[]): Promise<ExpectedPods> {
    const unmanaged: string[] = [];
    const byOwner = new Map<string, number>();
    for (const { metadata } of pods) {
      const owner = controllerOf(metadata);
      if (owner === undefined) {
        unmanaged.push(metadata?.name ?? '');
        continue;
      }
      if (byOwner.has(owner.uid)) continue;
      const counted = await this.#find(owner, metadata?.namespace ?? '');
      if (counted === undefined) throw new Error(`found no controllers for pod ${JSON.stringify(metadata?.name)}`);
      byOwner.set(counted.uid, counted.replicas);
      const turn = loopTurns.next();
      if (turn !== undefined) await turn;
    }
    return { count: [...byOwner.values()].reduce((sum, replicas) => sum + replicas, 0), unmanaged };
  }

  #find(owner: OwnerReference, namespace: string): Counted | undefined | Promise<Counted | undefined> {
    return this.#inInformers(owner, namespace) ?? this.#byScale(owner, namespace);
  }

  #inInformers(owner: OwnerReference, namespace: string): Counted | undefined {
    const group = groupOf(owner);
    if (owner.kind === 'ReplicationController' && group === '') return counted(this.#controllers, owner, namespace);
    if (owner.kind === 'StatefulSet' && group === 'apps') return counted(this.#statefulSets, owner, namespace);
    if (owner.kind !== 'ReplicaSet' || group !== 'apps') return undefined;
    const set = withUid(this.#replicaSets, owner, namespace);
    if (set === undefined) return undefined;
    const above = controllerOf(set.metadata);
    if (above?.kind === 'Deployment') return counted(this.#deployments, above, namespace);
    return countOf(set);
  }

  async #byScale(owner: OwnerReference, namespace: string): Promise<Counted | undefined> {
    const { client } = this.#context;
    const type = await this.#mapper.resourceOf(owner.apiVersion, owner.kind);
    try {
      const path = resourcePath(type, { namespace, name: owner.name, subresource: 'scale' });
      const scale = await client.json<Scale>({ method: 'GET', path });
      return scale.metadata?.uid === owner.uid ? { uid: owner.uid, replicas: scale.spec?.replicas ?? 0 } : undefined;
    } catch (error) {
      if (!isNotFound(error)) throw error;
      // Gone, or of a kind that has no scale.
      const path = `/apis/${apiVersionOf(type)}`;
      const served = await client.json<{ readonly resources?: readonly { readonly name: string }[] }>({
        method: 'GET',
        path: type.group === '' ? `/api/${type.version}` : path,
      });
      if (served.resources?.some(({ name }) => name === `${type.resource}/scale`) !== true)
        throw new Error(
          `${type.group === '' ? type.resource : `${type.resource}.${type.group}`} does not implement the ` +
            'scale subresource',
          { cause: error },
        );
      return undefined;
    }
  }
}

function counted<T extends Scaled>(
  informer: SharedInformer<T>,
  owner: OwnerReference,
  namespace: string,
): Counted | undefined {
  const found = withUid(informer, owner, namespace);
  return found === undefined ? undefined : countOf(found);
}

function withUid<T extends Pick<KubeObject, 'metadata'>>(
  informer: SharedInformer<T>,
  { name, uid }: OwnerReference,
  namespace: string,
): T | undefined {
  const found = informer.get(`${namespace}/${name}`);
  return found?.metadata?.uid === uid ? found : undefined;
}

function countOf({ metadata, spec }: Scaled): Counted {
  return { uid: metadata?.uid ?? '', replicas: spec?.replicas ?? 1 };
}

function groupOf({ apiVersion }: OwnerReference): string {
  const slash = apiVersion.indexOf('/');
  return slash < 0 ? '' : apiVersion.slice(0, slash);
}
