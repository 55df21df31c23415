import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { freePort } from '@kubechain/shared-storage/testing';
import type { KubectlList, KubectlObject } from '../kubectl/kubectl.ts';
import { get, printed } from './streams.ts';
import type { Cluster } from './cluster.ts';
import { SHELL_IMAGE } from './image.ts';
import { startKubelet } from './real-node.ts';

const limit = '--timeout=90s';
/** The pod's own file, served; tells of its end. */
const SERVE = 'mkdir -p /tmp/www; hostname >/tmp/www/index.html; exec httpd -f -p 8080 -h /tmp/www';

type Fields = Readonly<Record<string, unknown>>;

/** A container of the shell's image, which ends at once when it is told to. */
function shell(script: string, more: Fields = {}): object {
  return { name: 'main', image: SHELL_IMAGE, command: ['sh', '-c', script], ...more };
}

function pod(name: string, spec: Fields, metadata: Fields = {}): object {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, ...metadata },
    spec: { terminationGracePeriodSeconds: 1, ...spec },
  };
}

/** What a cluster with a real node does, whoever runs its controllers. */
export function describeWorkloads(cluster: () => Cluster): void {
  const ok = (args: string, input?: string): Promise<string> => cluster().kubectl.ok(args, input);
  const object = (args: string): Promise<KubectlObject> => cluster().kubectl.json(`get ${args}`);
  const field = (what: string, path: string): Promise<string> => ok(`get ${what} -o jsonpath={${path}}`);
  const exec = (name: string, script: string): Promise<string> =>
    cluster().kubectl.ok(['exec', name, '--', 'sh', '-c', script]);
  const ready = (name: string): Promise<string> => ok(`wait pod/${name} --for=condition=Ready ${limit}`);
  const gone = (name: string): Promise<string> => ok(`delete pod ${name} --wait=true ${limit}`);

  it('registers its node by a bootstrap token, and renews its lease', async () => {
    const { items } = await cluster().kubectl.json<KubectlList>('get certificatesigningrequests');
    const [client] = items.filter(({ spec }) => spec['signerName'] === 'kubernetes.io/kube-apiserver-client-kubelet');
    expect(client?.spec['username']).to.equal('system:bootstrap:abcdef');
    expect(JSON.stringify(client?.status)).to.include('"type":"Approved"').and.to.include('"certificate":"');
    const renewed = (): Promise<string> => field('lease/node-a -n kube-node-lease', '.spec.renewTime');
    const first = await cluster().eventually('a lease', async () => (await renewed()) || false);
    await cluster().eventually('a renewed lease', async () => (await renewed()) > first);
  });

  it('signs cluster-info for those who join', async () => {
    await cluster().apply({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'cluster-info', namespace: 'kube-public' },
      data: { kubeconfig: 'apiVersion: v1\nkind: Config\n' },
    });
    const signature = await cluster().eventually(
      'a signature',
      async () => (await field('configmap/cluster-info -n kube-public', '.data.jws-kubeconfig-abcdef')) || false,
    );
    // A detached JWS: the payload between the dots is left out.
    expect(signature).to.match(/^[\w-]+\.\.[\w-]+$/);
  });

  it('rolls out a deployment, and another release of it', async () => {
    const deployment = (release: string): object => ({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web' },
      spec: {
        replicas: 2,
        selector: { matchLabels: { app: 'web' } },
        template: {
          metadata: { labels: { app: 'web' } },
          spec: {
            terminationGracePeriodSeconds: 1,
            containers: [
              shell(SERVE, {
                env: [{ name: 'RELEASE', value: release }],
                ports: [{ containerPort: 8080 }],
                readinessProbe: { httpGet: { path: '/', port: 8080 }, periodSeconds: 1 },
              }),
            ],
          },
        },
      },
    });
    await cluster().apply(deployment('one'));
    await ok(`rollout status deployment/web ${limit}`);
    await cluster().apply(deployment('two'));
    await ok(`rollout status deployment/web ${limit}`);
    await cluster().eventually('two pods of the second release', async () => {
      const { items } = await cluster().kubectl.json<KubectlList>('get pods -l app=web');
      return items.length === 2 && items.every(({ spec }) => JSON.stringify(spec).includes('"two"'));
    });
  });

  it('reaches pods by Services, cluster IP and node port', async () => {
    await ok('expose deployment web --port 80 --target-port 8080 --type NodePort');
    const ip = await field('service/web', '.spec.clusterIP');
    const nodePort = await field('service/web', '.spec.ports[0].nodePort');
    const { items } = await cluster().kubectl.json<KubectlList>('get pods -l app=web');
    const names = items.map(({ metadata }) => metadata.name).sort();
    const seen = new Set<string>();
    await cluster().eventually('both pods behind the Service', async () => {
      seen.add((await get(`http://${ip}/`)).trim());
      return seen.size === 2;
    });
    expect([...seen].sort()).to.deep.equal(names);
    expect(names).to.include((await get(`http://${cluster().machine.addresses.inner}:${nodePort}/`)).trim());
    expect(names).to.include((await exec(names[0]!, `wget -qO- http://${ip}/`)).trim());
    // The control plane itself is behind one, too.
    await exec(names[0]!, 'echo | nc -w 5 $KUBERNETES_SERVICE_HOST $KUBERNETES_SERVICE_PORT');
  });

  it('forwards ports, of a pod and of a Service', async () => {
    const local = await freePort();
    const forward = cluster().kubectl.start(['port-forward', 'service/web', `${local}:80`]);
    try {
      await printed(forward, /Forwarding from 127\.0\.0\.1/);
      expect(await get(`http://127.0.0.1:${local}/`)).to.match(/^web-/);
    } finally {
      forward.kill();
    }
  });

  it('shows logs, runs commands, attaches and copies', async () => {
    const reads = 'echo started; while read line; do echo "read $line"; done; sleep 3600';
    await cluster().apply(pod('talks', { containers: [shell(reads, { stdin: true })] }));
    await ready('talks');
    expect(await ok('logs talks')).to.equal('started\n');
    await cluster().kubectl.run(['attach', '-i', 'talks'], 'hello\n');
    await cluster().eventually('what was read', async () => (await ok('logs talks')) === 'started\nread hello\n');
    const failed = await cluster().kubectl.run(['exec', 'talks', '--', 'sh', '-c', 'echo out; echo err >&2; exit 3']);
    expect([failed.code, failed.stdout, failed.stderr.split('\n')[0]]).to.deep.equal([3, 'out\n', 'err']);
    const much = 'x'.repeat(1_000_000);
    expect(await ok('exec -i talks -- cat', much)).to.equal(much);
    await ok(`cp ${import.meta.filename} talks:/tmp/copied`);
    expect(await ok('exec talks -- cat /tmp/copied')).to.equal(readFileSync(import.meta.filename, 'utf8'));
    await gone('talks');
  });

  it('completes a job, with a pod that failed on the way', async () => {
    await cluster().apply({
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: 'work' },
      spec: {
        completions: 2,
        parallelism: 2,
        backoffLimit: 4,
        completionMode: 'Indexed',
        template: {
          spec: {
            restartPolicy: 'OnFailure',
            volumes: [{ name: 'kept', emptyDir: {} }],
            containers: [
              shell('echo index $JOB_COMPLETION_INDEX; test -e /kept/once || { touch /kept/once; exit 1; }', {
                volumeMounts: [{ name: 'kept', mountPath: '/kept' }],
              }),
            ],
          },
        },
      },
    });
    await ok(`wait job/work --for=condition=Complete ${limit}`);
    const { items } = await cluster().kubectl.json<KubectlList>('get pods -l job-name=work');
    expect(items.map(({ status }) => status?.['phase'])).to.deep.equal(['Succeeded', 'Succeeded']);
    const restarts = items.map(
      ({ status }) => (status?.['containerStatuses'] as { restartCount: number }[] | undefined)?.[0]?.restartCount,
    );
    expect(restarts).to.deep.equal([1, 1]);
    await ok('delete job work');
  });

  it('mounts ConfigMaps, Secrets, fields and tokens, and changes them', async () => {
    const settings = (value: string): object[] => [
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings' }, data: { key: value } },
      { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'settings' }, stringData: { key: `secret ${value}` } },
    ];
    await cluster().apply(...settings('one'));
    await cluster().apply(
      pod(
        'mounts',
        {
          volumes: [
            {
              name: 'all',
              projected: {
                sources: [
                  { configMap: { name: 'settings', items: [{ key: 'key', path: 'config' }] } },
                  { secret: { name: 'settings', items: [{ key: 'key', path: 'secret' }] } },
                  { downwardAPI: { items: [{ path: 'labels', fieldRef: { fieldPath: 'metadata.labels' } }] } },
                  { serviceAccountToken: { path: 'token', audience: 'tests', expirationSeconds: 600 } },
                ],
              },
            },
          ],
          containers: [
            shell('sleep 3600', {
              volumeMounts: [{ name: 'all', mountPath: '/all' }],
              env: [{ name: 'FROM', valueFrom: { configMapKeyRef: { name: 'settings', key: 'key' } } }],
            }),
          ],
        },
        { labels: { stage: 'first' } },
      ),
    );
    await ready('mounts');
    expect(await exec('mounts', 'cd /all; cat config; echo; cat secret; echo; cat labels; echo; echo $FROM')).to.equal(
      'one\nsecret one\nstage="first"\none\n',
    );
    await cluster().apply(...settings('two'));
    await ok('label pod mounts stage=second --overwrite');
    await cluster().eventually('what changed', async () => {
      const text = await exec('mounts', 'cd /all; cat config; echo; cat secret; echo; cat labels');
      return text.trim() === 'two\nsecret two\nstage="second"';
    });
    const review = await cluster().kubectl.json(
      ['create', '-f', '-'],
      JSON.stringify({
        apiVersion: 'authentication.k8s.io/v1',
        kind: 'TokenReview',
        spec: { token: await exec('mounts', 'cat /all/token'), audiences: ['tests'] },
      }),
    );
    expect(review.status).to.deep.include({ authenticated: true, audiences: ['tests'] });
    expect(JSON.stringify(review.status)).to.include('authentication.kubernetes.io/pod-name":["mounts"]');
    // What every pod has: it is good for the server by which the pod knows it.
    const token = await exec('mounts', 'cat /var/run/secrets/kubernetes.io/serviceaccount/token');
    const { url, dataDir } = cluster().chain;
    const asPod = `--kubeconfig /dev/null --server ${url} --certificate-authority ${dataDir}/pki/ca.crt`;
    expect(await ok(`${asPod} --token ${token.trim()} auth whoami -o jsonpath={.status.userInfo.username}`)).to.equal(
      'system:serviceaccount:default:default',
    );
    await gone('mounts');
  });

  it('starts containers in their order, sidecars beside them', async () => {
    const writes = { volumeMounts: [{ name: 'shared', mountPath: '/shared' }] };
    await cluster().apply(
      pod('ordered', {
        restartPolicy: 'Never',
        volumes: [{ name: 'shared', emptyDir: { medium: 'Memory' } }],
        initContainers: [
          { ...shell('echo init >>/shared/order', writes), name: 'init' },
          {
            ...shell('echo sidecar >>/shared/order; touch /tmp/up; trap "exit 0" TERM; sleep 3600 & wait', writes),
            name: 'sidecar',
            restartPolicy: 'Always',
            startupProbe: { exec: { command: ['test', '-e', '/tmp/up'] }, periodSeconds: 1 },
          },
        ],
        containers: [shell('echo main >>/shared/order; cat /shared/order', writes)],
      }),
    );
    await ok(`wait pod/ordered --for=jsonpath={.status.phase}=Succeeded ${limit}`);
    expect(await ok('logs ordered -c main')).to.equal('init\nsidecar\nmain\n');
    await gone('ordered');
  });

  it('takes what is not ready out of its Service, and starts what does not live again', async () => {
    await cluster().apply(
      pod(
        'probed',
        {
          containers: [
            shell('touch /tmp/ready /tmp/alive; sleep 3600', {
              readinessProbe: {
                exec: { command: ['test', '-e', '/tmp/ready'] },
                periodSeconds: 1,
                failureThreshold: 1,
              },
              livenessProbe: { exec: { command: ['test', '-e', '/tmp/alive'] }, periodSeconds: 1, failureThreshold: 1 },
            }),
          ],
        },
        { labels: { app: 'probed' } },
      ),
      {
        apiVersion: 'v1',
        kind: 'Service',
        metadata: { name: 'probed' },
        spec: { selector: { app: 'probed' }, ports: [{ port: 80 }] },
      },
    );
    await ready('probed');
    const conditions = (): Promise<string> =>
      field('endpointslices -l kubernetes.io/service-name=probed', '.items[*].endpoints[*].conditions.ready');
    await cluster().eventually('an endpoint', async () => (await conditions()) === 'true');
    await exec('probed', 'rm /tmp/ready');
    await cluster().eventually('no ready endpoint', async () => (await conditions()) === 'false');
    await exec('probed', 'rm /tmp/alive');
    await cluster().eventually(
      'a restart',
      async () => (await field('pod/probed', '.status.containerStatuses[0].restartCount')) === '1',
    );
    await ready('probed');
    await gone('probed');
    await ok('delete service probed');
  });

  it('lets a pod end in its own time', async () => {
    await cluster().apply(
      pod('graceful', {
        terminationGracePeriodSeconds: 30,
        containers: [
          shell('trap "echo told; sleep 1; echo done; exit 0" TERM; echo up; while :; do sleep 1; done', {
            lifecycle: { preStop: { exec: { command: ['sh', '-c', 'echo stopping >/proc/1/fd/1'] } } },
          }),
        ],
      }),
    );
    await ready('graceful');
    const logs = cluster().kubectl.start(['logs', '-f', 'graceful']);
    let text = '';
    logs.stdout?.on('data', (chunk: Buffer) => (text += chunk.toString()));
    await cluster().eventually('its first line', () => Promise.resolve(text.includes('up')));
    const startMs = performance.now();
    await gone('graceful');
    // Far less than it might have taken.
    expect(performance.now() - startMs).to.be.lessThan(25_000);
    logs.kill();
    expect(text).to.equal('up\nstopping\ntold\ndone\n');
  });

  it('adds a container to a pod that runs', async () => {
    await cluster().apply(pod('debugged', { containers: [shell('sleep 3600')] }));
    await ready('debugged');
    await cluster().kubectl.ok([
      'debug',
      'debugged',
      `--image=${SHELL_IMAGE}`,
      '--container=look',
      '--target=main',
      '--',
      'sh',
      '-c',
      'ps; sleep 1',
    ]);
    await cluster().eventually('what it sees', async () => (await ok('logs debugged -c look')).includes('sleep 3600'));
    await gone('debugged');
  });

  it('shows static pods as mirrors', async () => {
    const { machine } = cluster();
    machine.write(
      'etc/manifests/static.json',
      JSON.stringify(pod('static', { containers: [shell('sleep 3600')] }, { namespace: 'default' })),
    );
    await ok(`wait pod/static-node-a --for=create ${limit}`);
    await ready('static-node-a');
    const mirror = await object('pod static-node-a');
    expect(mirror.metadata.annotations?.['kubernetes.io/config.source']).to.equal('file');
    await ok('delete pod static-node-a --wait=false');
    await cluster().eventually('another mirror', async () => {
      const again = await object('pod static-node-a');
      return again.metadata.uid !== mirror.metadata.uid;
    });
    await machine.ok('rm', '/machine/etc/manifests/static.json');
    await ok(`wait pod/static-node-a --for=delete ${limit}`);
  });

  it('evicts by taints, and by request as far as budgets allow', async () => {
    const tolerates = { tolerations: [{ key: 'maintenance', operator: 'Exists' }] };
    await cluster().apply(
      pod('leaves', { containers: [shell('sleep 3600')] }),
      pod('stays', { ...tolerates, containers: [shell('sleep 3600')] }, { labels: { app: 'stays' } }),
      {
        apiVersion: 'policy/v1',
        kind: 'PodDisruptionBudget',
        metadata: { name: 'stays' },
        spec: { minAvailable: 1, selector: { matchLabels: { app: 'stays' } } },
      },
    );
    await Promise.all([ready('leaves'), ready('stays')]);
    await ok('taint node node-a maintenance=now:NoExecute');
    try {
      await ok(`wait pod/leaves --for=delete ${limit}`);
      expect(await field('pod/stays', '.status.phase')).to.equal('Running');
    } finally {
      await ok('taint node node-a maintenance-');
    }
    const evicted = await cluster().kubectl.run(
      ['create', '--raw', '/api/v1/namespaces/default/pods/stays/eviction', '-f', '-'],
      JSON.stringify({ apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'stays', namespace: 'default' } }),
    );
    expect(evicted.stderr).to.include("Cannot evict pod as it would violate the pod's disruption budget");
    await ok('delete poddisruptionbudget stays');
    await gone('stays');
    await ok(`rollout status deployment/web ${limit}`);
  });

  it('notices that its node is away, and that it is back', async () => {
    const { machine } = cluster();
    await machine.kill('kubelet');
    await ok(`wait node/node-a --for=condition=Ready=Unknown ${limit}`);
    await cluster().eventually('its taint', async () =>
      (await field('node/node-a', '.spec.taints[*].key')).includes('node.kubernetes.io/unreachable'),
    );
    // Pods go on running without their kubelet.
    expect(await get(`http://${await field('service/web', '.spec.clusterIP')}/`).catch(String)).to.be.a('string');
    startKubelet(machine);
    await ok(`wait node/node-a --for=condition=Ready ${limit}`);
    await cluster().eventually('no taint', async () => (await field('node/node-a', '.spec.taints')) === '');
    await ok(`rollout status deployment/web ${limit}`);
  });

  it('empties a namespace whose pods run', async () => {
    await ok('create namespace short');
    await cluster().apply(
      pod('first', { containers: [shell('sleep 3600')] }, { namespace: 'short' }),
      pod('second', { containers: [shell('sleep 3600')] }, { namespace: 'short' }),
    );
    await ok(`wait pod --all -n short --for=condition=Ready ${limit}`);
    await ok(`delete namespace short ${limit}`);
  });
}
