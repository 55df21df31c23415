import { expect } from 'chai';
import { ResourceServer } from '../../testing/resource-server.ts';
import { aggregatedResources } from './aggregated-resources.ts';
import { DiscoveryManager } from './discovery-manager.ts';

const widget = { name: 'widgets', singularName: 'widget', namespaced: true, kind: 'Widget', verbs: ['get'] };

describe('DiscoveryManager', () => {
  it('orders versions by priority, then as Kubernetes does', () => {
    const manager = new DiscoveryManager();
    for (const version of ['v1beta1', 'v1', 'v2alpha1', 'other'])
      manager.setGroupVersion({ group: 'a', version }, [widget]);
    expect(manager.group('a')?.versions.map(({ version }) => version)).to.deep.equal([
      'v1',
      'v1beta1',
      'v2alpha1',
      'other',
    ]);
    manager.setGroupVersion({ group: 'a', version: 'v2alpha1' }, [widget], { priority: { group: 1000, version: 100 } });
    expect(manager.group('a')?.preferredVersion).to.deep.equal({ groupVersion: 'a/v2alpha1', version: 'v2alpha1' });
  });

  it('orders groups of the aggregated form by priority and name, and lists groups as they came', () => {
    const manager = new DiscoveryManager();
    manager.setGroupVersion({ group: 'z', version: 'v1' }, [widget]);
    manager.setGroupVersion({ group: 'b', version: 'v1' }, [widget], { priority: { group: 10, version: 1 } });
    manager.setGroupVersion({ group: 'a', version: 'v1' }, [widget]);
    manager.setGroupVersion({ group: '', version: 'v1' }, [widget]);
    expect(manager.aggregated().map(({ metadata }) => metadata.name)).to.deep.equal(['a', 'z', 'b']);
    expect(manager.groups().map(({ name }) => name)).to.deep.equal(['z', 'b', 'a']);
    expect(manager.aggregated({ core: true })).to.have.length(1);
  });

  it('forgets groups without versions and tells about each change', () => {
    const manager = new DiscoveryManager();
    const changes: string[] = [];
    const stop = manager.onChange(({ groupVersion, served }) => {
      changes.push(`${groupVersion.group}/${groupVersion.version} ${served}`);
    });
    manager.setGroupVersion({ group: 'a', version: 'v1' }, [widget]);
    manager.removeGroupVersion({ group: 'a', version: 'v1' });
    manager.removeGroupVersion({ group: 'a', version: 'v1' });
    stop();
    manager.setGroupVersion({ group: 'a', version: 'v1' }, [widget]);
    expect(changes).to.deep.equal(['a/v1 true', 'a/v1 false']);
  });
});

describe('aggregatedResources', () => {
  it('puts subresources below their parents and qualifies kinds where asked to', () => {
    const status = { ...widget, name: 'widgets/status', singularName: '' };
    const scale = {
      ...widget,
      name: 'widgets/scale',
      singularName: '',
      group: 'autoscaling',
      version: 'v1',
      kind: 'Scale',
    };
    const [plain] = aggregatedResources([widget, status, scale], undefined);
    expect(plain).to.deep.equal({
      resource: 'widgets',
      responseKind: { group: '', version: '', kind: 'Widget' },
      scope: 'Namespaced',
      singularResource: 'widget',
      verbs: ['get'],
      subresources: [
        { subresource: 'status', responseKind: { group: '', version: '', kind: 'Widget' }, verbs: ['get'] },
        { subresource: 'scale', responseKind: { group: 'autoscaling', version: 'v1', kind: 'Scale' }, verbs: ['get'] },
      ],
    });
    expect(aggregatedResources([widget], { group: 'g', version: 'v1' })[0]?.responseKind).to.deep.equal({
      group: 'g',
      version: 'v1',
      kind: 'Widget',
    });
  });
});

