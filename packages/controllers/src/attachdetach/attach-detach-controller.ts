import { backoffMs, isAlreadyExists, isNotFound } from '@kubechain/apimachinery';
import type { Node, PersistentVolume } from '@kubechain/apimachinery/types/core/v1';
import type { VolumeAttachment } from '@kubechain/apimachinery/types/storage/v1';
import { runWorkers, WorkQueue } from '@kubechain/shared-storage/work-queue';
import { resources } from '../client/resources.ts';
import type { Controller, ControllerContext } from '../controller/controller.ts';
import type { EventRecorder } from '../events/event-recorder.ts';
import type { SharedInformer } from '../informers/shared-informer.ts';
import { attachmentName, csiOf, uniqueNameOf, type AttachableVolume } from './attachable-volume.ts';
import { AttachedVolumes, type Attachment } from './attached-volumes.ts';
import { multiAttachMessage } from './multi-attach-message.ts';
import { WantedVolumes } from './wanted-volumes.ts';

/** How long a volume that is still mounted is left to a node that is not well (ReconcilerMaxWaitForUnmountDuration). */
const mostUnmountMs = 6 * 60_000;
/** How long a driver is waited for (csiTimeout). */
const mostAttachMs = 2 * 60_000;
/** After a failure, doubled with each (exponentialbackoff, 1.36). */
const retry = { firstMs: 500, longestMs: 122_000 };
const outOfService = 'node.kubernetes.io/out-of-service';

/** What is being waited for, for a volume on a node. */
interface Operation {
  readonly kind: 'attach' | 'detach';
  readonly sinceMs: number;
}

/**
 * Has volumes attached to the nodes of the pods that use them, and detached when nobody does any more: by
 * VolumeAttachments, which the drivers' attachers answer, and by what nodes' statuses say
 * (pkg/controller/volume/attachdetach, 1.36). It is told of changes, where the reference looks ten times a second.
 */
