import { StatusError } from '@kubechain/apimachinery';
import type { KubeObject } from '@kubechain/apimachinery';
import { expect } from 'chai';
import type { AuthorizationAttributes } from '../authorization/authorizer.ts';
import type { AdmissionAttributes, AdmissionPlugin } from './admission.ts';
import { AlwaysAdmit, AlwaysDeny } from './always.ts';
import { NamespaceAutoProvision } from './namespace-auto-provision.ts';
import { NamespaceExists } from './namespace-exists.ts';
import type { NamespaceLister } from './namespace-lister.ts';
import { OwnerReferencesPermissionEnforcement } from './owner-references-permission-enforcement.ts';
import { creationOf } from './testing/attributes.ts';

/** The creation of Deployment `x` in namespace `ns`, or what `more` makes of it. */
function attributesOf(more: Partial<AdmissionAttributes> = {}): AdmissionAttributes {
  return creationOf({
    kind: { group: 'apps', version: 'v1', kind: 'Deployment' },
    resource: { group: 'apps', version: 'v1', resource: 'deployments' },
    object: { metadata: { name: 'x' } },
    ...more,
  });
}

async function verdict(plugin: AdmissionPlugin, more: Partial<AdmissionAttributes> = {}): Promise<string> {
  const attributes = attributesOf(more);
  try {
    await plugin.admit?.(attributes);
    await plugin.validate?.(attributes);
    return 'allowed';
  } catch (error) {
    return error instanceof StatusError ? `${error.code} ${error.message}` : `no status: ${String(error)}`;
  }
}

/** Knows the namespace `ns`; the store knows `late` as well, and fails for `broken`. */
const namespaces: NamespaceLister = {
  get: (name) => (name === 'ns' ? {} : undefined),
  getLive: (name) =>
    name === 'broken' ? Promise.reject(new Error('no store')) : Promise.resolve(name === 'late' ? {} : undefined),
};

describe('plugins that ask for nothing', () => {
  it('admit everything', async () => {
    expect(await verdict(new AlwaysAdmit())).to.equal('allowed');
  });
  it('refuse everything', async () => {
    expect(await verdict(new AlwaysDeny())).to.equal(
      '403 deployments.apps "x" is forbidden: admission control is denying all modifications',
    );
  });
});

describe('NamespaceExists', () => {
  for (const [namespace, expected] of [
    ['ns', 'allowed'],
    ['', 'allowed'],
    ['late', 'allowed'],
    ['none', '404 namespaces "none" not found'],
    ['broken', '500 Internal error occurred: no store'],
  ] as const)
    it(`says of ${namespace === '' ? 'no namespace' : namespace}: ${expected}`, async () => {
      expect(await verdict(new NamespaceExists(namespaces), { namespace })).to.equal(expected);
    });
  it('lets namespaces themselves be made', async () => {
    const kind = { group: '', version: 'v1', kind: 'Namespace' };
    expect(await verdict(new NamespaceExists(namespaces), { namespace: 'none', kind })).to.equal('allowed');
  });
});

describe('NamespaceAutoProvision', () => {
  const status = (reason: 'AlreadyExists' | 'Invalid', message: string): StatusError =>
    new StatusError({ status: 'Failure', reason, code: 409, message });
  const made: string[] = [];
  const plugin = new NamespaceAutoProvision({
    namespaces,
    create: (name) => {
      made.push(name);
      if (name === 'raced') return Promise.reject(status('AlreadyExists', 'there already'));
      return name === 'Bad' ? Promise.reject(status('Invalid', 'no such name')) : Promise.resolve();
    },
  });
  beforeEach(() => {
    made.length = 0;
  });
  for (const [title, more, expected, names] of [
    ['makes what is missing', { namespace: 'new' }, 'allowed', ['new']],
    ['leaves what is there', { namespace: 'ns' }, 'allowed', []],
    ['makes none for what is tried only', { namespace: 'new', dryRun: true }, 'allowed', []],
    ['makes none for what is in none', { namespace: '' }, 'allowed', []],
    ['is content with one that another made', { namespace: 'raced' }, 'allowed', ['raced']],
    [
      'refuses where it cannot be made',
      { namespace: 'Bad' },
      '403 deployments.apps "x" is forbidden: no such name',
      ['Bad'],
    ],
  ] as const)
    it(title, async () => {
      expect(await verdict(plugin, more)).to.equal(expected);
      expect(made).to.deep.equal(names);
    });
});

