import type { KubeObject } from '@kubechain/apimachinery';
import { resources, type ResourceType } from '@kubechain/controllers';
import { eventually } from '../live-cluster.ts';
import type { Scenario, Stage } from './scenarios.ts';

/** Nodes must be missing for 40 seconds, and are looked for every 20. */
const patient = { withinMs: 120_000 };
const kept = ['example.com/stays'];

async function makePod({ client, namespace }: Stage, name: string, more: { readonly spec?: object } = {}) {
  await client.resource(resources.pods).create({
    metadata: { namespace, name, finalizers: kept },
    spec: {
      terminationGracePeriodSeconds: 0,
      containers: [{ name: 'c', image: 'web:1' }],
      tolerations: [{ operator: 'Exists' }],
      ...more.spec,
    } as never,
  });
}

async function isGiven({ client, namespace }: Stage, name: string): Promise<void> {
  await eventually(
    async () =>
      (await client.resource(resources.pods).get({ namespace, name })).metadata?.deletionTimestamp !== undefined,
    patient,
  );
}

async function setPhase({ client, namespace }: Stage, name: string, phase: string): Promise<void> {
  await client.resource(resources.pods).patch({ namespace, name }, { status: { phase } }, { subresource: 'status' });
}

async function makeNode({ client, namespace }: Stage, spec: object = {}): Promise<string> {
  const name = `lost-${namespace}`;
  await client.resource(resources.nodes).create({ metadata: { name }, spec });
  return name;
}

/** A secret with a token for joining nodes, in `kube-system`. */
function makeToken(
  { client }: Stage,
  id: string,
  { data = {}, type = 'bootstrap.kubernetes.io/token' }: { readonly data?: object; readonly type?: string } = {},
): Promise<KubeObject> {
  return client.resource(resources.secrets).create({
    metadata: { namespace: 'kube-system', name: `bootstrap-token-${id}` },
    type,
    stringData: {
      'token-id': id,
      'token-secret': '0123456789abcdef',
      'usage-bootstrap-signing': 'true',
      ...data,
    },
  });
}

/** What is elsewhere is compared where a scenario is played. */
async function keep({ client, namespace }: Stage, name: string, data: Readonly<Record<string, string>>): Promise<void> {
  await client.resource(resources.configmaps).create({ metadata: { namespace, name }, data });
}

async function has<T extends object>(
  { client }: Stage,
  type: ResourceType<T>,
  at: { readonly namespace: string; readonly name: string },
): Promise<boolean> {
  return (await client.resource(type).list({ namespace: at.namespace })).items.some(
    (item) => (item as KubeObject).metadata?.name === at.name,
  );
}

const publicMap = { namespace: 'kube-public', name: 'cluster-info' } as const;
/** Waits for what signatures there are, by the tokens' names. */
async function signatures({ client }: Stage, wanted: readonly string[]): Promise<Readonly<Record<string, string>>> {
  return eventually(async () => {
    const { data = {} } = await client.resource(resources.configmaps).get(publicMap);
    const keys = Object.keys(data).filter((key) => key.startsWith('jws-kubeconfig-'));
    return keys.toSorted().join() === wanted.map((id) => `jws-kubeconfig-${id}`).join() ? data : undefined;
  }, patient);
}

const soon = (ms: number): string => new Date(Date.now() + ms).toISOString().replace(/\.\d+Z$/, 'Z');

