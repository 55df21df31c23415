import { expect } from 'chai';
import { EventEmitter } from 'node:events';
import { gzipSync } from 'node:zlib';
import type { ServerRequestContext } from '../request/server-request-context.ts';
import { BodyRecorder, parseBodyRecording, type JournalBodies } from './body-recorder.ts';

const KIB = 1024;

interface Sent {
  readonly request?: readonly Buffer[];
  readonly answer?: readonly Buffer[];
  readonly encoding?: string;
  readonly resource?: string;
  readonly subresource?: string;
  readonly longRunning?: boolean;
}

/** What is kept of a request that has passed. */
function passed(
  recorder: BodyRecorder,
  id: number,
  { answer = [], encoding, longRunning = false, request = [], resource = 'pods', subresource = '' }: Sent,
): JournalBodies {
  const stream = Object.assign(new EventEmitter(), { headers: { 'content-type': 'a/b' } });
  const response = {
    getHeader: (name: string) => (name === 'content-encoding' ? encoding : 'c/d'),
    write: () => true,
    end: () => response,
  };
  const context = {
    request: stream,
    response,
    requestInfo: { resource, subresource },
    longRunning,
  } as unknown as ServerRequestContext;
  recorder.begin(context);
  recorder.begin(context);
  for (const chunk of request) stream.emit('data', chunk);
  for (const chunk of answer) (context.response.write as (chunk: Buffer) => boolean)(chunk);
  // What was written may be overwritten.
  for (const chunk of answer) chunk.fill(0);
  context.response.end();
  recorder.end(context, id);
  return recorder.of(id);
}

describe('recorded bodies', () => {
  const on = (): BodyRecorder => {
    const recorder = new BodyRecorder();
    recorder.set({ record: true, secrets: false });
    return recorder;
  };

  it('are none until somebody asks', () => {
    expect(passed(new BodyRecorder(), 1, { request: [Buffer.from('a')] })).to.deep.equal({});
  });
  it('are what went over the connection, as text or in base64', () => {
    expect(
      passed(on(), 1, { request: [Buffer.from('a'), Buffer.from('é')], answer: [Buffer.from([0xff, 0xfe])] }),
    ).to.deep.equal({
      requestBody: { contentType: 'a/b', bytes: 3, text: 'aé' },
      answerBody: { contentType: 'c/d', bytes: 2, base64: '//4=' },
    });
  });
  it('are not compressed, unless they were broken off', () => {
    const packed = gzipSync('text');
    expect(passed(on(), 1, { answer: [Buffer.from(packed)], encoding: 'gzip' }).answerBody).to.include({
      text: 'text',
      bytes: packed.length,
    });
    const part = Buffer.from(packed.subarray(0, 5));
    expect(passed(on(), 1, { answer: [part], encoding: 'gzip' }).answerBody).to.have.property('base64');
  });
  it('leave out what is long, what goes on and on, and what is secret unless that is wanted', () => {
    expect(passed(on(), 1, { answer: [Buffer.alloc(200 * KIB), Buffer.alloc(57 * KIB)] }).answerBody).to.deep.equal({
      contentType: 'c/d',
      bytes: 257 * KIB,
      omitted: 'large',
    });
    expect(passed(on(), 1, { answer: [Buffer.from('a')], longRunning: true })).to.deep.equal({});
    for (const what of [
      { resource: 'secrets' },
      { resource: 'tokenreviews' },
      { resource: 'serviceaccounts', subresource: 'token' },
    ]) {
      expect(passed(on(), 1, { ...what, answer: [Buffer.from('a')] }).answerBody).to.include({ omitted: 'secret' });
      const recorder = on();
      recorder.set({ record: true, secrets: true });
      expect(passed(recorder, 1, { ...what, answer: [Buffer.from('a')] }).answerBody).to.include({ text: 'a' });
    }
  });
  it('go when newer ones have taken 64 MiB', () => {
    const recorder = on();
    const answer = (): Buffer[] => [Buffer.alloc(256 * KIB, 0x61)];
    for (let id = 1; id <= 256; id++) passed(recorder, id, { answer: answer() });
    expect(recorder.of(1).answerBody?.text).to.have.length(256 * KIB);
    passed(recorder, 257, { answer: [Buffer.from('a')] });
    expect(recorder.of(1)).to.deep.equal({});
    expect(recorder.of(2).answerBody?.text).to.have.length(256 * KIB);
  });
  for (const [wrong, message] of [
    [{}, 'record and secrets are true or false'],
    [{ record: 'on' }, 'record and secrets are true or false'],
    [{ record: true, all: 1 }, '"all" is unknown: record, secrets'],
    [undefined, 'record and secrets are true or false'],
  ] as const)
    it(`are not asked for by ${JSON.stringify(wrong)}`, () => {
      expect(() => parseBodyRecording(wrong)).to.throw(message);
    });
});
