import { expect } from 'chai';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KubectlList, KubectlObject, KubectlSuite } from './kubectl.ts';

const namespace = 'write';

/** Changing objects: create and its generators, set, label, annotate, patch, edit, replace, scale, rollout, delete. */
export const writing: KubectlSuite = (k, minor) => {
  const ok = (args: string | readonly string[], input?: string) =>
    k().ok(['-n', namespace, ...(typeof args === 'string' ? args.split(' ') : args)], input);
  const fails = (args: string | readonly string[], input?: string) =>
    k().fails(['-n', namespace, ...(typeof args === 'string' ? args.split(' ') : args)], input);
  const json = <T = KubectlObject>(args: string): Promise<T> => k().json<T>(['-n', namespace, ...args.split(' ')]);

  before(async () => {
    await k().ok(`create namespace ${namespace}`);
    // No controller makes it here.
    await ok('create serviceaccount default');
  });

  it('generates objects and has the server look at them', async () => {
    const commands = [
      'deployment d --image=nginx --replicas=2',
      'service clusterip s --tcp=80:8080',
      'service nodeport s --tcp=80',
      'service loadbalancer s --tcp=80',
      'service externalname s --external-name=example.com',
      'ingress i --rule=a.example.com/*=s:80',
      'job j --image=busybox -- true',
      'configmap m --from-literal=a=b',
      'secret generic g --from-literal=a=b',
      'secret docker-registry r --docker-username=u --docker-password=p --docker-server=example.com',
      'role r --verb=get --resource=pods',
      'rolebinding r --role=r --user=u',
      'clusterrole r --verb=get --non-resource-url=/x',
      'clusterrolebinding r --clusterrole=view --group=g',
      'quota q --hard=pods=2',
      'priorityclass p --value=5',
      'namespace n',
      'serviceaccount a',
      // Before, kubectl makes versions that are no more.
      ...(minor >= 22
        ? ['cronjob c --image=busybox --schedule=@daily', 'poddisruptionbudget p --selector=a=b --min-available=1']
        : []),
    ];
    for (const command of commands) {
      const made = await ok(`create ${command}`.replace(/( --|$)/, ' --dry-run=server -o yaml$1').split(' '));
      expect(made, command).to.match(/\n {2}uid: \S+/);
    }
    expect(
      (await json<KubectlList>('get deploy,svc,ing,job,cronjob,secret,role,rolebinding,quota,pdb')).items.filter(
        (item) => item.kind !== 'Secret',
      ),
    ).to.deep.equal([]);
    expect(await k().ok('get priorityclass -o name')).not.to.include('/p\n');
  });

  it('runs, exposes and autoscales', async () => {
    await ok('run single --image=nginx --port=80 --labels=run=single --env=A=b');
    await ok('expose pod single --port=80 --target-port=8080 --name=single');
    expect((await json('get svc single')).spec['selector']).to.deep.equal({ run: 'single' });
    await ok('create deployment auto --image=nginx');
    await ok('autoscale deployment auto --min=1 --max=3 --cpu-percent=80');
    expect((await json('get hpa auto')).spec).to.deep.include({ minReplicas: 1, maxReplicas: 3 });
  });

  it('sets images, variables, resources, accounts and subjects', async () => {
    await ok('create deployment set --image=nginx:1');
    await ok('set image deployment/set nginx=nginx:2');
    await ok('set env deployment/set A=b');
    await ok('set resources deployment/set --limits=cpu=200m,memory=64Mi');
    await ok('set serviceaccount deployment/set default');
    const { spec, metadata } = await json('get deployment set');
    expect(spec['template']).to.deep.nested.include({
      'spec.serviceAccountName': 'default',
      'spec.containers[0].image': 'nginx:2',
      'spec.containers[0].env': [{ name: 'A', value: 'b' }],
      'spec.containers[0].resources.limits': { cpu: '200m', memory: '64Mi' },
    });
    expect(metadata.generation).to.equal(5);
    await ok('create role set --verb=get --resource=pods');
    await ok('create rolebinding set --role=set --user=one');
    await ok('set subject rolebinding set --user=two');
    expect(
      ((await json('get rolebinding set')) as unknown as { subjects: { name: string }[] }).subjects.map(
        ({ name }) => name,
      ),
    ).to.deep.equal(['one', 'two']);
    await ok('create service clusterip set --tcp=80');
    await ok('set selector service set a=b');
    expect((await json('get service set')).spec['selector']).to.deep.equal({ a: 'b' });
  });

  it('labels and annotates', async () => {
    await ok('create configmap marked --from-literal=color=blue');
    await ok('label configmap marked a=b c=d');
    expect(await fails('label configmap marked a=x')).to.include('already has a value (b), and --overwrite is false');
    await ok('label configmap marked a=x c- --overwrite');
    await ok('annotate configmap marked note=hello');
    expect((await json('get configmap marked')).metadata).to.deep.include({
      labels: { a: 'x' },
      annotations: { note: 'hello' },
    });
    const { resourceVersion } = (await json('get configmap marked')).metadata;
    expect(await fails(`label configmap marked e=f --resource-version=${Number(resourceVersion) - 1}`)).to.include(
      'the object has been modified',
    );
  });

  it('patches in three ways', async () => {
    await ok('create deployment patched --image=nginx:1');
    await ok([
      'patch',
      'deployment',
      'patched',
      '-p',
      '{"spec":{"template":{"spec":{"containers":[{"name":"side","image":"envoy"}]}}}}',
    ]);
    await ok([
      'patch',
      'deployment',
      'patched',
      '--type=json',
      '-p',
      '[{"op":"test","path":"/spec/replicas","value":1},{"op":"replace","path":"/spec/replicas","value":4}]',
    ]);
    await ok([
      'patch',
      'deployment',
      'patched',
      '--type=merge',
      '-p',
      '{"metadata":{"labels":{"app":null,"tier":"web"}}}',
    ]);
    const { spec, metadata } = await json('get deployment patched');
    expect(
      (spec['template'] as { spec: { containers: { name: string }[] } }).spec.containers.map(({ name }) => name),
    ).to.deep.equal(['side', 'nginx']);
    expect(spec['replicas']).to.equal(4);
    expect(metadata.labels).to.deep.equal({ tier: 'web' });
    expect(
      await fails([
        'patch',
        'deployment',
        'patched',
        '--type=json',
        '-p',
        '[{"op":"test","path":"/spec/replicas","value":1}]',
      ]),
    ).to.match(/the server rejected our request due to an error in our request|The request is invalid/);
    expect(await ok(['patch', 'deployment', 'patched', '-p', '{"spec":{"replicas":4}}'])).to.include(
      'patched (no change)',
    );
  });

  it('edits', async () => {
    const editor = join(k().folder, 'editor.sh');
    writeFileSync(editor, '#!/bin/sh\nsed -i s/blue/green/ "$1"\n', { mode: 0o755 });
    await k().ok(['edit', '-n', namespace, 'configmap', 'marked'], undefined, { KUBE_EDITOR: editor });
    expect((await json('get configmap marked')).data).to.deep.equal({ color: 'green' });
    expect(
      (await k().run(['edit', '-n', namespace, 'configmap', 'marked'], undefined, { KUBE_EDITOR: editor })).stderr,
    ).to.include('no changes made');
  });

  it('replaces, also by force', async () => {
    const manifest = (port: number, name: string) =>
      JSON.stringify({
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name },
        spec: { containers: [{ name: 'c', image: 'nginx', ports: [{ containerPort: port }] }] },
      });
    await ok('create -f -', manifest(80, 'replaced'));
    const { uid } = (await json('get pod replaced')).metadata;
    await ok('replace --force --grace-period=0 -f -', manifest(81, 'replaced'));
    expect((await json('get pod replaced')).metadata.uid).not.to.equal(uid);
    expect(await fails('replace -f -', manifest(80, 'never-made'))).to.equal(
      'Error from server (NotFound): error when replacing "STDIN": pods "never-made" not found\n',
    );
    expect(await fails('create -f -', manifest(81, 'replaced'))).to.equal(
      'Error from server (AlreadyExists): error when creating "STDIN": pods "replaced" already exists\n',
    );
  });

  it('scales, with preconditions', async () => {
    await ok('scale deployment auto --replicas=3');
    expect(await fails('scale deployment auto --replicas=5 --current-replicas=2')).to.match(
      /Expected replicas to be 2, was 3/i,
    );
    await ok('scale deployment auto --replicas=5 --current-replicas=3');
    expect(await ok(['get', 'deployment', 'auto', '-o', 'jsonpath={.spec.replicas}'])).to.equal('5');
  });

  it('rolls out: history, restart, pause, undo', async () => {
    await ok('create deployment rolled --image=nginx:2');
    const {
      metadata: { uid },
    } = await json('get deployment rolled');
    for (const revision of [1, 2]) {
      const labels = { app: 'rolled', 'pod-template-hash': `r${revision}` };
      await ok(
        'create -f -',
        JSON.stringify({
          apiVersion: 'apps/v1',
          kind: 'ReplicaSet',
          metadata: {
            name: `rolled-${revision}`,
            labels,
            annotations: { 'deployment.kubernetes.io/revision': String(revision) },
            ownerReferences: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'rolled', uid, controller: true }],
          },
          spec: {
            replicas: 0,
            selector: { matchLabels: labels },
            template: { metadata: { labels }, spec: { containers: [{ name: 'nginx', image: `nginx:${revision}` }] } },
          },
        }),
      );
    }
    await ok('annotate deployment rolled deployment.kubernetes.io/revision=2');
    expect(await ok('rollout history deployment/rolled')).to.match(/REVISION.*\n1 .*\n2 /);
    expect(await ok('rollout history deployment/rolled --revision=1')).to.include('nginx:1');
    await ok('rollout undo deployment/rolled');
    expect(
      await ok(['get', 'deployment', 'rolled', '-o', 'jsonpath={.spec.template.spec.containers[0].image}']),
    ).to.equal('nginx:1');
    await ok('rollout restart deployment/rolled');
    expect(
      await ok(['get', 'deployment', 'rolled', '-o', 'jsonpath={.spec.template.metadata.annotations}']),
    ).to.include('kubectl.kubernetes.io/restartedAt');
    await ok('rollout pause deployment/rolled');
    expect(await fails('rollout restart deployment/rolled')).to.include("can't restart paused deployment");
    await ok('rollout resume deployment/rolled');
    expect(await ok('rollout status deployment/rolled --watch=false')).to.include(
      'Waiting for deployment spec update to be observed',
    );
  });

  if (minor >= 24) {
    it('reads and changes subresources', async () => {
      await ok([
        'patch',
        'deployment',
        'rolled',
        '--subresource=status',
        '--type=merge',
        '-p',
        '{"status":{"observedGeneration":100,"replicas":1,"updatedReplicas":1,"availableReplicas":1,' +
          '"readyReplicas":1}}',
      ]);
      expect(await ok('rollout status deployment/rolled --timeout=5s')).to.include('successfully rolled out');
      expect((await json('get deployment rolled --subresource=scale')).kind).to.equal('Scale');
      await ok([
        'patch',
        'deployment',
        'rolled',
        '--subresource=scale',
        '--type=merge',
        '-p',
        '{"spec":{"replicas":7}}',
      ]);
      expect(await ok(['get', 'deployment', 'rolled', '-o', 'jsonpath={.spec.replicas}'])).to.equal('7');
      expect((await ok('create token default')).split('.')).to.have.length(3);
      expect((await ok('create token default --duration=10m --audience=me')).split('.')).to.have.length(3);
    });
  }

  it('deletes by name, label and file, softly and not', async () => {
    await Promise.all(
      [1, 2, 3].map((n) =>
        ok(
          'create -f -',
          JSON.stringify({
            apiVersion: 'v1',
            kind: 'ConfigMap',
            metadata: { name: `gone-${n}`, labels: { gone: n === 3 ? 'no' : 'yes' } },
          }),
        ),
      ),
    );
    expect(await ok('delete configmap -l gone=yes --dry-run=server')).to.match(/gone-1.*\(server dry run\)/);
    expect((await ok('delete configmap -l gone=yes')).trim().split('\n')).to.have.length(2);
    await ok('delete configmap gone-3 --wait=false');
    expect(await fails('delete configmap gone-3')).to.include('not found');
    // Nobody collects garbage here, so what a cascade leaves behind shows in finalizers and in what stays.
    await ok('delete deployment rolled --cascade=orphan --wait=false');
    expect((await json('get deployment rolled')).metadata.finalizers).to.deep.equal(['orphan']);
    await ok('delete deployment patched --cascade=foreground --wait=false');
    expect((await json('get deployment patched')).metadata.finalizers).to.deep.equal(['foregroundDeletion']);
    await ok('delete deployment auto');
    await ok('delete pod single --now');
    await ok('delete pod replaced --force --grace-period=0');
    await ok('delete services --all');
    expect(await ok('get pods,services -o name')).to.equal('');
  });
};
