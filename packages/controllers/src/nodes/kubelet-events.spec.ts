import { expect } from 'chai';
import type { Pod, PodStatus } from '@kubechain/apimachinery/types/core/v1';
import { eventsOfChange, eventsOfEnd } from './kubelet-events.ts';

const container = (state: object, image = 'web:1'): object => ({ name: 'c', image, state });
const status = (state: object | undefined, more: object = {}): PodStatus =>
  ({ containerStatuses: state === undefined ? [] : [container(state)], ...more }) as unknown as PodStatus;
const pod = (of: PodStatus): Pod => ({ metadata: { name: 'p', namespace: 'n', uid: 'u' }, status: of });
const told = (before: PodStatus, after: PodStatus): readonly string[] =>
  eventsOfChange(pod(before), after).map(({ message, reason, type }) => `${type} ${reason}: ${message}`);

const running = { running: { startedAt: 'now' } };
const backingOff = { waiting: { reason: 'CrashLoopBackOff' } };

describe('what played kubelets tell', () => {
  const begun = [
    'Normal Pulled: Container image "web:1" already present on machine and can be accessed by the pod',
    'Normal Created: Container created',
    'Normal Started: Container started',
  ];
  it('is that containers start', () => {
    expect(told(status(undefined), status(running))).to.deep.equal(begun);
    expect(told(status(backingOff), status(running))).to.deep.equal(begun);
    expect(eventsOfChange(pod(status(undefined)), status(running))[0]?.fieldPath).to.equal('spec.containers{c}');
  });
  it('is nothing where they go on running, or end by themselves', () => {
    expect(told(status(running), status(running))).to.deep.equal([]);
    expect(told(status(running), status({ terminated: { exitCode: 0 } }))).to.deep.equal([]);
  });
  it('is why they do not run', () => {
    expect(told(status(running), status(backingOff))).to.deep.equal([
      'Warning BackOff: Back-off restarting failed container c in pod p_n(u)',
    ]);
    expect(told(status(undefined), status({ waiting: { reason: 'ImagePullBackOff' } }))).to.deep.equal([
      'Normal BackOff: Back-off pulling image "web:1"',
      'Warning Failed: Error: ImagePullBackOff',
    ]);
  });
  it('is that init containers have run', () => {
    const after = { initContainerStatuses: [container({ terminated: { exitCode: 0 } })] } as unknown as PodStatus;
    expect(told(status(undefined), after)).to.deep.equal(begun);
  });
  it('is that pods are evicted, refused, and ended', () => {
    const after = status({ terminated: { exitCode: 137 } }, { reason: 'Evicted', message: 'low on memory' });
    expect(told(status(running), after)).to.deep.equal(['Warning Evicted: low on memory']);
    const overdue = status({ terminated: { exitCode: 137 } }, { reason: 'DeadlineExceeded', message: 'too long' });
    expect(told(status(running), overdue)).to.deep.equal(['Normal DeadlineExceeded: too long']);
    const refused = status(undefined, { reason: 'NodePorts', message: 'Pod was rejected: no free ports' });
    expect(told(status(undefined), refused)).to.deep.equal(['Warning NodePorts: no free ports']);
    expect(eventsOfEnd(pod(status(running))).map(({ message }) => message)).to.deep.equal(['Stopping container c']);
    expect(eventsOfEnd(pod(after))).to.deep.equal([]);
  });
});
