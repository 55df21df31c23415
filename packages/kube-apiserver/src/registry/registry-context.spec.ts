import { builtInStores } from '../testing/built-in-stores.ts';
import { systemClock, builtinGroups, builtinResources } from '@kubechain/apimachinery';
import type { KubeObject } from '@kubechain/apimachinery';
import { APIInstaller, internalContext } from '@kubechain/apiserver/resources';
import { Commons, DiscoveryManager } from '@kubechain/apiserver/servers';
import { TokenGenerator } from '@kubechain/apiserver/tokens';
import type {
  APIResource,
  AdmissionChain,
  Authorizer,
  ResourceRoute,
  ResourceRoutes,
} from '@kubechain/apiserver/resources';
import { expect } from 'chai';
import { generateKeyPairSync } from 'node:crypto';
import { signingKey } from '@kubechain/apiserver/tokens';
import type { BuiltInRegistry, RegistryEnvironment } from './registry-context.ts';
import { capabilitiesOf } from './capabilities.ts';

const clock = { ...systemClock, now: () => 0 };
const authorizer: Authorizer = { authorize: () => ({ decision: 'Allow', reason: '' }) };
const admission: AdmissionChain = {
  empty: true,
  handles: () => false,
  admit: () => undefined,
  validate: () => undefined,
};

class Routes implements ResourceRoutes {
  readonly paths = new Map<string, ResourceRoute>();
  get(...at: Parameters<ResourceRoutes['get']>): ResourceRoute | undefined {
    return this.paths.get(at.join('/'));
  }
  set({ group, version, resource, subresource }: Parameters<ResourceRoutes['set']>[0], route: ResourceRoute): void {
    this.paths.set([group, version, resource, subresource].join('/'), route);
  }
  delete(): void {
    /* nothing is removed here */
  }
}