describe('OwnerReferencesPermissionEnforcement', () => {
  /** What the user may do, as `verb group/resource/subresource namespace/name`. */
  const allowing = (...rights: string[]): OwnerReferencesPermissionEnforcement =>
    new OwnerReferencesPermissionEnforcement({
      authorizer: {
        authorize: ({ apiGroup, name, namespace, resource, subresource, verb }: AuthorizationAttributes) => ({
          decision: rights.includes(`${verb} ${apiGroup}/${resource}/${subresource} ${namespace}/${name}`)
            ? 'Allow'
            : 'NoOpinion',
          reason: 'no rule',
        }),
      },
      resourceOf: ({ kind }) =>
        Promise.resolve(
          kind === 'Node'
            ? { resource: 'nodes', namespaced: false }
            : kind === 'ReplicaSet'
              ? { resource: 'replicasets', namespaced: true }
              : undefined,
        ),
    });
  const owned = (...ownerReferences: object[]): KubeObject =>
    ({ metadata: { name: 'x', ownerReferences } }) as KubeObject;
  const set = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'o', uid: '1' };
  const blocking = { ...set, blockOwnerDeletion: true };
  const update = (object: KubeObject, oldObject: KubeObject): Partial<AdmissionAttributes> => ({
    operation: 'UPDATE',
    object,
    oldObject,
  });
  const mayDelete = 'delete apps/deployments/ ns/x';
  for (const [title, plugin, more, expected] of [
    ['lets who creates name owners', allowing(), { object: owned(set) }, 'allowed'],
    ['lets updates leave them', allowing(), update(owned(blocking), owned({ ...blocking })), 'allowed'],
    [
      'asks who names one later whether he may delete the object',
      allowing(),
      update(owned(set), owned()),
      `403 deployments.apps "x" is forbidden: cannot set an ownerRef on a resource you can't delete: no rule, <nil>`,
    ],
    ['allows it to who may', allowing(mayDelete), update(owned(set), owned()), 'allowed'],
    [
      'asks who blocks a deletion whether he may finalize the owner',
      allowing(),
      { object: owned(blocking) },
      '403 deployments.apps "x" is forbidden: cannot set blockOwnerDeletion if an ownerReference refers to a ' +
        `resource you can't set finalizers on: no rule, <nil>`,
    ],
    [
      'allows it to who may',
      allowing('update apps/replicasets/finalizers ns/o'),
      { object: owned(blocking) },
      'allowed',
    ],
    [
      'allows it to who may finalize anything',
      allowing('update */*/finalizers /*'),
      { object: owned(blocking) },
      'allowed',
    ],
    [
      'asks for owners without a namespace there',
      allowing('update /nodes/finalizers /o'),
      { object: owned({ ...blocking, apiVersion: 'v1', kind: 'Node' }) },
      'allowed',
    ],
    [
      'asks again where a reference becomes one that blocks',
      allowing(mayDelete),
      update(owned(blocking), owned(set)),
      '403 deployments.apps "x" is forbidden: cannot set blockOwnerDeletion if an ownerReference refers to a ' +
        `resource you can't set finalizers on: no rule, <nil>`,
    ],
    [
      'refuses owners of unknown kinds',
      allowing(),
      { object: owned({ ...blocking, kind: 'Nothing' }) },
      '403 deployments.apps "x" is forbidden: cannot set blockOwnerDeletion in this case because cannot find ' +
        'RESTMapping for APIVersion apps/v1 Kind Nothing: no matches for kind "Nothing" in version "apps/v1"',
    ],
    [
      'leaves the status of pods to its strategy',
      allowing(),
      {
        ...update(owned(set), owned()),
        resource: { group: '', version: 'v1', resource: 'pods' },
        subresource: 'status',
      },
      'allowed',
    ],
  ] as const)
    it(title, async () => {
      expect(await verdict(plugin, more)).to.equal(expected);
    });
});
