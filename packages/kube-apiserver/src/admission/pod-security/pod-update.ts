import type { Pod } from '@kubechain/apimachinery/types/core/v1';
import type { AnyContainer } from './check.ts';

/** Whether an update of a pod can change what checks say: other containers, or other images. */
export function isSignificantUpdate(pod: Pod, old: Pod): boolean {
  const ephemeral = pod.spec?.ephemeralContainers ?? [];
  const oldEphemeral = old.spec?.ephemeralContainers ?? [];
  return (
    imagesDiffer(pod.spec?.containers, old.spec?.containers) ||
    imagesDiffer(pod.spec?.initContainers, old.spec?.initContainers) ||
    ephemeral.some(({ image = '', name }) => image !== imageNamed(oldEphemeral, name))
  );
}

function imagesDiffer(containers: readonly AnyContainer[] = [], old: readonly AnyContainer[] = []): boolean {
  return (
    containers.length !== old.length || containers.some(({ image = '' }, index) => image !== (old[index]?.image ?? ''))
  );
}

function imageNamed(containers: readonly AnyContainer[], name: string): string | undefined {
  const found = containers.find((container) => container.name === name);
  return found === undefined ? undefined : (found.image ?? '');
}
