import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { goModuleFolder, goTool } from '../../harness/go-tools.ts';
import type { KubectlList, KubectlObject } from '../../kubectl/kubectl.ts';
import type { Cluster } from '../cluster.ts';
import { importImage, SHELL_IMAGE } from '../image.ts';
import { addProgram } from '../program-files.ts';

const DRIVER = 'test-driver.cdi.k8s.io';
const IMAGE = 'docker.io/library/dra-driver:1';
const NAMESPACE = 'devices';
/** Names that upstream's permissions leave to those who install a driver. */
const ACCOUNT = `${NAMESPACE}-account`;
const NODE = 'node-a';
const DEVICES = 2;
/** Where the driver serves kubelet. */
const PLUGIN = `/var/lib/kubelet/plugins/${DRIVER}`;
/** On the node: what the driver tells the container runtime of each claim that is prepared. */
const CDI = '/var/run/cdi';
const within = '--timeout=90s';

/** The driver of devices that Kubernetes' own tests have, in a pod with the rights that upstream gives drivers. */
export function describeDevices(cluster: () => Cluster): void {
  const ok = (args: string): Promise<string> => cluster().kubectl.ok(args);
  const slices = async (): Promise<readonly KubectlObject[]> =>
    (await cluster().kubectl.json<KubectlList>('get resourceslices')).items;
  const claim = async (name: string): Promise<Claim> =>
    (await cluster().kubectl.json<{ readonly status: Claim }>(`get resourceclaim ${name}`)).status;
  const prepared = async (): Promise<readonly string[]> =>
    (await cluster().machine.ok('ls', CDI)).split('\n').filter(Boolean);
  const deleted = (...names: readonly string[]): Promise<string> =>
    ok(`delete pod ${names.join(' ')} --wait ${within}`);

  before(async function () {
    this.timeout(1_800_000);
    const program = await goTool('dra-driver');
    await importImage(cluster().machine, {
      names: [IMAGE],
      fill: (root) => addProgram(root, program, '/dra-driver'),
      config: { Entrypoint: ['/dra-driver'] },
    });
    await ok(`create namespace ${NAMESPACE}`);
    const examples = join(await goModuleFolder('k8s.io/kubernetes'), 'test/e2e/dra/test-driver/deploy/example');
    const permissions = readFileSync(join(examples, 'plugin-permissions.yaml'), 'utf8')
      .replaceAll('dra-kubelet-plugin-driver-name', DRIVER)
      .replaceAll('dra-kubelet-plugin-namespace', NAMESPACE)
      .replaceAll('dra-kubelet-plugin-service-account', ACCOUNT);
    await cluster().kubectl.ok(['apply', '-f', '-'], permissions);
    await ok(`apply -f ${join(examples, 'deviceclass.yaml')}`);
    await cluster().apply(driverPod());
    await ok(`wait pod/driver -n ${NAMESPACE} --for=condition=Ready ${within}`);
  });

  it('shows the devices of its node', async () => {
    const [slice] = await cluster().eventually('a slice', async () => {
      const found = await slices();
      return found.length === 1 && found;
    });
    expect(slice?.spec).to.deep.include({ driver: DRIVER, nodeName: NODE });
    expect((slice?.spec['devices'] as readonly Named[] | undefined)?.map(({ name }) => name)).to.deep.equal([
      'device-00',
      'device-01',
    ]);
  });

  it('may not speak for other nodes', async () => {
    const other = {
      apiVersion: 'resource.k8s.io/v1',
      kind: 'ResourceSlice',
      metadata: { name: 'elsewhere' },
      spec: {
        driver: DRIVER,
        nodeName: 'node-b',
        pool: { name: 'node-b', generation: 1, resourceSliceCount: 1 },
        devices: [{ name: 'device-00' }],
      },
    };
    const user = `system:serviceaccount:${NAMESPACE}:${ACCOUNT}`;
    const asDriver = async (extra: string): Promise<string> => {
      const flags = [`--as=${user}`, `--as-user-extra=authentication.kubernetes.io/${extra}`];
      return (await cluster().kubectl.run(['create', '-f', '-', ...flags], JSON.stringify(other))).stderr;
    };
    expect(await asDriver('pod-name=driver')).to.include('no node association found for user');
    const reason = `this user running on node '${NODE}' may not modify resourceslices on node 'node-b'`;
    expect(await asDriver(`node-name=${NODE}`)).to.include(reason);
  });

  it('prepares a device for a pod, and takes it back', async () => {
    await cluster().apply(template(), devicePod('inline', { resourceClaimTemplateName: 'one-device' }));
    await ok(`wait pod/inline --for=condition=Ready ${within}`);
    const name = await ok('get pod inline -o jsonpath={.status.resourceClaimStatuses[0].resourceClaimName}');
    const { allocation, reservedFor } = await claim(name);
    expect(allocation.devices.results).to.have.length(1);
    expect(allocation.devices.results[0]).to.include({ driver: DRIVER, pool: NODE, request: 'device' });
    expect(reservedFor.map((pod) => pod.name)).to.deep.equal(['inline']);
    const [file = ''] = await prepared();
    expect(file).to.match(new RegExp(`^${DRIVER}-.+-device\\.json$`));
    expect(await cluster().machine.ok('cat', `${CDI}/${file}`)).to.include('user_a=b');
    await deleted('inline');
    await cluster().eventually('nothing that is prepared', async () => (await prepared()).length === 0);
    await ok(`wait resourceclaim/${name} --for=delete ${within}`);
  });

  it('shares a device between pods, and has each wait that finds none', async () => {
    const share = { resourceClaimName: 'shared' };
    await cluster().apply(
      sharedClaim(),
      devicePod('first', share),
      devicePod('second', share),
      devicePod('third', { resourceClaimTemplateName: 'one-device' }),
    );
    await ok(`wait pod/first pod/second pod/third --for=condition=Ready ${within}`);
    expect((await claim('shared')).reservedFor.map((pod) => pod.name)).to.have.members(['first', 'second']);
    await cluster().apply(devicePod('fourth', { resourceClaimTemplateName: 'one-device' }));
    const reason = '{.status.conditions[?(@.type=="PodScheduled")].message}';
    await cluster().eventually('a reason to wait', async () =>
      (await cluster().kubectl.ok(['get', 'pod', 'fourth', '-o', `jsonpath=${reason}`])).includes(
        'cannot allocate all claims',
      ),
    );
    await deleted('third');
    await ok(`wait pod/fourth --for=condition=Ready ${within}`);
    await deleted('first', 'second', 'fourth');
    await cluster().eventually(
      'a claim that nobody uses',
      async () => (await claim('shared')).allocation === undefined,
    );
    await cluster().eventually('nothing that is prepared', async () => (await prepared()).length === 0);
  });

  it('takes its devices away when it goes', async function () {
    this.timeout(240_000);
    await ok(`delete pod driver -n ${NAMESPACE} --wait ${within}`);
    // Kubelet waits half a minute for a driver to come back.
    await cluster().eventually('no slices', async () => (await slices()).length === 0, 120);
  });
}

