import type { Clock } from '@kubechain/apimachinery';
import type { Pod } from '@kubechain/apimachinery/types/core/v1';
import { expect } from 'chai';
import { warningsOfExistingPods } from './existing-pods.ts';

const enforce = { level: 'baseline', version: 'latest' } as const;
const still: Clock = { now: () => 0 };
const pod = (name: string, fields: object = {}, owner?: string): Pod => ({
  metadata: {
    name,
    ...(owner === undefined
      ? {}
      : {
          ownerReferences: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: owner, uid: owner, controller: true }],
        }),
  },
  spec: { containers: [], ...fields },
});
const violate = 'existing pods in namespace "ns" violate the new PodSecurity enforce level "baseline:latest"';
const many = (count: number, fields: object = {}, owner?: string): Pod[] =>
  Array.from({ length: count }, (_, i) => pod(`m${i}`, fields, owner));
/** Time goes on by so much whenever somebody looks. */
const running = (milliseconds: number): Clock => {
  let now = 0;
  return { now: () => (now += milliseconds) };
};

const rows: readonly {
  readonly name: string;
  readonly pods: readonly Pod[];
  readonly clock?: Clock;
  readonly expected: readonly string[];
}[] = [
  { name: 'no pods', pods: [], expected: [] },
  { name: 'pods that are fine', pods: [pod('a')], expected: [] },
  { name: 'one pod', pods: [pod('a'), pod('b', { hostPID: true })], expected: [violate, 'b: host namespaces'] },
  {
    name: 'two alike, by the first name',
    pods: [pod('b', { hostPID: true }), pod('a', { hostIPC: true })],
    expected: [violate, 'a (and 1 other pod): host namespaces'],
  },
  {
    name: 'groups in the order of their texts',
    pods: [
      pod('z', { hostPID: true }),
      pod('c', { volumes: [{ name: 'v', hostPath: { path: '/' } }] }),
      pod('y', { hostPID: true }),
      pod('x', { hostPID: true }),
    ],
    expected: [violate, 'c: hostPath volumes', 'x (and 2 other pods): host namespaces'],
  },
  {
    name: 'more pods than are looked at',
    pods: many(3001),
    expected: ['new PodSecurity enforce level only checked against the first 3000 of 3001 existing pods'],
  },
  {
    name: 'replicas come last',
    pods: [
      ...many(3001, { hostPID: true }, 'rs'),
      pod('alone', { hostNetwork: true, volumes: [{ name: 'v', hostPath: { path: '/' } }] }),
    ],
    expected: [
      'new PodSecurity enforce level only checked against the first 3000 of 3002 existing pods',
      violate,
      'alone: host namespaces, hostPath volumes',
      'm0 (and 2998 other pods): host namespaces',
    ],
  },
  {
    name: 'no time',
    pods: many(10),
    clock: running(250),
    expected: ['new PodSecurity enforce level only checked against the first 4 of 10 existing pods'],
  },
];

describe('warnings of existing pods', () => {
  for (const { clock = still, expected, name, pods } of rows) {
    it(name, () => {
      expect(warningsOfExistingPods(pods, { namespace: 'ns', enforce, clock })).to.deep.equal(expected);
    });
  }
});