/** What takes away what is of no use any more, and what hands out tokens. */
export const cleaningScenarios: readonly Scenario[] = [
  {
    name: 'pods: their node is gone',
    play: async (stage) => {
      const nodeName = await makeNode(stage);
      await makePod(stage, 'running', { spec: { nodeName } });
      await makePod(stage, 'started', { spec: { nodeName } });
      await setPhase(stage, 'started', 'Running');
      await stage.client.resource(resources.nodes).delete({ name: nodeName });
      await isGiven(stage, 'running');
      await isGiven(stage, 'started');
    },
  },
  {
    name: 'pods: their node is out of service',
    play: async (stage) => {
      const nodeName = await makeNode(stage, {
        taints: [{ key: 'node.kubernetes.io/out-of-service', effect: 'NoExecute' }],
      });
      await makePod(stage, 'deleted', { spec: { nodeName, terminationGracePeriodSeconds: 3_600 } });
      await setPhase(stage, 'deleted', 'Running');
      await makePod(stage, 'staying', { spec: { nodeName } });
      await stage.client.resource(resources.pods).delete({ namespace: stage.namespace, name: 'deleted' });
      await eventually(async () => {
        const { status } = await stage.client
          .resource(resources.pods)
          .get({ namespace: stage.namespace, name: 'deleted' });
        return status?.phase === 'Failed';
      }, patient);
    },
  },
  {
    name: 'pods: deleted before they had a node',
    play: async (stage) => {
      await makePod(stage, 'nowhere', { spec: { nodeSelector: { no: 'where' } } });
      await stage.client.resource(resources.pods).delete({ namespace: stage.namespace, name: 'nowhere' });
      await eventually(async () => {
        const { status } = await stage.client
          .resource(resources.pods)
          .get({ namespace: stage.namespace, name: 'nowhere' });
        return status?.phase === 'Failed';
      }, patient);
    },
  },
  {
    name: 'pods: more ended ones than may stay',
    play: async (stage) => {
      for (const name of ['first', 'second', 'third', 'fourth']) {
        await makePod(stage, name, { spec: { nodeSelector: { no: 'where' } } });
        await setPhase(stage, name, name === 'second' ? 'Failed' : 'Succeeded');
        // Times have seconds.
        await new Promise((resolve) => setTimeout(resolve, 1_100));
      }
      await isGiven(stage, 'first');
      await isGiven(stage, 'second');
    },
  },
  {
    name: 'bootstrap tokens: signed, changed, unusable and gone',
    play: async (stage) => {
      const { client } = stage;
      const maps = client.resource(resources.configmaps);
      await maps.create({ metadata: publicMap, data: { kubeconfig: 'apiVersion: v1\nkind: Config\n' } });
      await makeToken(stage, 'aaaaaa');
      await makeToken(stage, 'bbbbbb', { data: { expiration: '2999-01-01T00:00:00Z' } });
      await makeToken(stage, 'cccccc', { data: { 'usage-bootstrap-signing': 'false' } });
      await makeToken(stage, 'dddddd', { type: 'Opaque' });
      await makeToken(stage, 'eeeeee', { data: { 'token-id': 'ffffff' } });
      await keep(stage, 'signed', await signatures(stage, ['aaaaaa', 'bbbbbb']));
      await maps.patch(publicMap, { data: { kubeconfig: 'apiVersion: v1\nkind: Config\nusers: []\n' } });
      await client.resource(resources.secrets).delete({ namespace: 'kube-system', name: 'bootstrap-token-bbbbbb' });
      await keep(stage, 'fewer', await signatures(stage, ['aaaaaa']));
      await maps.patch(publicMap, { data: { 'jws-kubeconfig-aaaaaa': 'forged' } });
      await eventually(
        async () => (await maps.get(publicMap)).data?.['jws-kubeconfig-aaaaaa']?.startsWith('ey') === true,
        patient,
      );
      await keep(stage, 'mended', await signatures(stage, ['aaaaaa']));
    },
  },
  {
    name: 'bootstrap tokens: expired',
    play: async (stage) => {
      await makeToken(stage, 'past00', {
        data: { 'usage-bootstrap-signing': 'false', expiration: '2001-01-01T00:00:00Z' },
      });
      await makeToken(stage, 'soon00', { data: { 'usage-bootstrap-signing': 'false', expiration: soon(3_000) } });
      await makeToken(stage, 'wrong0', { data: { 'usage-bootstrap-signing': 'false', expiration: 'tomorrow' } });
      await makeToken(stage, 'later0', { data: { 'usage-bootstrap-signing': 'false', expiration: soon(3_600_000) } });
      for (const id of ['past00', 'soon00'])
        await eventually(
          async () =>
            !(await has(stage, resources.secrets, { namespace: 'kube-system', name: `bootstrap-token-${id}` })),
          patient,
        );
      await new Promise((resolve) => setTimeout(resolve, 2_000));
      const left: Record<string, string> = {};
      for (const id of ['wrong0', 'later0'])
        left[id] = String(
          await has(stage, resources.secrets, { namespace: 'kube-system', name: `bootstrap-token-${id}` }),
        );
      await keep(stage, 'left', left);
    },
  },
];
