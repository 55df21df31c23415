import { builtinResources } from '@kubechain/apimachinery';
import { expect } from 'chai';
import { join } from 'node:path';
import type { KubectlList, KubectlSuite } from './kubectl.ts';

const kinds = join(import.meta.dirname, '../../manifests/kinds');

/** What is there: discovery, get in all forms, watch, describe, explain, events. */
export const reading: KubectlSuite = (k, minor) => {
  before(async () => {
    await k().ok('create namespace kinds');
    expect(
      (await k().ok(['create', '-n', 'kinds', '-f', join(kinds, 'namespaced.yaml')])).trim().split('\n'),
    ).to.have.length(23);
    expect((await k().ok(['create', '-f', join(kinds, 'cluster.yaml')])).trim().split('\n')).to.have.length(10);
  });
  after(async () => {
    await k().ok(['delete', '-f', join(kinds, 'cluster.yaml'), '--wait=false']);
  });

  it('version tells the server', async () => {
    expect(await k().ok('version')).to.match(/Server Version: .*v1\.36/);
    const { serverVersion } = await k().json<{ serverVersion: { major: string; minor: string } }>('version');
    expect([serverVersion.major, serverVersion.minor]).to.deep.equal(['1', '36']);
  });

  it('api-resources, api-versions and cluster-info', async () => {
    const names = (await k().ok('api-resources --no-headers -o name')).trim().split('\n').sort();
    const expected = new Set(
      builtinResources()
        .filter((row) => row.verbs.length > 0)
        .map((row) => (row.group === '' ? row.resource : `${row.resource}.${row.group}`)),
    );
    expect(names).to.deep.equal([...expected].sort());
    expect(
      (await k().ok('api-resources --api-group=apps --verbs=patch -o wide --no-headers')).trim().split('\n'),
    ).to.have.length(5);
    expect((await k().ok('api-versions')).trim().split('\n')).to.include.members([
      'v1',
      'apps/v1',
      'apiextensions.k8s.io/v1',
      'apiregistration.k8s.io/v1',
    ]);
    expect(await k().ok('cluster-info')).to.include('is running at');
  });

  it('get prints every form', async () => {
    expect(await k().ok('get deploy sample -n kinds -o wide')).to.match(
      /NAME +READY +UP-TO-DATE +AVAILABLE +AGE +CONTAINERS +IMAGES +SELECTOR\nsample +0\/2 +0 +0 +\S+ +c +nginx:1 +app=deployment\n/,
    );
    expect(await k().ok('get deploy/sample -n kinds -o yaml')).to.match(
      /^apiVersion: apps\/v1\nkind: Deployment\nmetadata:\n/,
    );
    expect(await k().ok('get deploy -n kinds -o name')).to.equal('deployment.apps/sample\n');
    expect(await k().ok('get deploy sample -n kinds -o custom-columns=N:.metadata.name,R:.spec.replicas')).to.match(
      /^N +R\nsample +2\n$/,
    );
    expect(
      await k().ok([
        'get',
        'deploy',
        '-n',
        'kinds',
        '-o',
        'jsonpath={range .items[*]}{.metadata.name}={.spec.replicas};{end}',
      ]),
    ).to.equal('sample=2;');
    expect(
      await k().ok(['get', 'deploy', '-n', 'kinds', '-o', 'go-template={{range .items}}{{.metadata.name}}{{end}}']),
    ).to.equal('sample');
    expect(await k().ok('get pod -n kinds --show-labels -L app --no-headers')).to.match(
      /^sample +0\/1 +Pending +0 +\S+ +sample +app=sample\n$/,
    );
    expect(await k().ok('get cm,secret,svc -n kinds --no-headers -o name')).to.equal(
      'configmap/sample\nsecret/sample\nservice/sample\n',
    );
    expect(await k().ok(['get', '--raw', '/api/v1/namespaces/kinds/configmaps/sample'])).to.include('"data":{"a":"b"}');
    const all = await k().ok('get all -n kinds -o name');
    expect(all.trim().split('\n')).to.have.length(9);
  });

  it('get selects and sorts', async () => {
    await Promise.all(['c', 'a', 'b'].map((name) => k().ok(['create', 'configmap', `sorted-${name}`, '-n', 'kinds'])));
    await k().ok('label cm -n kinds sorted-a sorted-b pick=me');
    expect(await k().ok('get cm -n kinds -l pick=me -o name')).to.equal('configmap/sorted-a\nconfigmap/sorted-b\n');
    expect(
      await k().ok([
        'get',
        'cm',
        '-n',
        'kinds',
        '-l',
        'pick notin (you),pick',
        '--sort-by={.metadata.name}',
        '-o',
        'name',
      ]),
    ).to.equal('configmap/sorted-a\nconfigmap/sorted-b\n');
    expect(await k().ok('get cm -A --field-selector metadata.name=sorted-c -o name')).to.equal('configmap/sorted-c\n');
    expect(await k().ok('get pods -n kinds --field-selector status.phase=Pending,spec.nodeName= -o name')).to.equal(
      'pod/sample\n',
    );
    expect(await k().ok('get events -n kinds --field-selector involvedObject.kind=Pod,reason=Tested -o name')).to.equal(
      'event/sample\n',
    );
    expect(await k().fails('get pods --field-selector spec.wrong=x')).to.include(
      'field label not supported: spec.wrong',
    );
    expect((await k().json<KubectlList>('get cm -n kinds --chunk-size=2')).items).to.have.length(4);
  });

  it('get says what is not there', async () => {
    expect(await k().fails('get cm none -n kinds')).to.equal(
      'Error from server (NotFound): configmaps "none" not found\n',
    );
    expect(await k().fails('get nones')).to.equal('error: the server doesn\'t have a resource type "nones"\n');
    expect(await k().ok('get cm none -n kinds --ignore-not-found')).to.equal('');
  });

  it('watches, with events', async () => {
    const watching = await k().watching([
      'get',
      'cm',
      '-n',
      'kinds',
      '-w',
      '--output-watch-events',
      '-l',
      'watched=yes',
    ]);
    await k().ok(
      ['create', '-n', 'kinds', '-f', '-'],
      '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"watched","labels":{"watched":"yes"}}}',
    );
    await k().ok('annotate cm watched -n kinds a=b');
    await k().ok('delete cm watched -n kinds');
    const events = (): (string | undefined)[] =>
      watching
        .stdout()
        .split('\n')
        .filter((line) => line.includes(' watched '))
        .map((line) => line.split(/\s+/)[0]);
    for (const deadline = Date.now() + 60_000; !events().includes('DELETED') && Date.now() < deadline;)
      await new Promise((resolve) => setTimeout(resolve, 50));
    expect(events()).to.deep.equal(['ADDED', 'MODIFIED', 'DELETED']);
    watching.stop();
    await watching.ended;
  });

  // Before, kubectl asks for versions that are no more.
  if (minor >= 22)
    it('describes every kind', async () => {
      for (const file of ['namespaced.yaml', 'cluster.yaml']) {
        const described = await k().ok(['describe', '-n', 'kinds', '-f', join(kinds, file)]);
        expect(described.match(/^Name: +sample/gm)?.length, file).to.be.at.least(file === 'cluster.yaml' ? 10 : 22);
      }
    });

  it('describes what users ask for most', async () => {
    expect(await k().ok('describe deployment sample -n kinds')).to.match(/Replicas: +2 desired/);
    expect(await k().ok('describe svc sample -n kinds')).to.match(/Selector: +app=sample/);
    expect(await k().ok('describe node sample')).to.match(/cpu: +4/);
  });

  it('explains fields', async () => {
    expect(await k().ok('explain deployment.spec.replicas')).to.match(/FIELD: +replicas/);
    expect(await k().ok('explain pods --recursive')).to.include('terminationGracePeriodSeconds');
    expect(await k().ok('explain cronjob.spec.jobTemplate.spec --api-version=batch/v1')).to.include('backoffLimit');
    expect(await k().fails('explain pod.spec.nothing')).to.include('does not exist');
    if (minor >= 27)
      expect(await k().ok('explain deployment.spec --output plaintext-openapiv2')).to.include('DeploymentSpec');
  });

  if (minor >= 26) {
    it('events', async () => {
      expect(await k().ok('events -n kinds --for pod/sample')).to.match(/Normal +Tested +Pod\/sample +it was tested/);
      expect(await k().ok('events -n kinds --types=Warning')).to.equal('');
    });
  }

  it('says clearly what there is none of', async () => {
    expect(await k().fails('top nodes')).to.include('Metrics API not available');
    // A pod without a node has no logs yet, and nowhere to run anything.
    expect(await k().ok('logs sample -n kinds')).to.equal('');
    expect(await k().fails('exec sample -n kinds -- true')).to.include('pod sample does not have a host assigned');
  });

  it('gets raw paths', async () => {
    expect(await k().ok('get --raw /readyz')).to.equal('ok');
    expect(await k().ok('get --raw /apis/apps')).to.include('"preferredVersion"');
  });
};
