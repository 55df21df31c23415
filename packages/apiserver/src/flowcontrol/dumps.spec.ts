import { expect } from 'chai';
import { dumpPriorityLevels, dumpQueues, dumpRequests } from './dumps.ts';
import { FlowBench, queueLevel, schemaOf } from './testing/flow-fixtures.ts';

describe('dumps of flow control', () => {
  const bench = new FlowBench({
    serverLimit: 1,
    levels: [queueLevel('l', { shares: 495, queues: 1, handSize: 1 })],
    schemas: [schemaOf('s', 'l')],
  });
  bench.send('/api/v1/namespaces/a/pods/b');
  bench.send('/apis/apps/v1/namespaces/a/deployments/c/status', { method: 'PUT' });

  it('show levels', () => {
    expect(dumpPriorityLevels(bench.flowControl)).to.equal(
      [
        'PriorityLevelName, ActiveQueues, IsIdle, IsQuiescing, WaitingRequests, ExecutingRequests, ' +
          'DispatchedRequests, RejectedRequests, TimedoutRequests, CancelledRequests',
        'catch-all,         0,            true,   false,       0,               0,                 0,         ' +
          '         0,                0,                0',
        'exempt,            0,            true,   false,       0,               0,                 0,         ' +
          '         0,                0,                0',
        'l,                 1,            false,  false,       1,               1,                 1,         ' +
          '         0,                0,                0',
        '',
      ].join('\n'),
    );
  });
  it('show queues', () => {
    expect(dumpQueues(bench.flowControl)).to.equal(
      [
        'PriorityLevelName, Index,  PendingRequests, ExecutingRequests, SeatsInUse, NextDispatchR, ' +
          'InitialSeatsSum, MaxSeatsSum, TotalWorkSum',
        'l,                 0,      1,               1,                 1,          0.00300000ss,  1,         ' +
          '      1,           0.00300000ss',
        '',
      ].join('\n'),
    );
  });
  it('show requests, and who sent them when asked to', () => {
    expect(dumpRequests(bench.flowControl, false)).to.equal(
      [
        'PriorityLevelName, FlowSchemaName, QueueIndex, RequestIndexInQueue, FlowDistingsher, ArriveTime,     ' +
          '      InitialSeats, FinalSeats, AdditionalLatency, StartTime',
        'l,                 s,              0,          0,                   ,                ' +
          '1970-01-01T00:16:40Z, 1,            0,          0s,                0001-01-01T00:00:00Z',
        'l,                 s,              0,          -1,                  ,                ' +
          '1970-01-01T00:16:40Z, 1,            0,          0s,                1970-01-01T00:16:40Z',
        '',
      ].join('\n'),
    );
    const [header = '', waiting = ''] = dumpRequests(bench.flowControl, true).split('\n');
    expect(header).to.match(
      /StartTime, +UserName, +Verb, +APIPath, +Namespace, +Name, +APIVersion, +Resource, +SubResource$/,
    );
    expect(waiting).to.match(
      /alice, +update, +\/apis\/apps\/v1\/namespaces\/a\/deployments\/c\/status, +a, +c, +apps\/v1, +deployments, +status$/,
    );
  });
});