describe('the built-in registry', () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const tokenIssuer: RegistryEnvironment['tokenIssuer'] = {
    generator: new TokenGenerator({
      issuer: 'https://example.com',
      key: signingKey(privateKey),
      clock,
      newID: () => 'an-id',
    }),
    audiences: [],
    maxExpirationSeconds: 0,
    extendExpiration: false,
  };
  const registry = builtInStores(clock, {
    authorizer,
    tokenIssuer,
    capabilities: capabilitiesOf({ allowPrivileged: false }),
  });
  const discovery = new DiscoveryManager();
  const installer = new APIInstaller({
    routes: new Routes(),
    discovery,
    admission,
    authorizer,
    clock,
    random: () => 0,
  });
  for (const group of registry.groups) installer.installGroup(group);

  it('lets servers of one process differ in what pods may ask for', async () => {
    const lenient = builtInStores(clock, { authorizer, tokenIssuer });
    const spec = { containers: [{ name: 'c', image: 'i', securityContext: { privileged: true } }] };
    const refusals = async ({ storeOf }: BuiltInRegistry): Promise<number> => {
      const { scheme, strategy } = storeOf('', 'pods').spec;
      const pod: KubeObject = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec };
      scheme.applyDefaults(pod);
      const errors = await strategy?.validate?.(
        pod,
        internalContext({ groupResource: { group: '', resource: 'pods' } }),
      );
      return (errors ?? []).filter(({ field }) => field.endsWith('.privileged')).length;
    };
    expect([await refusals(registry), await refusals(lenient), await refusals(registry)]).to.deep.equal([1, 0, 1]);
  });

  it('has no Tables of what the reference shows in none', () => {
    const without = [
      'pods/ephemeralcontainers',
      'pods/resize',
      'certificatesigningrequests/approval',
      'resourceclaims/status',
    ];
    const tables = new Map<string, boolean>();
    for (const groupVersion of installer.groupVersions())
      for (const { path, storage } of installer.installedResources(groupVersion))
        tables.set(path, storage.withoutTables !== true);
    for (const path of without) expect(tables.get(path), path).to.equal(false);
    for (const path of ['pods/status', 'certificatesigningrequests/status', 'resourceclaims'])
      expect(tables.get(path), path).to.equal(true);
  });

  it('is the same where its storages are made when they are asked for', () => {
    const commons = new Commons();
    const install = (): {
      readonly made: BuiltInRegistry;
      readonly found: DiscoveryManager;
      readonly routes: Routes;
      readonly installs: APIInstaller;
    } => {
      const made = builtInStores(clock, { authorizer, tokenIssuer, commons });
      const [found, routes] = [new DiscoveryManager(), new Routes()];
      const installs = new APIInstaller({ routes, discovery: found, admission, authorizer, clock, random: () => 0 });
      for (const group of made.groups) installs.installGroup(group);
      return { made, found, routes, installs };
    };
    const [first, later] = [install(), install()];
    for (const groupVersion of first.installs.groupVersions()) {
      expect(later.found.resources(groupVersion)).to.deep.equal(first.found.resources(groupVersion));
      const paths = first.installs.installedResources(groupVersion).map(({ path }) => path);
      expect(later.installs.installedResources(groupVersion).map(({ path }) => path)).to.deep.equal(paths);
      for (const path of paths) {
        const [resource = '', subresource = ''] = path.split('/');
        const { group, version } = groupVersion;
        const [eager, lazy] = [first, later].map(({ routes }) => routes.get(group, version, resource, subresource));
        expect(lazy?.namespaced, path).to.equal(eager?.namespaced);
        expect(lazy?.acceptsSubpath, path).to.equal(eager?.acceptsSubpath);
        expect([...(lazy?.methods ?? [])], path).to.deep.equal([...(eager?.methods ?? [])]);
        expect([...(lazy?.handlers.keys() ?? [])], path).to.deep.equal([...(eager?.handlers.keys() ?? [])]);
      }
    }
    expect(later.made.storeOf('apps', 'deployments')).to.not.equal(first.made.storeOf('apps', 'deployments'));
    expect(() => later.made.storeOf('apps', 'nothing')).to.throw('no store for nothing in group "apps"');
  });

  // The other two servers of the chain serve these.
  const elsewhere = new Set(['apiextensions.k8s.io', 'apiregistration.k8s.io']);

  for (const { group, versions } of builtinGroups()) {
    if (elsewhere.has(group)) continue;
    for (const version of versions) {
      it(`serves what the reference lists for ${group}/${version}`, () => {
        const actual = new Map(
          (discovery.resources({ group, version }) ?? []).map((resource) => [resource.name, resource]),
        );
        const expected: APIResource[] = builtinResources()
          .filter((row) => row.group === group && row.version === version)
          .flatMap((row) => [
            {
              name: row.resource,
              singularName: row.singular,
              namespaced: row.namespaced,
              kind: row.kind,
              verbs: row.verbs,
              ...(row.shortNames === undefined ? {} : { shortNames: row.shortNames }),
              ...(row.categories === undefined ? {} : { categories: row.categories }),
              ...(row.storageVersionHash === undefined ? {} : { storageVersionHash: row.storageVersionHash }),
            },
            ...row.subresources.map((sub) => ({
              name: `${row.resource}/${sub.name}`,
              singularName: '',
              namespaced: sub.namespaced,
              ...(sub.group === undefined ? {} : { group: sub.group }),
              ...(sub.version === undefined ? {} : { version: sub.version }),
              kind: sub.kind,
              verbs: sub.verbs,
            })),
          ]);
        expect([...actual.keys()].sort()).to.deep.equal(expected.map((resource) => resource.name).sort());
        for (const resource of expected) expect(actual.get(resource.name), resource.name).to.deep.equal(resource);
      });
    }
  }

  /**
   * What server-side apply is told of each (sub)resource (GetResetFields in pkg/registry, 1.36); those that are not
   * here reset nothing.
   */
  const metadataAndSpec = ['metadata', 'spec'];
  const resetFields: Readonly<Record<string, readonly string[]>> = {
    '/pods': ['status'],
    '/pods/status': ['metadata.deletionTimestamp', 'metadata.ownerReferences', 'spec'],
    '/namespaces': ['status'],
    '/namespaces/status': ['spec'],
    '/namespaces/finalize': ['status'],
    'certificates.k8s.io/certificatesigningrequests': ['spec', 'status'],
    'certificates.k8s.io/certificatesigningrequests/status': ['spec', 'status.conditions'],
    'certificates.k8s.io/certificatesigningrequests/approval': ['spec', 'status.certificate'],
    'apps/deployments': ['status'],
    'apps/deployments/status': ['metadata.labels', 'spec'],
    ...Object.fromEntries(
      [
        '/nodes',
        '/persistentvolumes',
        '/persistentvolumeclaims',
        '/replicationcontrollers',
        '/resourcequotas',
        '/services',
        'apps/daemonsets',
        'apps/replicasets',
        'apps/statefulsets',
        'autoscaling/horizontalpodautoscalers',
        'batch/cronjobs',
        'batch/jobs',
        'networking.k8s.io/ingresses',
        'policy/poddisruptionbudgets',
      ].flatMap((path) => [
        [path, ['status']],
        [`${path}/status`, ['spec']],
      ]),
    ),
    ...Object.fromEntries(
      [
        'admissionregistration.k8s.io/validatingadmissionpolicies',
        'flowcontrol.apiserver.k8s.io/flowschemas',
        'flowcontrol.apiserver.k8s.io/prioritylevelconfigurations',
        'networking.k8s.io/servicecidrs',
        'resource.k8s.io/resourceclaims',
        'storage.k8s.io/volumeattachments',
      ].flatMap((path) => [
        [path, ['status']],
        [`${path}/status`, metadataAndSpec],
      ]),
    ),
  };

  it('resets for apply what the reference resets', () => {
    const actual: Record<string, readonly string[]> = {};
    const served = new Set<string>();
    for (const { group, versionedResources } of registry.groups) {
      for (const [path, storage] of [...versionedResources.values()].flatMap((resources) => [...resources])) {
        served.add(`${group}/${path}`);
        const fields = storage.resetFields;
        if (fields !== undefined)
          actual[`${group}/${path}`] = [
            ...(Array.isArray(fields)
              ? (fields as readonly string[])
              : [...(fields as ReadonlyMap<string, readonly string[]>).values()].flat()),
          ].sort();
      }
    }
    expect(actual).to.deep.equal(resetFields);
    expect([...served]).to.include.members(Object.keys(resetFields));
  });
});
