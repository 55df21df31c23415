import type { Container, Pod, SELinuxOptions } from '@kubechain/apimachinery/types/core/v1';

/** `user:role:type:level` of what a context says; '' where it says nothing. What is left out is not known here. */
export function labelOf({ level = '', role = '', type = '', user = '' }: SELinuxOptions): string {
  const label = `${user}:${role}:${type}:${level}`;
  return label === ':::' ? '' : label;
}

/**
 * Whether two labels cannot both be on one volume. Nodes may fill in users, roles and types that are left out, so that
 * these agree with any; levels they do not (ControllerSELinuxTranslator, 1.36).
 */
export function labelsConflict(a: string, b: string): boolean {
  const [first, second] = [partsOf(a), partsOf(b)];
  return first.some((part, i) => part !== second[i] && (i === 3 || (part !== '' && second[i] !== '')));
}

/** A level may have colons of its own. */
function partsOf(label: string): readonly string[] {
  const [user = '', role = '', type = '', ...level] = label.split(':');
  return [user, role, type, level.join(':')];
}

/** Labels that containers of a pod mount a volume with, each once, by the volume's name in the pod. */
export function labelsByVolume({ spec }: Pod): ReadonlyMap<string, ReadonlySet<string>> {
  const labels = new Map<string, Set<string>>();
  const containers: readonly Pick<Container, 'securityContext' | 'volumeMounts'>[] = [
    ...(spec?.initContainers ?? []),
    ...(spec?.containers ?? []),
    ...(spec?.ephemeralContainers ?? []),
  ];
  for (const { securityContext, volumeMounts = [] } of containers) {
    const options = securityContext?.seLinuxOptions ?? spec?.securityContext?.seLinuxOptions;
    for (const { name } of volumeMounts) {
      const known = labels.get(name) ?? new Set<string>();
      labels.set(name, known);
      if (options !== undefined) known.add(labelOf(options));
    }
  }
  return labels;
}
