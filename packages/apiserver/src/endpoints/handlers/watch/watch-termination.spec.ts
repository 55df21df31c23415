import { StorageError } from '@kubechain/shared-storage';
import { expect } from 'chai';
import { configureLogging } from '../../../logging/logger.ts';
import { ResourceWatchMetrics } from '../../../metrics/watch-metrics.ts';
import type { RequestContext } from '../../../request/request-context.ts';
import { watchTerminated, type WatchTermination } from './watch-termination.ts';

describe('the end of a watch', () => {
  let lines: string[];
  let metrics: ResourceWatchMetrics;
  const context = {
    auditID: 'an-id',
    receivedAtMs: 1_000,
    requestInfo: { resource: 'pods', namespace: 'ns' },
    user: { name: 'alice', groups: [] },
  } as unknown as RequestContext;
  const end = (reason: WatchTermination, verbosity: number): void => {
    configureLogging({ verbosity, write: (line) => lines.push(line) });
    watchTerminated(reason, { context, metrics, nowMs: 3_500, events: 7 });
  };
  beforeEach(() => {
    lines = [];
    metrics = new ResourceWatchMetrics({ group: '', version: 'v1', resource: 'pods' });
  });
  after(() => {
    configureLogging({ verbosity: 0 });
  });

  it('is told in one line, with the audit id and the time served', () => {
    end({ kind: 'slow' }, 0);
    expect(lines).to.have.length(1);
    expect(lines[0]).to.match(
      /"Watch ended" reason="slow" audit-ID="an-id" resource="pods" namespace="ns" user="alice" servedSeconds=2.5 events=7\n$/,
    );
  });

  it('is told with its error', () => {
    end({ kind: 'unencodable', error: new TypeError('no such column') }, 0);
    end({ kind: 'expired', error: new StorageError('ResourceExpired', 'too old') }, 2);
    expect(lines[0]).to.match(/^E.*err="no such column" reason="unencodable"/);
    expect(lines[1]).to.match(/^I.*reason="expired".*err="too old"/);
  });

  const levels: readonly (readonly [reason: WatchTermination, level: number])[] = [
    [{ kind: 'slow' }, 0],
    [{ kind: 'overtaken' }, 0],
    [{ kind: 'failed', error: new TypeError('x') }, 0],
    [{ kind: 'reinitialized' }, 2],
    [{ kind: 'expired', error: new TypeError('x') }, 2],
    [{ kind: 'too_new', error: new TypeError('x') }, 2],
    [{ kind: 'closed' }, 2],
    [{ kind: 'timeout' }, 3],
    [{ kind: 'client_left' }, 3],
    [{ kind: 'shutting_down' }, 3],
    [{ kind: 'stopped' }, 3],
  ];
  for (const [reason, level] of levels) {
    it(`is told from -v=${level} on when it is ${reason.kind}`, () => {
      end(reason, level);
      expect(lines).to.have.length(1);
      if (level > 0) end(reason, level - 1);
      expect(lines).to.have.length(1);
    });
  }

  it('is counted by reason, whether it is logged or not', () => {
    end({ kind: 'timeout' }, 0);
    end({ kind: 'timeout' }, 3);
    end({ kind: 'closed' }, 0);
    expect([...metrics.terminations]).to.deep.equal([
      ['timeout', 2],
      ['closed', 1],
    ]);
  });
});
