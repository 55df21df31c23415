import type { Span } from '@kubechain/shared-storage/tracing';
import { expect } from 'chai';
import { callerTrace, outgoingTrace } from './caller-trace.ts';

const ids = '0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331';
const parent = `00-${ids}-01`;

describe('what a caller says of its trace', () => {
  it('goes on as it came', () => {
    expect(callerTrace({ traceparent: parent, tracestate: 'a=1,b@c=2', baggage: 'user=jane;p=1,x=%20' })).to.deep.equal(
      { Traceparent: parent, Tracestate: 'a=1,b@c=2', Baggage: 'user=jane;p=1,x=%20' },
    );
  });

  it('is nothing where nothing is said', () => {
    expect(callerTrace({ tracestate: 'a=1' })).to.deep.equal({});
  });

  it('is written in version 00, with the flag of being sampled alone', () => {
    expect(callerTrace({ traceparent: `00-${ids}-02` }).Traceparent).to.equal(`00-${ids}-00`);
    expect(callerTrace({ traceparent: `cc-${ids}-ff-more` }).Traceparent).to.equal(`00-${ids}-01`);
  });

  it('is left out where it cannot be read', () => {
    const zeros = '0'.repeat(16);
    for (const wrong of [
      '',
      parent.toUpperCase(),
      `${parent}-more`,
      `00-${ids}-03`,
      `ff-${ids}-01`,
      `00-${zeros}${zeros}-${ids.slice(33)}-01`,
      `00-${ids.slice(0, 32)}-${zeros}-01`,
    ])
      expect(callerTrace({ traceparent: wrong, tracestate: 'a=1' }), wrong).to.deep.equal({});
    for (const wrong of ['a', 'a=1,a=2', 'A=1', 'a=1=2', 'a= ', Array.from({ length: 33 }, (_, i) => `a${i}=1`).join()])
      expect(callerTrace({ traceparent: parent, tracestate: wrong }), wrong).to.deep.equal({ Traceparent: parent });
    for (const wrong of ['', 'a', 'a="b"', `a=${'b'.repeat(8_192)}`])
      expect(callerTrace({ baggage: wrong }), wrong).to.deep.equal({});
  });
});

describe('what those are told who are asked', () => {
  const caller = { Traceparent: parent, Tracestate: 'a=1', Baggage: 'b=2' };
  const spanOf = (traceID: string): Span => ({ traceID, traceparent: `00-${traceID}-00f067aa0ba902b7-01` }) as Span;

  it('is what the caller says, where nothing is traced', () => {
    expect(outgoingTrace(caller, undefined)).to.equal(caller);
    expect(outgoingTrace(undefined, undefined)).to.deep.equal({});
  });

  it('is the step that asks, in the trace of the caller', () => {
    const span = spanOf(ids.slice(0, 32));
    expect(outgoingTrace(caller, span)).to.deep.equal({ ...caller, Traceparent: span.traceparent });
  });

  it("keeps the caller's state out of a trace of our own", () => {
    const span = spanOf('c'.repeat(32));
    expect(outgoingTrace(caller, span)).to.deep.equal({ Traceparent: span.traceparent, Baggage: 'b=2' });
  });
});
