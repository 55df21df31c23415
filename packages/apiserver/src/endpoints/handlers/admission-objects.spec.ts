import { builtinScheme, encodeJSON } from '@kubechain/apimachinery';
import type { JSONValue, KubeObject, StatusError } from '@kubechain/apimachinery';
import { pod } from '@kubechain/apimachinery/testing';
import { expect } from 'chai';
import { Turns } from '../../request/turns.ts';
import { ScopeObjects } from './admission-objects.ts';
import type { RequestScope } from './request-scope.ts';

const scheme = builtinScheme();
const scope = { scheme, schemeName: 'test', storage: {} } as unknown as RequestScope;
const objects = new ScopeObjects(scope, new Turns());
const podKind = { group: '', version: 'v1', kind: 'Pod' };
const eventKind = { group: 'events.k8s.io', version: 'v1', kind: 'Event' };

const rows: readonly (readonly [name: string, object: KubeObject, kind: typeof podKind])[] = [
  ['a pod', pod() as KubeObject, podKind],
  ['one without a type', { metadata: { name: 'x' }, spec: { containers: [{ name: 'c' }] } }, podKind],
  [
    'members that are not set',
    {
      ...pod(),
      metadata: { name: 'x', labels: undefined },
      spec: { containers: [{ name: 'c', image: undefined }], priority: undefined },
    } as unknown as KubeObject,
    podKind,
  ],
  [
    'a number that is long',
    { ...pod(), spec: { containers: [], terminationGracePeriodSeconds: 9007199254740993n } } as unknown as KubeObject,
    podKind,
  ],
  [
    'another version',
    { apiVersion: 'v1', kind: 'Event', metadata: { name: 'x' }, source: { component: 'c' }, count: 2 } as KubeObject,
    eventKind,
  ],
];

describe('objects of admission', () => {
  for (const [name, object, kind] of rows) {
    it(`look as they are encoded: ${name}`, async () => {
      const before = encodeJSON(object).toString();
      const view = await objects.view(object, kind);
      expect(JSON.parse(encodeJSON(view as KubeObject).toString())).to.deep.equal(
        JSON.parse(await objects.encode(object, kind)),
      );
      expect(undefinedIn(view)).to.equal(false);
      expect(encodeJSON(object).toString()).to.equal(before);
    });
  }

  it('are read from data as from text', async () => {
    for (const data of [
      pod() as JSONValue,
      {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'x' },
        spec: { containers: [{ name: 'c', ports: [], image: null }], tolerations: [] },
      },
      { ...pod(), kind: 'pod' } as unknown as JSONValue,
      { ...pod(), spec: 7 } as unknown as JSONValue,
      'x',
    ]) {
      const before = JSON.stringify(data);
      const outcome = (promise: Promise<KubeObject>): Promise<unknown> =>
        promise.catch((error: unknown) => String(error));
      expect(await outcome(objects.read(data, podKind))).to.deep.equal(await outcome(objects.decode(before, podKind)));
      expect(JSON.stringify(data)).to.equal(before);
    }
  });

  it('that policies made have no fields that their kind does not have', async () => {
    const refused = await objects
      .read({ ...pod(), bogus: 1, spec: { containers: [{ name: 'c', odd: {} }] } } as unknown as JSONValue, podKind)
      .catch((error: unknown) => error as StatusError);
    expect((refused as StatusError).status).to.deep.include({
      code: 500,
      message:
        'Internal error occurred: strict decoding error: unknown field "bogus", unknown field "spec.containers[0].odd"',
    });
  });
});

function undefinedIn(value: unknown): boolean {
  return value === undefined || (typeof value === 'object' && value !== null && Object.values(value).some(undefinedIn));
}
