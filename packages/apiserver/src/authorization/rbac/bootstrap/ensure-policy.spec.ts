import { systemClock, builtinScheme } from '@kubechain/apimachinery';
import { expect } from 'chai';
import { alreadyExists, notFound, type KubeObject } from '@kubechain/apimachinery';
import type { ObjectRecord } from '@kubechain/shared-storage';
import type { RESTContext, RESTStorage } from '../../../registry/rest/storage.ts';
import type { RoleBindingObject, RoleObject } from '../rbac-objects.ts';
import { bootstrapPolicy } from './bootstrap-policy.ts';
import { nodeRules } from './node-rules.ts';
import { ensureBootstrapPolicy, type PolicyRegistries } from './ensure-policy.ts';

/** A registry over a Map; each write takes a while, as a round trip does. */
class FakeRegistry {
  readonly objects = new Map<string, KubeObject>();
  readonly writes: string[] = [];
  failures = 0;
  /** One object is there that cannot be read. */
  damaged = false;

  get storage(): RESTStorage {
    return {
      kind: 'Fake',
      namespaced: true,
      singularName: 'fake',
      get: async (context: RESTContext, name: string) => {
        const object = this.objects.get(`${context.namespace}/${name}`);
        if (object === undefined) throw notFound({ group: '', resource: 'fakes' }, name);
        return structuredClone(object);
      },
      list: async () => {
        if (this.damaged) throw new TypeError('one of them cannot be read');
        return {
          items: [...this.objects.values()].map(
            (object) =>
              ({
                attributes: { name: object.metadata!.name, namespace: object.metadata!.namespace ?? '' },
                object: () => structuredClone(object),
              }) as unknown as ObjectRecord,
          ),
          resourceVersion: '1',
          continue: '',
        };
      },
      create: async (context: RESTContext, name: string, object: KubeObject) => {
        await this.#write('create', name);
        const key = `${context.namespace}/${name}`;
        if (this.objects.has(key)) throw alreadyExists({ group: '', resource: 'fakes' }, name);
        this.objects.set(key, object);
        return object;
      },
      update: async (
        context: RESTContext,
        name: string,
        info: { updatedObject: (context: RESTContext, old: KubeObject) => KubeObject | Promise<KubeObject> },
      ) => {
        await this.#write('update', name);
        const result = await info.updatedObject(context, {});
        this.objects.set(`${context.namespace}/${name}`, result);
        return { result, created: false };
      },
      delete: async (context: RESTContext, name: string) => {
        await this.#write('delete', name);
        this.objects.delete(`${context.namespace}/${name}`);
        return { result: {}, deleted: true };
      },
    } as unknown as RESTStorage;
  }

  async #write(verb: string, name: string): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, 2));
    if (this.failures > 0) {
      this.failures--;
      throw new TypeError('store is away');
    }
    this.writes.push(`${verb} ${name}`);
  }
}

