import { expect } from 'chai';
import type { KubeObject } from '@kubechain/apimachinery';
import type { ObjectRecord, StorageInterface } from '@kubechain/shared-storage';
import { internalContext } from '../../registry/rest/internal-context.ts';
import type { RESTStorage, UpdatedObjectInfo } from '../../registry/rest/storage.ts';
import { guardBindings, guardRoles } from './guarded-storage.ts';
import { RBACAuthorizer } from './rbac-authorizer.ts';
import type { ResourceStorage } from '../../informers/resource-storage.ts';
import { RoleStore } from './role-store.ts';

const group = 'rbac.authorization.k8s.io';
const alice = { name: 'alice', groups: ['devs', 'system:authenticated'] };
const admin = { name: 'admin', groups: ['system:masters'] };
const read = [{ verbs: ['get'], apiGroups: [''], resources: ['configmaps'] }];
const more = [{ verbs: ['get', 'list'], apiGroups: [''], resources: ['secrets'] }];

const objects: Record<string, Record<string, KubeObject>> = {
  clusterroles: { view: { metadata: { name: 'view' }, rules: more } },
  roles: { 'ns/mine': { metadata: { name: 'mine', namespace: 'ns' }, rules: read } },
  clusterrolebindings: {},
  rolebindings: {
    'ns/b': {
      metadata: { name: 'b', namespace: 'ns' },
      roleRef: { apiGroup: group, kind: 'Role', name: 'mine' },
      subjects: [{ kind: 'User', name: 'alice' }],
    },
  },
};
function stored(resource: string): ResourceStorage {
  const keyRoot = `/registry/${resource}`;
  const items = Object.entries(objects[resource]!).map(
    ([key, object]) => ({ key: `${keyRoot}/${key}`, object: () => object }) as unknown as ObjectRecord,
  );
  return {
    keyRoot,
    storage: { getList: async () => ({ items, resourceVersion: '1', continue: '' }) } as unknown as StorageInterface,
  };
}
const options = {
  authorizer: new RBACAuthorizer(new RoleStore()),
  roles: () => ({
    clusterRoles: stored('clusterroles'),
    roles: stored('roles'),
    clusterRoleBindings: stored('clusterrolebindings'),
    roleBindings: stored('rolebindings'),
  }),
};

/** A store with a private member, as the real one has. */
class FakeStore {
  readonly kind = 'Fake';
  readonly namespaced = true;
  readonly singularName = 'fake';
  #secret = 'kept';
  get(): Promise<KubeObject> {
    return Promise.resolve({ kind: this.#secret });
  }
  create(...args: unknown[]): Promise<KubeObject> {
    return Promise.resolve(args[2] as KubeObject);
  }
  async update(
    context: never,
    _name: string,
    info: UpdatedObjectInfo,
  ): Promise<{ result: KubeObject; created: boolean }> {
    return {
      result: await info.updatedObject(context, { metadata: { name: 'mine', finalizers: ['x'] }, rules: more }),
      created: false,
    };
  }
}
const writes = { dryRun: false, fieldManager: '', fieldValidation: '', forceAllowCreate: false };
const accept = (): void => undefined;

describe('guarded RBAC registries', () => {
  const store = (): RESTStorage => new FakeStore() as unknown as RESTStorage;
  const outcome = (run: Promise<unknown>): Promise<string> =>
    run.then(
      () => 'written',
      (error: Error) => error.message,
    );
  const create = (
    resource: 'roles' | 'clusterroles' | 'rolebindings' | 'clusterrolebindings',
    object: KubeObject,
    user = alice,
  ): Promise<string> => {
    const guard =
      resource === 'roles' || resource === 'clusterroles'
        ? guardRoles(store(), resource, options)
        : guardBindings(store(), resource, options);
    return outcome(
      guard.create!(
        internalContext({
          groupResource: { group, resource },
          namespace: resource.startsWith('cluster') ? '' : 'ns',
          user,
        }),
        object.metadata?.name ?? '',
        object,
        { ...writes, validate: accept },
      ),
    );
  };
  const attempting =
    'user "alice" (groups=["devs" "system:authenticated"]) is attempting to grant RBAC permissions not ' +
    'currently held:\n{APIGroups:[""], Resources:["secrets"], Verbs:["get" "list"]}';

  it('lets roles through that grant what is held', async () =>
    expect(await create('roles', { metadata: { name: 'r' }, rules: read })).to.equal('written'));
  it('refuses roles that grant more', async () =>
    expect(await create('roles', { metadata: { name: 'r' }, rules: more })).to.equal(
      `roles.${group} "r" is forbidden: ${attempting}`,
    ));
  it('leaves rules without verbs to validation', async () =>
    expect(
      await create('roles', { metadata: { name: 'r' }, rules: [{ apiGroups: [''], resources: ['secrets'] }] }),
    ).to.equal('written'));
  it('does not ask members of system:masters', async () =>
    expect(await create('roles', { metadata: { name: 'r' }, rules: more }, admin)).to.equal('written'));
  it('refuses aggregation', async () => {
    expect(
      await create('clusterroles', { metadata: { name: 'agg' }, aggregationRule: { clusterRoleSelectors: [{}] } }),
    ).to.equal(
      `clusterroles.${group} "agg" is forbidden: must have cluster-admin privileges to use the aggregationRule`,
    );
  });
  it('refuses bindings to roles that grant more, and to none', async () => {
    const binding = (name: string, kind = 'ClusterRole'): KubeObject => ({
      metadata: { name: 'b' },
      roleRef: { apiGroup: group, kind, name },
      subjects: [],
    });
    expect(await create('rolebindings', binding('view'))).to.equal(
      `rolebindings.${group} "b" is forbidden: ${attempting}`,
    );
    expect(await create('rolebindings', binding('mine', 'Role'))).to.equal('written');
    expect(await create('rolebindings', binding('missing', 'Role'))).to.equal(
      `rolebindings.${group} "missing" not found`,
    );
    expect(await create('clusterrolebindings', binding('missing'))).to.equal(
      `clusterrolebindings.${group} "missing" not found`,
    );
    expect(await create('clusterrolebindings', binding('mine', 'Role'))).to.equal('Namespace parameter required.');
    expect(await create('clusterrolebindings', binding(''))).to.equal('Name parameter required.');
    expect(await create('rolebindings', binding('a/b'))).to.equal(
      'Name parameter invalid: "a/b": may not contain \'/\'',
    );
  });
  it('checks updates, but not those of the garbage collector', async () => {
    const update = (change: (old: KubeObject) => KubeObject): Promise<string> =>
      outcome(
        guardRoles(store(), 'roles', options).update!(
          internalContext({ groupResource: { group, resource: 'roles' }, namespace: 'ns', user: alice }),
          'mine',
          { preconditions: undefined, updatedObject: (_context, old) => change(old) },
          { ...writes, validateCreate: accept, validateUpdate: accept },
        ),
      );
    expect(await update((old) => ({ ...old, metadata: { ...old.metadata, labels: { a: 'b' } } }))).to.equal(
      `roles.${group} "mine" is forbidden: ${attempting}`,
    );
    expect(await update((old) => ({ ...old, metadata: { name: 'mine' } }))).to.equal('written');
    expect(await update((old) => ({ ...old, rules: read }))).to.equal('written');
  });
  it('passes everything else through', async () => {
    const guard = guardRoles(store(), 'roles', options);
    expect(await guard.get!(undefined as never, '', {})).to.deep.equal({ kind: 'kept' });
    expect(guard.kind).to.equal('Fake');
    expect('watch' in guard).to.equal(false);
  });
});