describe('discovery documents', () => {
  let server: ResourceServer;
  let url: string;
  const aggregated = { accept: 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList' };

  before(async () => {
    server = new ResourceServer();
    server.install({
      group: '',
      plural: 'configmaps',
      singular: 'configmap',
      kind: 'ConfigMap',
      namespaced: true,
      memoryVersion: { group: '', version: 'v1' },
      shortNames: ['cm'],
    });
    server.install({
      group: 'apps',
      plural: 'deployments',
      singular: 'deployment',
      kind: 'Deployment',
      namespaced: true,
      memoryVersion: { group: 'apps', version: 'v1' },
    });
    url = await server.listen();
  });
  after(() => server.close());

  it('serves the plain documents', async () => {
    const read = async (path: string): Promise<unknown> => (await fetch(url + path)).json();
    expect(await read('/api')).to.deep.equal({
      kind: 'APIVersions',
      versions: ['v1'],
      serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress: '127.0.0.1:6443' }],
    });
    expect(await read('/apis/')).to.deep.include({ kind: 'APIGroupList', apiVersion: 'v1' });
    expect(await read('/api/v1')).to.deep.equal({
      kind: 'APIResourceList',
      groupVersion: 'v1',
      resources: [
        {
          name: 'configmaps',
          singularName: 'configmap',
          namespaced: true,
          kind: 'ConfigMap',
          verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
          shortNames: ['cm'],
          storageVersionHash: 'qFsyl6wFWjQ=',
        },
      ],
    });
    expect(await read('/apis/apps')).to.deep.equal({
      kind: 'APIGroup',
      apiVersion: 'v1',
      name: 'apps',
      versions: [{ groupVersion: 'apps/v1', version: 'v1' }],
      preferredVersion: { groupVersion: 'apps/v1', version: 'v1' },
    });
  });

  it('serves the plain documents as YAML and protobuf, those at /api without apiVersion there, too', async () => {
    for (const [path, kind, apiVersion] of [
      ['api', 'APIVersions', ''],
      ['api/v1', 'APIResourceList', ''],
      ['apis', 'APIGroupList', 'v1'],
    ] as const) {
      const answer = await fetch(`${url}/${path}`, { headers: { accept: 'application/vnd.kubernetes.protobuf, */*' } });
      expect(answer.status, path).to.equal(200);
      const typeMeta = Buffer.concat([
        Buffer.from([0x0a, apiVersion.length]),
        Buffer.from(apiVersion),
        Buffer.from([0x12, kind.length]),
        Buffer.from(kind),
      ]);
      const head = Buffer.concat([Buffer.from('k8s\0'), Buffer.from([0x0a, typeMeta.length]), typeMeta]);
      expect(Buffer.from(await answer.arrayBuffer()).subarray(0, head.length), path).to.deep.equal(head);
      const yaml = await fetch(`${url}/${path}`, { headers: { accept: 'application/yaml' } });
      expect(await yaml.text(), path).to.match(new RegExp(`^kind: ${kind}$`, 'm'));
    }
  });

  it('serves the aggregated form with an ETag that answers 304 until something changes', async () => {
    const first = await fetch(`${url}/apis`, { headers: aggregated });
    const etag = first.headers.get('etag') ?? '';
    expect(first.headers.get('content-type')).to.equal(aggregated.accept);
    expect(etag).to.match(/^"[0-9A-F]{128}"$/);
    expect((await fetch(`${url}/apis`, { headers: { ...aggregated, 'if-none-match': etag } })).status).to.equal(304);
    server.install({
      group: 'batch',
      plural: 'jobs',
      singular: 'job',
      kind: 'Job',
      namespaced: true,
      memoryVersion: { group: 'batch', version: 'v1' },
    });
    expect((await fetch(`${url}/apis`, { headers: { ...aggregated, 'if-none-match': etag } })).status).to.equal(200);
  });

  it('answers any method with the documents of custom resources, and GET only with others', async () => {
    const kind = (path: string): void => {
      server.installer.installLazily([
        {
          group: 'x.io',
          version: 'v1',
          path,
          namespaced: true,
          entry: { name: path, singularName: '', namespaced: true, kind: 'Widget', verbs: ['get'] },
          load: () => {
            throw new TypeError('not asked for');
          },
        },
      ]);
    };
    kind('widgets');
    for (const method of ['GET', 'HEAD', 'OPTIONS', 'POST'])
      expect((await fetch(`${url}/apis/x.io/v1`, { method })).status, method).to.equal(200);
    for (const accept of ['application/*', '*'])
      expect([
        (await fetch(`${url}/apis/x.io/v1`, { headers: { accept } })).status,
        (await fetch(`${url}/apis/apps/v1`, { headers: { accept } })).status,
      ]).to.deep.equal([200, 406]);
    expect(
      ((await (await fetch(`${url}/apis/x.io/v1`, { headers: { accept: 'text/html' } })).json()) as { message: string })
        .message,
    ).to.match(/^only the following media types are accepted: /);
    for (const method of ['HEAD', 'OPTIONS', 'POST'])
      expect((await fetch(`${url}/apis/apps/v1`, { method })).status, method).to.equal(405);
  });

  it('keeps what is built in where a custom resource has its name, also when that goes', async () => {
    const plural = 'customresourcedefinitions';
    const builtIn = { group: 'apiextensions.k8s.io', version: 'v1' };
    server.install({
      group: builtIn.group,
      plural,
      singular: 'customresourcedefinition',
      kind: 'CustomResourceDefinition',
      namespaced: false,
      memoryVersion: builtIn,
    });
    const answers = async (): Promise<unknown> =>
      Promise.all(
        ['', `/${plural}`].map(async (path) => (await fetch(`${url}/apis/apiextensions.k8s.io/v1${path}`)).json()),
      );
    const before = await answers();
    server.installer.installLazily(
      [plural, `${plural}/status`].map((path) => ({
        ...builtIn,
        path,
        namespaced: false,
        entry: { name: path, singularName: '', namespaced: false, kind: 'Other', verbs: ['get'] },
        load: () => {
          throw new TypeError('not asked for');
        },
      })),
    );
    expect(await answers()).to.deep.equal(before);
    server.installer.removeLazy(builtIn.group, builtIn.version, plural);
    expect(await answers()).to.deep.equal(before);
  });

  it('takes documents of removed groups away', async () => {
    server.install({
      group: 'policy',
      plural: 'poddisruptionbudgets',
      singular: 'poddisruptionbudget',
      kind: 'PodDisruptionBudget',
      namespaced: true,
      memoryVersion: { group: 'policy', version: 'v1' },
    });
    expect((await fetch(`${url}/apis/policy/v1`)).status).to.equal(200);
    server.installer.removeResource('policy', 'v1', 'poddisruptionbudgets');
    expect((await fetch(`${url}/apis/policy/v1`)).status).to.equal(404);
    expect((await fetch(`${url}/apis/policy`)).status).to.equal(404);
    expect((await fetch(`${url}/apis/policy/v1/poddisruptionbudgets`)).status).to.equal(404);
  });

  it('does not offer v2beta1 any more; documents of the core group and of versions can only be read', async () => {
    expect(
      (await fetch(`${url}/api`, { headers: { accept: aggregated.accept.replace('v2', 'v2beta1') } })).status,
    ).to.equal(406);
    for (const path of ['/api', '/api/v1'])
      expect((await fetch(`${url}${path}`, { method: 'POST' })).status, path).to.equal(405);
    expect((await fetch(`${url}/apis`, { method: 'POST' })).status).to.equal(200);
    server.install({
      group: 'batch',
      plural: 'jobs',
      singular: 'job',
      kind: 'Job',
      namespaced: true,
      memoryVersion: { group: 'batch', version: 'v1' },
    });
    expect(await (await fetch(`${url}/apis/batch`, { method: 'POST' })).json()).to.include({
      kind: 'APIGroup',
      name: 'batch',
    });
    expect((await fetch(`${url}/apis/batch/v1`, { method: 'POST' })).status).to.equal(405);
  });
});
