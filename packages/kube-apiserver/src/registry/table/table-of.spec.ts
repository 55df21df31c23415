import { builtinRelease, knownReleases, loadRelease } from '@kubechain/apimachinery';
import type { KubeObject, Release } from '@kubechain/apimachinery';
import { AgeCell } from '@kubechain/apiserver/resources';
import type { TableCell, TableConvertor } from '@kubechain/apiserver/resources';
import { expect } from 'chai';
import { builtInGroups } from '../built-in-groups.ts';
import { printComponentStatus } from '../core/table.ts';
import { tableOf } from './table-of.ts';

const releases = await Promise.all(knownReleases.map(async ({ version }) => (await loadRelease(version)) as Release));

const rowsByKind = new Map(
  builtInGroups.flatMap(({ resources }) =>
    resources.flatMap(({ definition }) => {
      if (definition === undefined) return [];
      const facts = releases.map((release) => release.preferredResource(definition.group, definition.plural));
      const kind = facts.find((row) => row !== undefined)?.kind;
      return kind === undefined ? [] : [[kind, definition.row] as const];
    }),
  ),
).set('ComponentStatus', printComponentStatus);
const builtInTable = (kind: string, release: Release = builtinRelease): TableConvertor =>
  tableOf(kind, rowsByKind.get(kind), release);

const elsewhere = new Set(['apiextensions.k8s.io', 'apiregistration.k8s.io']);
/** Not built: docs/releases.md. */
const unbuilt = new Set(['PodCertificateRequest']);

for (const release of releases)
  describe(`tables of built-in kinds in ${release.version}`, () => {
    for (const { columns, group, kind, resource, version } of release.resources) {
      if (columns === undefined || elsewhere.has(group) || unbuilt.has(kind)) continue;
      it(`has the columns of ${resource} in ${group}/${version}`, () => {
        const { columns: found } = builtInTable(kind, release);
        expect(found.map(({ description: _description, ...column }) => column)).to.deep.equal(columns);
      });
      it(`prints an empty object of ${resource} in ${group}/${version}`, () => {
        const surplus = kind === 'IPAddress' ? 1 : 0;
        expect(builtInTable(kind, release).row({ kind }).cells.length).to.equal(columns.length + surplus);
      });
    }
  });

interface Row {
  readonly name: string;
  readonly object: KubeObject;
  readonly cells: readonly TableCell[];
}

const metadata = { name: 'x', creationTimestamp: '1970-01-01T00:00:00Z' };
const status = (more: object): KubeObject => ({
  kind: 'Pod',
  metadata,
  spec: {
    containers: [{ name: 'a' }, { name: 'b' }],
    initContainers: [{ name: 'i' }, { name: 's', restartPolicy: 'Always' }],
  },
  status: more,
});
const pod = (ready: string, reason: string, restarts = '0'): readonly TableCell[] => [
  'x',
  ready,
  reason,
  restarts,
  '60s',
  '<none>',
  '<none>',
  '<none>',
  '<none>',
];

