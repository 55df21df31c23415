import { isAlreadyExists, isNotFound, loopTurns, messageOf } from '@kubechain/apimachinery';
import type { ControllerRevision, StatefulSet, StatefulSetStatus } from '@kubechain/apimachinery/types/apps/v1';
import type { PersistentVolumeClaim, Pod } from '@kubechain/apimachinery/types/core/v1';
import { resources } from '../client/resources.ts';
import { inTurns } from '../clock/in-turns.ts';
import type { ControllerContext } from '../controller/controller.ts';
import type { EventRecorder } from '../events/event-recorder.ts';
import { revisionLabel, templateOf } from '../history/controller-revisions.ts';
import { isPodAvailable, isPodEnded, isPodReady } from '../pods/pod-state.ts';
import { slowStart } from '../pods/slow-start.ts';
import { claimOwners, deletesWhenScaled, isStale } from './claim-owners.ts';
import { claimsOf, firstOrdinal, hasIdentity, isInRange, newPod, ordinalOf, withIdentity } from './identity.ts';
import { wantedPods } from './wanted-pods.ts';
import { countedStatus, isMade, isUnavailable, type SetRevisions } from './set-status.ts';

export interface SetSyncOptions {
  readonly context: ControllerContext;
  readonly recorder: EventRecorder;
  readonly revisions: SetRevisions;
  readonly claim: (namespace: string, name: string) => PersistentVolumeClaim | undefined;
}

/**
 * One pass over a set's pods. First all that are wanted are made, lowest ordinal first; then those beyond go, highest
 * first; then those of an older revision go, highest first. Ordered sets stop at the first pod that is not there yet,
 * parallel ones only for updates. Source: stateful_set_control.go updateStatefulSet (1.36).
 */
export class SetSync {
  readonly #set: StatefulSet;
  readonly #options: SetSyncOptions;
  readonly #nowMs: number;
  readonly #minReady: number;
  #replicas: Pod[] = [];
  #condemned: readonly Pod[] = [];
  #status: StatefulSetStatus = { replicas: 0 };

  constructor(set: StatefulSet, options: SetSyncOptions) {
    this.#set = set;
    this.#options = options;
    this.#nowMs = options.context.clock.now();
    this.#minReady = set.spec?.minReadySeconds ?? 0;
  }

