import { labelsConflict } from './selinux-label.ts';

/** How a pod mounts a volume. */
export interface VolumeUse {
  readonly label: string;
  readonly changePolicy: string;
}

/** What a pod is to be told. */
export interface Conflict {
  readonly podKey: string;
  readonly reason: string;
  readonly message: string;
}

/** Which pods use which volumes, and how: what comes to it is compared with what is there. */
export class VolumeUsers {
  readonly #byVolume = new Map<string, Map<string, VolumeUse>>();

  /** Remembers a use; returns what it contradicts, for both sides. Nothing for what was known so. */
  add(volume: string, podKey: string, use: VolumeUse): readonly Conflict[] {
    const users = this.#byVolume.get(volume) ?? new Map<string, VolumeUse>();
    this.#byVolume.set(volume, users);
    const known = users.get(podKey);
    if (known?.label === use.label && known.changePolicy === use.changePolicy) return [];
    users.set(podKey, use);
    return [...users].flatMap(([otherKey, other]) => [
      ...(other.changePolicy === use.changePolicy
        ? []
        : both('SELinuxChangePolicy', [podKey, use.changePolicy], [otherKey, other.changePolicy])),
      ...(labelsConflict(other.label, use.label)
        ? both('SELinuxLabel', [podKey, use.label], [otherKey, other.label])
        : []),
    ]);
  }

  delete(podKey: string): void {
    for (const [volume, users] of this.#byVolume) {
      users.delete(podKey);
      if (users.size === 0) this.#byVolume.delete(volume);
    }
  }
}

type Side = readonly [podKey: string, value: string];

function both(property: string, one: Side, other: Side): readonly Conflict[] {
  return [conflict(property, one, other), conflict(property, other, one)];
}

/** Of pods in other namespaces nothing is told (Conflict.EventMessage, 1.36). */
function conflict(property: string, [podKey, value]: Side, [otherKey, otherValue]: Side): Conflict {
  const namespaceOf = (key: string): string => key.slice(0, key.indexOf('/'));
  const end = 'If both pods land on the same node, only one of them may access the volume.';
  const message =
    namespaceOf(podKey) === namespaceOf(otherKey)
      ? `${property} "${value}" conflicts with pod ${otherKey.slice(otherKey.indexOf('/') + 1)} that uses the same ` +
        `volume as this pod with ${property} "${otherValue}". ${end}`
      : `${property}"${value}" conflicts with another pod that uses the same volume as this pod with a different ` +
        `${property}. ${end}`;
  return { podKey, reason: `${property}Conflict`, message };
}
