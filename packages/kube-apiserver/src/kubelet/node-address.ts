import type { Node } from '@kubechain/apimachinery/types/core/v1';
import { ProxyError } from '@kubechain/apiserver/proxies';

/**
 * The address of a node that its kubelet is dialled at: of the first preferred type that the node has.
 * @throws ProxyError `no preferred addresses found; known addresses: …`
 */
export function preferredNodeAddress(node: Node, preferredTypes: readonly string[]): string {
  const addresses = node.status?.addresses ?? [];
  for (const type of preferredTypes) {
    const found = addresses.find((address) => address.type === type);
    if (found !== undefined) return found.address;
  }
  throw new ProxyError(
    'no preferred addresses found; known addresses: ' +
      `[${addresses.map(({ type, address }) => `{${type} ${address}}`).join(' ')}]`,
  );
}
