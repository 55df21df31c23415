import { isNotFound, messageOf, type KubeObject, type OwnerReference } from '@kubechain/apimachinery';
import type { Pod, PodTemplateSpec } from '@kubechain/apimachinery/types/core/v1';
import type { Client } from '../client/client.ts';
import type { ResourceType } from '../client/resource-type.ts';
import { resources } from '../client/resources.ts';
import { hasCause, NAMESPACE_TERMINATING } from '../controller/has-cause.ts';
import type { EventRecorder } from '../events/event-recorder.ts';

/** For whom pods are made and deleted: events are about it. */
export interface PodOwner {
  readonly object: Pick<KubeObject, 'metadata'>;
  readonly type: ResourceType<unknown>;
}

/** What a pod gets besides its template. */
export interface PodAdditions {
  readonly ownerReference: OwnerReference;
  /** Instead of a generated one. */
  readonly name?: string;
  /** Default: the owner's name and a dash. */
  readonly generateName?: string;
  readonly finalizers?: readonly string[];
}

/** Makes and deletes pods with the events that users know (controller.RealPodControl, 1.36). */
export class PodControl {
  readonly #client: Client;
  readonly #recorder: EventRecorder;

  constructor(client: Client, recorder: EventRecorder) {
    this.#client = client;
    this.#recorder = recorder;
  }

  /** @throws StatusError of the create, told in an event unless the namespace is going */
  async create(owner: PodOwner, template: PodTemplateSpec, additions: PodAdditions): Promise<Pod> {
    const pod = podOf(owner, template, additions);
    try {
      const created = await this.#client.resource(resources.pods).create(pod);
      this.#tell(owner, 'Normal', 'SuccessfulCreate', `Created pod: ${created.metadata?.name ?? ''}`);
      return created;
    } catch (error) {
      if (!hasCause(error, NAMESPACE_TERMINATING))
        this.#tell(owner, 'Warning', 'FailedCreate', `Error creating: ${messageOf(error)}`);
      throw error;
    }
  }

  /** @throws StatusError of the delete, told in an event unless the pod was gone */
  async delete(owner: PodOwner, { metadata }: Pod): Promise<void> {
    const { name = '', namespace } = metadata ?? {};
    try {
      await this.#client.resource(resources.pods).delete({ name, namespace });
      this.#tell(owner, 'Normal', 'SuccessfulDelete', `Deleted pod: ${name}`);
    } catch (error) {
      if (!isNotFound(error)) this.#tell(owner, 'Warning', 'FailedDelete', `Error deleting: ${messageOf(error)}`);
      throw error;
    }
  }

  #tell({ object, type }: PodOwner, kind: 'Normal' | 'Warning', reason: string, message: string): void {
    this.#recorder.event(object, type, { type: kind, reason, message });
  }
}

/** The pod of a template (controller.GetPodFromTemplate). */
export function podOf(
  { object }: PodOwner,
  { metadata = {}, spec }: PodTemplateSpec,
  { ownerReference, name, generateName, finalizers }: PodAdditions,
): Pod {
  const { name: ownerName = '', namespace = '' } = object.metadata ?? {};
  const own = [...(metadata.finalizers ?? []), ...(finalizers ?? [])];
  return {
    metadata: {
      ...(name === undefined ? { generateName: generateName ?? `${ownerName}-` } : { name }),
      namespace,
      labels: { ...metadata.labels },
      annotations: { ...metadata.annotations },
      ...(own.length === 0 ? {} : { finalizers: own }),
      ownerReferences: [ownerReference],
    },
    ...(spec === undefined ? {} : { spec: structuredClone(spec) }),
  } as Pod;
}
