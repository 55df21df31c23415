import { sleep, type KubeObject, type TimerClock } from '@kubechain/apimachinery';
import type { ResourceStorage } from '../informers/resource-storage.ts';

/** Milliseconds between looks at what another process writes. */
const lookMs = 250;

interface StorageVersionObject extends KubeObject {
  readonly status?: { readonly storageVersions?: readonly { readonly apiServerID?: string }[] };
}

export interface AwaitStorageVersionOptions {
  /** Of StorageVersions. */
  readonly storage: ResourceStorage;
  /** `apiregistration.k8s.io.apiservices`. */
  readonly name: string;
  readonly apiServerID: string;
  readonly clock: TimerClock;
  readonly signal: AbortSignal;
  readonly onError: (error: unknown) => void;
}

/**
 * Resolves when kube-apiserver, which may be another process, has told for this API server in which version something
 * is stored; or when `signal` aborts.
 */
export async function awaitStorageVersion(options: AwaitStorageVersionOptions): Promise<void> {
  const { clock, signal } = options;
  while (!signal.aborted && !(await isTold(options))) await sleep(clock, lookMs, signal);
}

async function isTold({ apiServerID, name, onError, signal, storage }: AwaitStorageVersionOptions): Promise<boolean> {
  try {
    const record = await storage.storage.get(`${storage.keyRoot}/${name}`, { ignoreNotFound: true, signal });
    const { status } = (record?.object() ?? {}) as StorageVersionObject;
    return status?.storageVersions?.some((each) => each.apiServerID === apiServerID) ?? false;
  } catch (error) {
    if (!signal.aborted) onError(error);
    return false;
  }
}