interface Named {
  readonly name: string;
}

interface Claim {
  readonly allocation: { readonly devices: { readonly results: readonly Readonly<Record<string, unknown>>[] } };
  readonly reservedFor: readonly Named[];
}

function driverPod(): object {
  const folders = { plugin: PLUGIN, registry: '/var/lib/kubelet/plugins_registry', cdi: CDI };
  const entries = Object.entries(folders);
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'driver', namespace: NAMESPACE },
    spec: {
      serviceAccountName: ACCOUNT,
      containers: [
        {
          name: 'driver',
          image: IMAGE,
          args: ['kubelet-plugin', `--node-name=${NODE}`, `--num-devices=${DEVICES}`, '-v=5'],
          securityContext: { privileged: true },
          volumeMounts: entries.map(([name, mountPath]) => ({ name, mountPath })),
        },
      ],
      volumes: entries.map(([name, path]) => ({ name, hostPath: { path, type: 'DirectoryOrCreate' } })),
    },
  };
}

function devicePod(name: string, source: Readonly<Record<string, string>>): object {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name },
    spec: {
      terminationGracePeriodSeconds: 1,
      containers: [
        {
          name: 'main',
          image: SHELL_IMAGE,
          command: ['sleep', '3600'],
          resources: { claims: [{ name: 'device' }] },
        },
      ],
      resourceClaims: [{ name: 'device', ...source }],
    },
  };
}

const devices = {
  requests: [{ name: 'device', exactly: { deviceClassName: 'example' } }],
  config: [{ opaque: { driver: DRIVER, parameters: { a: 'b' } } }],
};

function template(): object {
  return {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceClaimTemplate',
    metadata: { name: 'one-device' },
    spec: { spec: { devices } },
  };
}

function sharedClaim(): object {
  return { apiVersion: 'resource.k8s.io/v1', kind: 'ResourceClaim', metadata: { name: 'shared' }, spec: { devices } };
}
