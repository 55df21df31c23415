import { InMemorySpanExporter, type ReadableSpan } from '@opentelemetry/sdk-trace';
import { expect } from 'chai';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { ServerRequestContext } from '../request/server-request-context.ts';
import { OTelTracer } from './otel-tracer.ts';
import type { RequestOrigin } from './request-tracer.ts';

const foreign = '4bf92f3577b34da6a3ce929d0e0e4736';

interface Asked {
  readonly groups?: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
}

function contextOf({ groups = [], headers = {} }: Asked): ServerRequestContext {
  const request = new IncomingMessage(new Socket());
  request.method = 'GET';
  request.url = '/version';
  Object.assign(request.headers, headers);
  const context = new ServerRequestContext(request, new ServerResponse(request), {
    auditID: 'id',
    receivedAtMs: Date.now(),
    startedAt: performance.now(),
  });
  context.user = { name: 'somebody', groups: [...groups] };
  return context;
}

const sampled = (flags = '01'): Record<string, string> => ({ traceparent: `00-${foreign}-00f067aa0ba902b7-${flags}` });
const traced = { 'x-kubechain-traced': '1' };

describe('what is traced', () => {
  const rows: readonly {
    readonly name: string;
    readonly rate: number;
    readonly origin: RequestOrigin;
    readonly asked: Asked;
    readonly kept: boolean;
    readonly parent: boolean;
    readonly linked?: boolean;
  }[] = [
    { name: 'nothing at rate 0', rate: 0, origin: 'client', asked: {}, kept: false, parent: false },
    { name: 'everything at the full rate', rate: 1e6, origin: 'client', asked: {}, kept: true, parent: false },
    {
      name: 'what system:masters trace',
      rate: 0,
      origin: 'client',
      asked: { groups: ['system:masters'], headers: sampled() },
      kept: true,
      parent: true,
    },
    {
      name: 'what system:monitoring trace',
      rate: 0,
      origin: 'client',
      asked: { groups: ['system:monitoring'], headers: sampled() },
      kept: true,
      parent: true,
    },
    {
      name: 'nothing that they have not chosen',
      rate: 1e6,
      origin: 'client',
      asked: { groups: ['system:masters'], headers: sampled('00') },
      kept: false,
      parent: true,
    },
    {
      name: 'not what others trace',
      rate: 0,
      origin: 'client',
      asked: { headers: sampled() },
      kept: false,
      parent: false,
    },
    {
      name: 'of others by the rate, with a link to their trace',
      rate: 1e6,
      origin: 'client',
      asked: { headers: sampled('00') },
      kept: true,
      parent: false,
      linked: true,
    },
    {
      name: 'what the process in front traces',
      rate: 0,
      origin: 'hop',
      asked: { headers: { ...sampled(), ...traced } },
      kept: true,
      parent: true,
    },
    {
      name: 'not what clients of the process in front trace',
      rate: 0,
      origin: 'hop',
      asked: { headers: sampled() },
      kept: false,
      parent: false,
    },
    {
      name: 'nothing for a client that says it is the process in front',
      rate: 0,
      origin: 'client',
      asked: { headers: { ...sampled(), ...traced } },
      kept: false,
      parent: false,
    },
  ];
  for (const { asked, kept, linked = false, name, origin, parent, rate } of rows)
    it(`is ${name}`, async () => {
      const spans = await spansOf(rate, (tracer) => {
        const context = contextOf(asked);
        tracer.begin(context, origin);
        expect(context.span?.traceID === foreign).to.equal(parent);
        // Whoever is asked on its behalf is told, chosen or not.
        expect(context.span?.traceparent).to.match(kept ? /-01$/ : /-00$/);
        tracer.ended(context);
      });
      expect(spans.some((span) => span.name === 'GET')).to.equal(kept);
      expect(spans.flatMap((span) => span.links.map((link) => link.context.traceId))).to.deep.equal(
        linked ? [foreign] : [],
      );
    });
});

describe('the spans of a request', () => {
  it('end when it is answered, and take no more', async () => {
    const spans = await spansOf(1e6, (tracer) => {
      const context = contextOf({});
      tracer.begin(context, 'hop');
      const { span } = context;
      const left = span?.child('left open');
      left?.child('within it').end(new RangeError('too far'));
      context.response.statusCode = 503;
      tracer.ended(context);
      expect(span?.over).to.equal(true);
      left?.child('too late').end();
    });
    const told = spans.map((span) => [span.name, span.status.message ?? span.status.code]);
    expect(told).to.deep.equal([
      ['within it', 'too far'],
      ['left open', 0],
      ['GET', 2],
    ]);
    expect(spans.at(-1)?.attributes['http.response.status_code']).to.equal(503);
    const [within, left, root] = spans;
    expect(within?.parentSpanContext?.spanId).to.equal(
      root?.spanContext().spanId === undefined ? '' : left?.spanContext().spanId,
    );
  });
});

async function spansOf(rate: number, use: (tracer: OTelTracer) => void): Promise<readonly ReadableSpan[]> {
  const kept: ReadableSpan[] = [];
  const exporter = new InMemorySpanExporter();
  const tracer = new OTelTracer({
    exporter: {
      export: (spans, done) => {
        kept.push(...spans);
        exporter.export(spans, done);
      },
      shutdown: () => exporter.shutdown(),
    },
    samplingRatePerMillion: rate,
    instanceID: 'apiserver-1',
    server: 'aggregator',
  });
  use(tracer);
  await tracer.close();
  return kept;
}
