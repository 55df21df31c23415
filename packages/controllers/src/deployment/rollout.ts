import { isAlreadyExists, isNotFound, messageOf } from '@kubechain/apimachinery';
import type { Deployment, DeploymentStatus, ReplicaSet } from '@kubechain/apimachinery/types/apps/v1';
import { isDeepStrictEqual } from 'node:util';
import { resources } from '../client/resources.ts';
import { controllerRef } from '../controller/controller-ref.ts';
import type { ControllerContext } from '../controller/controller.ts';
import { hasCause, NAMESPACE_TERMINATING } from '../controller/has-cause.ts';
import type { EventRecorder } from '../events/event-recorder.ts';
import { templateHash } from '../history/template-hash.ts';
import {
  allOf,
  conditionOf,
  deploymentStatus,
  isComplete,
  progressDeadlineSeconds,
  rolloutStatus,
  withCondition,
  type Condition,
  type Sets,
} from './deployment-status.ts';
import {
  activeSets,
  byCreation,
  bySizeThenNewer,
  bySizeThenOlder,
  setOfTemplate,
  sizeOf,
  templateHashLabel,
  total,
} from './replica-sets.ts';
import {
  desiredReplicasAnnotation,
  maxRevision,
  newReplicaSetAnnotations,
  replicasAnnotation,
  replicasAnnotations,
  revisionAnnotation,
  revisionOf,
} from './revision.ts';
import { rollbackOf, rolledBack } from './rollback.ts';
import { isRolling, newSetSize, proportionOf, rolloutLimits, wantedOf } from './rollout-limits.ts';

/** Names of objects may be this long. */
const maxNameLength = 253;

export interface RolloutOptions {
  readonly context: ControllerContext;
  readonly recorder: EventRecorder;
  /** The deployment's, after adoptions and releases. */
  readonly sets: readonly ReplicaSet[];
  /** Whether any pod of another set than this one is still there. */
  readonly hasOtherPods: (newSet: ReplicaSet | undefined) => boolean;
  /** Looks at the deployment again after a time. */
  readonly lookAgain: (afterMs: number) => void;
}

/**
 * One look at one deployment: brings its replica sets a step nearer to what it says, and its status to what they are
 * (pkg/controller/deployment, 1.36).
 */
export class Rollout {
  readonly #options: RolloutOptions;
  #deployment: Deployment;
  #all: readonly ReplicaSet[];

  constructor(deployment: Deployment, options: RolloutOptions) {
    this.#deployment = deployment;
    this.#options = options;
    this.#all = options.sets;
  }