const rows: readonly Row[] = [
  { name: 'a pending pod', object: status({ phase: 'Pending' }), cells: pod('0/3', 'Pending') },
  {
    name: 'a waiting init container',
    object: status({
      phase: 'Pending',
      initContainerStatuses: [{ name: 'i', state: { waiting: { reason: 'ErrImagePull' } } }],
    }),
    cells: pod('0/3', 'Init:ErrImagePull'),
  },
  {
    name: 'a failed init container',
    object: status({
      phase: 'Pending',
      initContainerStatuses: [{ name: 'i', state: { terminated: { exitCode: 2 } }, restartCount: 4 }],
    }),
    cells: pod('0/3', 'Init:ExitCode:2', '4'),
  },
  {
    name: 'an init container under way',
    object: status({ phase: 'Pending', initContainerStatuses: [{ name: 'i', state: { running: {} } }] }),
    cells: pod('0/3', 'Init:0/2'),
  },
  {
    name: 'running containers and a sidecar',
    object: status({
      phase: 'Running',
      initContainerStatuses: [
        { name: 'i', state: { terminated: { exitCode: 0 } } },
        { name: 's', started: true, ready: true, state: { running: {} }, restartCount: 1 },
      ],
      containerStatuses: [
        { name: 'a', ready: true, state: { running: {} } },
        {
          name: 'b',
          ready: false,
          state: { waiting: { reason: 'CrashLoopBackOff' } },
          restartCount: 2,
          lastState: { terminated: { finishedAt: '1970-01-01T00:00:30Z' } },
        },
      ],
    }),
    cells: pod('2/3', 'CrashLoopBackOff', '3 (30s ago)'),
  },
  {
    name: 'a signal',
    object: status({
      phase: 'Running',
      containerStatuses: [{ name: 'a', state: { terminated: { signal: 9, exitCode: 137 } } }],
    }),
    cells: pod('0/3', 'Signal:9'),
  },
  {
    name: 'a dying pod',
    object: {
      ...status({ phase: 'Running' }),
      metadata: { ...metadata, deletionTimestamp: metadata.creationTimestamp },
    },
    cells: pod('0/3', 'Terminating'),
  },
  {
    name: 'a load balancer',
    cells: ['x', 'LoadBalancer', '10.0.0.1', '1.1.1.1,2.2.2.2,h,9.9.9.9', '80:30000/TCP', '60s', 'a=b'],
    object: {
      kind: 'Service',
      metadata,
      spec: {
        type: 'LoadBalancer',
        clusterIPs: ['10.0.0.1'],
        externalIPs: ['9.9.9.9'],
        ports: [{ port: 80, nodePort: 30_000, protocol: 'TCP' }],
        selector: { a: 'b' },
      },
      status: { loadBalancer: { ingress: [{ ip: '2.2.2.2' }, { ip: '1.1.1.1' }, { hostname: 'h' }] } },
    },
  },
  {
    name: 'a class whose parameters say little',
    cells: ['x', '', '.g/', '60s'],
    object: { kind: 'IngressClass', metadata, spec: { parameters: { apiGroup: 'g' } } },
  },
  {
    name: 'endpoints',
    cells: ['x', '1.1.1.1:80,1.1.1.2:80,1.1.1.1:81 + 1 more...', '60s'],
    object: {
      kind: 'Endpoints',
      metadata,
      subsets: [{ addresses: [{ ip: '1.1.1.1' }, { ip: '1.1.1.2' }], ports: [{ port: 80 }, { port: 81 }] }],
    },
  },
  {
    name: 'a finished job',
    cells: ['x', 'Complete', '1/2', '20s', '60s', 'c', 'i', '<none>'],
    object: {
      kind: 'Job',
      metadata,
      spec: { completions: 2, template: { spec: { containers: [{ name: 'c', image: 'i' }] } } },
      status: {
        succeeded: 1,
        conditions: [{ type: 'Complete', status: 'True' }],
        startTime: '1970-01-01T00:00:10Z',
        completionTime: '1970-01-01T00:00:30Z',
      },
    },
  },
  {
    name: 'an autoscaler',
    cells: ['x', 'Deployment/d', 'cpu: <unknown>/80%, 1/5 (avg) + 1 more...', '1', 3, 0, '60s'],
    object: {
      kind: 'HorizontalPodAutoscaler',
      metadata,
      spec: {
        scaleTargetRef: { kind: 'Deployment', name: 'd' },
        minReplicas: 1,
        maxReplicas: 3,
        metrics: [
          { type: 'Resource', resource: { name: 'cpu', target: { averageUtilization: 80 } } },
          { type: 'External', external: { target: { averageValue: '5' } } },
          { type: 'Pods' },
        ],
      },
      status: {
        currentMetrics: [{ type: 'Resource' }, { type: 'External', external: { current: { averageValue: '1' } } }],
      },
    },
  },
  {
    name: 'a quota',
    cells: ['x', 'cpu: 1/2, pods: 0/3', 'limits.cpu: 0/4', '60s'],
    object: {
      kind: 'ResourceQuota',
      metadata,
      status: { hard: { pods: '3', cpu: '2', 'limits.cpu': '4' }, used: { cpu: '1' } },
    },
  },
];

const at =
  (nowMs: number) =>
  (cell: TableCell): TableCell =>
    cell instanceof AgeCell ? cell.text(nowMs) : cell;

describe('rows of built-in tables', () => {
  for (const { cells, name, object } of rows)
    it(name, () => {
      expect(
        builtInTable(object.kind ?? '')
          .row(object)
          .cells.map(at(60_000)),
      ).to.deep.equal(cells);
    });

  it('marks finished pods', () => {
    expect(builtInTable('Pod').row(status({ phase: 'Failed' })).conditions).to.deep.equal([
      { type: 'Completed', status: 'True', reason: 'Failed', message: 'The pod failed.' },
    ]);
    expect(builtInTable('Pod').row(status({ phase: 'Running' })).conditions).to.equal(undefined);
  });
});