describe('default roles and bindings', () => {
  const fakes = {
    clusterRoles: new FakeRegistry(),
    clusterRoleBindings: new FakeRegistry(),
    roles: new FakeRegistry(),
    roleBindings: new FakeRegistry(),
  };
  const registries: PolicyRegistries = {
    clusterRoles: fakes.clusterRoles.storage,
    clusterRoleBindings: fakes.clusterRoleBindings.storage,
    roles: fakes.roles.storage,
    roleBindings: fakes.roleBindings.storage,
  };
  const errors: unknown[] = [];
  const ensure = (): Promise<void> =>
    ensureBootstrapPolicy(registries, bootstrapPolicy(), {
      scheme: builtinScheme(),
      signal: new AbortController().signal,
      clock: systemClock,
      retryDelayMs: 1,
      onError: (error) => errors.push(error),
    });
  const writes = (): string[] => Object.values(fakes).flatMap((fake) => fake.writes.splice(0));
  const role = (name: string): RoleObject => fakes.clusterRoles.objects.get(`/${name}`) as RoleObject;

  it('belong to the server, field by field', async () => {
    const fake = new FakeRegistry();
    await ensureBootstrapPolicy(
      { ...registries, roles: fake.storage },
      { ...bootstrapPolicy(), clusterRoles: [], clusterRoleBindings: [], roleBindings: [] },
      { scheme: builtinScheme(), signal: new AbortController().signal, clock: systemClock },
    );
    const object = [...fake.objects.values()][0];
    expect(object?.metadata?.managedFields).to.have.length(1);
    expect(object?.metadata?.managedFields?.[0]).to.deep.include({
      manager: 'kube-apiserver',
      operation: 'Update',
      apiVersion: 'rbac.authorization.k8s.io/v1',
      fieldsType: 'FieldsV1',
    });
    expect(object?.metadata?.managedFields?.[0]?.fieldsV1).to.have.keys('f:metadata', 'f:rules');
  });

  it('are there', () => {
    const policy = bootstrapPolicy();
    expect([
      policy.clusterRoles.length,
      policy.clusterRoleBindings.length,
      policy.roles.length,
      policy.roleBindings.length,
    ]).to.deep.equal([69, 50, 7, 7]);
    expect(policy.roles.every(({ metadata }) => metadata.namespace !== undefined)).to.equal(true);
    expect(nodeRules().length).to.be.greaterThan(10);
  });
  it('are created, and trying again after a failure', async () => {
    fakes.roles.failures = 1;
    await ensure();
    expect(errors.map((error) => (error as Error).message)).to.deep.equal(['store is away']);
    expect(writes()).to.have.lengthOf(69 + 50 + 7 + 7);
    expect(role('view').aggregationRule).to.deep.equal({
      clusterRoleSelectors: [{ matchLabels: { 'rbac.authorization.k8s.io/aggregate-to-view': 'true' } }],
    });
  });
  it('are left alone when nothing is missing', async () => {
    role('view').rules = [{ verbs: ['get'], apiGroups: [''], resources: ['pods'] }];
    role('edit').metadata.labels!['mine'] = 'too';
    await ensure();
    expect(writes()).to.deep.equal([]);
  });
  it('are read one by one where an object of somebody else keeps them from being listed', async () => {
    fakes.roles.damaged = true;
    const [first] = bootstrapPolicy().roles;
    fakes.roles.objects.delete(`${first!.metadata.namespace!}/${first!.metadata.name}`);
    await ensure();
    fakes.roles.damaged = false;
    expect(writes()).to.deep.equal([`create ${first!.metadata.name}`]);
    expect(errors).to.have.lengthOf(1);
  });
  it('get back what was taken from them, and keep what was added', async () => {
    role('cluster-admin').rules = [
      { verbs: ['get'], apiGroups: ['mine'], resources: ['things'] },
      { verbs: ['*'], nonResourceURLs: ['*'] },
    ];
    delete role('view').metadata.labels;
    (role('edit').aggregationRule as { clusterRoleSelectors: unknown[] }).clusterRoleSelectors = [
      { matchLabels: { mine: 'x' } },
    ];
    (fakes.clusterRoleBindings.objects.get('/cluster-admin') as RoleBindingObject).subjects = [
      { kind: 'User', name: 'me' },
    ];
    await ensure();
    expect(writes().sort()).to.deep.equal([
      'update cluster-admin',
      'update cluster-admin',
      'update edit',
      'update view',
    ]);
    expect(role('cluster-admin').rules).to.deep.equal([
      { verbs: ['get'], apiGroups: ['mine'], resources: ['things'] },
      { verbs: ['*'], nonResourceURLs: ['*'] },
      { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
    ]);
    expect(role('edit').aggregationRule?.clusterRoleSelectors).to.have.lengthOf(2);
    expect((fakes.clusterRoleBindings.objects.get('/cluster-admin') as RoleBindingObject).subjects).to.deep.equal([
      { kind: 'User', name: 'me' },
      { apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: 'system:masters' },
    ]);
  });
  it('take over what a cluster has made of the defaults that they were split off', async () => {
    const bindings = fakes.clusterRoleBindings.objects;
    const discovery = bindings.get('/system:discovery') as RoleBindingObject;
    bindings.set('/system:discovery', {
      ...discovery,
      metadata: {
        ...discovery.metadata,
        annotations: { 'rbac.authorization.kubernetes.io/autoupdate': 'false', mine: 'x' },
      },
      subjects: [{ kind: 'User', name: 'me' }],
    } as RoleBindingObject);
    bindings.delete('/system:public-info-viewer');
    const { aggregationRule: _, ...whole } = role('view');
    fakes.clusterRoles.objects.set('/view', {
      ...whole,
      rules: [{ verbs: ['get'], apiGroups: ['mine'], resources: ['things'] }],
    } as RoleObject);
    fakes.clusterRoles.objects.delete('/system:aggregate-to-view');
    await ensure();
    writes();
    const split = bindings.get('/system:public-info-viewer') as RoleBindingObject;
    expect([split.subjects, split.metadata.annotations, split.roleRef.name]).to.deep.equal([
      [{ kind: 'User', name: 'me' }],
      { 'rbac.authorization.kubernetes.io/autoupdate': 'false', mine: 'x' },
      'system:public-info-viewer',
    ]);
    expect(role('system:aggregate-to-view').rules?.[0]).to.deep.equal({
      verbs: ['get'],
      apiGroups: ['mine'],
      resources: ['things'],
    });
    bindings.set('/system:discovery', discovery);
  });
  it('are not touched when an administrator says so', async () => {
    role('cluster-admin').metadata.annotations!['rbac.authorization.kubernetes.io/autoupdate'] = 'false';
    role('cluster-admin').rules = [];
    await ensure();
    expect(writes()).to.deep.equal([]);
  });
  it('are made anew when they bind another role', async () => {
    (fakes.clusterRoleBindings.objects.get('/system:discovery') as RoleBindingObject).roleRef = {
      apiGroup: 'rbac.authorization.k8s.io',
      kind: 'ClusterRole',
      name: 'view',
    };
    await ensure();
    expect(writes()).to.deep.equal(['delete system:discovery', 'create system:discovery']);
  });
});