  /** Resolves to the status, and what failed beside. */
  async sync(pods: readonly Pod[]): Promise<{ readonly status: StatefulSetStatus; readonly error: unknown }> {
    this.#condemned = await this.#beyond(pods);
    this.#replicas = await wantedPods(this.#set, pods, (ordinal) => this.#plan(ordinal));
    this.#status = await this.#count();
    if (this.#set.metadata?.deletionTimestamp !== undefined) return { status: this.#status, error: undefined };
    let error: unknown;
    try {
      const settled =
        (await this.#forAll(this.#replicas.length, (i) => this.#keep(i))) &&
        (await this.#forAll(this.#condemned.length, (i) => this.#keepClaims(this.#condemned[i]!))) &&
        (await this.#forAll(this.#condemned.length, (i) => this.#giveUp(this.#condemned[i]!)));
      this.#status = await this.#count();
      if (settled) await this.#roll();
    } catch (reason) {
      error = reason;
      this.#status = await this.#count();
    }
    return { status: this.#status, error };
  }

  get #ordered(): boolean {
    return this.#set.spec?.podManagementPolicy !== 'Parallel';
  }

  /** Pods that the set does not want any more, highest ordinal first. */
  async #beyond(pods: readonly Pod[]): Promise<readonly Pod[]> {
    const beyond: { readonly pod: Pod; readonly ordinal: number }[] = [];
    await inTurns(pods, (pod) => {
      const ordinal = ordinalOf(pod);
      if (ordinal >= 0 && !isInRange(this.#set, ordinal)) beyond.push({ pod, ordinal });
    });
    return beyond.sort((a, b) => b.ordinal - a.ordinal).map(({ pod }) => pod);
  }

  #count(): Promise<StatefulSetStatus> {
    const { revisions } = this.#options;
    return countedStatus(this.#set, [...this.#replicas, ...this.#condemned], { revisions, nowMs: this.#nowMs });
  }

  /** Which revision a pod gets that is not there: below the partition that of before. */
  #plan(ordinal: number): Pod {
    const { current, update } = this.#options.revisions;
    const { rollingUpdate, type } = this.#set.spec?.updateStrategy ?? {};
    const before =
      rollingUpdate === undefined ? (this.#set.status?.currentReplicas ?? 0) : (rollingUpdate.partition ?? 0);
    const old = type === 'RollingUpdate' && ordinal < firstOrdinal(this.#set) + before;
    const revision: ControllerRevision = old ? current : update;
    return newPod(this.#set, ordinal, { revision: revision.metadata?.name ?? '', template: templateOf(revision) });
  }

  /** `step` says whether the next may follow; of a parallel set all steps are taken. */
  async #forAll(count: number, step: (i: number) => Promise<boolean>): Promise<boolean> {
    if (this.#ordered) {
      for (let i = 0; i < count; i++) {
        if (!(await step(i))) return false;
        const turn = loopTurns.next();
        if (turn !== undefined) await turn;
      }
      return true;
    }
    const { error } = await slowStart(count, async (i) => void (await step(i)));
    if (error !== undefined) throw error as Error;
    return true;
  }

  async #keep(i: number): Promise<boolean> {
    const pod = this.#replicas[i]!;
    if (isPodEnded(pod)) {
      if (pod.metadata?.deletionTimestamp === undefined) await this.#delete(pod);
      return false;
    }
    if (!isMade(pod)) {
      if (
        deletesWhenScaled(this.#set) &&
        this.#claimsOf(pod).some(({ known }) => known !== undefined && isStale(known, pod))
      )
        return false;
      this.#replicas[i] = await this.#create(pod);
      if (this.#ordered) return false;
    }
    const made = this.#replicas[i]!;
    if (made.status?.phase === 'Pending') {
      await this.#createClaims(made);
      await this.#keepClaims(made);
    }
    const waits =
      made.metadata?.deletionTimestamp !== undefined ||
      made.status?.phase !== 'Running' ||
      !isPodReady(made) ||
      !isPodAvailable(made, this.#minReady, this.#nowMs);
    if (waits && this.#ordered) return false;
    await this.#repair(made);
    return true;
  }

  async #create(pod: Pod): Promise<Pod> {
    try {
      await this.#createClaims(pod);
      const made = await this.#options.context.client.resource(resources.pods).create(pod);
      await this.#keepClaims(made);
      this.#tellPod('Create', pod);
      return made;
    } catch (error) {
      if (!isAlreadyExists(error)) this.#tellPod('Create', pod, error);
      throw error;
    }
  }

  #claimsOf(
    pod: Pod,
  ): readonly { readonly claim: PersistentVolumeClaim; readonly known: PersistentVolumeClaim | undefined }[] {
    const namespace = this.#set.metadata?.namespace ?? '';
    return claimsOf(this.#set, ordinalOf(pod)).map((claim) => ({
      claim,
      known: this.#options.claim(namespace, claim.metadata?.name ?? ''),
    }));
  }

  async #createClaims(pod: Pod): Promise<void> {
    const errors: string[] = [];
    for (const { claim, known } of this.#claimsOf(pod)) {
      const name = claim.metadata?.name ?? '';
      const where = `Pod ${pod.metadata?.name ?? ''} in StatefulSet ${this.#set.metadata?.name ?? ''}`;
      if (known?.metadata?.deletionTimestamp !== undefined) errors.push(`pvc ${name} is being deleted`);
      if (known !== undefined) continue;
      try {
        await this.#options.context.client.resource(resources.persistentvolumeclaims).create(claim);
        this.#tell('Normal', 'SuccessfulCreate', `Create Claim ${name} ${where} success`);
      } catch (error) {
        // The informer is behind.
        if (isAlreadyExists(error)) continue;
        errors.push(`failed to create PVC ${name}: ${messageOf(error)}`);
        this.#tell('Warning', 'FailedCreate', `Create Claim ${name} for ${where} failed error: ${messageOf(error)}`);
      }
    }
    if (errors.length > 0) throw new Error(errors.length === 1 ? errors[0] : `[${errors.join(', ')}]`);
  }

  /** Puts the claims' owners right; there is always a next. */
  async #keepClaims(pod: Pod): Promise<boolean> {
    for (const { known } of this.#claimsOf(pod)) {
      if (known === undefined) continue;
      const owners = claimOwners(this.#set, pod, known);
      if (owners.kind === 'conflict')
        this.#tell(
          'Warning',
          'ConflictingController',
          `PersistentVolumeClaim ${known.metadata?.name ?? ''} has a conflicting OwnerReference that acts as ` +
            'a manging controller, the retention policy is ignored for this claim',
        );
      if (owners.kind === 'keep' || owners.references === undefined) continue;
      await this.#options.context.client
        .resource(resources.persistentvolumeclaims)
        .update({ ...known, metadata: { ...known.metadata, ownerReferences: [...owners.references] } });
    }
    return true;
  }

  async #repair(pod: Pod): Promise<void> {
    if (hasIdentity(this.#set, pod)) {
      await this.#keepClaims(pod);
      return;
    }
    try {
      await this.#createClaims(pod);
      await this.#keepClaims(pod);
      await this.#options.context.client.resource(resources.pods).update(withIdentity(this.#set, pod));
      this.#tellPod('Update', pod);
    } catch (error) {
      this.#tellPod('Update', pod, error);
      throw error;
    }
  }

  async #giveUp(pod: Pod): Promise<boolean> {
    if (pod.metadata?.deletionTimestamp !== undefined) return false;
    // Pods are not given up while another one is down, unless they are that one.
    const served = pod.status?.phase === 'Running' && isPodAvailable(pod, this.#minReady, this.#nowMs);
    if (this.#ordered && !served && pod !== this.#firstUnavailable()) return false;
    await this.#delete(pod);
    return false;
  }

  #firstUnavailable(): Pod | undefined {
    return [...this.#replicas, ...this.#condemned.toReversed()].find((pod) =>
      isUnavailable(pod, this.#minReady, this.#nowMs),
    );
  }

  async #roll(): Promise<void> {
    const { rollingUpdate, type } = this.#set.spec?.updateStrategy ?? {};
    if (type === 'OnDelete') return;
    const update = this.#options.revisions.update.metadata?.name;
    for (let i = this.#replicas.length - 1; i >= (rollingUpdate?.partition ?? 0); i--) {
      const pod = this.#replicas[i]!;
      if (pod.metadata?.labels?.[revisionLabel] !== update && pod.metadata?.deletionTimestamp === undefined) {
        await this.#delete(pod);
        this.#status = { ...this.#status, currentReplicas: (this.#status.currentReplicas ?? 0) - 1 };
        return;
      }
      if (isUnavailable(pod, this.#minReady, this.#nowMs)) return;
    }
  }

  async #delete(pod: Pod): Promise<void> {
    const { name = '', namespace, uid } = pod.metadata ?? {};
    // The informer may be behind: the next pod of that name is not meant.
    const preconditions = uid === undefined ? {} : { uid };
    try {
      await this.#options.context.client.resource(resources.pods).delete({ name, namespace }, { preconditions });
    } catch (error) {
      if (!isNotFound(error)) {
        this.#tellPod('Delete', pod, error);
        throw error;
      }
    }
    this.#tellPod('Delete', pod);
  }

  #tellPod(verb: 'Create' | 'Update' | 'Delete', { metadata }: Pod, error?: unknown): void {
    const text = `${verb} Pod ${metadata?.name ?? ''} in StatefulSet ${this.#set.metadata?.name ?? ''}`;
    if (error === undefined) this.#tell('Normal', `Successful${verb}`, `${text} successful`);
    else this.#tell('Warning', `Failed${verb}`, `${text} failed error: ${messageOf(error)}`);
  }

  #tell(type: 'Normal' | 'Warning', reason: string, message: string): void {
    this.#options.recorder.event(this.#set, resources.statefulsets, { type, reason, message });
  }
}
