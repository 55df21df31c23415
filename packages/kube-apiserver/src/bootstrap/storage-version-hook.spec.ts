import { StorageVersionBarrier } from '@kubechain/apiserver/servers';
import { expect } from 'chai';
import type { BuiltInRegistry } from '../registry/registry-context.ts';
import { addStorageVersionHook } from './storage-version-hook.ts';

describe('what tells storage versions', () => {
  it('lets nobody write where StorageVersions are not served, and does not end', async () => {
    const pods = { group: '', resource: 'pods' };
    const barrier = new StorageVersionBarrier([pods]);
    const versions = { encodingVersion: 'v1', decodableVersions: ['v1'], servedVersions: ['v1'] };
    let hook: ((context: { readonly signal: AbortSignal }) => unknown) | undefined;
    addStorageVersionHook(
      { addPostStartHook: (_name, run) => void (hook = run), config: { clock: undefined as never } },
      {
        registry: { findStore: () => undefined } as unknown as BuiltInRegistry,
        storageVersions: { barrier, resources: [{ name: 'core.pods', resources: [pods], versions }] },
      },
    );
    const stop = new AbortController();
    let ended = false;
    const running = Promise.resolve(hook?.({ signal: stop.signal })).then(() => (ended = true));
    await Promise.resolve();
    expect(barrier.lastError(pods)).to.equal(
      'the server could not find the requested resource (post storageversions.internal.apiserver.k8s.io)',
    );
    expect(ended).to.equal(false);
    stop.abort();
    await running;
    expect(barrier.isPending(pods)).to.equal(true);
  });
});
