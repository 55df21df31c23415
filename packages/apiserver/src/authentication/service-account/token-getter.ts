import type { KubeObject } from '@kubechain/apimachinery';

/**
 * Where token checks look up what a token is bound to. Each rejects with a NotFound StatusError when the object is
 * gone, and must be as fresh as a consistent read: a stale answer revives a deleted account's tokens.
 */
export interface ServiceAccountTokenGetter {
  getServiceAccount(namespace: string, name: string): Promise<KubeObject>;
  getPod(namespace: string, name: string): Promise<KubeObject>;
  getSecret(namespace: string, name: string): Promise<KubeObject>;
  getNode(name: string): Promise<KubeObject>;
}
