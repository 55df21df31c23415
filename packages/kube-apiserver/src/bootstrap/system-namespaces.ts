import type { KubeObject, ObjectMeta } from '@kubechain/apimachinery';
import { metadataNameLabel } from '../registry/core/namespace/defaults.ts';

/** Namespaces that every cluster has (post-start hook start-system-namespaces-controller, 1.36). */
export const systemNamespaces: readonly (KubeObject & { metadata: ObjectMeta })[] = [
  'kube-system',
  'kube-public',
  'kube-node-lease',
  'default',
].map((name) => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name, labels: { [metadataNameLabel]: name } },
}));
