import { expect } from 'chai';
import type { Pod, PodStatus } from '@kubechain/apimachinery/types/core/v1';
import { nextPodStep, podAnnotations } from './pod-stages.ts';

const at = { nowMs: Date.parse('2026-01-01T00:00:00Z'), podIP: '10.128.0.2', hostIP: '172.16.0.1' };
const pod = (parts: { metadata?: object; spec?: object; status?: object } = {}): Pod =>
  ({
    metadata: { name: 'p', uid: 'u', generation: 3, ...parts.metadata },
    spec: { nodeName: 'node-0', restartPolicy: 'Always', containers: [{ name: 'c', image: 'nginx' }], ...parts.spec },
    status: { phase: 'Pending', conditions: [{ type: 'PodScheduled', status: 'True' }], ...parts.status },
  }) as unknown as Pod;
function statusAfter(given: Pod): NonNullable<Pod['status']> {
  const step = nextPodStep(given);
  if (step?.kind !== 'status') throw new TypeError('no status');
  return step.status(at);
}
const conditionsOf = ({ conditions = [] }: NonNullable<Pod['status']>): string[] =>
  conditions.map(({ type, status }) => `${type}=${status}`);
const failing = (kind: string, spec: object = {}): Pod =>
  pod({ metadata: { annotations: { [podAnnotations.failure]: kind } }, spec });
const job = { ownerReferences: [{ apiVersion: 'batch/v1', kind: 'Job', name: 'j', uid: 'j', controller: true }] };