  async sync(): Promise<void> {
    if (this.#deployment.metadata?.deletionTimestamp !== undefined) {
      await this.#writeStatus(this.#statusNow(this.#split()));
      return;
    }
    await this.#checkPaused();
    const revision = this.#deployment.spec?.paused === true ? undefined : rollbackOf(this.#deployment);
    if (revision !== undefined) {
      await this.#rollBack(revision);
      return;
    }
    if (this.#deployment.spec?.paused === true || (await this.#isScaling())) {
      await this.#scaleOnly();
      return;
    }
    if (isRolling(this.#deployment)) await this.#roll();
    else await this.#recreate();
  }

  get #nowMs(): number {
    return this.#options.context.clock.now();
  }

  #split(): Sets {
    const newSet = setOfTemplate(this.#all, this.#deployment.spec?.template ?? {});
    return { newSet, oldSets: this.#all.filter((set) => set.metadata?.uid !== newSet?.metadata?.uid) };
  }

  #statusNow(sets: Sets): DeploymentStatus {
    return deploymentStatus(this.#deployment, sets, this.#nowMs);
  }

  async #writeStatus(status: DeploymentStatus): Promise<void> {
    if (isDeepStrictEqual(this.#deployment.status ?? {}, status)) return;
    this.#deployment = { ...this.#deployment, status };
    await this.#writeDeployment();
  }

  /** The status, and the revision's annotation, which goes with it. */
  async #writeDeployment(): Promise<void> {
    const { client } = this.#options.context;
    const written = await client.resource(resources.deployments).updateStatus(this.#deployment);
    this.#deployment = written;
  }

  /** Says that the rollout was paused or resumed, so that its deadline does not go on counting. */
  async #checkPaused(): Promise<void> {
    if (progressDeadlineSeconds(this.#deployment) === undefined) return;
    const reason = conditionOf(this.#deployment.status, 'Progressing')?.reason;
    if (reason === 'ProgressDeadlineExceeded') return;
    const paused = this.#deployment.spec?.paused === true;
    if (paused === (reason === 'DeploymentPaused')) return;
    await this.#writeStatus(
      withCondition(
        this.#deployment.status ?? {},
        {
          type: 'Progressing',
          status: 'Unknown',
          reason: paused ? 'DeploymentPaused' : 'DeploymentResumed',
          message: paused ? 'Deployment is paused' : 'Deployment is resumed',
        },
        this.#nowMs,
      ),
    );
  }

  /** Whether the size has changed since sets were scaled last. */
  async #isScaling(): Promise<boolean> {
    const sets = await this.#sets(false);
    return activeSets(allOf(sets)).some((set) => {
      const desired = replicasAnnotation(set, desiredReplicasAnnotation);
      return desired !== undefined && desired !== wantedOf(this.#deployment);
    });
  }

  async #scaleOnly(): Promise<void> {
    await this.#scale(await this.#sets(false));
    if (this.#deployment.spec?.paused === true) await this.#cleanUp(this.#split().oldSets);
    await this.#writeStatus(this.#statusNow(this.#split()));
  }

  /** What follows from it is seen at the next look. */
  async #rollBack(revision: bigint): Promise<void> {
    const { context, recorder } = this.#options;
    const { newSet, oldSets } = await this.#sets(true);
    const sets = newSet === undefined ? oldSets : [...oldSets, newSet];
    const { deployment, event } = rolledBack(this.#deployment, sets, revision);
    this.#deployment = await context.client.resource(resources.deployments).update(deployment);
    this.#tell(recorder, event.type, event.reason, event.message);
  }

  async #roll(): Promise<void> {
    const sets = await this.#sets(true);
    if (
      !(await this.#growNew(sets)) &&
      !(await this.#shrinkOld(sets)) &&
      isComplete(this.#deployment, this.#deployment.status)
    )
      await this.#cleanUp(sets.oldSets);
    await this.#tellProgress();
  }

  async #recreate(): Promise<void> {
    const { newSet, oldSets } = await this.#sets(false);
    let scaled = false;
    for (const set of activeSets(oldSets)) scaled = (await this.#resize(set, 0)) || scaled;
    if (!scaled && total.actual(oldSets) === 0 && !this.#options.hasOtherPods(newSet)) {
      const { newSet: made } = await this.#sets(true);
      if (made !== undefined) await this.#resize(made, wantedOf(this.#deployment));
      if (isComplete(this.#deployment, this.#deployment.status)) await this.#cleanUp(oldSets);
    }
    await this.#tellProgress();
  }

  async #tellProgress(): Promise<void> {
    const status = rolloutStatus(this.#deployment, this.#split(), this.#nowMs);
    if (!isDeepStrictEqual(this.#deployment.status ?? {}, status)) {
      await this.#writeStatus(status);
      return;
    }
    const deadline = progressDeadlineSeconds(this.#deployment);
    const condition = conditionOf(status, 'Progressing');
    if (deadline === undefined || condition === undefined || condition.reason === 'ProgressDeadlineExceeded') return;
    if (isComplete(this.#deployment, status)) return;
    const leftMs = Date.parse(condition.lastUpdateTime ?? '') + deadline * 1_000 - this.#nowMs;
    this.#options.lookAgain(Math.max(0, leftMs) + 1_000);
  }

  /** The sets, with the newest one's revision up to date; made where it is not there and `create` says so. */
  async #sets(create: boolean): Promise<Sets> {
    const { newSet, oldSets } = this.#split();
    const revision = maxRevision(oldSets) + 1n;
    if (newSet !== undefined) await this.#refresh(newSet, revision);
    else if (create) await this.#create(oldSets, revision);
    return this.#split();
  }

  async #refresh(set: ReplicaSet, revision: bigint): Promise<void> {
    const before = set.metadata?.annotations ?? {};
    const annotations = newReplicaSetAnnotations(this.#deployment, before, revision);
    const minReadySeconds = this.#deployment.spec?.minReadySeconds ?? 0;
    if (annotations !== before || (set.spec?.minReadySeconds ?? 0) !== minReadySeconds) {
      await this.#update({
        ...set,
        metadata: { ...set.metadata, annotations },
        spec: { ...set.spec!, minReadySeconds },
      });
      return;
    }
    const changed = this.#takeRevision(before[revisionAnnotation] ?? '');
    const found =
      progressDeadlineSeconds(this.#deployment) !== undefined &&
      conditionOf(this.#deployment.status, 'Progressing') === undefined;
    if (found)
      this.#progress('FoundNewReplicaSet', `Found new replica set ${JSON.stringify(set.metadata?.name ?? '')}`);
    if (changed || found) await this.#writeDeployment();
  }

  #takeRevision(revision: string): boolean {
    const { metadata } = this.#deployment;
    if (metadata?.annotations?.[revisionAnnotation] === revision) return false;
    const annotations = { ...metadata?.annotations, [revisionAnnotation]: revision };
    this.#deployment = { ...this.#deployment, metadata: { ...metadata, annotations } };
    return true;
  }

  #progress(reason: string, message: string, status: Condition['status'] = 'True'): void {
    const condition: Condition = { type: 'Progressing', status, reason, message };
    this.#deployment = {
      ...this.#deployment,
      status: withCondition(this.#deployment.status ?? {}, condition, this.#nowMs),
    };
  }

  async #create(oldSets: readonly ReplicaSet[], revision: bigint): Promise<void> {
    const { context, recorder } = this.#options;
    const set = this.#newSet(oldSets, revision);
    const name = set.metadata?.name ?? '';
    const watched = progressDeadlineSeconds(this.#deployment) !== undefined;
    let created: ReplicaSet;
    try {
      created = await context.client.resource(resources.replicasets).create(set);
    } catch (error) {
      if (isAlreadyExists(error)) await this.#avoidCollision();
      else if (!hasCause(error, NAMESPACE_TERMINATING)) {
        const message = `Failed to create new replica set ${JSON.stringify(name)}: ${messageOf(error)}`;
        if (watched) {
          this.#progress('ReplicaSetCreateError', message, 'False');
          await this.#writeDeployment().catch(() => undefined);
        }
        this.#tell(recorder, 'Warning', 'ReplicaSetCreateError', message);
      }
      throw error;
    }
    this.#all = [...this.#all, created];
    if (sizeOf(created) > 0)
      this.#tell(recorder, 'Normal', 'ScalingReplicaSet', `Scaled up replica set ${name} from 0 to ${sizeOf(created)}`);
    const changed = this.#takeRevision(String(revision));
    if (watched) this.#progress('NewReplicaSetCreated', `Created new replica set ${JSON.stringify(name)}`);
    if (changed || watched) await this.#writeDeployment();
  }

  #newSet(oldSets: readonly ReplicaSet[], revision: bigint): ReplicaSet {
    const { metadata: { name = '', namespace = '' } = {}, spec, status } = this.#deployment;
    const template = spec?.template ?? {};
    const hash = templateHash(template, status?.collisionCount);
    const labels = { ...template.metadata?.labels, [templateHashLabel]: hash };
    const replicas = newSetSize(this.#deployment, oldSets, 0);
    const wanted = wantedOf(this.#deployment);
    const { maxSurge } = rolloutLimits(this.#deployment);
    return {
      metadata: {
        name: `${name.slice(0, maxNameLength - 1 - hash.length)}-${hash}`,
        namespace,
        ownerReferences: [controllerRef(this.#deployment, resources.deployments)],
        labels,
        annotations: {
          ...replicasAnnotations(newReplicaSetAnnotations(this.#deployment, {}, revision), wanted, wanted + maxSurge),
        },
      },
      spec: {
        replicas,
        ...(spec?.minReadySeconds === undefined ? {} : { minReadySeconds: spec.minReadySeconds }),
        selector: {
          ...spec?.selector,
          matchLabels: { ...spec?.selector?.matchLabels, [templateHashLabel]: hash },
        },
        template: { ...template, metadata: { ...template.metadata, labels } },
      },
    } as ReplicaSet;
  }

  /**
   * The name is taken: by a set of ours that the informer does not show yet, or by another, which the next name
   * avoids.
   */
  async #avoidCollision(): Promise<void> {
    const { context } = this.#options;
    const { metadata: { namespace } = {}, spec, status = {} } = this.#deployment;
    const { name = '' } = this.#newSet([], 1n).metadata ?? {};
    const existing = await context.client.resource(resources.replicasets).get({ name, namespace });
    const ours = existing.metadata?.ownerReferences?.some(
      ({ controller, uid }) => controller === true && uid === this.#deployment.metadata?.uid,
    );
    if (ours === true && setOfTemplate([existing], spec?.template ?? {}) !== undefined) return;
    this.#deployment = {
      ...this.#deployment,
      status: { ...status, collisionCount: (status.collisionCount ?? 0) + 1 },
    };
    await this.#writeDeployment();
  }

  /** Brings the sets to the deployment's size; while several have pods, each by its part. */
  async #scale({ newSet, oldSets }: Sets): Promise<void> {
    const all = newSet === undefined ? oldSets : [...oldSets, newSet];
    const active = activeSets(all);
    const only =
      active.length === 0
        ? (newSet ?? oldSets.toSorted(byCreation).at(-1))
        : active.length === 1
          ? active[0]
          : undefined;
    const wanted = wantedOf(this.#deployment);
    if (only !== undefined) {
      await this.#resize(only, wanted);
      return;
    }
    if (newSet !== undefined && this.#isSaturated(newSet)) {
      for (const set of activeSets(oldSets)) await this.#resize(set, 0);
      return;
    }
    if (!isRolling(this.#deployment)) return;
    const allowed = wanted === 0 ? 0 : wanted + rolloutLimits(this.#deployment).maxSurge;
    const toAdd = allowed - total.wanted(active);
    const ordered = active.toSorted(toAdd > 0 ? bySizeThenNewer : bySizeThenOlder);
    let added = 0;
    const sizes = ordered.map((set) => {
      const part = toAdd === 0 ? 0 : proportionOf(set, this.#deployment, { toAdd, added });
      added += part;
      return sizeOf(set) + part;
    });
    // What rounding leaves goes to the largest.
    if (toAdd !== 0) sizes[0] = Math.max(0, sizes[0]! + toAdd - added);
    for (const [i, set] of ordered.entries()) await this.#resize(set, sizes[i]!, true);
  }

  #isSaturated(set: ReplicaSet): boolean {
    const wanted = wantedOf(this.#deployment);
    return (
      sizeOf(set) === wanted &&
      replicasAnnotation(set, desiredReplicasAnnotation) === wanted &&
      (set.status?.availableReplicas ?? 0) === wanted
    );
  }

  async #growNew({ newSet, oldSets }: Sets): Promise<boolean> {
    if (newSet === undefined) return false;
    const wanted = wantedOf(this.#deployment);
    if (sizeOf(newSet) === wanted) return false;
    if (sizeOf(newSet) > wanted) return this.#resize(newSet, wanted);
    return this.#resize(newSet, newSetSize(this.#deployment, [...oldSets, newSet], sizeOf(newSet)));
  }

  /** Takes pods from old sets as far as enough are available: unhealthy ones first. */
  async #shrinkOld({ newSet, oldSets }: Sets): Promise<boolean> {
    const old = activeSets(oldSets);
    if (newSet === undefined || total.wanted(old) === 0) return false;
    const minAvailable = wantedOf(this.#deployment) - rolloutLimits(this.#deployment).maxUnavailable;
    const newUnavailable = sizeOf(newSet) - (newSet.status?.availableReplicas ?? 0);
    const most = total.wanted([...oldSets, newSet]) - minAvailable - newUnavailable;
    if (most <= 0) return false;
    let cleaned = 0;
    for (const set of old.toSorted(byCreation)) {
      const unhealthy = sizeOf(set) - (set.status?.availableReplicas ?? 0);
      if (cleaned >= most || unhealthy <= 0) continue;
      const count = Math.min(most - cleaned, unhealthy);
      await this.#resize(set, sizeOf(set) - count);
      cleaned += count;
    }
    const left = activeSets(this.#split().oldSets);
    let spare = total.available([...left, newSet]) - minAvailable;
    let taken = 0;
    for (const set of left.toSorted(byCreation)) {
      if (spare <= 0) break;
      const count = Math.min(sizeOf(set), spare);
      await this.#resize(set, sizeOf(set) - count);
      spare -= count;
      taken += count;
    }
    return cleaned + taken > 0;
  }

  /** Resolves to whether the size changed. `always`: the annotations are brought up to date in any case. */
  async #resize(set: ReplicaSet, size: number, always = false): Promise<boolean> {
    const before = sizeOf(set);
    if (before === size && !always) return false;
    const wanted = wantedOf(this.#deployment);
    const known = set.metadata?.annotations ?? {};
    const annotations = replicasAnnotations(known, wanted, wanted + rolloutLimits(this.#deployment).maxSurge);
    if (before === size && annotations === known) return false;
    await this.#update({ ...set, metadata: { ...set.metadata, annotations }, spec: { ...set.spec!, replicas: size } });
    if (before === size) return false;
    this.#tell(
      this.#options.recorder,
      'Normal',
      'ScalingReplicaSet',
      `Scaled ${before < size ? 'up' : 'down'} replica set ${set.metadata?.name ?? ''} from ${before} to ${size}`,
    );
    return true;
  }

  async #update(set: ReplicaSet): Promise<void> {
    const updated = await this.#options.context.client.resource(resources.replicasets).update(set);
    this.#all = this.#all.map((known) => (known.metadata?.uid === updated.metadata?.uid ? updated : known));
  }

  /** Deletes the oldest empty sets beyond revisionHistoryLimit. */
  async #cleanUp(oldSets: readonly ReplicaSet[]): Promise<void> {
    const limit = this.#deployment.spec?.revisionHistoryLimit;
    if (limit === undefined || limit === 2 ** 31 - 1) return;
    const alive = oldSets.filter(({ metadata }) => metadata?.deletionTimestamp === undefined);
    const surplus = alive
      .toSorted((a, b) => Number((revisionOf(a) ?? 0n) - (revisionOf(b) ?? 0n)) || byCreation(a, b))
      .slice(0, Math.max(0, alive.length - limit));
    for (const set of surplus) {
      const { metadata: { name = '', namespace, generation = 0 } = {}, status } = set;
      if ((status?.replicas ?? 0) !== 0 || sizeOf(set) !== 0 || generation > (status?.observedGeneration ?? 0))
        continue;
      try {
        await this.#options.context.client.resource(resources.replicasets).delete({ name, namespace });
      } catch (error) {
        if (!isNotFound(error)) throw error;
      }
    }
  }

  #tell(recorder: EventRecorder, type: 'Normal' | 'Warning', reason: string, message: string): void {
    recorder.event(this.#deployment, resources.deployments, { type, reason, message });
  }
}
