import { badRequest } from '@kubechain/apimachinery';
import type { Pod } from '@kubechain/apimachinery/types/core/v1';

/**
 * The container that a log or stream is of: the named one, or the only one.
 * @throws StatusError BadRequest when there is no such container, or several to choose from
 */
export function chooseContainer(pod: Pod, container: string): string {
  const name = pod.metadata?.name ?? '';
  const { initContainers = [], containers = [], ephemeralContainers = [] } = pod.spec ?? {};
  const names = [...initContainers, ...containers, ...ephemeralContainers].map((each) => each.name);
  if (container !== '') {
    if (!names.includes(container)) throw badRequest(`container ${container} is not valid for pod ${name}`);
    return container;
  }
  const [only] = containers;
  if (only === undefined) throw badRequest(`a container name must be specified for pod ${name}`);
  if (containers.length > 1)
    throw badRequest(`a container name must be specified for pod ${name}, choose one of: [${names.join(' ')}]`);
  return only.name;
}