describe('the life of a pod on a played node', () => {
  it('begins with running and ready containers', () => {
    const status = statusAfter(pod());
    expect(status).to.deep.include({ phase: 'Running', podIP: '10.128.0.2', hostIP: '172.16.0.1' });
    expect(conditionsOf(status)).to.deep.equal([
      'PodReadyToStartContainers=True',
      'Initialized=True',
      'Ready=True',
      'ContainersReady=True',
      'PodScheduled=True',
    ]);
    expect(status.containerStatuses?.[0]).to.deep.include({
      ready: true,
      started: true,
      restartCount: 0,
      state: { running: { startedAt: '2026-01-01T00:00:00Z' } },
    });
  });
  it('is ready when its probes first look, unless its annotation says when', () => {
    const containers = [{ name: 'c', image: 'nginx', readinessProbe: { initialDelaySeconds: 20 } }];
    const started = statusAfter(pod({ spec: { containers } }));
    expect(conditionsOf(started)).to.include.members(['PodReadyToStartContainers=True', 'Ready=False']);
    expect(started.containerStatuses?.[0]).to.deep.include({ ready: false, started: true });
    const step = nextPodStep(pod({ spec: { containers }, status: started }));
    expect(step?.afterMs).to.equal(20_000);
    const ready = statusAfter(pod({ spec: { containers }, status: started }));
    expect(conditionsOf(ready)).to.include('Ready=True');
    expect(nextPodStep(pod({ spec: { containers }, status: ready }))).to.equal(undefined);
    const annotations = { [podAnnotations.startSeconds]: '0.1' };
    expect(conditionsOf(statusAfter(pod({ metadata: { annotations }, spec: { containers } })))).to.include(
      'Ready=True',
    );
  });
  it('ends before it begins where a port of the node is taken, but not by an ended pod', () => {
    const containers = [{ name: 'c', image: 'nginx', ports: [{ containerPort: 80, hostPort: 80, protocol: 'TCP' }] }];
    const younger = pod({ metadata: { uid: 'v', creationTimestamp: '2026-01-01T00:00:01Z' }, spec: { containers } });
    const older = pod({ metadata: { creationTimestamp: '2026-01-01T00:00:00Z' }, spec: { containers } });
    const refused = (given: Pod, others: readonly Pod[]): PodStatus | undefined => {
      const step = nextPodStep(given, { podsOnNode: () => [given, ...others] });
      if (step?.kind !== 'status') throw new TypeError('no status');
      const status = step.status(at);
      return status.phase === 'Failed' ? status : undefined;
    };
    const running = { ...older, status: statusAfter(older) };
    expect(refused(younger, [running])).to.deep.include({
      reason: 'NodePorts',
      message:
        "Pod was rejected: Predicate NodePorts failed: node(s) didn't have free ports for the requested pod ports",
    });
    expect(refused(younger, [running])?.containerStatuses).to.equal(undefined);
    expect(refused(younger, [older])).to.not.equal(undefined);
    expect(refused(older, [younger])).to.equal(undefined);
    expect(refused(younger, [{ ...running, status: { ...running.status, phase: 'Failed' } }])).to.equal(undefined);
  });
  it('does not begin before it has a node', () => {
    expect(nextPodStep(pod({ spec: { nodeName: '' } }))).to.equal(undefined);
  });
  it('waits for an image that says that there is none, until it is another', () => {
    const waiting = { state: { waiting: { reason: 'ImagePullBackOff' } }, name: 'c' };
    const at = { nowMs: 0, podIP: '10.0.0.1', hostIP: '172.16.0.1' };
    const next = (image: string, containerStatuses: readonly object[]) => {
      const step = nextPodStep({
        spec: { nodeName: 'n', containers: [{ name: 'c', image }] },
        status: { phase: 'Pending', containerStatuses },
      } as unknown as Parameters<typeof nextPodStep>[0]);
      return step?.kind === 'status' ? step.status(at) : undefined;
    };
    expect(next('web:404', [])?.containerStatuses?.[0]?.state?.waiting?.reason).to.equal('ImagePullBackOff');
    expect(next('web:404', [waiting])).to.equal(undefined);
    expect(next('web:1', [waiting])?.phase).to.equal('Running');
  });
  it('sleeps before it ends, no longer than its grace', () => {
    const container = { name: 'c', image: 'web:1', lifecycle: { preStop: { sleep: { seconds: 20 } } } };
    const going = (deletionGracePeriodSeconds: number, state: object): unknown =>
      nextPodStep({
        metadata: { deletionTimestamp: '2026-01-01T00:00:00Z', deletionGracePeriodSeconds },
        spec: { nodeName: 'n', containers: [container] },
        status: { phase: 'Running', containerStatuses: [{ name: 'c', state }] },
      } as unknown as Parameters<typeof nextPodStep>[0]);
    expect(going(30, { running: {} })).to.deep.equal({ kind: 'delete', afterMs: 20_000 });
    expect(going(5, { running: {} })).to.deep.equal({ kind: 'delete', afterMs: 5_000 });
    expect(going(30, { terminated: {} })).to.deep.equal({ kind: 'delete', afterMs: 0 });
  });
  it('ends when it is deleted', () => {
    expect(nextPodStep(pod({ metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } }))).to.deep.equal({
      kind: 'delete',
      afterMs: 0,
    });
  });
  it('goes on for ever, but for pods of jobs, which end well', () => {
    const running = statusAfter(pod());
    expect(nextPodStep(pod({ status: running }))).to.equal(undefined);
    const ended = statusAfter(pod({ metadata: job, spec: { restartPolicy: 'Never' }, status: running }));
    expect(ended.phase).to.equal('Succeeded');
    expect(ended.containerStatuses?.[0]?.state?.terminated).to.deep.include({ exitCode: 0, reason: 'Completed' });
    expect(conditionsOf(ended)).to.include('Ready=False');
  });
  it('ends as its commands say, where nothing else is asked for', () => {
    const running = (command: string[], spec: object = {}): Pod => {
      const given = { restartPolicy: 'Never', containers: [{ name: 'c', image: 'busybox', command }], ...spec };
      return pod({ spec: given, status: statusAfter(pod({ spec: given })) });
    };
    expect(nextPodStep(running(['sleep', '5']))?.afterMs).to.equal(5_000);
    expect(statusAfter(running(['sh', '-c', 'exit 3']))).to.deep.include({ phase: 'Failed' });
    expect(nextPodStep(running(['sleep', 'infinity']))).to.equal(undefined);
    expect(nextPodStep(running(['sleep', '5'], { restartPolicy: 'Always' }))).to.equal(undefined);
  });
  it('waits and ends as its annotations say', () => {
    const slow = pod({ metadata: { annotations: { [podAnnotations.startSeconds]: '2.5' } } });
    expect(nextPodStep(slow)?.afterMs).to.equal(2_500);
  });
  it('crashes, cannot be pulled or runs out of memory where that is asked for', () => {
    const looping = failing('crash-loop');
    const crashing = statusAfter({ ...looping, status: statusAfter(looping) });
    expect(crashing.containerStatuses?.[0]?.state?.waiting).to.deep.equal({
      reason: 'CrashLoopBackOff',
      message: 'back-off 10s restarting failed container=c pod=p_(u)',
    });
    expect(conditionsOf(crashing)).to.include('Ready=False');
    expect(statusAfter(failing('image-pull-error')).containerStatuses?.[0]?.state?.waiting?.reason).to.equal(
      'ImagePullBackOff',
    );
    const oom = failing('oom', { restartPolicy: 'Never' });
    const ended = statusAfter({ ...oom, status: statusAfter(oom) });
    expect(ended.phase).to.equal('Failed');
    expect(ended.containerStatuses?.[0]?.state?.terminated).to.deep.include({ exitCode: 137, reason: 'OOMKilled' });
  });
  it('starts again what has failed, ever later', () => {
    let dying = failing('oom');
    dying = { ...dying, status: statusAfter(dying) };
    expect(conditionsOf(dying.status!)).to.include('Ready=True');
    const waits: (number | undefined)[] = [];
    for (let i = 0; i < 7; i++) {
      dying = { ...dying, status: statusAfter(dying) };
      waits.push(nextPodStep(dying)?.afterMs);
      dying = { ...dying, status: statusAfter(dying) };
    }
    expect(waits).to.deep.equal([10_000, 20_000, 40_000, 80_000, 160_000, 300_000, 300_000]);
    expect(dying.status?.containerStatuses?.[0]).to.deep.include({ restartCount: 7, ready: true });
    expect(dying.status?.containerStatuses?.[0]?.lastState?.terminated).to.deep.include({
      exitCode: 137,
      reason: 'OOMKilled',
    });
  });
  it('is ready again when its node is, whatever was said of it meanwhile', () => {
    const given = pod();
    const running = statusAfter(given);
    const conditions = running.conditions!.map((condition) =>
      condition.type === 'Ready' ? { ...condition, status: 'False' } : condition,
    );
    const doubted = pod({ status: { ...running, conditions } });
    expect(nextPodStep(doubted, { nodeReady: false })).to.equal(undefined);
    const restored = statusAfter(doubted);
    expect(conditionsOf(restored)).to.include('Ready=True');
    expect(nextPodStep(pod({ status: restored }))).to.equal(undefined);
  });
  it('becomes ready when its gates are passed', () => {
    const gated = { spec: { readinessGates: [{ conditionType: 'example.com/open' }] } };
    const waiting = statusAfter(pod(gated));
    expect(conditionsOf(waiting)).to.include('Ready=False');
    expect(nextPodStep(pod({ ...gated, status: waiting }))).to.equal(undefined);
    const opened = [...waiting.conditions!, { type: 'example.com/open', status: 'True' }];
    expect(conditionsOf(statusAfter(pod({ ...gated, status: { ...waiting, conditions: opened } })))).to.include(
      'Ready=True',
    );
  });
  it('is evicted where that is asked for', () => {
    const pressed = failing('evicted');
    const status = statusAfter({ ...pressed, status: statusAfter(pressed) });
    expect(status).to.deep.include({ phase: 'Failed', reason: 'Evicted' });
    expect(conditionsOf(status)).to.include('DisruptionTarget=True');
  });
  it('ends when it was active for as long as it may be, unless it ends before', () => {
    const started = statusAfter(pod());
    const active = (activeDeadlineSeconds: number, more: object = {}): Pod =>
      pod({ spec: { activeDeadlineSeconds, ...more }, status: started });
    const step = nextPodStep(active(30), { nowMs: at.nowMs + 10_000 });
    expect(step?.afterMs).to.equal(20_000);
    expect(nextPodStep(active(5), { nowMs: at.nowMs + 10_000 })?.afterMs).to.equal(0);
    const status = step?.kind === 'status' ? step.status(at) : {};
    expect(status).to.deep.include({
      phase: 'Failed',
      reason: 'DeadlineExceeded',
      message: 'Pod was active on the node longer than the specified deadline',
    });
    expect(nextPodStep({ ...active(30), status }, { nowMs: at.nowMs })).to.equal(undefined);
    const sleeper = { restartPolicy: 'Never', containers: [{ name: 'c', image: 'busybox', command: ['sleep', '5'] }] };
    expect(nextPodStep(active(30, sleeper), { nowMs: at.nowMs })?.afterMs).to.equal(5_000);
  });
  it('uses the address of the node where it shares its network', () => {
    expect(statusAfter(pod({ spec: { hostNetwork: true } })).podIP).to.equal('172.16.0.1');
  });
});
