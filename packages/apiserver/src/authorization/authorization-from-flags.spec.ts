import { expect } from 'chai';
import { builtinScheme, systemClock } from '@kubechain/apimachinery';
import { startEmbeddedEtcd, type EmbeddedEtcd } from '@kubechain/embedded-etcd';
import type { RESTOptionsGetter } from '@kubechain/shared-storage';
import { createRESTOptionsGetter, StorageFactory } from '@kubechain/shared-storage/factory';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { storageTokenGetter } from '../authentication/service-account/storage-token-getter.ts';
import { readOnlyStorages, type ResourceStorages } from '../informers/resource-storage.ts';
import { createResource } from '../registry/generic/create-resource.ts';
import type { Store } from '../registry/generic/store.ts';
import { internalContext } from '../registry/rest/internal-context.ts';
import { authorizationFromFlags, roleStorages, type RunningAuthorization } from './authorization-from-flags.ts';
import type { AuthorizationAttributes } from './authorizer.ts';
import { bootstrapPolicy } from './rbac/bootstrap/bootstrap-policy.ts';
import { ensureBootstrapPolicy } from './rbac/bootstrap/ensure-policy.ts';
import { confirmNoEscalation } from './rbac/escalation.ts';
import { readRoleStore } from './rbac/role-feeds.ts';

const group = 'rbac.authorization.k8s.io';

describe('authorization over a real store', function () {
  this.timeout(120_000);
  let directory: string;
  let etcd: EmbeddedEtcd;
  let factory: StorageFactory;
  let getter: RESTOptionsGetter;
  let storages: ResourceStorages;
  let authorization: RunningAuthorization;
  let registries: { clusterRoles: Store; clusterRoleBindings: Store; roles: Store; roleBindings: Store };

  before(async () => {
    directory = mkdtempSync(join(tmpdir(), 'authorization-'));
    etcd = await startEmbeddedEtcd({ dataFile: join(directory, 'etcd.db'), unsafeNoFsync: true });
    factory = new StorageFactory({ etcdServers: [etcd.endpoint] });
    getter = createRESTOptionsGetter({ storageFactory: factory });
    storages = readOnlyStorages(getter);
    const registry = (kind: string, plural: string, namespaced: boolean): Store =>
      createResource(
        {
          scheme: builtinScheme(),
          group,
          kind,
          plural,
          singular: kind.toLowerCase(),
          namespaced,
          memoryVersion: { group, version: 'v1' },
          strategy: { validateName: () => [] },
        },
        getter,
      );
    registries = {
      clusterRoles: registry('ClusterRole', 'clusterroles', false),
      clusterRoleBindings: registry('ClusterRoleBinding', 'clusterrolebindings', false),
      roles: registry('Role', 'roles', true),
      roleBindings: registry('RoleBinding', 'rolebindings', true),
    };
    authorization = authorizationFromFlags(
      {
        'authorization-mode': ['Node', 'RBAC'],
        'authorization-config': '',
        'authorization-policy-file': '',
        'authorization-webhook-config-file': '',
        'authorization-webhook-version': 'v1beta1',
        'authorization-webhook-cache-authorized-ttl': 0,
        'authorization-webhook-cache-unauthorized-ttl': 0,
        'authorization-always-allow-paths': [],
      },
      storages,
      { clock: systemClock },
    );
    await authorization.waitForSync();
  });
  after(async () => {
    authorization.stop();
    await Promise.all([storages.close(), ...Object.values(registries).map((store) => store.close())]);
    await factory.close();
    await etcd.close();
    rmSync(directory, { recursive: true });
  });

  async function decisionOf(changes: Partial<AuthorizationAttributes>, expected: string): Promise<string> {
    const attributes: AuthorizationAttributes = {
      user: { name: 'alice', groups: ['system:authenticated'] },
      verb: 'get',
      resourceRequest: true,
      path: '',
      namespace: 'ns',
      apiGroup: '',
      apiVersion: 'v1',
      resource: 'configmaps',
      subresource: '',
      name: 'x',
      ...changes,
    };
    for (let tries = 0; ; tries++) {
      const { decision, reason } = await authorization.authorizer.authorize(attributes);
      if (decision === expected || tries === 200) return `${decision} ${reason}`.trim();
      await delay(5);
    }
  }

  it('writes the defaults on the first start and nothing on the next', async () => {
    const signal = new AbortController().signal;
    await ensureBootstrapPolicy(registries, bootstrapPolicy(), { scheme: builtinScheme(), signal, clock: systemClock });
    const revision = await registries.roles.storage.currentRevision();
    expect(revision).to.be.greaterThan(130);
    await ensureBootstrapPolicy(registries, bootstrapPolicy(), { scheme: builtinScheme(), signal, clock: systemClock });
    expect(await registries.roles.storage.currentRevision()).to.equal(revision);
    const record = await registries.clusterRoles.get(
      internalContext({ groupResource: { group, resource: 'clusterroles' } }),
      'view',
      {},
    );
    expect(record.object()).to.deep.include({ rules: null });
  });
  it('follows them', async () => {
    expect(
      await decisionOf(
        {
          user: { name: 'system:anonymous', groups: ['system:unauthenticated'] },
          resourceRequest: false,
          path: '/healthz',
          resource: '',
          namespace: '',
        },
        'Allow',
      ),
    ).to.equal(
      'Allow RBAC: allowed by ClusterRoleBinding "system:public-info-viewer" of ClusterRole ' +
        '"system:public-info-viewer" to Group "system:unauthenticated"',
    );
    expect(await decisionOf({}, 'NoOpinion')).to.equal('NoOpinion');
  });
  it('follows roles that come and go', async () => {
    const context = (resource: string) => internalContext({ groupResource: { group, resource }, namespace: 'ns' });
    const accept = (): void => undefined;
    const options = { dryRun: false, fieldManager: '', fieldValidation: '' };
    const apiVersion = `${group}/v1`;
    const rules = [{ verbs: ['get'], apiGroups: [''], resources: ['configmaps'] }];
    await registries.roles.create(
      context('roles'),
      'r',
      { apiVersion, kind: 'Role', metadata: { name: 'r', namespace: 'ns' }, rules },
      { ...options, validate: accept },
    );
    await registries.roleBindings.create(
      context('rolebindings'),
      'b',
      {
        apiVersion,
        kind: 'RoleBinding',
        metadata: { name: 'b', namespace: 'ns' },
        roleRef: { apiGroup: group, kind: 'Role', name: 'r' },
        subjects: [{ kind: 'User', apiGroup: group, name: 'alice' }],
      },
      { ...options, validate: accept },
    );
    // Fresh lists see it at once, whatever the watch has told so far.
    const fresh = await readRoleStore(roleStorages(storages));
    expect(confirmNoEscalation(fresh, { name: 'alice', groups: [] }, { namespace: 'ns', rules })).to.equal(undefined);
    expect(await decisionOf({}, 'Allow')).to.equal(
      'Allow RBAC: allowed by RoleBinding "b/ns" of Role "r" to User "alice"',
    );
    await registries.roles.delete(context('roles'), 'r', accept, { dryRun: false });
    expect(await decisionOf({}, 'NoOpinion')).to.equal('NoOpinion RBAC: role.rbac.authorization.k8s.io "r" not found');
  });
  it('looks up what tokens are bound to', async () => {
    const error = await storageTokenGetter(storages)
      .getServiceAccount('ns', 'robot')
      .then(
        () => '',
        (reason: Error) => reason.message,
      );
    expect(error).to.equal('serviceaccounts "robot" not found');
  });
});
