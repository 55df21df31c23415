import 'reflect-metadata';
import { Pkcs10CertificateRequestGenerator } from '@peculiar/x509';
import { expect } from 'chai';
import { webcrypto } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KubectlObject, KubectlSuite } from './kubectl.ts';

/** What administrators do: nodes, certificates, permissions, custom resources, waiting. */
export const administering: KubectlSuite = (k, minor) => {
  it('cordons, taints and drains a node', async () => {
    await k().ok('create namespace nodes');
    await k().ok('create serviceaccount default -n nodes');
    await k().ok(
      'create -f -',
      '{"apiVersion":"v1","kind":"Node","metadata":{"name":"worker"},"status":{"conditions":[{"type":"Ready",' +
        '"status":"True"}]}}',
    );
    await k().ok('taint node worker key=value:NoSchedule');
    expect((await k().json('get node worker')).spec['taints']).to.deep.include({
      key: 'key',
      value: 'value',
      effect: 'NoSchedule',
    });
    await k().ok('taint node worker key-');
    await k().ok('cordon worker');
    expect(await k().ok('get nodes worker --no-headers')).to.include('SchedulingDisabled');
    await k().ok('uncordon worker');
    const pod = (name: string, labels: object) =>
      JSON.stringify({
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name, labels },
        spec: { nodeName: 'worker', containers: [{ name: 'c', image: 'nginx' }] },
      });
    await k().ok('create -n nodes -f -', pod('free', {}));
    await k().ok('create -n nodes -f -', pod('guarded', { guarded: 'yes' }));
    await k().ok(
      'create -n nodes -f -',
      '{"apiVersion":"policy/v1","kind":"PodDisruptionBudget","metadata":{"name":"guard"},' +
        '"spec":{"maxUnavailable":0,"selector":{"matchLabels":{"guarded":"yes"}}}}',
    );
    // As a kubelet and a controller would say: pods that don't run yet are not protected.
    const guarded = await k().json<object>('get pod guarded -n nodes');
    await k().ok(
      'replace --raw /api/v1/namespaces/nodes/pods/guarded/status -f -',
      JSON.stringify({ ...guarded, status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] } }),
    );
    const guard = await k().json<object>('get poddisruptionbudget guard -n nodes');
    await k().ok(
      'replace --raw /apis/policy/v1/namespaces/nodes/poddisruptionbudgets/guard/status -f -',
      JSON.stringify({
        ...guard,
        status: { observedGeneration: 1, disruptionsAllowed: 0, currentHealthy: 1, desiredHealthy: 1, expectedPods: 1 },
      }),
    );
    expect(await k().fails('drain worker')).to.include('cannot delete');
    const refused = await k().run('drain worker --force --grace-period=0 --timeout=3s'.split(' '));
    expect(refused.stdout + refused.stderr)
      .to.include('pod/free evicted')
      .and.include("Cannot evict pod as it would violate the pod's disruption budget");
    expect(await k().ok('get pods -n nodes -o name')).to.equal('pod/guarded\n');
    await k().ok('drain worker --force --grace-period=0 --disable-eviction');
    expect(await k().ok('get pods -n nodes -o name')).to.equal('');
  });

  it('approves and denies certificates', async () => {
    const algorithm = { name: 'ECDSA', namedCurve: 'P-256' };
    const keys = (await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])) as webcrypto.CryptoKeyPair;
    const request = await Pkcs10CertificateRequestGenerator.create({
      name: 'CN=dev',
      keys,
      signingAlgorithm: { ...algorithm, hash: 'SHA-256' },
    });
    for (const [name, verb, type] of [
      ['good', 'approve', 'Approved'],
      ['bad', 'deny', 'Denied'],
    ] as const) {
      await k().ok(
        'create -f -',
        JSON.stringify({
          apiVersion: 'certificates.k8s.io/v1',
          kind: 'CertificateSigningRequest',
          metadata: { name },
          spec: {
            signerName: 'kubernetes.io/kube-apiserver-client',
            usages: ['client auth'],
            request: Buffer.from(request.toString('pem')).toString('base64'),
          },
        }),
      );
      await k().ok(`certificate ${verb} ${name}`);
      expect(await k().ok(`get csr ${name} --no-headers`)).to.include(type);
      await k().ok(`wait --for=condition=${type} csr/${name} --timeout=60s`);
    }
  });

  it('asks and says who may do what', async () => {
    expect(await k().ok('auth can-i delete nodes')).to.equal('yes\n');
    expect((await k().run(['auth', 'can-i', 'delete', 'nodes', '--as=nobody'])).stdout).to.equal('no\n');
    expect(await k().ok('auth can-i get /metrics')).to.equal('yes\n');
    expect(await k().ok('auth can-i --list')).to.match(/\*\.\* +\[\] +\[\] +\[\*\]/);
    await k().ok('create namespace permits');
    // `view` itself is empty until a controller adds up its parts.
    await k().ok('create rolebinding dave -n permits --clusterrole=system:aggregate-to-view --user=dave');
    expect(await k().ok('auth can-i list pods -n permits --as=dave')).to.equal('yes\n');
    expect(await k().fails('get secrets -n permits --as=dave')).to.equal(
      'Error from server (Forbidden): secrets is forbidden: User "dave" cannot list resource "secrets" in API ' +
        'group "" in the namespace "permits"\n',
    );
    if (minor >= 28)
      expect(await k().ok('auth whoami --as=dave --as-group=devs')).to.match(
        /Username +dave\nGroups +\[devs system:authenticated\]/,
      );
    expect(
      await k().ok(
        'auth reconcile -f -',
        '{"apiVersion":"rbac.authorization.k8s.io/v1","kind":"Role","metadata":{"name":"r",' +
          '"namespace":"permits"},"rules":[{"apiGroups":[""],"resources":["pods"],"verbs":["get"]}]}',
      ),
    ).to.include('role.rbac.authorization.k8s.io/r reconciled');
  });

  it('serves custom resources as any other', async () => {
    const property = (type: string, more: object = {}) => ({ type, ...more });
    await k().ok(
      'apply -f -',
      JSON.stringify({
        apiVersion: 'apiextensions.k8s.io/v1',
        kind: 'CustomResourceDefinition',
        metadata: { name: 'boats.sea.example.com' },
        spec: {
          group: 'sea.example.com',
          scope: 'Namespaced',
          names: { plural: 'boats', singular: 'boat', kind: 'Boat', shortNames: ['bt'], categories: ['all'] },
          versions: [
            {
              name: 'v1',
              served: true,
              storage: true,
              subresources: {
                status: {},
                scale: { specReplicasPath: '.spec.oars', statusReplicasPath: '.status.oars' },
              },
              additionalPrinterColumns: [{ name: 'Oars', type: 'integer', jsonPath: '.spec.oars' }],
              schema: {
                openAPIV3Schema: property('object', {
                  properties: {
                    spec: property('object', {
                      description: 'What it should be.',
                      required: ['oars'],
                      properties: { oars: property('integer', { minimum: 1, description: 'How many oars.' }) },
                    }),
                    status: property('object', { 'x-kubernetes-preserve-unknown-fields': true }),
                  },
                }),
              },
            },
          ],
        },
      }),
    );
    await k().ok('wait --for=condition=Established crd/boats.sea.example.com --timeout=60s');
    const boat = (oars: number) =>
      JSON.stringify({ apiVersion: 'sea.example.com/v1', kind: 'Boat', metadata: { name: 'argo' }, spec: { oars } });
    await k().ok('apply -f -', boat(2));
    expect(await k().ok('get bt')).to.match(/^NAME +OARS\nargo +2\n$/);
    expect(await k().ok('get all -o name')).to.include('boat.sea.example.com/argo');
    expect(await k().fails('apply -f -', boat(0))).to.include(
      'spec.oars: Invalid value: 0: spec.oars in body should be greater than or equal to 1',
    );
    await k().ok('scale boat argo --replicas=50');
    await k().ok('apply --server-side --force-conflicts -f -', boat(8));
    expect(await k().ok(['get', 'boat', 'argo', '-o', 'jsonpath={.spec.oars}'])).to.equal('8');
    // kubectl keeps what it learned for a while; its OpenAPI documents come with the CRD.
    await eventually(async () => {
      expect(await k().ok('explain boat.spec.oars')).to.include('How many oars.');
    });
    if (minor >= 27)
      await eventually(async () => {
        expect(await k().ok('explain boat --recursive --output plaintext-openapiv2')).to.include('oars');
      });
    await k().ok(['patch', 'boat', 'argo', '--type=merge', '-p', '{"metadata":{"labels":{"sea":"black"}}}']);
    expect(await k().ok('describe boat argo')).to.match(/Labels: +sea=black/);
    await k().ok('delete crd boats.sea.example.com');
    await eventually(async () => {
      expect(await k().fails('get boats')).to.include('NotFound');
    });
  });

  it('waits', async () => {
    await k().ok('create namespace waits');
    await k().ok('create configmap gone -n waits');
    const gone = await k().watching(['wait', '-n', 'waits', '--for=delete', 'configmap/gone', '--timeout=60s']);
    await k().ok('delete configmap gone -n waits');
    expect(await gone.ended).to.equal(0);
    expect(await k().fails('wait -n waits --for=condition=Ready pod/none --timeout=1s')).to.include('not found');
    if (minor >= 23) {
      await k().ok('create configmap later -n waits');
      const later = await k().watching([
        'wait',
        '-n',
        'waits',
        '--for=jsonpath={.data.state}=done',
        'configmap/later',
        '--timeout=60s',
      ]);
      await k().ok(['patch', 'configmap', 'later', '-n', 'waits', '-p', '{"data":{"state":"done"}}']);
      expect(await later.ended).to.equal(0);
    }
  });

  it('logs in by token and by impersonation', async () => {
    await k().ok('create namespace tokens');
    await k().ok('create serviceaccount bot -n tokens');
    const token =
      minor >= 24
        ? (await k().ok('create token bot -n tokens')).trim()
        : (
            JSON.parse(
              await k().ok(
                ['create', '--raw', '/api/v1/namespaces/tokens/serviceaccounts/bot/token', '-f', '-'],
                '{"apiVersion":"authentication.k8s.io/v1","kind":"TokenRequest","spec":{}}',
              ),
            ) as { status: { token: string } }
          ).status.token;
    const { clusters } = await k().json<{
      clusters: { cluster: { server: string; 'certificate-authority-data'?: string } }[];
    }>('config view --raw --minify');
    const file = join(k().folder, 'bot.kubeconfig');
    writeFileSync(
      file,
      JSON.stringify({
        apiVersion: 'v1',
        kind: 'Config',
        clusters: [{ ...clusters[0], name: 'c' }],
        users: [{ name: 'bot', user: { token } }],
        contexts: [{ name: 'bot', context: { cluster: 'c', user: 'bot', namespace: 'tokens' } }],
        'current-context': 'bot',
      }),
    );
    const asBot = (args: string) => k().run(['--kubeconfig', file, ...args.split(' ')]);
    expect((await asBot('get pods')).stderr).to.include(
      'User "system:serviceaccount:tokens:bot" cannot list resource "pods"',
    );
    await k().ok('create rolebinding bot -n tokens --clusterrole=system:aggregate-to-edit --serviceaccount=tokens:bot');
    await k().ok(
      'create rolebinding bot-reads -n tokens --clusterrole=system:aggregate-to-view --serviceaccount=tokens:bot',
    );
    await eventually(async () => {
      expect((await asBot('get pods')).code).to.equal(0);
    });
    expect((await asBot('create configmap mine')).code).to.equal(0);
    expect((await asBot('config current-context')).stdout).to.equal('bot\n');
  });

  it('keeps namespaces until somebody finalizes them', async () => {
    await k().ok('delete namespace waits --wait=false');
    expect(await k().ok(['get', 'namespace', 'waits', '-o', 'jsonpath={.status.phase}'])).to.equal('Terminating');
    expect(await k().fails('create configmap late -n waits')).to.include('because it is being terminated');
    const namespace = await k().json<KubectlObject>('get namespace waits');
    await k().ok(
      ['replace', '--raw', '/api/v1/namespaces/waits/finalize', '-f', '-'],
      JSON.stringify({ ...namespace, spec: { finalizers: [] } }),
    );
    expect(await k().fails('get namespace waits')).to.include('not found');
  });
};

/** Runs a check until it passes, for at most a minute. */
async function eventually(check: () => Promise<void>): Promise<void> {
  const deadline = Date.now() + 60_000;
  for (;;) {
    try {
      await check();
      return;
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
  }
}
