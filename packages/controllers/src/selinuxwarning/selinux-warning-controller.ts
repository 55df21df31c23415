import type { PersistentVolume, PersistentVolumeClaim, Pod, Volume } from '@kubechain/apimachinery/types/core/v1';
import type { CSIDriver } from '@kubechain/apimachinery/types/storage/v1';
import { runWorkers, type WorkQueue } from '@kubechain/shared-storage/work-queue';
import { uniqueNameOf } from '../attachdetach/attachable-volume.ts';
import { resources } from '../client/resources.ts';
import type { Controller, ControllerContext } from '../controller/controller.ts';
import { namespacedQueue } from '../controller/namespaces-in-turns.ts';
import type { EventRecorder } from '../events/event-recorder.ts';
import { keyOf } from '../informers/object-key.ts';
import type { SharedInformer } from '../informers/shared-informer.ts';
import { isPodEnded } from '../pods/pod-state.ts';
import { claimKeysOf } from '../volume/claim-facts.ts';
import { labelsByVolume } from './selinux-label.ts';
import { VolumeUsers } from './volume-users.ts';

const podsByClaim = 'claims of pods for SELinux';

/**
 * Warns of pods that could not share a volume on one node, once volumes are mounted with their SELinux labels
 * (pkg/controller/volume/selinuxwarning, 1.36): in events of both pods. Off by default; whoever turns it on says that
 * nodes have SELinux.
 */
export class SELinuxWarningController implements Controller {
  readonly #context: ControllerContext;
  readonly #recorder: EventRecorder;
  readonly #pods: SharedInformer<Pod>;
  readonly #claims: SharedInformer<PersistentVolumeClaim>;
  readonly #volumes: SharedInformer<PersistentVolume>;
  readonly #drivers: SharedInformer<CSIDriver>;
  readonly #queue: WorkQueue;
  readonly #users = new VolumeUsers();

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#recorder = context.recorder('selinux_warning');
    this.#queue = namespacedQueue(context, 'selinux_warning');
    this.#pods = context.informers.informer(resources.pods);
    this.#claims = context.informers.informer(resources.persistentvolumeclaims);
    this.#volumes = context.informers.informer(resources.persistentvolumes);
    this.#drivers = context.informers.informer(resources.csidrivers);
    this.#pods.addIndex(podsByClaim, claimKeysOf);
    const add = (pod: Pod): void => this.#queue.add(keyOf(pod));
    this.#pods.addHandlers({
      onAdd: add,
      onUpdate: (pod, before) => {
        if (isPodEnded(pod) && !isPodEnded(before)) add(pod);
      },
      onDelete: add,
    });
    const usersOf = (claimKey: string): void => this.#pods.byIndex(podsByClaim, claimKey).forEach(add);
    this.#claims.addHandlers({
      onAdd: (claim) => usersOf(keyOf(claim)),
      onUpdate: (claim, before) => {
        if (claim.spec?.volumeName !== before.spec?.volumeName) usersOf(keyOf(claim));
      },
    });
    const volumeChanged = ({ spec }: PersistentVolume): void => {
      const { name = '', namespace = '', uid } = spec?.claimRef ?? {};
      if (uid !== undefined) usersOf(`${namespace}/${name}`);
    };
    this.#volumes.addHandlers({
      onAdd: volumeChanged,
      onUpdate: (volume, before) => {
        if (volume.spec?.claimRef?.uid !== before.spec?.claimRef?.uid) volumeChanged(volume);
      },
    });
    const driverChanged = ({ metadata }: CSIDriver): void => {
      for (const volume of this.#volumes.list()) if (volume.spec?.csi?.driver === metadata?.name) volumeChanged(volume);
    };
    this.#drivers.addHandlers({
      onAdd: driverChanged,
      onUpdate: (driver, before) => {
        if ((driver.spec.seLinuxMount === true) !== (before.spec.seLinuxMount === true)) driverChanged(driver);
      },
      onDelete: driverChanged,
    });
  }

  async run(signal: AbortSignal): Promise<void> {
    const informers = [this.#pods, this.#claims, this.#volumes, this.#drivers];
    await Promise.all(informers.map((informer) => informer.waitForSync(signal)));
    await runWorkers({
      queue: this.#queue,
      workers: 1,
      signal,
      sync: (key) => this.#sync(key),
      onError: (error, pod) => this.#context.log.info('a pod cannot be looked at', { pod, err: String(error) }, 4),
    });
  }

  #sync(key: string): Promise<void> {
    const pod = this.#pods.get(key);
    if (pod === undefined || isPodEnded(pod)) this.#users.delete(key);
    else
      for (const [name, labels] of labelsByVolume(pod)) {
        const volume = pod.spec?.volumes?.find((each) => each.name === name);
        if (volume !== undefined) this.#look(pod, volume, labels);
      }
    return Promise.resolve();
  }

  #look(pod: Pod, volume: Volume, labels: ReadonlySet<string>): void {
    const found = this.#specOf(pod, volume);
    // The claim will tell when it is bound.
    if (found === 'unbound') return;
    if (labels.size > 1) {
      const name = JSON.stringify(volume.name);
      const message = `Volume ${name} is mounted twice with different SELinux labels inside this pod`;
      this.#recorder.event(pod, resources.pods, { type: 'Warning', reason: 'MultipleSELinuxLabels', message });
      return;
    }
    const uniqueName = uniqueNameOf(found);
    if (uniqueName === undefined) return;
    const canMount = found.csi === undefined || this.#drivers.get(found.csi.driver)?.spec.seLinuxMount === true;
    const asked = pod.spec?.securityContext?.seLinuxChangePolicy ?? 'MountOption';
    const label = canMount && asked !== 'Recursive' ? ([...labels][0] ?? '') : '';
    const changePolicy = label === '' ? 'Recursive' : asked;
    for (const { message, podKey, reason } of this.#users.add(uniqueName, keyOf(pod), { label, changePolicy })) {
      const told = this.#pods.get(podKey);
      if (told === undefined) return;
      this.#recorder.event(told, resources.pods, { type: 'Normal', reason, message });
    }
  }

  /** What a volume of a pod is in the end. */
  #specOf(pod: Pod, volume: Volume): NonNullable<PersistentVolume['spec']> | 'unbound' {
    const { name = '', namespace = '' } = pod.metadata ?? {};
    const claimName =
      volume.persistentVolumeClaim?.claimName ??
      (volume.ephemeral === undefined ? undefined : `${name}-${volume.name}`);
    // Of drivers that pods name themselves none is asked.
    if (claimName === undefined)
      return { ...(volume.fc && { fc: volume.fc }), ...(volume.iscsi && { iscsi: volume.iscsi }) } as NonNullable<
        PersistentVolume['spec']
      >;
    const claim = this.#claims.get(`${namespace}/${claimName}`);
    const bound = claim?.status?.phase === 'Bound' ? this.#volumes.get(claim.spec?.volumeName ?? '') : undefined;
    return bound?.spec === undefined || bound.spec.claimRef?.uid !== claim?.metadata?.uid ? 'unbound' : bound.spec;
  }
}
