import { MetricRegistry } from '@kubechain/shared-storage/metrics';
import { expect } from 'chai';
import { configureLogging } from '../../logging/logger.ts';
import type { ExchangeTermination } from '../../metrics/exchange-terminations.ts';
import { HopTerminations } from './hop-termination.ts';

describe('the end of an exchange with the next process', () => {
  let lines: string[];
  let terminations: HopTerminations;
  const end = (reason: ExchangeTermination, exchange: 'request' | 'stream', verbosity: number): void => {
    configureLogging({ verbosity, write: (line) => lines.push(line) });
    terminations.ended(reason, exchange, { servedMs: 1_500, auditID: 'an-id', uri: '/api' });
  };
  beforeEach(() => {
    lines = [];
    terminations = new HopTerminations('spec');
  });
  after(() => {
    configureLogging({ verbosity: 0 });
  });

  it('is told in one line, with the audit id, the time served and the error', () => {
    end({ kind: 'broken', error: new TypeError('connection lost') }, 'stream', 2);
    expect(lines).to.have.length(1);
    expect(lines[0]).to.match(
      /reason="broken" delegate="spec" exchange="stream" servedSeconds=1.5 audit-ID="an-id" URI="\/api" err="connection lost"\n$/,
    );
  });

  it('is told of what happens every day only to those who ask', () => {
    end({ kind: 'client_left' }, 'stream', 2);
    end({ kind: 'completed' }, 'request', 3);
    expect(lines).to.deep.equal([]);
    end({ kind: 'client_left' }, 'stream', 3);
    expect(lines).to.have.length(1);
  });

  it('is counted by exchange and reason', () => {
    end({ kind: 'shutting_down' }, 'stream', 0);
    end({ kind: 'shutting_down' }, 'stream', 0);
    const registry = new MetricRegistry();
    terminations.register(registry);
    const samples = registry.samples('apiserver_delegate_terminations_total');
    expect(samples).to.deep.include({
      value: 2,
      labels: { delegate: 'spec', exchange: 'stream', reason: 'shutting_down' },
    });
  });
});