export class AttachDetachController implements Controller {
  readonly #context: ControllerContext;
  readonly #recorder: EventRecorder;
  readonly #nodes: SharedInformer<Node>;
  readonly #volumes: SharedInformer<PersistentVolume>;
  readonly #attachments: SharedInformer<VolumeAttachment>;
  readonly #wanted: WantedVolumes;
  readonly #attached = new AttachedVolumes();
  /** Unique names of volumes: one that may not be on two nodes is decided on for all nodes together. */
  readonly #queue: WorkQueue;
  readonly #operations = new Map<string, Operation>();
  readonly #failures = new Map<string, { readonly count: number; readonly untilMs: number }>();
  readonly #toldOfOthers = new Set<string>();
  /** By name of an attachment: the volume. */
  readonly #byAttachment = new Map<string, string>();
  /** What nodes had mounted when they were last seen: they may have it still. */
  readonly #lastInUse = new Map<string, readonly string[]>();
  /** By node: the last report under way, so that none overtakes another. */
  readonly #reports = new Map<string, Promise<void>>();

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#recorder = context.recorder('attachdetach-controller');
    this.#queue = new WorkQueue({ clock: context.clock, metrics: context.queueMetrics, name: 'attachdetach' });
    this.#nodes = context.informers.informer(resources.nodes);
    this.#volumes = context.informers.informer(resources.persistentvolumes);
    this.#attachments = context.informers.informer(resources.volumeattachments);
    this.#wanted = new WantedVolumes(context.informers, (uniqueName) => this.#queue.add(uniqueName));
    const nodeChanged = ({ metadata, status }: Node): void => {
      const names = [...(status?.volumesInUse ?? []), ...this.#attached.reportedOn(metadata?.name ?? '')];
      for (const uniqueName of new Set(names)) this.#queue.add(uniqueName);
    };
    this.#nodes.addHandlers({
      onAdd: ({ metadata }) => {
        const name = metadata?.name ?? '';
        this.#lastInUse.delete(name);
        // It is a new one, and says nothing yet.
        if (this.#attached.reportedOn(name).length > 0)
          void this.#report(name).catch((error: unknown) => this.#context.log.error('cannot tell a node', error));
      },
      onUpdate: (node, before) => {
        nodeChanged(before);
        nodeChanged(node);
      },
      onDelete: (node) => {
        this.#lastInUse.set(node.metadata?.name ?? '', node.status?.volumesInUse ?? []);
        nodeChanged(node);
      },
    });
    const attachmentChanged = ({ metadata }: VolumeAttachment): void => {
      const uniqueName = this.#byAttachment.get(metadata?.name ?? '');
      if (uniqueName !== undefined) this.#queue.add(uniqueName);
    };
    this.#attachments.addHandlers({
      onAdd: attachmentChanged,
      onUpdate: attachmentChanged,
      onDelete: attachmentChanged,
    });
  }

  async run(signal: AbortSignal): Promise<void> {
    const informers = [this.#nodes, this.#volumes, this.#attachments];
    await Promise.all([this.#wanted.waitForSync(signal), ...informers.map((informer) => informer.waitForSync(signal))]);
    this.#readState();
    await runWorkers({
      queue: this.#queue,
      workers: 10,
      signal,
      sync: (uniqueName) => this.#sync(uniqueName),
      onError: (error, volume) => this.#context.log.error('cannot attach or detach a volume', error, { volume }),
    });
  }

  /** What nodes and attachments say was attached before this process began. */
  #readState(): void {
    for (const { metadata, status } of this.#nodes.list())
      for (const { name } of status?.volumesAttached ?? [])
        this.#attached.set(name, metadata?.name ?? '', {
          state: 'attached',
          volume: this.#wanted.volumeOn(name, metadata?.name ?? ''),
          isReported: true,
          unwantedSinceMs: undefined,
        });
    for (const { spec } of this.#attachments.list()) {
      const { csi } = this.#volumes.get(spec.source.persistentVolumeName ?? '')?.spec ?? {};
      if (csi === undefined) continue;
      const uniqueName = uniqueNameOf({ csi })!;
      this.#byAttachment.set(attachmentName(csi, spec.nodeName), uniqueName);
      if (this.#attached.get(uniqueName, spec.nodeName) === undefined)
        this.#attached.set(uniqueName, spec.nodeName, {
          state: 'uncertain',
          volume: undefined,
          isReported: false,
          unwantedSinceMs: undefined,
        });
    }
    for (const uniqueName of this.#attached.volumes()) this.#queue.add(uniqueName);
  }

  /** First what is to go, so that it can come elsewhere. */
  async #sync(uniqueName: string): Promise<void> {
    const wanted = this.#wanted.nodesOf(uniqueName);
    for (const [node, attachment] of this.#attached.of(uniqueName))
      if (!wanted.includes(node)) await this.#detach(uniqueName, node, attachment);
    for (const node of wanted) await this.#attach(uniqueName, node);
    for (const key of this.#toldOfOthers)
      if (key.endsWith(` ${uniqueName}`) && !wanted.includes(key.slice(0, key.indexOf(' '))))
        this.#toldOfOthers.delete(key);
  }

  async #attach(uniqueName: string, node: string): Promise<void> {
    const volume = this.#wanted.volumeOn(uniqueName, node);
    if (volume === undefined) return;
    const key = keyFor(uniqueName, node);
    const known = this.#attached.get(uniqueName, node);
    if (known?.state === 'attached') {
      known.volume = volume;
      known.unwantedSinceMs = undefined;
      return;
    }
    const operation = this.#operations.get(key);
    if (operation?.kind === 'detach') return this.#isDetached(uniqueName, node, operation);
    if (this.#waits(uniqueName, key)) return;
    const others = this.#attached.of(uniqueName).filter(([other]) => other !== node);
    // Its end will tell.
    if (!volume.multiAttach && others.some(([other]) => this.#operations.has(keyFor(uniqueName, other)))) return;
    const elsewhere = others.filter(([, { state }]) => state === 'attached');
    if (!volume.multiAttach && elsewhere.length > 0) {
      this.#tellOfOthers(
        volume,
        node,
        elsewhere.map(([other]) => other),
      );
      return;
    }
    if (volume.csi === undefined) return this.#hasAttached(volume, node);
    await this.#askDriver(volume, volume.csi, node);
  }

  async #askDriver(volume: AttachableVolume, csi: NonNullable<AttachableVolume['csi']>, node: string): Promise<void> {
    const { uniqueName } = volume;
    const name = attachmentName(csi, node);
    this.#byAttachment.set(name, uniqueName);
    const { sinceMs } = this.#begin(keyFor(uniqueName, node), 'attach');
    // Whatever comes of it, it has to be taken back when nobody wants it any more.
    this.#attached.set(uniqueName, node, { state: 'uncertain', volume, isReported: false, unwantedSinceMs: undefined });
    const attachment = this.#attachments.get(name);
    if (attachment === undefined) await this.#create(name, volume, node);
    else if (attachment.metadata?.deletionTimestamp !== undefined)
      return this.#attachFailed(volume, node, 'volume attachment is being deleted');
    else if (attachment.status?.attached === true) return this.#hasAttached(volume, node);
    else if (attachment.status?.attachError !== undefined)
      return this.#attachFailed(volume, node, attachment.status.attachError.message ?? '');
    const leftMs = sinceMs + mostAttachMs - this.#context.clock.now();
    if (leftMs > 0) this.#queue.addAfter(uniqueName, leftMs);
    else
      this.#attachFailed(
        volume,
        node,
        `timed out waiting for external-attacher of ${csi.driver} CSI driver to attach volume ${csi.volumeHandle}`,
      );
  }

  async #create(name: string, { csi, name: persistentVolumeName }: AttachableVolume, node: string): Promise<void> {
    try {
      await this.#context.client.resource(resources.volumeattachments).create({
        metadata: { name },
        spec: { attacher: csi?.driver ?? '', nodeName: node, source: { persistentVolumeName } },
      });
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
    }
  }

  async #hasAttached(volume: AttachableVolume, node: string): Promise<void> {
    const { name, uniqueName } = volume;
    this.#end(keyFor(uniqueName, node));
    this.#attached.set(uniqueName, node, { state: 'attached', volume, isReported: true, unwantedSinceMs: undefined });
    this.#tell(volume, node, {
      type: 'Normal',
      reason: 'SuccessfulAttachVolume',
      message: `AttachVolume.Attach succeeded for volume ${JSON.stringify(name)} `,
    });
    await this.#report(node);
  }

  #attachFailed(volume: AttachableVolume, node: string, why: string): void {
    const { name, uniqueName } = volume;
    this.#attached.set(uniqueName, node, { state: 'uncertain', volume, isReported: false, unwantedSinceMs: undefined });
    this.#tell(volume, node, {
      type: 'Warning',
      reason: 'FailedAttachVolume',
      message: `AttachVolume.Attach failed for volume ${JSON.stringify(name)} : ${why}`,
    });
    this.#fail(uniqueName, node);
  }

  async #detach(uniqueName: string, node: string, attachment: Attachment): Promise<void> {
    const key = keyFor(uniqueName, node);
    const operation = this.#operations.get(key);
    if (operation?.kind === 'detach') return this.#isDetached(uniqueName, node, operation);
    if (operation !== undefined) this.#operations.delete(key);
    if (this.#waits(uniqueName, key)) return;
    const { clock } = this.#context;
    attachment.unwantedSinceMs ??= clock.now();
    const leftMs = attachment.unwantedSinceMs + mostUnmountMs - clock.now();
    const known = this.#nodes.get(node);
    const isWell = known?.status?.conditions?.some(({ status, type }) => type === 'Ready' && status === 'True');
    const isOutOfService = known?.spec?.taints?.some((taint) => taint.key === outOfService) === true;
    const isForced = isOutOfService || (isWell !== true && leftMs <= 0);
    const inUse = known === undefined ? this.#lastInUse.get(node) : known.status?.volumesInUse;
    if (!isForced && inUse?.includes(uniqueName) === true) {
      // It is still mounted. The node's status will tell, or its silence.
      if (leftMs > 0) this.#queue.addAfter(uniqueName, leftMs);
      return;
    }
    attachment.isReported = false;
    await this.#report(node);
    const csi = attachment.volume?.csi ?? csiOf(uniqueName);
    if (csi === undefined) {
      this.#attached.delete(uniqueName, node);
      return;
    }
    attachment.state = 'uncertain';
    const name = attachmentName(csi, node);
    this.#byAttachment.set(name, uniqueName);
    this.#begin(key, 'detach');
    try {
      await this.#context.client.resource(resources.volumeattachments).delete({ name });
    } catch (error) {
      if (!isNotFound(error)) {
        this.#fail(uniqueName, node);
        throw error;
      }
    }
    this.#isDetached(uniqueName, node, this.#begin(key, 'detach'));
  }

  /** The attachment goes when its driver has let go of the volume. */
  #isDetached(uniqueName: string, node: string, { sinceMs }: Operation): void {
    const csi = csiOf(uniqueName);
    const name = csi === undefined ? '' : attachmentName(csi, node);
    const attachment = this.#attachments.get(name);
    if (attachment === undefined) {
      this.#end(keyFor(uniqueName, node));
      this.#attached.delete(uniqueName, node);
      this.#byAttachment.delete(name);
      this.#queue.add(uniqueName);
      return;
    }
    const leftMs = sinceMs + mostAttachMs - this.#context.clock.now();
    if (attachment.metadata?.deletionTimestamp !== undefined && attachment.status?.detachError !== undefined)
      this.#fail(uniqueName, node);
    else if (leftMs <= 0) this.#fail(uniqueName, node);
    else this.#queue.addAfter(uniqueName, leftMs);
  }

  /** Writes what a node may mount. */
  async #report(node: string): Promise<void> {
    const before = this.#reports.get(node) ?? Promise.resolve();
    const report = before.catch(() => undefined).then(() => this.#writeReport(node));
    this.#reports.set(node, report);
    try {
      await report;
    } finally {
      if (this.#reports.get(node) === report) this.#reports.delete(node);
    }
  }

  async #writeReport(node: string): Promise<void> {
    const known = this.#nodes.get(node);
    if (known === undefined) return;
    const volumesAttached = this.#attached.reportedOn(node).map((name) => ({ name, devicePath: '' }));
    try {
      await this.#context.client
        .resource(resources.nodes)
        .patch(
          { name: node },
          { status: { volumesAttached: volumesAttached.length === 0 ? null : volumesAttached } },
          { subresource: 'status' },
        );
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }

  #tellOfOthers(volume: AttachableVolume, node: string, elsewhere: readonly string[]): void {
    const key = keyFor(volume.uniqueName, node);
    if (this.#toldOfOthers.has(key)) return;
    this.#toldOfOthers.add(key);
    const others = elsewhere.flatMap((other) => this.#wanted.podsOn(volume.uniqueName, other));
    for (const pod of this.#wanted.podsOn(volume.uniqueName, node))
      this.#recorder.event(pod, resources.pods, {
        type: 'Warning',
        reason: 'FailedAttachVolume',
        message: multiAttachMessage(pod, volume.name, others),
      });
  }

  #tell({ uniqueName }: AttachableVolume, node: string, what: Parameters<EventRecorder['event']>[2]): void {
    for (const pod of this.#wanted.podsOn(uniqueName, node)) this.#recorder.event(pod, resources.pods, what);
  }

  #begin(key: string, kind: Operation['kind']): Operation {
    const known = this.#operations.get(key);
    if (known?.kind === kind) return known;
    const operation = { kind, sinceMs: this.#context.clock.now() };
    this.#operations.set(key, operation);
    return operation;
  }

  #end(key: string): void {
    this.#operations.delete(key);
    this.#failures.delete(key);
  }

  /** Puts a volume off on a node, longer with each failure. */
  #fail(uniqueName: string, node: string): void {
    const key = keyFor(uniqueName, node);
    const count = this.#failures.get(key)?.count ?? 0;
    const delayMs = backoffMs(count, retry);
    this.#operations.delete(key);
    this.#failures.set(key, { count: count + 1, untilMs: this.#context.clock.now() + delayMs });
    this.#queue.addAfter(uniqueName, delayMs);
  }

  #waits(uniqueName: string, key: string): boolean {
    const leftMs = (this.#failures.get(key)?.untilMs ?? 0) - this.#context.clock.now();
    if (leftMs > 0) this.#queue.addAfter(uniqueName, leftMs);
    return leftMs > 0;
  }
}

function keyFor(uniqueName: string, node: string): string {
  return `${node} ${uniqueName}`;
}
