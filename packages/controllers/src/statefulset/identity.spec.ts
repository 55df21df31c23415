import type { StatefulSet } from '@kubechain/apimachinery/types/apps/v1';
import type { PersistentVolumeClaim, Pod } from '@kubechain/apimachinery/types/core/v1';
import { expect } from 'chai';
import { claimOwners, isStale } from './claim-owners.ts';
import { claimsOf, hasIdentity, isInRange, newPod, parsePodName, withIdentity } from './identity.ts';

const template = {
  metadata: { labels: { app: 'a' } },
  spec: { containers: [], volumes: [{ name: 'data' }, { name: 'tmp' }] },
};
const setWith = (spec: object): StatefulSet =>
  ({
    metadata: { name: 'web', namespace: 'n', uid: 's' },
    spec: {
      replicas: 2,
      serviceName: 'svc',
      selector: { matchLabels: { app: 'a' } },
      volumeClaimTemplates: [{ metadata: { name: 'data', labels: { size: 'big' } } }],
      ...spec,
    },
  }) as unknown as StatefulSet;
const set = setWith({});

describe('a pod of a stateful set', () => {
  for (const [name, parsed] of [
    ['web-0', { parent: 'web', ordinal: 0 }],
    ['my-web-12', { parent: 'my-web', ordinal: 12 }],
    ['web', undefined],
    ['web-x', undefined],
    ['web-99999999999', undefined],
  ] as const)
    it(`of the name ${name} is ${parsed === undefined ? 'none' : `number ${parsed.ordinal} of ${parsed.parent}`}`, () =>
      expect(parsePodName(name)).to.deep.equal(parsed));
  it('is wanted from the first ordinal on', () => {
    const later = setWith({ ordinals: { start: 3 } });
    expect([2, 3, 4, 5].map((ordinal) => isInRange(later, ordinal))).to.deep.equal([false, true, true, false]);
  });
  it('has its name, labels, host name and claims', () => {
    const pod = newPod(set, 1, { revision: 'web-abc', template });
    expect(pod.metadata?.name).to.equal('web-1');
    expect(pod.metadata?.labels).to.deep.equal({
      app: 'a',
      'statefulset.kubernetes.io/pod-name': 'web-1',
      'apps.kubernetes.io/pod-index': '1',
      'controller-revision-hash': 'web-abc',
    });
    expect(pod.spec).to.include({ hostname: 'web-1', subdomain: 'svc' });
    expect(pod.spec?.volumes).to.deep.equal([
      { name: 'data', persistentVolumeClaim: { claimName: 'data-web-1' } },
      { name: 'tmp' },
    ]);
    expect(hasIdentity(set, pod)).to.equal(true);
  });
  it('gets back what somebody took', () => {
    const pod = newPod(set, 1, { revision: 'web-abc', template });
    const broken = { ...pod, metadata: { ...pod.metadata, labels: {} } } as Pod;
    expect(hasIdentity(set, broken)).to.equal(false);
    expect(hasIdentity(set, withIdentity(set, broken))).to.equal(true);
  });
  it('has claims with the labels of its selector', () =>
    expect(claimsOf(set, 1)[0]?.metadata).to.deep.equal({
      name: 'data-web-1',
      namespace: 'n',
      labels: { size: 'big', app: 'a' },
    }));
});

describe("a claim's owners", () => {
  const owner = (kind: string, name: string, uid: string, controller = true): object => ({
    apiVersion: kind === 'Pod' ? 'v1' : 'apps/v1',
    kind,
    name,
    uid,
    controller,
    blockOwnerDeletion: true,
  });
  const bySet = owner('StatefulSet', 'web', 's');
  const byPod = (ordinal: number): object => owner('Pod', `web-${ordinal}`, `p${ordinal}`);
  const claim = (references: readonly object[]): PersistentVolumeClaim =>
    ({ metadata: { ownerReferences: references } }) as unknown as PersistentVolumeClaim;
  const foreign = owner('ReplicaSet', 'other', 'x');
  const extra = owner('ConfigMap', 'other', 'x', false);
  const cases: readonly (readonly [
    deleted: string,
    scaled: string,
    ordinal: number,
    before: object[],
    after: object[] | string,
  ])[] = [
    ['Retain', 'Retain', 0, [], 'keep'],
    ['Retain', 'Retain', 0, [bySet], []],
    ['Delete', 'Retain', 0, [extra], [extra, bySet]],
    ['Delete', 'Retain', 0, [bySet], 'keep'],
    ['Delete', 'Retain', 0, [owner('StatefulSet', 'web', 's', false)], [bySet]],
    ['Delete', 'Retain', 5, [byPod(5)], [bySet]],
    ['Retain', 'Delete', 5, [], [byPod(5)]],
    ['Retain', 'Delete', 0, [byPod(0)], []],
    ['Delete', 'Delete', 5, [bySet], [byPod(5)]],
    ['Delete', 'Delete', 0, [byPod(0)], [bySet]],
    ['Delete', 'Delete', 0, [foreign], 'conflict'],
    ['Retain', 'Retain', 0, [foreign], 'keep'],
  ];
  for (const [whenDeleted, whenScaled, ordinal, before, after] of cases)
    it(
      `of pod ${ordinal}, ${whenDeleted} when deleted, ${whenScaled} when scaled, after ` +
        `${JSON.stringify(before.map((one) => (one as { kind: string }).kind))}`,
      () => {
        const policy = { persistentVolumeClaimRetentionPolicy: { whenDeleted, whenScaled } };
        const pod = { metadata: { name: `web-${ordinal}`, uid: `p${ordinal}` } } as Pod;
        const owners = claimOwners(setWith(policy), pod, claim(before));
        if (typeof after === 'string') expect(owners.kind).to.equal(after);
        else expect(owners).to.deep.equal({ kind: 'set', references: after });
      },
    );
  it('are those of a former pod of the name', () => {
    const pod = { metadata: { name: 'web-0', uid: 'p0' } } as Pod;
    expect(isStale(claim([byPod(0)]), pod)).to.equal(false);
    expect(isStale(claim([owner('Pod', 'web-0', 'before')]), pod)).to.equal(true);
  });
});
