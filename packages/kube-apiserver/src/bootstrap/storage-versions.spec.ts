import { builtinRelease } from '@kubechain/apimachinery';
import { expect } from 'chai';
import { storedResources, withServer } from './storage-versions.ts';
import type { StoredResource } from './storage-versions.ts';

/** Whose resources kube-apiserver has no storage of. */
const ofOtherServers = ['apiextensions.k8s.io', 'apiregistration.k8s.io'];
const now = '2026-01-02T00:00:00Z';
const before = '2026-01-01T00:00:00Z';
const server = (apiServerID: string, encodingVersion = 'apps/v1') => ({
  apiServerID,
  encodingVersion,
  decodableVersions: [encodingVersion],
  servedVersions: ['apps/v1'],
});

describe('what servers store', () => {
  it('is told of each resource once, by where it is kept', () => {
    const all = storedResources(
      builtinRelease,
      ({ group, version }) => /^v\d+$/.test(version) && !ofOtherServers.includes(group),
    );
    const named = (name: string): StoredResource | undefined => all.find((each) => each.name === name);
    // As kube-apiserver 1.36.2 tells it, which has one more, for StorageVersions themselves.
    expect(all).to.have.lengthOf(58);
    expect(named('apps.deployments')).to.deep.equal({
      name: 'apps.deployments',
      resources: [{ group: 'apps', resource: 'deployments' }],
      versions: {
        encodingVersion: 'apps/v1',
        decodableVersions: ['apps/v1', 'apps/v1beta2', 'apps/v1beta1'],
        servedVersions: ['apps/v1'],
      },
    });
    expect(named('core.events')).to.deep.equal({
      name: 'core.events',
      resources: [
        { group: '', resource: 'events' },
        { group: 'events.k8s.io', resource: 'events' },
      ],
      versions: {
        encodingVersion: 'v1',
        decodableVersions: ['v1', 'events.k8s.io/v1'],
        servedVersions: ['v1'],
      },
    });
    expect(named('events.k8s.io.events')).to.equal(undefined);
    expect(named('autoscaling.horizontalpodautoscalers')?.versions).to.deep.include({
      encodingVersion: 'autoscaling/v2',
      servedVersions: ['autoscaling/v2', 'autoscaling/v1'],
    });
  });

  it('agrees while all servers store the same', () => {
    const one = withServer(undefined, server('a'), before);
    expect(one).to.deep.equal({
      storageVersions: [server('a')],
      commonEncodingVersion: 'apps/v1',
      conditions: [
        {
          type: 'AllEncodingVersionsEqual',
          status: 'True',
          lastTransitionTime: before,
          reason: 'CommonEncodingVersionSet',
          message: 'Common encoding version set',
        },
      ],
    });
    expect(withServer(one, server('a'), now)).to.deep.equal(one);
    const two = withServer(one, server('b', 'apps/v2'), now);
    expect(two.commonEncodingVersion).to.equal(undefined);
    expect(two.conditions?.[0]).to.deep.include({ status: 'False', lastTransitionTime: now });
    expect(withServer(two, server('b'), now).commonEncodingVersion).to.equal('apps/v1');
  });

  it('has changed when all servers store something else', () => {
    const one = withServer(undefined, server('a'), before);
    const other = withServer(one, server('a', 'apps/v2'), now);
    expect(other.conditions?.[0]).to.deep.include({ status: 'True', lastTransitionTime: now });
  });
});
