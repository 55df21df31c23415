import { limits, systemClock } from '@kubechain/apimachinery';
import { expect } from 'chai';
import { startExtensionServer, type ExtensionServer } from '../remote/testing/extension-server.ts';
import { RemoteDiscovery } from './remote-discovery.ts';

describe('RemoteDiscovery', () => {
  let server: ExtensionServer;
  let discovery: RemoteDiscovery;
  const changes: (() => void)[] = [];
  const shown = (): [string, string, number][] =>
    [...discovery.versions()].map((each) => [
      each.remote.group,
      each.discovery.freshness,
      each.discovery.resources.length,
    ]);
  const changed = (): Promise<void> => new Promise((resolve) => changes.push(resolve));
  const resources = (group: string, description: string): string =>
    JSON.stringify({
      kind: 'APIResourceList',
      groupVersion: `${group}/v1`,
      resources: [{ name: 'as', singularName: description, namespaced: true, kind: 'A', verbs: ['get'] }],
    });

  beforeEach(async () => {
    server = await startExtensionServer();
    discovery = new RemoteDiscovery({ clock: systemClock, onChange: () => changes.shift()?.() });
  });
  afterEach(async () => {
    discovery.stop();
    await server.stop();
  });

  it('shows no more than extensionResources of a group version', async () => {
    const resource = { singularName: 'a', namespaced: true, kind: 'A', verbs: ['get'] };
    server.documents.set(
      '/apis/a.example/v1',
      JSON.stringify({
        resources: Array.from({ length: limits.extensionResources.value + 1 }, (_, i) => ({
          name: `r${i}`,
          ...resource,
        })),
      }),
    );
    const seen = changed();
    discovery.set(server.remote('a.example'));
    await seen;
    expect(shown()).to.deep.equal([['a.example', 'Current', limits.extensionResources.value]]);
  });

  it('shows no more than extensionDiscovery of all servers together', async () => {
    const half = 'a'.repeat(limits.extensionDiscovery.value * 0.6);
    for (const group of ['a.example', 'b.example']) {
      server.documents.set(`/apis/${group}/v1`, resources(group, half));
      const seen = changed();
      discovery.set(server.remote(group));
      await seen;
    }
    expect(shown()).to.deep.equal([
      ['a.example', 'Current', 1],
      ['b.example', 'Stale', 0],
    ]);

    // Where others have less, there is room for it when it is asked for again.
    discovery.delete('v1.a.example');
    const seen = changed();
    discovery.set(server.remote('b.example'));
    await seen;
    expect(shown()).to.deep.equal([['b.example', 'Current', 1]]);
  });
});
