import type { PlaceFunctions } from '../stages/stage-functions.ts';

/** What templates of a pod's stages are told of its node and of its own address. */
export function podPlace({ hostIP, podIP }: { readonly hostIP: string; readonly podIP: () => string }): PlaceFunctions {
  const addressOf = (_node: unknown, hostNetwork: unknown): string => (hostNetwork === true ? hostIP : podIP());
  return {
    ...nodePlace({ address: hostIP, kubeletPort: 0 }),
    PodIP: podIP,
    PodIPWith: addressOf,
    PodIPsWith: (node, hostNetwork) => [addressOf(node, hostNetwork)],
  };
}

/** What templates of a node's stages are told: its host name is where the kubelets of played nodes listen. */
export function nodePlace({
  address,
  kubeletPort,
}: {
  readonly address: string;
  readonly kubeletPort: number;
}): PlaceFunctions {
  return {
    NodeIP: () => address,
    NodeName: () => 'localhost',
    NodePort: () => kubeletPort,
    NodeIPWith: () => address,
    NodeIPsWith: () => [address],
    PodIP: () => '',
    PodIPWith: () => '',
    PodIPsWith: () => [],
  };
}
