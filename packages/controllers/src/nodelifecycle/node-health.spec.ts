import type { Lease } from '@kubechain/apimachinery/types/coordination/v1';
import type { Node } from '@kubechain/apimachinery/types/core/v1';
import { expect } from 'chai';
import { NodeHealths } from './node-health.ts';

const startMs = Date.parse('2026-01-01T12:00:00Z');
const text = (seconds: number): string => new Date(startMs + seconds * 1_000).toISOString();
const node = (ready?: { readonly status?: string; readonly heartbeat: number }): Node =>
  ({
    metadata: { name: 'n', creationTimestamp: text(0) },
    status:
      ready === undefined
        ? {}
        : { conditions: [{ type: 'Ready', status: ready.status ?? 'True', lastHeartbeatTime: text(ready.heartbeat) }] },
  }) as unknown as Node;
const lease = (seconds: number): Lease => ({ spec: { renewTime: text(seconds) } }) as unknown as Lease;
const healths = (): NodeHealths => new NodeHealths({ startupMs: 60_000, monitorMs: 50_000 });
const at = (seconds: number): number => startMs + seconds * 1_000;

describe('the health of a node', () => {
  it('is good as long as its status is renewed', () => {
    const all = healths();
    all.look(node({ heartbeat: 0 }), undefined, at(0));
    expect(all.look(node({ heartbeat: 40 }), undefined, at(45)).conditions).to.equal(undefined);
    expect(all.look(node({ heartbeat: 40 }), undefined, at(95)).ready).to.equal('True');
  });
  it('is good as long as its lease is renewed', () => {
    const all = healths();
    all.look(node({ heartbeat: 0 }), lease(0), at(0));
    all.look(node({ heartbeat: 0 }), lease(40), at(45));
    expect(all.look(node({ heartbeat: 0 }), lease(40), at(90)).ready).to.equal('True');
  });
  it('is unknown when it has been silent for too long, in all that a kubelet says', () => {
    const all = healths();
    all.look(node({ heartbeat: 0 }), lease(0), at(0));
    const { before, conditions, ready } = all.look(node({ heartbeat: 0 }), lease(0), at(51));
    expect([before, ready]).to.deep.equal(['True', 'Unknown']);
    expect(conditions?.map(({ reason, type }) => `${type} ${reason ?? ''}`)).to.deep.equal([
      'Ready NodeStatusUnknown',
      'MemoryPressure NodeStatusNeverUpdated',
      'DiskPressure NodeStatusNeverUpdated',
      'PIDPressure NodeStatusNeverUpdated',
    ]);
  });
  it('is unknown of a new node that never says anything', () => {
    const all = healths();
    expect(all.look(node(), undefined, at(59)).ready).to.equal(undefined);
    expect(all.look(node(), undefined, at(61)).conditions?.[0]).to.deep.include({
      type: 'Ready',
      status: 'Unknown',
      message: 'Kubelet never posted node status.',
    });
  });
  it('is not told twice', () => {
    const all = healths();
    all.look(node({ heartbeat: 0 }), undefined, at(0));
    expect(all.look(node({ status: 'Unknown', heartbeat: 0 }), undefined, at(60))).to.deep.equal({
      before: 'Unknown',
      ready: 'Unknown',
    });
  });
  it('goes by when a sign was seen, not by the time in it', () => {
    const all = healths();
    all.look(node({ heartbeat: -1_000 }), undefined, at(0));
    expect(all.look(node({ heartbeat: -900 }), undefined, at(49)).ready).to.equal('True');
    expect(all.look(node({ heartbeat: -900 }), undefined, at(98)).ready).to.equal('True');
  });
  it('goes by new signs when the clock was set back', () => {
    const all = healths();
    all.look(node({ heartbeat: 10_000 }), lease(10_000), at(10_000));
    all.startAnew(at(0));
    expect(all.look(node({ heartbeat: 10_000 }), lease(5), at(5)).ready).to.equal('True');
    expect(all.look(node({ heartbeat: 10_000 }), lease(45), at(45)).ready).to.equal('True');
    expect(all.look(node({ heartbeat: 10_000 }), lease(45), at(90)).ready).to.equal('True');
    expect(all.look(node({ heartbeat: 10_000 }), lease(45), at(100)).ready).to.equal('Unknown');
  });
});
